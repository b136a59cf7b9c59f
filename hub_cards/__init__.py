"""Hugging Face dataset cards, one template per benchmark; `shared/dataset.py` fills them in."""
