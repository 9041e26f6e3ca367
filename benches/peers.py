"""Virtual environments with the tools that llull is compared with."""

import os
import subprocess
import sys
from pathlib import Path

# Exits with 1 unless all packages of the command line are installed, each `name==version`.
INSTALLED = """
import importlib.metadata, sys
wanted = [package.split("==") for package in sys.argv[1:]]
sys.exit(any(importlib.metadata.version(name) != version for name, version in wanted))
"""


def python_with(peers, home):
    """Returns the Python of the virtual environment at `home`, after installing `peers`, each `name==version`."""
    home = Path(home).resolve()
    python = home / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
    if subprocess.run([python, "-c", INSTALLED, *peers], capture_output=True).returncode != 0:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *peers], check=True)
    return python


def run_with(peers, home, main):
    """Ends with what `main` returns, in the Python of `python_with`, which starts the script again. PEER_VENV names
    another home."""
    if os.environ.get("LLULL_PEER") == "installed":
        sys.exit(main())
    python = python_with(peers, os.environ.get("PEER_VENV") or home)
    os.execve(python, [str(python), *sys.argv], {**os.environ, "LLULL_PEER": "installed"})
