"""What `cogsight.pth` costs a bare interpreter start: median of pairs with and without the file, in a venv of the wheel.

Limit: 1 ms. A paired A/A run beside it shows the noise.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAIRS = 200


def seconds(python: Path) -> float:
    start = time.perf_counter()
    subprocess.run([python, "-c", "pass"], check=True)
    return time.perf_counter() - start


def difference_ms(python: Path, pth: Path, hide: bool) -> float:
    """Median start with the file less median start without it (or, for the noise, with it again)."""
    hidden = pth.with_suffix(".off")
    with_file, without = [], []
    for _ in range(PAIRS):
        with_file.append(seconds(python))
        if hide:
            pth.rename(hidden)
        without.append(seconds(python))
        if hide:
            hidden.rename(pth)
    return 1e3 * (statistics.median(with_file) - statistics.median(without))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", f"{folder}/venv"], check=True)
        python = Path(folder, "venv", "bin", "python")
        build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        wheel = next(Path(folder).glob("*.whl"))
        pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "install", "--quiet"]
        subprocess.run([*pip, "--no-deps", wheel], check=True)
        pth = next(Path(folder).rglob("cogsight.pth"))
        print(f"interpreter start: cogsight.pth {difference_ms(python, pth, True):+.2f} ms (limit +1.00)")
        print(f"                   noise        {difference_ms(python, pth, False):+.2f} ms")


if __name__ == "__main__":
    main()
