"""The command line tool ``gcc-grammar``, and its command ``sample``, which only the Python package has."""

from __future__ import annotations

import signal
import sys

from . import _lib


def main() -> int:
    """Runs the command line."""
    # As for any program in a pipeline: no exception when the reader goes away, and Ctrl-C stops the work at once.
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.argv[1:2] == ["sample"]:
        from ._sample import main as sample

        return sample(sys.argv[2:])
    return _lib.run_command(["gcc-grammar", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
