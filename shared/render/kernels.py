"""Triangles, lines and light into pixels, compiled.

Surfaces: corners are snapped to a grid of 1/256 subpixel and covered pixels are found in whole numbers, so triangles that share an
edge leave neither gap nor overlap, and no rounding decides who covers a pixel. Whatever varies over a triangle (depth, light) is a
plane over the picture, kept as a row of five numbers: `a x + b y + c`, and the smallest and largest value at the corners.

Lines lie *on* surfaces, so comparing their depth with the depths of pixels near them would tear them apart on steep ones. Instead
each nearby pixel's surface is extended, as a plane, to the point of the line itself: on a surface that carries the line the two
depths agree there, however steep it is. Shadows are found in the same way, with the light in the place of the viewer.

One thread and IEEE arithmetic in a fixed order: the same pixels on every run. (Where a compiler fuses multiplication and addition a
subpixel that lies exactly between two surfaces could fall to the other; on x86-64 and ARM, numba does not let it.)
Kernels that call each other share this file: what numba keeps of one is not made anew when another file changes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .compiled import compiled

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Indices = npt.NDArray[np.int32]
Depths = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

GRID = 256
"""Steps per subpixel."""

TIE = 1 / 64
"""Subpixels of depth within which two surfaces count as equally near; the one drawn first stays."""

NOTHING = -1
"""Index where no triangle is seen."""

STEP = 2.0
"""Subpixels from one tested point of a line to the next."""

ON_LINE = 0.02
"""Subpixels: control points nearer to a conditional line than this are on both sides of it."""

MAP_BIAS = 0.75
"""Pixels of a light's picture that a surface may lie behind what the light sees without being in its shadow."""

RISE = 6.0
"""Pixels that a surface may come nearer to the light between a point and the places at which its shadow is looked for: as much as a level
one does under a light 22 degrees above the horizon."""

TAPS = 2
"""Places in a shadow map at which each subpixel looks."""


@compiled
def value(rows: Floats, i: int, v: int, x: float, y: float) -> float:
    """Plane v of triangle i at a point of the picture, kept to the values it has on the triangle."""
    z: float = rows[i, v, 0] * x + rows[i, v, 1] * y + rows[i, v, 2]
    low: float = rows[i, v, 3]
    high: float = rows[i, v, 4]
    return min(max(z, low), high)


@compiled
def snap(points: Floats, snapped: Ints) -> None:
    """Subpixels (n, 3, 3) → whole steps of the grid (n, 3, 2)."""
    for i in range(points.shape[0]):
        for k in range(3):
            snapped[i, k, 0] = int(np.floor(points[i, k, 0] * GRID + 0.5))
            snapped[i, k, 1] = int(np.floor(points[i, k, 1] * GRID + 0.5))


@compiled
def planes(snapped: Ints, values: Floats, out: Floats) -> None:
    """Planes (n, v, 5) of v values at each corner, (n, 3, v); flat where a triangle has no area."""
    for i in range(snapped.shape[0]):
        x0, y0 = snapped[i, 0, 0], snapped[i, 0, 1]
        x1, y1 = snapped[i, 1, 0] - x0, snapped[i, 1, 1] - y0
        x2, y2 = snapped[i, 2, 0] - x0, snapped[i, 2, 1] - y0
        area = x1 * y2 - x2 * y1
        for v in range(values.shape[2]):
            first, second, third = values[i, 0, v], values[i, 1, v], values[i, 2, v]
            a = b = 0.0
            if area != 0:
                a = ((second - first) * y2 - (third - first) * y1) * GRID / area
                b = ((third - first) * x1 - (second - first) * x2) * GRID / area
            out[i, v, 0], out[i, v, 1], out[i, v, 2] = a, b, first - a * (x0 / GRID) - b * (y0 / GRID)
            out[i, v, 3], out[i, v, 4] = min(first, second, third), max(first, second, third)


@compiled
def _edge(x0: int, y0: int, dx: int, dy: int) -> tuple[int, int, int]:
    """Whole numbers a, b, c: a x + b y + c >= 0 for pixels (x, y) whose middle is on the inner side of an edge.

    A middle exactly on the edge belongs to the triangle below it or to the right of it.
    """
    half = GRID // 2
    owns = dy < 0 or (dy == 0 and dx > 0)
    return -dy * GRID, dx * GRID, (half - y0) * dx - (half - x0) * dy - (0 if owns else 1)


@compiled
def _span(a: int, b: int, left: int, right: int) -> tuple[int, int]:
    """The whole x from left to right for which a x + b >= 0."""
    if a > 0:
        return max(left, -(b // a)), right
    if a < 0:
        return left, min(right, b // -a)
    return (left, right) if b >= 0 else (1, 0)


@compiled
def _insert(depth: Depths, index: Indices, parts: Indices, y: int, x: int, i: int, z: float) -> None:
    """Put triangle i at depth z among the nearest layers of a subpixel, at most one per part."""
    layers = depth.shape[2]
    k = 0
    while k < layers and depth[y, x, k] + TIE >= z:
        if parts[index[y, x, k]] == parts[i]:
            return
        k += 1
    if k == layers:
        return
    last = k
    while last < layers - 1 and index[y, x, last] != NOTHING and parts[index[y, x, last]] != parts[i]:
        last += 1
    for j in range(last, k, -1):
        depth[y, x, j], index[y, x, j] = depth[y, x, j - 1], index[y, x, j - 1]
    depth[y, x, k], index[y, x, k] = z, i


@compiled
def raster(
    snapped: Ints, rows: Floats, parts: Indices, chosen: Ints, floor: Depths, depth: Depths, index: Indices
) -> None:
    """Draw the chosen triangles into `depth` and `index` (h, w, layers), nearest first, where nearer than `floor` (h, w).

    `rows` (n, v, 5): planes, the first of them depth.
    """
    height, width, last = index.shape[0], index.shape[1], index.shape[2] - 1
    for i in chosen:
        x0, y0, x1, y1 = snapped[i, 0, 0], snapped[i, 0, 1], snapped[i, 1, 0], snapped[i, 1, 1]
        x2, y2 = snapped[i, 2, 0], snapped[i, 2, 1]
        area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
        if area == 0:
            continue
        a, b, c, low, high = rows[i, 0, 0], rows[i, 0, 1], rows[i, 0, 2], rows[i, 0, 3], rows[i, 0, 4]
        sign = 1 if area > 0 else -1
        a0, b0, c0 = _edge(x0, y0, (x1 - x0) * sign, (y1 - y0) * sign)
        a1, b1, c1 = _edge(x1, y1, (x2 - x1) * sign, (y2 - y1) * sign)
        a2, b2, c2 = _edge(x2, y2, (x0 - x2) * sign, (y0 - y2) * sign)
        for y in range(max(0, min(y0, y1, y2) // GRID), min(height - 1, max(y0, y1, y2) // GRID) + 1):
            left, right = _span(a0, b0 * y + c0, 0, width - 1)
            left, right = _span(a1, b1 * y + c1, left, right)
            left, right = _span(a2, b2 * y + c2, left, right)
            row = b * (y + 0.5) + c
            for x in range(left, right + 1):
                z = min(max(a * (x + 0.5) + row, low), high)
                if z > depth[y, x, last] + TIE and z > floor[y, x]:
                    if last == 0:
                        depth[y, x, 0], index[y, x, 0] = z, i
                    else:
                        _insert(depth, index, parts, y, x, i, z)


@compiled
def outlines(conditionals: Floats, drawn: Flags) -> None:
    """Which conditional lines, in subpixels (k, 4, 3), are drawn: control points not seen on different sides."""
    for i in range(conditionals.shape[0]):
        p = conditionals[i]
        dx, dy = p[1, 0] - p[0, 0], p[1, 1] - p[0, 1]
        length = np.sqrt(dx * dx + dy * dy)
        one = dx * (p[2, 1] - p[0, 1]) - dy * (p[2, 0] - p[0, 0])
        two = dx * (p[3, 1] - p[0, 1]) - dy * (p[3, 0] - p[0, 0])
        near = ON_LINE * length
        drawn[i] = length > ON_LINE and (one * two > 0 or abs(one) < near or abs(two) < near)


@compiled
def _hidden(index: Indices, rows: Floats, column: int, line: int, x: float, y: float, z: float) -> bool:
    """Whether the surface seen in a pixel, extended to (x, y), lies before depth z."""
    i: int = index[line, column, 0]
    return i != NOTHING and value(rows, i, 0, x, y) > z


@compiled
def _seen(index: Indices, rows: Floats, x: float, y: float, z: float) -> bool:
    """Whether a point is hidden by less than all of the nine pixels around it."""
    height, width = index.shape[:2]
    column, line = int(np.floor(x)), int(np.floor(y))
    for j in range(max(0, line - 1), min(height, line + 2)):
        for i in range(max(0, column - 1), min(width, column + 2)):
            if not _hidden(index, rows, i, j, x, y, z):
                return True
    return False


@compiled
def _dab(
    segment: Floats, t: float, half: float, radius: float, bias: float, number: int,
    index: Indices, rows: Floats, alpha: Depths, depth: Depths, owner: Indices,
) -> None:  # fmt: skip
    """Draw the piece of a segment that lies within `half` of parameter t, with soft borders half a subpixel wide."""
    height, width = index.shape[:2]
    x0, y0 = segment[0, 0], segment[0, 1]
    dx, dy, dz = segment[1, 0] - x0, segment[1, 1] - y0, segment[1, 2] - segment[0, 2]
    x, y, z = x0 + dx * t, y0 + dy * t, segment[0, 2] + dz * t
    squared = max(dx * dx + dy * dy, 1e-12)
    low, high = max(0.0, t - half), min(1.0, t + half)
    reach = radius + 0.5 + STEP / 2
    for j in range(max(0, int(np.floor(y - reach))), min(height, int(np.ceil(y + reach)))):
        for i in range(max(0, int(np.floor(x - reach))), min(width, int(np.ceil(x + reach)))):
            nearest = min(max(((i + 0.5 - x0) * dx + (j + 0.5 - y0) * dy) / squared, low), high)
            away_x, away_y = i + 0.5 - x0 - dx * nearest, j + 0.5 - y0 - dy * nearest
            cover = min(1.0, radius + 0.5 - np.sqrt(away_x * away_x + away_y * away_y))
            more = cover > alpha[j, i] or (cover == alpha[j, i] and z > depth[j, i])
            if cover > 0 and more and not _hidden(index, rows, i, j, x, y, z + bias):
                alpha[j, i], depth[j, i], owner[j, i] = cover, z, number


@compiled
def draw(
    segments: Floats, radius: float, bias: float,
    index: Indices, rows: Floats, alpha: Depths, depth: Depths, owner: Indices,
) -> None:  # fmt: skip
    """Draw lines (m, 2, 3) into `alpha`, `depth` and `owner` (h, w), over the surfaces of `index` and `rows`. All in subpixels."""
    for number in range(segments.shape[0]):
        segment = segments[number]
        dx, dy, dz = segment[1, 0] - segment[0, 0], segment[1, 1] - segment[0, 1], segment[1, 2] - segment[0, 2]
        steps = int(np.sqrt(dx * dx + dy * dy) / STEP) + 1
        for step in range(steps):
            t = (step + 0.5) / steps
            x, y, z = segment[0, 0] + dx * t, segment[0, 1] + dy * t, segment[0, 2] + dz * t
            if _seen(index, rows, x, y, z + bias):
                _dab(segment, t, 0.5 / steps, radius, bias, number, index, rows, alpha, depth, owner)


@compiled
def _reached(depth: Depths, rows: Floats, n: int, u: float, v: float, taps: Floats, group: int) -> float:
    """Share of the places around (u, v) in a light's picture at which nothing stands before surface n, extended to there."""
    height, width, _ = depth.shape
    a, b, c, low = rows[n, 0, 0], rows[n, 0, 1], rows[n, 0, 2] + MAP_BIAS, rows[n, 0, 3]
    high = rows[n, 0, 4] + MAP_BIAS + RISE  # no less: the surface goes on in the next triangle
    count = 0
    for tap in range(group * TAPS, group * TAPS + TAPS):
        x, y = int(np.floor(u + taps[tap, 0])), int(np.floor(v + taps[tap, 1]))
        inside = 0 <= x < width and 0 <= y < height
        count += not inside or depth[y, x, 0] <= min(max(a * (x + 0.5) + b * (y + 0.5) + c, low), high)
    return count / TAPS


@compiled
def lit(
    index: Indices, rows: Floats, nearness: float, turn: Floats,
    light_depth: Depths, light_rows: Floats, taps: Floats, weight: float, on_ground: bool, out: Depths,
) -> None:  # fmt: skip
    """Add `weight` times the share of a light that reaches each subpixel, into `out` (h, w).

    `turn` (3, 4): subpixels to the right of the middle, above it and towards the viewer → pixels and depth of the light's picture.
    The last of `rows` and of `light_rows` is the ground, which is seen where no triangle is; it gets all light unless `on_ground`.
    `taps` (t, 2): where around its point a subpixel looks in the light's picture; each takes `TAPS` of them in turn, so that the
    average over a pixel is soft.
    """
    height, width = out.shape
    groups, ground = taps.shape[0] // TAPS, rows.shape[0] - 1
    for j in range(height):
        for i in range(width):
            n = index[j, i, 0]
            if n == NOTHING and not on_ground:
                out[j, i] += weight
                continue
            n = n if n != NOTHING else ground
            z = value(rows, n, 0, i + 0.5, j + 0.5)
            if n == ground and (1 + nearness * z <= 0 or z == -np.inf):
                out[j, i] += weight
                continue
            towards = z / (1 + nearness * z)
            magnified = 1 - nearness * towards
            x, y = (i + 0.5 - width / 2) * magnified, (height / 2 - j - 0.5) * magnified
            u = turn[0, 0] * x + turn[0, 1] * y + turn[0, 2] * towards + turn[0, 3]
            v = turn[1, 0] * x + turn[1, 1] * y + turn[1, 2] * towards + turn[1, 3]
            out[j, i] += weight * _reached(light_depth, light_rows, n, u, v, taps, (i + 2 * j) % groups)


@compiled
def shade(
    index: Indices, rows: Floats, colors: Bytes, sky: Depths, sun: Depths, paper: Floats, out: Depths
) -> None:  # fmt: skip
    """Colours (h, w, 3) of the surfaces seen, 0 to 255. `rows`: planes of depth and of how directly the sun shines.

    The last of `colors` is the paper's; `paper` (2,): its brightness without light, and what a unit of light adds.
    """
    height, width, _ = out.shape
    for j in range(height):
        for i in range(width):
            n = index[j, i, 0]
            if n == NOTHING:
                light = paper[0] + paper[1] * (sky[j, i] + sun[j, i])
                n = colors.shape[0] - 1
            else:
                light = sky[j, i] + sun[j, i] * value(rows, n, 1, i + 0.5, j + 0.5)
            for c in range(3):
                out[j, i, c] = min(255.0, colors[n, c] * light)


@compiled
def _lay(out: Depths, j: int, i: int, colors: Bytes, n: int, light: float, share: float) -> None:
    """Lay `share` of colour n, in this light, over a subpixel."""
    for c in range(3):
        out[j, i, c] += (min(255.0, colors[n, c] * light) - out[j, i, c]) * share


@compiled
def overlay(
    layers: Indices, layer_depth: Depths, rows: Floats, colors: Bytes, light: Floats,
    alpha: Depths, line_depth: Depths, owner: Indices, line_colors: Bytes, bias: float, out: Depths,
) -> None:  # fmt: skip
    """Lay lines and transparent layers over the surfaces, from the farthest to the nearest.

    `light` (2,): from the sky, and from the sun on what faces it; transparent parts lie in no shadow.
    """
    height, width, depth = layers.shape
    for j in range(height):
        for i in range(width):
            drawn = alpha[j, i] == 0
            for k in range(depth - 1, -1, -1):
                n = layers[j, i, k]
                if n == NOTHING:
                    continue
                if not drawn and line_depth[j, i] + bias < layer_depth[j, i, k]:
                    _lay(out, j, i, line_colors, owner[j, i], 1.0, alpha[j, i])
                    drawn = True
                bright = light[0] + light[1] * value(rows, n, 1, i + 0.5, j + 0.5)
                _lay(out, j, i, colors, n, bright, colors[n, 3] / 255)
            if not drawn:
                _lay(out, j, i, line_colors, owner[j, i], 1.0, alpha[j, i])


@compiled
def average(fine: Depths, out: Bytes) -> None:
    """The picture (size, size, 3): each pixel the mean of its subpixels, rounded."""
    size, each = out.shape[0], fine.shape[0] // out.shape[0]
    for line in range(size):
        for column in range(size):
            for c in range(3):
                total = each * each * 0.5
                for j in range(line * each, line * each + each):
                    for i in range(column * each, column * each + each):
                        total += fine[j, i, c]
                out[line, column, c] = int(total / (each * each))
