"""Second methods for SpatialViz' flat tasks and for blocks: pictures that are turned, boards that are turned, blocks that fall, layers that are folded.

Each gives the letters that fit a state, as its task's `solve`, and shares with that one only what reads the state.
"""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageChops, ImageFilter

from cogsight.spatialviz.generate import arrow_moving, block_moving, paper_folding, rotation_2d
from cogsight.spatialviz.generate.arrow_moving import Arrow, Board
from cogsight.spatialviz.generate.paper_folding import Fold, Holes

ROTATED = (None, Image.Transpose.ROTATE_270, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_90)
"""Pillow turns counterclockwise."""


def like(one: Image.Image, other: Image.Image) -> bool:
    """Has each picture at every pixel a colour that the other has there or next to it? (Lines are a quarter of a pixel off their place.)"""
    for image, beside in ((one, other), (other, one)):
        low, high = beside.filter(ImageFilter.MinFilter(3)), beside.filter(ImageFilter.MaxFilter(3))
        odd = ImageChops.lighter(ImageChops.subtract(image, high), ImageChops.subtract(low, image))
        red, green, blue = odd.split()
        if sum(ImageChops.lighter(ImageChops.lighter(red, green), blue).histogram()[70:]) > 50:
            return False
    return True


def rotation_2d_fits(state: rotation_2d.State) -> set[str]:
    """Turns the picture of the original and compares pixels."""
    original = rotation_2d.picture(state.original)
    turns = [original if way is None else original.transpose(way) for way in ROTATED]
    same = [any(like(turn, rotation_2d.picture(option)) for turn in turns) for option in state.options]
    letters = {letter for letter, fit in zip("ABC", same, strict=True) if fit == (state.ask == rotation_2d.CAN)}
    return letters or {"D"}


QUARTER = {"N": "W", "W": "S", "S": "E", "E": "N"}
"""Counterclockwise."""

UPWARDS = {"F": "N", "L": "E", "B": "S", "R": "W"}
"""How an arrow points that makes this move by going up."""


def quarter(arrow: Arrow, side: int) -> Arrow:
    x, y = arrow.at
    return Arrow((side - 1 - y, x), arrow.color, QUARTER[arrow.heading])


def by_turning(board: Board, moves: arrow_moving.Moves, side: int) -> Board | None:
    """Turns the board until the arrow's way is up, moves it up, and turns back."""
    for move in moves:
        found = [arrow for arrow in board if arrow.at == move.at]
        if not found:
            return None
        arrow, quarters = found[0], 0
        while arrow.heading != UPWARDS[move.turn]:
            board, arrow = Board(quarter(other, side) for other in board), quarter(arrow, side)
            quarters += 1
        x, y = arrow.at
        if y + move.units >= side:
            return None
        others = {other.at: other for other in board if other != arrow}
        if other := others.pop((x, y + move.units), None):
            others[x, y] = Arrow((x, y), other.color, "S")
        board = Board([*others.values(), Arrow((x, y + move.units), arrow.color, "N")])
        for _ in range(-quarters % 4):
            board = Board(quarter(other, side) for other in board)
    return board


def arrow_moving_fits(state: arrow_moving.State) -> set[str]:
    if isinstance(state.given, arrow_moving.Moves):
        end = by_turning(state.initial, state.given, state.side)
        return {letter for letter, option in zip("ABCD", state.options, strict=True) if option == end}
    ends = [
        by_turning(state.initial, option, state.side)
        for option in state.options
        if isinstance(option, arrow_moving.Moves)
    ]
    return {letter for letter, end in zip("ABCD", ends, strict=True) if end == state.given}


HEIGHT = len(block_moving.COLORS) + 1


def array(stack: block_moving.Stack, side: int) -> np.ndarray:
    """Colours as numbers from 1, 0 for nothing; (x, y, z)."""
    found = np.zeros((side, side, HEIGHT), int)
    for cell, color in stack.items():
        found[cell] = block_moving.COLORS.index(color) + 1
    return found


def by_falling(stack: block_moving.Stack, moves: block_moving.Moves, side: int) -> np.ndarray | None:
    """Exchanges two cells, be they filled or not, then lets everything fall by one until nothing does."""
    cells = array(stack, side)
    for move in moves:
        target = tuple(np.add(move.at, block_moving.DIRECTIONS[move.direction]))
        if not cells[move.at] or min(target) < 0 or max(target[:2]) >= side:
            return None
        cells[move.at], cells[target] = cells[target], cells[move.at]
        while (floating := (cells[..., 1:] > 0) & (cells[..., :-1] == 0)).any():
            x, y, z = np.argwhere(floating)[0]
            cells[x, y, z], cells[x, y, z + 1] = cells[x, y, z + 1], 0
    return cells


def block_moving_fits(state: block_moving.State) -> set[str]:
    final = array(state.final, state.side)
    ends = [by_falling(state.initial, moves, state.side) for moves in state.options]
    return {letter for letter, end in zip("ABCD", ends, strict=True) if end is not None and (end == final).all()}


FINE = 8
"""Points per cell's side: a layer is a raster of (side·FINE)² points, none of which lies on a fold line at an angle of 45 degrees."""


def by_layers(state: paper_folding.State) -> Holes:
    """Folds a stack of rasters with numpy's flips and transposes, punches through it and looks which cells of the sheet lost points."""
    size = state.side * FINE
    rows, columns = np.indices((size, size)) * 2 + 1
    layers = [np.arange(size * size).reshape(size, size)]
    for fold in state.folds:
        at = 2 * FINE * fold.at
        beyond = {"h": rows, "v": columns, "d": rows - columns, "a": rows + columns}[fold.line] - at
        flap = beyond > 0 if fold.side == "+" else beyond < 0
        layers += [mirrored(np.where(flap, layer, -1), fold) for layer in layers]
        layers = [
            np.where(flap, -1, layer) if number < len(layers) // 2 else layer for number, layer in enumerate(layers)
        ]
    lost: set[int] = set()
    for r, c in state.punched:
        middle = np.s_[r * FINE + 3 : r * FINE + 5, c * FINE + 3 : c * FINE + 5]
        lost.update(*(layer[middle].ravel().tolist() for layer in layers))
    return frozenset((point // size // FINE, point % size // FINE) for point in lost - {-1})


def mirrored(layer: np.ndarray, fold: Fold) -> np.ndarray:
    """Flipped about the middle of the sheet, then shifted so that the middle becomes the fold line."""
    size, at = len(layer), fold.at * FINE
    if fold.line in "hv":
        axis = "hv".index(fold.line)
        return shifted(np.flip(layer, axis), axis, 2 * at - size)
    if fold.line == "d":
        return shifted(shifted(layer.T, 0, at), 1, -at)
    return shifted(shifted(layer.T[::-1, ::-1], 0, at - size), 1, at - size)


def shifted(layer: np.ndarray, axis: int, by: int) -> np.ndarray:
    """What leaves the raster is gone."""
    padded = np.pad(layer, len(layer), constant_values=-1)
    size = len(layer)
    starts = [size, size]
    starts[axis] -= by
    return padded[starts[0] : starts[0] + size, starts[1] : starts[1] + size]


def paper_folding_fits(state: paper_folding.State) -> set[str]:
    holes = by_layers(state)
    return {letter for letter, option in zip("ABCD", state.options, strict=True) if option == holes}
