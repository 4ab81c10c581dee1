"""held.py KIB FEW MANY -- COMMAND with FILE... - whether the largest resident set of a command grows
by less than KIB from one file to the other."""
import os
import resource
import subprocess
import sys


def held(command):
    """KiB, of a process that waits for nothing else."""
    read, write = os.pipe()
    if os.fork() == 0:
        ended = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        os.write(write, b"%d %d" % (ended, most))
        os._exit(0)
    os.wait()
    ended, most = os.read(read, 64).split()
    if int(ended):
        sys.exit(f"{' '.join(command)}: exit {int(ended)}")
    return int(most)


# Of what is freed the address sanitizer keeps 256 MB, which would be counted.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"
at = sys.argv.index("--")
few, many = (held([word.replace("FILE", path) for word in sys.argv[at + 1:]]) for path in sys.argv[2:at])
print("grows by less" if many - few < int(sys.argv[1]) else f"{few} KiB and {many} KiB")
# SPDX-License-Identifier: GPL-3.0-or-later
