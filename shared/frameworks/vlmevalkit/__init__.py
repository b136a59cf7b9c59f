"""VLMEvalKit (github.com/open-compass/VLMEvalKit, wheel `ms-vlmeval`): our datasets, our baselines, and its result tables read back."""
