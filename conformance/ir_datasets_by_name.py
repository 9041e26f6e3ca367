#!/usr/bin/env python3
"""Makes studies of datasets of ir_datasets by name, with the library itself.

    python3 conformance/ir_datasets_by_name.py        # the first time a minute to install the library
    PEER_VENV=venv LLULL=llull python3 conformance/ir_datasets_by_name.py

Nothing is downloaded: a dataset of local files is made by `ir_datasets.create_dataset` and registered under a name, in a
module that Python loads when it starts. `llull init --dataset NAME` has to make a study that `llull doctor` passes and
`llull run` judges, also of a dataset without labels; a name that the library does not know is an error with its words."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = ["ir_datasets==0.6.3"]

DOCUMENTS = {"d1": "A bloom filter may say yes to what is not in it.", "d2": "Coffee is filtered.", "d3": "Cats sleep."}
QUERIES = {"1": "bloom filter", "2": "sleeping cats"}
LABELS = {("1", "d1"): 2, ("1", "d2"): 0, ("2", "d3"): 1}

REGISTER = """
import ir_datasets

parts = {{"docs_tsv": {docs!r}, "queries_tsv": {queries!r}}}
ir_datasets.registry.register("llull/bare", ir_datasets.create_dataset(**parts))
ir_datasets.registry.register("llull/tiny", ir_datasets.create_dataset(qrels_trec={qrels!r}, **parts))
"""


def registered(folder):
    """Writes the files of the dataset, and the module that registers it. Returns the environment that loads it."""
    lines = {
        "docs": [f"{key}\t{text}" for key, text in DOCUMENTS.items()],
        "queries": [f"{key}\t{text}" for key, text in QUERIES.items()],
        "qrels": [f"{query} 0 {document} {grade}" for (query, document), grade in LABELS.items()],
    }
    files = {}
    for part, of_part in lines.items():
        file = folder / f"{part}.txt"
        file.write_text("".join(f"{line}\n" for line in of_part))
        files[part] = str(file)
    modules = folder / "modules"
    modules.mkdir()
    modules.joinpath("sitecustomize.py").write_text(REGISTER.format(**files))
    python = Path(sys.executable).parent
    path = f"{python}{os.pathsep}{os.environ['PATH']}"
    home = str(folder / "home")
    return {**os.environ, "PATH": path, "PYTHONPATH": str(modules), "IR_DATASETS_HOME": home}


def main():
    llull = os.environ.get("LLULL") or str(ROOT / "target" / "release" / "llull")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = registered(folder)

        def asked(*words):
            words = [llull, *words]
            return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)

        def init(study, dataset):
            return asked("init", study, "--dataset", dataset, "--judge", "similarity")

        said = init("tiny", "llull/tiny")
        assert said.returncode == 0, said.stdout + said.stderr
        data = folder / "tiny" / "data"
        queries = [json.loads(line) for line in (data / "llull-tiny.queries.jsonl").read_text().splitlines()]
        assert {query["query_id"]: query["text"] for query in queries} == QUERIES, queries
        documents = [json.loads(line) for line in (data / "llull-tiny.corpus.jsonl").read_text().splitlines()]
        assert {document["doc_id"]: document["text"] for document in documents} == DOCUMENTS, documents
        assert (data / "llull-tiny.qrels").read_text().count("\n") == len(LABELS)
        for command in (["doctor", "--offline"], ["run"], ["report", "--json", "-Q"]):
            said = asked("-C", "tiny", *command)
            assert said.returncode == 0, (command, said.stdout + said.stderr)
        report = json.loads(said.stdout)
        assert report["reference"] is not None and report["coverage"]["labelled"] > 0, report["coverage"]

        said = init("bare", "llull/bare")
        assert said.returncode == 0, said.stdout + said.stderr
        assert "llull/bare has no qrels, so the study has no reference" in said.stderr, said.stderr

        said = init("unknown", "llull/unknown")
        assert said.returncode == 1 and "ir_datasets has not exported its queries" in said.stderr, said.stderr
        assert not (folder / "unknown" / "llull.toml").exists()
    print("2 datasets by name, and one that is unknown: fine")


if __name__ == "__main__":
    sys.path.append(str(ROOT / "benches"))
    from peers import run_with

    run_with(LIBRARIES, ROOT / "target" / "ir-datasets-venv", main)
