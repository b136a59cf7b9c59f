"""What a drawn scene costs at 512 pixels, by the number of individuals, in CPU time on one core.

Limit: 30 ms a picture on average.
"""

from __future__ import annotations

import time

from cogsight.voila.generate.looks import LOOKS
from cogsight.voila.generate.poses import POSES
from cogsight.voila.generate.scenes import LAYOUTS, SIZE, draw_scene, scene_svg, variation


def main() -> None:
    pairs = [(subject, action) for subject in LOOKS for action in POSES]
    draw_scene(1, *pairs[0], "warm up")
    for number in LAYOUTS:
        start = time.process_time()
        for index, (subject, action) in enumerate(pairs):
            scene_svg(number, subject, action, variation(index))
        text = time.process_time() - start
        start = time.process_time()
        size = sum(
            len(draw_scene(number, subject, action, index).data) for index, (subject, action) in enumerate(pairs)
        )
        whole = time.process_time() - start
        each = 1e3 / len(pairs)
        print(
            f"{number} individuals, {SIZE} px: {whole * each:5.1f} ms a picture (limit 30 on average), "
            f"of which {text * each:.1f} ms SVG; {size / len(pairs) / 1024:.0f} KB"
        )


if __name__ == "__main__":
    main()
