"""How pictures are made. One engine per kind of picture; no GL, no system fonts, the same pixels on every machine.

| what is drawn | engine |
|---|---|
| solids: our own bricks, cube stacks, real parts, glass; as instruction or as photo | `draw`: a z-buffer, with `mesh`, `camera`, `edges`, `solids` |
| flat figures: lines, discs, polygons | `canvas`: Pillow, drawn larger |
| several pictures as one, with captions | `collage` |

Colours have names, in `palette`. The golden hashes in the tests guard decoded pixels, not files: encoders change.
"""
