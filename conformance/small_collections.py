#!/usr/bin/env python3
"""Two classic collections from documents to figures: a study of each, retrieved by llull, measured under human labels.

    python3 conformance/small_collections.py LLULL [FOLDER]

LLULL is the program. Reads $LLULL_DATA (../shared/data). The studies are written to FOLDER (a temporary one without it),
retrieved by BM25, character n-grams, MiniLM's vectors (scripts/minilm gets them) and a hybrid of the first and the
third; the figures of docs/encoders.md are what it prints.
"""
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DATA = pathlib.Path(os.environ.get("LLULL_DATA", pathlib.Path(__file__).parent / "../../shared/data")) / "small"
SYSTEMS = """
[[systems]]
name = "bm25"
retriever = "bm25"

[[systems]]
name = "ngram"
retriever = "ngram"

[[systems]]
name = "dense"
retriever = "dense"

[[systems]]
name = "hybrid"
retriever = "hybrid"
of = ["bm25", "dense"]
"""


def words(text):
    return " ".join(text.split())


def cranfield():
    xml = gzip.open(DATA / "cranfield/cran.all.1400.xml.gz", "rt").read()
    documents = []
    for document in re.findall(r"<doc>(.*?)</doc>", xml, re.S):
        of = lambda tag: words((re.findall(rf"<{tag}>(.*?)</{tag}>", document, re.S) or [""])[0])
        title, text = of("title"), of("text")
        # The text repeats the title.
        documents.append({"_id": of("docno"), "title": title, "text": text.removeprefix(title).strip()})
    queries = (DATA / "cranfield/cran.qry.xml").read_text()
    texts = re.findall(r"<num>\s*\d+</num>\s*<title>(.*?)</title>", queries, re.S)
    # The judgments count the queries; they do not use their numbers.
    topics = [(number, text) for number, text in enumerate(texts, 1)]
    return documents, topics, DATA / "cranfield/cranqrel.trec.txt"


def vaswani():
    trec = gzip.open(DATA / "vaswani/doc-text.trec.gz", "rt").read()
    found = re.findall(r"<DOC>\s*<DOCNO>(.*?)</DOCNO>(.*?)</DOC>", trec, re.S)
    documents = [{"_id": number.strip(), "title": "", "text": words(text)} for number, text in found]
    queries = (DATA / "vaswani/query-text.trec").read_text()
    topics = re.findall(r"<num>\s*(\d+)</num>\s*<title>(.*?)</title>", queries, re.S)
    topics = [(number, words(text).lower()) for number, text in topics]
    return documents, topics, DATA / "vaswani/qrels"


def study(folder, name, documents, topics):
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "corpus.jsonl", "w") as corpus:
        corpus.writelines(json.dumps(document) + "\n" for document in documents)
    (folder / "topics.tsv").write_text("".join(f"{number}\t{words(text)}\n" for number, text in topics))
    head = f'version = 1\nname = "{name}"\ntopics = "topics.tsv"\ncorpus = "corpus.jsonl"\n'
    (folder / "llull.toml").write_text(head + "\n[retrieve]\ndepth = 100\n" + SYSTEMS)


def main():
    llull = os.path.abspath(sys.argv[1])
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp())
    for name, collection in (("cranfield", cranfield), ("vaswani", vaswani)):
        documents, topics, qrels = collection()
        print(f"{name}: {len(documents)} documents, {len(topics)} queries", flush=True)
        study(folder / name, name, documents, topics)
        subprocess.run([llull, "--study", folder / name, "retrieve", "--show", "0"], check=True)
        runs = [folder / name / ".llull/runs" / f"{system}.run" for system in ("bm25", "ngram", "dense", "hybrid")]
        subprocess.run([llull, "measure", qrels, *(run for run in runs if run.exists()), "-m", "nDCG@10", "-m", "R@100"],
                       check=True)


if __name__ == "__main__":
    main()
