"""Records the output and files of every llull command, and compares two recordings.

    python3 conformance/transcripts.py record BINARY FOLDER      # runs every command and records the results
    python3 conformance/transcripts.py compare OLD NEW           # prints a diff per transcript, and a summary

`record` runs about 400 commands on the demo, on dl19 and on noveleval: every subcommand with its main options and
formats, judges that grade and that compare, runs that are stopped and resumed, wrong usage and common errors. The data
are read from `../shared/data`, or from the folder named by LLULL_DATA. A recording contains text of these data: keep it
outside the repository.

Commands are grouped into scenarios (transcripts_scenarios.py). A scenario has its own temporary folder, in which its
commands run one after the other, with an environment of PATH, HOME, COLUMNS and the variables that the scenario sets.
A server inside this process simulates models (transcripts_models.py). Each command becomes a folder

    FOLDER/SCENARIO/NN-COMMAND/{argv,exit,stdout,stderr,files/...}

where `files` holds what the command wrote or changed. The ledger is kept as the attempts that `llull ledger export`
prints, sorted, each with its judge's specification. Times, latencies, addresses, process numbers and paths of this
machine are replaced, so that one binary gives the same bytes every time.

`compare` puts differences into three groups: `data` (JSON, qrels, CSV, TREC formats, ledgers, configuration, exit
codes), `text` (tables and reports), `prose` (standard error, --help and completions). In each, files in which all
numbers are the same, in the same order, are counted apart: these differ in wording only. It ends with 1 if anything
differs.
Options: `--only GROUP` prints the diffs of one group, `--wording` leaves out those that differ in wording only,
`--brief` prints the summary alone.

Python 3.11 or newer, standard library only.
"""

import argparse
import difflib
import gzip
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import ThreadingHTTPServer
from pathlib import Path

from transcripts_models import Model
from transcripts_scenarios import DATA, SCENARIOS


class Recorder:
    """Runs the commands of one scenario in a folder and records their results."""

    def __init__(self, binary, folder, name, port):
        self.binary, self.out, self.name, self.port = binary, folder / name, name, port
        self.dir = Path(tempfile.mkdtemp(prefix="llull-transcript-")).resolve()
        self.environment = {}
        self.count = 0
        self.seen = {}
        for data in ["dl19", "noveleval", "preferences", "trec_eval", "llmjudge"]:
            (self.dir / data).symlink_to(DATA / data)

    def server(self, behaviour="good"):
        return f"http://127.0.0.1:{self.port}/{behaviour}/v1"

    def write(self, name, text):
        path = self.dir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.seen = self.files()

    def edit(self, name, old, new):
        text = (self.dir / name).read_text()
        assert text.count(old) >= 1, f"{self.name}: {old!r} is not in {name}"
        self.write(name, text.replace(old, new))

    def __call__(self, line, stdin=None):
        """Runs `llull LINE`; `stdin` is text."""
        self.count += 1
        arguments = shlex.split(line)
        slug = re.sub(r"[^\w.@-]+", "_", " ".join(arguments).lower())[:60].strip("_") or "nothing"
        # Studies may use the data and the servers of their scenario; what is remembered is not recorded.
        configs = [file.read_text() for file in self.dir.glob("**/llull.toml")]
        servers = re.findall(r"http://127\.0\.0\.1:\d+", "".join(configs))
        keys = {*re.findall(r'key = "(\w+)"', "".join(configs)), "OPENAI_API_KEY", "OPENROUTER_API_KEY", "VLLM_API_KEY"}
        # With their keys; the plain address is for recordings of a binary that knows no keys of servers.
        servers += [f"{key}@{server}" for server in servers for key in sorted(keys)]
        trusted = [str(self.dir.resolve()), str(DATA), *servers]
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.dir), "COLUMNS": "100"}
        environment |= {"LLULL_TRUST": ",".join(trusted), "XDG_CONFIG_HOME": f"{self.dir.resolve()}-config"}
        environment |= self.environment
        ran = subprocess.run(
            ["llull", *arguments],
            executable=self.binary,
            cwd=self.dir,
            env=environment,
            input=(stdin or "").encode(),
            capture_output=True,
            timeout=120,
        )
        out = self.out / f"{self.count:02}-{slug}"
        after = self.files()
        files = {name: after[name] for name in after if self.seen.get(name) != after[name]}
        files |= {name: b"(deleted)\n" for name in self.seen if name not in after}
        self.seen = after
        variables = "".join(f"{name}={value} " for name, value in self.environment.items())
        keep = {"argv": f"{variables}llull {line}\n".encode(), "exit": f"{ran.returncode}\n".encode()}
        keep |= {"stdout": ran.stdout, "stderr": ran.stderr}
        keep |= {f"files/{name}": content for name, content in files.items()}
        for name, content in keep.items():
            path = out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.normal(content))
        return self.normal(ran.stdout).decode()

    def files(self):
        """Returns the contents of the folder's files by name, with the export in place of a ledger."""
        found = {}
        for path in sorted(self.dir.rglob("*")):
            name = str(path.relative_to(self.dir))
            if path.is_symlink() or path.is_dir() or (self.dir / name.split("/")[0]).is_symlink():
                continue
            if path.name.startswith("ledger.sqlite"):
                if path.name == "ledger.sqlite":
                    found[name + ".jsonl"] = self.ledger(path)
                continue
            content = path.read_bytes()
            found[name] = gzip.decompress(content) if path.suffix == ".gz" else content
            if path.suffix == ".key":  # of a retrieved run; contains the time at which the corpus was written
                found[name] = b"[KEY]\n"
            if path.suffix == ".zst":
                found[name] = f"zstd, {hashlib.blake2b(content).hexdigest()}\n".encode()
        return found

    def ledger(self, path):
        """Returns a ledger's export with sorted attempts, since their order varies."""
        copy = Path(tempfile.mkdtemp(prefix="llull-ledger-"))
        try:
            (copy / ".llull").mkdir()
            for file in path.parent.glob("ledger.sqlite*"):
                shutil.copy(file, copy / ".llull")
            for name in ["topics", "run"]:
                (copy / name).touch()
            system = '[[systems]]\nname = "a"\nrun = "run"\n[[judges]]\nmodel = "similarity"\n'
            (copy / "llull.toml").write_text(f'version = 1\ntopics = "topics"\ncorpus = "run"\n{system}')
            command = ["llull", "-C", str(copy), "ledger", "export"]
            ran = subprocess.run(command, executable=self.binary, env={}, capture_output=True, timeout=60)
            if ran.returncode:
                return b"cannot be exported: " + ran.stderr.replace(bytes(copy), b"")
            return by_judge(self.normal(ran.stdout))
        finally:
            shutil.rmtree(copy)

    def normal(self, content):
        """Replaces the parts of the content that differ between recordings."""
        try:
            text = content.decode()
        except UnicodeDecodeError:
            return content
        text = text.replace(str(self.dir), "[DIR]").replace(str(DATA), "[DATA]")
        for pattern, put in PATTERNS:
            text = pattern.sub(put, text)
        if text.startswith('{"llull_ledger"'):
            return b"".join(sorted_attempts(text.encode()))
        return text.encode()


PATTERNS = [
    (re.compile(pattern), put)
    for pattern, put in [
        (r"127\.0\.0\.1:\d+", "[SERVER]"),
        (r"concurrency = \d+", "concurrency = [N]"),
        (r"\(process \d+\)", "(process [PID])"),
        (r"in \d+\.\d s\b", "in [TIME] s"),
        (r"pause of \d+\.\d s\b", "pause of [TIME] s"),
        (r"\b\d+ ms\b", "[TIME] ms"),
        (r'at_ms": ?\d+', 'at_ms":0'),
        (r"waiting for \d+ answers? in flight", "waiting for [N] answers in flight"),
        (r'"latency_ms": ?\d+', '"latency_ms":0'),
        (r'"latency(_ms)?": ?\{[^}]*\}', '"latency":{}'),
        (r"(?m) +\d+ / \d+$", " [TIME] / [TIME]"),
        # llull.toml contains the port of this script's server, which varies
        (r'("?name"? ?[=:] ?"llull\.toml",?\s+"?hash"? ?[=:] ?")\w+', r"\1[HASH]"),
        (r"(\| llull\.toml \| )\w+", r"\1[HASH]"),
    ]
]


def by_judge(export):
    """An export whose attempts name their judge's specification in place of its number, without judges never asked."""
    lines = [json.loads(line) for line in export.decode().splitlines()]
    judges = {line["judge"].pop("id"): json.dumps(line["judge"]) for line in lines if "judge" in line}
    attempts = [line["attempt"] for line in lines if "attempt" in line]
    asked = {attempt["judge"] for attempt in attempts}
    specs = sorted(judges[judge] for judge in asked)
    facts = sorted(
        f"{specs.index(judges[attempt['judge']])} {json.dumps(attempt['fact'], ensure_ascii=False)}"
        for attempt in attempts
    )
    return "".join(f"{line}\n" for line in [*specs, *facts]).encode()


def sorted_attempts(text):
    lines = text.splitlines(keepends=True)
    attempt = [line.startswith(b'{"attempt"') for line in lines]
    return [line for line, is_attempt in zip(lines, attempt) if not is_attempt] + sorted(
        line for line, is_attempt in zip(lines, attempt) if is_attempt
    )


def record(binary, folder, jobs, only):
    if folder.exists():
        shutil.rmtree(folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def play(name):
        recorder = Recorder(binary.resolve(), folder, name, server.server_port)
        try:
            SCENARIOS[name](recorder)
        finally:
            shutil.rmtree(recorder.dir)
        return recorder.count

    names = [name for name in SCENARIOS if not only or name in only]
    with ThreadPoolExecutor(jobs) as pool:
        counts = list(pool.map(play, names))
    print(f"{sum(counts)} commands of {len(counts)} scenarios in {folder}")


NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?")


def group_of(name, argv):
    """The group of a file of a transcript, by the command that made it."""
    if name == "stderr" or re.search(r"( -h|--help|llull help|completions)( |$)", argv):
        return "prose"
    if name == "stdout" and re.search(MACHINE, argv):
        return "data"
    return "text" if name == "stdout" or name.endswith(".md") else "data"


MACHINE = r"--json|--format (json|jsonl|csv|trec|prefs|qrels|qrels-prefs|dot|schema)|ledger export|-o -"


def transcripts(folder):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def compare(old, new, only, wording, brief):
    before, after = transcripts(old), transcripts(new)
    counts = {group: {"same": 0, "wording": 0, "differ": 0} for group in ["data", "text", "prose"]}
    for path in sorted(before.keys() | after.keys()):
        scenario, step, name = path.split("/", 2)
        argv = f"{scenario}/{step}/argv"
        argv = before.get(argv, after.get(argv, b"?")).decode().strip()
        group = group_of(name, argv)
        one, two = (content.get(path, b"").decode(errors="backslashreplace") for content in (before, after))
        if one == two and path in before and path in after:
            counts[group]["same"] += 1
            continue
        same_numbers = path in before and path in after and NUMBER.findall(one) == NUMBER.findall(two)
        kind = "wording" if same_numbers else "differ"
        counts[group][kind] += 1
        if brief or (only and group != only) or (wording and kind == "wording"):
            continue
        print(f"\n=== {group}, {kind}: {path}\n    $ {argv}")
        lines = [text.splitlines() for text in (one, two)]
        for line in difflib.unified_diff(*lines, "old", "new", lineterm="", n=1):
            print(line)
    print(f"\n{'':8}{'same':>8}{'wording only':>14}{'differ':>8}")
    for group, count in counts.items():
        print(f"{group:8}{count['same']:>8}{count['wording']:>14}{count['differ']:>8}")
    return any(count["wording"] or count["differ"] for count in counts.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record")
    recording.add_argument("binary", type=Path)
    recording.add_argument("folder", type=Path)
    recording.add_argument("--jobs", type=int, default=2, help="number of scenarios at the same time")
    recording.add_argument("--only", nargs="*", choices=SCENARIOS, help="only these scenarios")
    comparing = commands.add_parser("compare")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument("--only", choices=["data", "text", "prose"])
    comparing.add_argument("--wording", action="store_true", help="omit differences in wording only")
    comparing.add_argument("--brief", action="store_true", help="print only the summary")
    given = parser.parse_args()
    if given.command == "record":
        record(given.binary, given.folder, given.jobs, given.only)
    else:
        sys.exit(compare(given.old, given.new, given.only, given.wording, given.brief))


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        sys.stderr.close()
