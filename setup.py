"""The two things setup.cfg cannot say: which packages there are, and that wheels carry the start-up file `cogsight.pth`.

The file must land at the root of site-packages, which `package_data` cannot do; so `build_py` copies it into normal wheels and
`editable_wheel` appends it to the wheel of `pip install -e .`. Uninstalling removes it, since pip has it in its record.
"""

import shutil
import zipfile
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.editable_wheel import editable_wheel

PTH = "cogsight.pth"
ROOTS = {
    "cogsight.lego_puzzles": "lego_puzzles",
    "cogsight.mme_cc": "mme_cc",
    "cogsight.shared": "shared",
    "cogsight.spatialviz": "spatialviz",
    "cogsight.voila": "voila",
    "cogsight.hub_cards": "hub_cards",
}


class BuildPy(build_py):
    """Copies the start-up file to the root of what goes into a wheel, built afresh: a stale `build/` brings deleted files back."""

    def run(self):
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        if not self.editable_mode:
            self.copy_file(PTH, str(Path(self.build_lib) / PTH))

    def get_outputs(self, include_bytecode=True):
        return [*super().get_outputs(include_bytecode), str(Path(self.build_lib) / PTH)]


class EditableWheel(editable_wheel):
    """Appends the start-up file to the wheel that `pip install -e .` makes and installs."""

    def run(self):
        super().run()
        for wheel in Path(self.dist_dir).glob("*.whl"):
            with zipfile.ZipFile(wheel, "a") as archive:
                if PTH not in archive.namelist():
                    archive.write(PTH, PTH)


def packages():
    """`cogsight` and everything below the mapped folders, by the names under which they are imported."""
    nested = [f"{name}.{sub}" for name, folder in ROOTS.items() for sub in find_packages(folder)]
    return ["cogsight", *ROOTS, *nested]


setup(packages=packages(), cmdclass={"build_py": BuildPy, "editable_wheel": EditableWheel})
