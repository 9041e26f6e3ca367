#!/usr/bin/env python3
"""Asks retrievers of LangChain, LlamaIndex and Haystack by examples/python_retriever.py and by the Python package.

    python3 conformance/python_retrievers.py        # the first time a minute to install the libraries
    PEER_VENV=venv LLULL=llull python3 conformance/python_retrievers.py

Each library's own retriever over the same five documents is a system of one study, and so is a function, which fails
for one query and prints where it should not. `llull pool --retrieve` has to keep what each of them returns, and to lose
no query but that one. The package has to read the same of the same objects."""

import importlib.util
import json
import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = ["langchain-core==1.7.2", "llama-index-core==0.14.25", "haystack-ai==3.4.0"]

FILES = {
    "langchain.py": """
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.vectorstores import InMemoryVectorStore

store = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))
store.add_documents([Document(id=f"d{n}", page_content=f"text number {n}") for n in range(5)])
retriever = store.as_retriever(search_kwargs={"k": 3})
""",
    "llama_index.py": """
from llama_index.core import MockEmbedding, VectorStoreIndex
from llama_index.core.schema import TextNode

nodes = [TextNode(id_=f"d{n}", text=f"text number {n}") for n in range(5)]
index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=8))
retriever = index.as_retriever(similarity_top_k=3)
""",
    "haystack.py": """
from haystack import Document as Found
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.document_stores.in_memory import InMemoryDocumentStore

store = InMemoryDocumentStore()
store.write_documents([Found(id=f"d{n}", content=f"text number {n}") for n in range(5)])
retriever = InMemoryBM25Retriever(store, top_k=3)
""",
    "own.py": """
def retriever(query, k):
    print("this is no result")
    if query.endswith("2"):
        raise RuntimeError("the index is locked")
    return [{"doc_id": f"d{n}", "text": f"text number {n}", "score": 9 - n} for n in (0, 1, 0)]
""",
}
QUERIES = {"q1": "text number 1", "q2": "text number 2"}


def study(folder):
    """Writes a study whose systems are the retrievers."""
    folder.joinpath("topics.tsv").write_text("".join(f"{key}\t{text}\n" for key, text in QUERIES.items()))
    config = 'version = 1\ntopics = "topics.tsv"\n[retrieve]\ndepth = 3\n[pool]\ndepth = 3\n'
    example = ROOT / "examples" / "python_retriever.py"
    folder.joinpath("python_retriever.py").write_text(example.read_text())
    for file, text in FILES.items():
        # Not the library's name, which the file would stand before.
        named = f"search_{file}"
        folder.joinpath(named).write_text(text)
        command = json.dumps([sys.executable, "python_retriever.py", named, "retriever"])
        config += f'[[systems]]\nname = "{file[:-3]}"\ncommand = {command}\n'
    folder.joinpath("llull.toml").write_text(config + '[[judges]]\nmodel = "similarity"\n')


def trusted(llull, folder):
    """Returns what the study reaches, as llull itself lists it."""
    said = subprocess.run([llull, "pool", "--retrieve"], cwd=folder, capture_output=True, text=True)
    words = said.stderr.split()
    return [words[at + 1] for at, word in enumerate(words[:-1]) if word == "--trust"]


def package():
    """The package's module that asks retrievers, without the package, which would have to be built."""
    file = ROOT / "crates" / "python" / "python" / "llull" / "_retriever.py"
    spec = importlib.util.spec_from_file_location("retriever_of_the_package", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    llull = os.environ.get("LLULL") or str(ROOT / "target" / "release" / "llull")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        study(folder)
        trust = [word for entry in trusted(llull, folder) for word in ("--trust", entry)]
        said = subprocess.run([llull, "pool", "--retrieve", *trust], cwd=folder, capture_output=True, text=True)
        assert said.returncode == 3, said.stdout + said.stderr
        assert "the index is locked" in said.stdout + said.stderr, said.stdout + said.stderr
        for file in FILES:
            system = file[:-3]
            kept = folder / ".llull" / "runs" / f"{system}.results"
            lines = {line["query_id"]: line for line in map(json.loads, kept.read_text().splitlines())}
            assert lines.keys() == QUERIES.keys(), (system, lines)
            first = lines["q1"]
            assert first["ms"] >= 0, first
            texts = {result["doc_id"]: result["text"] for result in first["results"]}
            wanted = 2 if system == "own" else 3
            assert len(texts) == len(first["results"]) == wanted, (system, first)
            assert all(text == f"text number {key[1:]}" for key, text in texts.items()), (system, texts)
            scored = system != "langchain"
            assert all(("score" in result) == scored for result in first["results"]), (system, first)
            assert ("error" in lines["q2"]) == (system == "own"), (system, lines["q2"])
            search = package().search_of(runpy.run_path(str(folder / f"search_{file}"))["retriever"])
            (found,) = package().retrieve(search, {"q1": QUERIES["q1"]}, 3)
            assert found["results"] == first["results"], (system, found, first)
    print(f"{len(FILES)} retrievers, {len(QUERIES)} queries each: fine")


if __name__ == "__main__":
    sys.path.append(str(ROOT / "benches"))
    from peers import run_with

    run_with(LIBRARIES, ROOT / "target" / "retrievers-venv", main)
