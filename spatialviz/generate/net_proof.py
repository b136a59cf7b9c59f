"""How solvers of folding tasks look at nets: by the labelled corners of the cube. No frames, no turning of cubes; nothing of `nets`' folding.

The corners are the numbers 0 to 7; neighbours differ in one bit. Each square of a net gets the four corners it comes to lie on, clockwise
from the top left; over a side shared by two squares the corners go on. At each corner of the cube three faces meet, and a picture of a
cube shows one corner: what is printed on them, clockwise round it, each as it looks with that corner at its top left.
"""

from __future__ import annotations

from collections.abc import Mapping

from .rotation_2d import KINDS

Around = tuple[str, str, str]
"""Three faces, clockwise round the corner where they meet, each with this corner at its top left; the least of them first."""

NEAR = {True: (2, 1, 0), False: (1, 2, 3)}
"""Seen from above, from below → where the nearest corner is on top or bottom, front and right side: 0 top left, clockwise to 3."""

CLOCKWISE = {True: (0, 2, 1), False: (0, 1, 2)}
"""From above, from below → top or bottom, front and right side in clockwise order round the nearest corner."""


def look(face: str, place: int) -> str:
    """The face turned so that its corner `place` comes to the top left."""
    if len(face) == 2:
        return f"{face[0]}{(int(face[1]) - place) % KINDS[face[0]].turns}"
    if len(face) == 9:
        for _ in range(place):
            face = face[2::3] + face[1::3] + face[0::3]
    return face


def around(faces: list[str]) -> Around:
    """Begins with the least, which changes nothing about the order round the corner."""
    first = min(range(3), key=lambda n: faces[n:] + faces[:n])
    one, two, three = faces[first:] + faces[:first]
    return one, two, three


def shown(faces: tuple[str, str, str], *, above: bool) -> Around:
    """What a picture of a cube shows: the corner in its middle."""
    turned = [look(face, place) for face, place in zip(faces, NEAR[above], strict=True)]
    return around([turned[n] for n in CLOCKWISE[above]])


def labelled(net: Mapping[tuple[int, int], str]) -> dict[tuple[int, int], tuple[int, int, int, int]]:
    """Square → the corners of the cube under its own, clockwise from the top left."""
    first = min(net)
    found = {first: (0, 1, 3, 2)}
    queue = [first]
    for row, column in queue:
        a, b, c, d = found[row, column]
        below = 7 ^ (a ^ b) ^ (b ^ c)
        for beside, corners in (
            ((row, column + 1), (b, b ^ below, c ^ below, c)),
            ((row, column - 1), (a ^ below, a, d, d ^ below)),
            ((row + 1, column), (d, c, c ^ below, d ^ below)),
            ((row - 1, column), (a ^ below, b ^ below, b, a)),
        ):
            if beside in net and beside not in found:
                found[beside] = corners
                queue.append(beside)
    return found


def all_corners(net: Mapping[tuple[int, int], str]) -> set[Around]:
    """The eight corners of the cube that the net folds into, its print outside."""
    squares = labelled(net)
    found = set()
    for corner in range(8):
        here = {square: corners.index(corner) for square, corners in squares.items() if corner in corners}
        following = {squares[square][(place + 1) % 4]: square for square, place in here.items()}
        preceding = {square: squares[square][place - 1] for square, place in here.items()}
        square, order = min(here), []
        for _ in range(3):
            order.append(look(net[square], here[square]))
            square = following[preceding[square]]
        found.add(around(order))
    return found


def opposite(net: Mapping[tuple[int, int], str], face: str) -> str:
    """The face that shares no corner with this one."""
    squares = labelled(net)
    here = next(set(squares[square]) for square, printed in net.items() if printed == face)
    return next(net[square] for square, corners in squares.items() if not here & set(corners))
