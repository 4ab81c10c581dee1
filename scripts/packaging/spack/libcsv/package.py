from spack.package import *


class Libcsv(AutotoolsPackage):
    """Reads and writes CSV."""

    homepage = "https://github.com/rgamble/libcsv"
    git = "https://github.com/rgamble/libcsv.git"

    license("LGPL-2.1-or-later")

    version("3.0.3", tag="v3.0.3")

    depends_on("c", type="build")
# SPDX-License-Identifier: GPL-3.0-or-later
