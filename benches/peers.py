"""Virtual environments with the tools that llull runs beside."""

import subprocess
import sys
from pathlib import Path

INSTALLED = "import importlib.metadata as m, sys; sys.exit(any(m.version(p.split('==')[0]) != p.split('==')[1] for p in sys.argv[1:]))"


def python_with(peers, home):
    """The Python of the virtual environment at `home`, which gets what it lacks of `peers`, each `name==version`."""
    home = Path(home).resolve()
    python = home / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
    if subprocess.run([python, "-c", INSTALLED, *peers], capture_output=True).returncode != 0:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *peers], check=True)
    return python
