"""VOILA: visual analogies over number, subject and action (arXiv 2503.00043)."""
