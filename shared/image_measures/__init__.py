"""How near a picture that a model made comes to the true one, measured without eyes. These are no ratings: neither App nor IF.

- `silhouette_iou`, 0 to 1, 1 = same: what both outlines cover over what either covers, once the one is laid onto the other
  (`silhouette.py`): place and size do not count, rotation does. Holes are filled.
- `color_distance`, 0 to 1, 0 = same: earth mover's distance of the colours within the outlines, background left out (`colors.py`). It knows
  nothing of where a colour is.
- `ssim`, -1 to 1, 1 = same: structural similarity of the lightness, laid onto each other in the same way, background made white, mean
  over what either outline covers (`similarity.py`).

Where one of the two shows nothing (a blank sheet, or what is no picture), these are 0, 1 and 0; where neither does, 1, 0 and 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..sample import Picture

MEASURES: Mapping[str, str] = {
    "silhouette_iou": "Overlap of outlines (100 = same)",
    "color_distance": "Distance of colours (0 = same)",
    "ssim": "Structural similarity (100 = same)",
}
"""Name → title, in a table that shows hundredths."""


def measure(produced: Picture, true: Picture) -> dict[str, float]:
    """All of `MEASURES`. Pictures may have any size, transparency (seen on white) and mode; a produced one that cannot be read shows nothing.

    Raises one of `decoding.bad_bytes()` when the true picture cannot be read.
    """
    from . import colors, silhouette, similarity

    made, right = silhouette.figure_of_reply(produced), silhouette.figure(true)
    if not (made.mask.any() and right.mask.any()):
        same = float(made.mask.any() == right.mask.any())
        return {"silhouette_iou": same, "color_distance": 1 - same, "ssim": same}
    laid = silhouette.aligned(made, right)
    return {
        "silhouette_iou": laid.iou,
        "color_distance": colors.distance(made.lab[made.mask], right.lab[right.mask]),
        "ssim": similarity.mean(laid.made, laid.right, laid.either),
    }
