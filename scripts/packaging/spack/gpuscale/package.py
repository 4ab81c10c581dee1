from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Gpuscale(MakefilePackage):
    """Predicts how multi-GPU programs scale, and why."""

    # OWNER: homepage, and where the tarball of `make dist` lies, with its sha256
    homepage = "https://example.org/gpuscale"
    url = "https://example.org/gpuscale-0.2.0.tar.gz"

    license("GPL-3.0-or-later")

    version("0.2.0")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("gsl")
    depends_on("libcsv")
    depends_on("lua@5.4")
    depends_on("jansson")
    depends_on("expat")
    depends_on("sqlite")
    depends_on("yajl")
    depends_on("zlib-api")
    depends_on("gnuplot", type="run")

    # Lua has a pkg-config file only by a variant; Spack's compilers find what depends_on names.
    def setup_build_environment(self, env):
        env.set("LUA", "")
        env.set("LUA_LIBS", "-llua")

    def build(self, spec, prefix):
        make("all", "shared")

    def install(self, spec, prefix):
        make(f"PREFIX={prefix}", "install")


# SPDX-License-Identifier: GPL-3.0-or-later
