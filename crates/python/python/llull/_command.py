"""The command `llull`."""

import signal
import sys


def main() -> None:
    """Runs the command with the arguments of this process, and ends with its exit code."""
    # Ctrl-C is the command's own, as in the program. Python would only note it until Rust returns, and then raise
    # KeyboardInterrupt in place of the exit code.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from llull._llull import run_command

    if sys.stdout is not None:
        sys.stdout.flush()
    sys.exit(run_command(["llull", *sys.argv[1:]]))
