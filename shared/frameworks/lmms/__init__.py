"""lmms-eval (github.com/EvolvingLMMs-Lab/lmms-eval, 0.7.3): our tasks, our baselines, and its sample logs read back."""
