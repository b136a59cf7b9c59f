"""Real brick models: reads LDraw files (`.ldr`, `.mpd`, packed `.mpd`) into building steps and meshes.

    model = load("car.mpd")
    model.steps[3].new          # the parts that come in, where, in which colour
    model.scene(model.state(3)) # triangles, edges and colours of what is then on the table

Formats: ldraw.org, file format 1.0.2 with the extensions MPD, BFC and colour definition. Left aside: textures (`!TEXMAP`; their fallback is
drawn) and embedded data (`!DATA`).
"""

from __future__ import annotations

from .colors import Color, Palette
from .mesh import Layer, Mesh
from .model import Credit, Model, Part, PlacedPart, Rotation, Scene, Step
from .reading import load
from .text import LDrawError, Transform

__all__ = [
    "Color",
    "Credit",
    "LDrawError",
    "Layer",
    "Mesh",
    "Model",
    "Palette",
    "Part",
    "PlacedPart",
    "Rotation",
    "Scene",
    "Step",
    "Transform",
    "load",
]
