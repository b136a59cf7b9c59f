"""Pictures by a text-to-image model: made from prompts, cleaned by hand, and asked for in a model's own words.

A benchmark lists its `Motif`s; `making.py` has them painted, picture by picture, by whoever is a `Painter`, such as SDXL
(`diffusion.py`); on the page of `cleaning.py` people keep the good ones. `endpoint.py` asks OpenAI's images interface.
"""
