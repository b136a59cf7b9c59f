"""VOILA's drawn scenes: what is shown (`looks`, `poses`, `props`), one individual (`figures`), a whole picture (`scenes`).

A new prop is a row of `props.PROPS` and a name in a pose's `layers`; after any change look at the pictures, then change RENDER_VERSION.
"""

from .scenes import RENDER_VERSION, draw_scene

__all__ = ["RENDER_VERSION", "draw_scene"]
