"""How a body stands in each of the 13 actions: joints of an adult who faces right, and what is painted in which order.

The ground is y = 0, a standing adult's chin y = -128. Everything, props included, stays within x of -102 to 102 and above
`props.BELOW`, so that no action is drawn larger than another.
"""

from __future__ import annotations

from dataclasses import dataclass

from .svg import Point

Joint = tuple[Point, Point]
"""Elbow and hand, or knee and ankle."""


@dataclass(frozen=True)
class Pose:
    """Joints, units of a figure. "Far" limbs are painted behind the trunk, "near" ones before it, unless `layers` says otherwise."""

    neck: Point
    hip: Point
    far_arm: Joint
    near_arm: Joint
    far_leg: Joint
    near_leg: Joint
    layers: tuple[str, ...]
    """Body parts and props, from back to front."""
    spread: float = 5
    """Half the distance of the shoulders: small from the side, large from the front."""
    tilt: float = 0
    """Degrees the head is turned clockwise."""
    skates: bool = False
    swims: bool = False

    @property
    def frontal(self) -> bool:
        """Seen from the front."""
        return self.spread > 10


BACK = ("tail", "far_arm", "far_leg")
FRONT = ("near_leg", "trunk", "skirt", "head", "near_arm")
SIDE = (*BACK, *FRONT)
BUST = ("tail", "trunk", "head")
"""Behind a table, legs unseen."""

UNSEEN: Joint = ((0, -30), (0, -6))
ON_THE_TABLE: Joint = ((-46, -90), (-34, -66))

POSES: dict[str, Pose] = {
    "playing soccer": Pose(
        neck=(-14, -127),
        hip=(-8, -73),
        tilt=4,
        far_arm=((22, -112), (46, -124)),
        near_arm=((-42, -106), (-62, -84)),
        far_leg=((-14, -36), (-24, -6)),
        near_leg=((22, -54), (50, -28)),
        layers=("shadow", *SIDE, "ball"),
    ),
    "driving a car": Pose(
        neck=(-26, -112),
        hip=(-26, -60),
        far_arm=((4, -84), (26, -88)),
        near_arm=((-4, -76), (24, -76)),
        far_leg=UNSEEN,
        near_leg=UNSEEN,
        layers=("shadow", "car_inside", "tail", "far_arm", "trunk", "head", "steering_wheel", "near_arm", "car"),
    ),
    "ice-skating": Pose(
        neck=(16, -126),
        hip=(-2, -76),
        tilt=4,
        far_arm=((44, -118), (70, -130)),
        near_arm=((-14, -104), (-44, -114)),
        far_leg=((-36, -62), (-66, -46)),
        near_leg=((14, -44), (4, -16)),
        layers=("ice", *SIDE),
        skates=True,
    ),
    "walking": Pose(
        neck=(5, -128),
        hip=(2, -74),
        far_arm=((26, -94), (46, -76)),
        near_arm=((-16, -96), (-32, -70)),
        far_leg=((-8, -40), (-36, -10)),
        near_leg=((24, -42), (38, -7)),
        layers=("footprints", *SIDE),
    ),
    "swimming": Pose(
        neck=(14, -64),
        hip=(-38, -42),
        tilt=-4,
        far_arm=((50, -30), (70, -22)),
        near_arm=((58, -100), (90, -70)),
        far_leg=((-60, -36), (-82, -48)),
        near_leg=((-60, -26), (-82, -26)),
        layers=("pool", "tail", "far_leg", "trunk", "splash", "near_arm", "head", "water"),
        swims=True,
    ),
    "jumping": Pose(
        neck=(0, -138),
        hip=(0, -86),
        spread=15,
        far_arm=((-40, -142), (-48, -174)),
        near_arm=((40, -142), (48, -174)),
        far_leg=((-30, -70), (-22, -48)),
        near_leg=((30, -70), (22, -48)),
        layers=("low_shadow", "bounce", *SIDE),
    ),
    "typing": Pose(
        neck=(-34, -122),
        hip=(-42, -66),
        tilt=3,
        far_arm=((-2, -92), (26, -92)),
        near_arm=((-12, -80), (20, -86)),
        far_leg=((2, -60), (2, -8)),
        near_leg=((-6, -56), (-6, -6)),
        layers=(
            "shadow",
            "chair",
            "tail",
            "far_leg",
            "near_leg",
            "trunk",
            "skirt",
            "head",
            "computer_desk",
            "far_arm",
            "near_arm",
        ),
    ),
    "writing": Pose(
        neck=(0, -130),
        hip=(0, -74),
        spread=18,
        tilt=5,
        far_arm=ON_THE_TABLE,
        near_arm=((50, -92), (34, -66)),
        far_leg=UNSEEN,
        near_leg=UNSEEN,
        layers=("shadow", *BUST, "table", "paper", "far_arm", "pencil", "near_arm"),
    ),
    "digging a hole": Pose(
        neck=(-12, -122),
        hip=(-34, -72),
        tilt=6,
        far_arm=((16, -106), (20, -88)),
        near_arm=((0, -82), (34, -62)),
        far_leg=((-50, -38), (-64, -6)),
        near_leg=((-12, -44), (-18, -6)),
        layers=("hole", "tail", "far_leg", "near_leg", "trunk", "skirt", "head", "shovel", "far_arm", "near_arm"),
    ),
    "carrying something": Pose(
        neck=(-20, -127),
        hip=(-12, -74),
        tilt=-4,
        far_arm=((6, -88), (50, -74)),
        near_arm=((-12, -84), (28, -72)),
        far_leg=((-20, -38), (-38, -8)),
        near_leg=((4, -40), (10, -6)),
        layers=("shadow", "tail", "far_leg", "near_leg", "trunk", "skirt", "head", "far_arm", "load", "near_arm"),
    ),
    "reading": Pose(
        neck=(0, -118),
        hip=(0, -62),
        spread=18,
        tilt=-4,
        far_arm=((-54, -82), (-46, -64)),
        near_arm=((54, -82), (46, -64)),
        far_leg=((-34, -44), (-34, -8)),
        near_leg=((34, -44), (34, -8)),
        layers=(
            "shadow",
            "armchair",
            "tail",
            "far_leg",
            "near_leg",
            "trunk",
            "skirt",
            "head",
            "book",
            "far_arm",
            "near_arm",
        ),
    ),
    "running": Pose(
        neck=(24, -126),
        hip=(2, -80),
        tilt=4,
        far_arm=((44, -98), (66, -118)),
        near_arm=((-8, -104), (-20, -78)),
        far_leg=((-16, -44), (-54, -44)),
        near_leg=((40, -68), (46, -30)),
        layers=("low_shadow", "speed", *SIDE),
    ),
    "eating food": Pose(
        neck=(0, -130),
        hip=(0, -74),
        spread=18,
        tilt=-3,
        far_arm=ON_THE_TABLE,
        near_arm=((60, -90), (46, -114)),
        far_leg=UNSEEN,
        near_leg=UNSEEN,
        layers=("shadow", *BUST, "bib", "table", "meal", "far_arm", "fork", "near_arm"),
    ),
}
"""In the paper's words and order (Appendix A.1)."""
