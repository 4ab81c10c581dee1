"""The wheel of gpuscale: the module, and the program with what it reads, as `make install` in
the tree above puts them.  Without that tree it is the module alone, for a program on PATH."""

import pathlib
import subprocess
import tempfile

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

TREE = pathlib.Path(__file__).resolve().parent.parent
IS_TREE = (TREE / "scripts" / "install").exists()


class Build(build_py):
    def run(self):
        super().run()
        with tempfile.TemporaryDirectory() as to:
            subprocess.run(["make", "-s", "-C", TREE, "install", f"DESTDIR={to}", "PREFIX=/all"],
                           check=True)
            for kept in ("bin", "share/gpuscale"):
                self.copy_tree(f"{to}/all/{kept}", f"{self.build_lib}/gpuscale_program/{kept}")


class Wheel(bdist_wheel):
    def get_tag(self):  # any Python, this system
        return ("py3", "none", super().get_tag()[2])


class Binary(Distribution):
    def has_ext_modules(self):
        return True


class Alone(Distribution):
    def parse_config_files(self, *a, **k):
        super().parse_config_files(*a, **k)
        self.entry_points = {}  # no command without a program


setup(distclass=Binary, cmdclass={"build_py": Build, "bdist_wheel": Wheel}) if IS_TREE else \
    setup(distclass=Alone)
# SPDX-License-Identifier: GPL-3.0-or-later
