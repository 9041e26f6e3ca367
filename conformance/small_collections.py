#!/usr/bin/env python3
"""Two classic collections from documents to figures: a study of each, retrieved by llull, measured under human labels.

    scripts/servers run python3 conformance/small_collections.py           # minutes, most of them for vectors
    scripts/servers run python3 conformance/small_collections.py FOLDER    # leaves the studies there

Reads $LLULL_DATA (../shared/data); $LLULL is the program (target/release/llull), $LLULL_MODELS has MiniLM
(target/models, where scripts/minilm puts it), $PEER_VENV an environment for Python with the peer. COLLECTIONS=1 takes
the first collection alone, a minute.

The figures of docs/reference/systems.md are what it prints: BM25, character n-grams, SQLite's full text search, MiniLM's
the same vectors in PostgreSQL, the full text search there, and hybrids. It fails if

- BM25 and bm25s, given the same tokens, are not within .01 of nDCG@10 of each other;
- pgvector does not find what search in memory finds, with cosines that are equal to the sixth digit.
"""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("LLULL_DATA", ROOT / "../shared/data")) / "small"
LLULL = os.environ.get("LLULL") or str(ROOT / "target/release/llull")
PEERS = ["bm25s==0.3.16", "PyStemmer==3.0.0"]
DEPTH = 100
EMBEDDED = """
[[systems]]
name = "bm25"
retriever = "bm25"

[[systems]]
name = "ngram"
retriever = "ngram"

[[systems]]
name = "fts5"
retriever = "fts5"

[[systems]]
name = "dense"
retriever = "dense"

[[systems]]
name = "hybrid"
retriever = "hybrid"
of = ["bm25", "dense"]
"""
STORED = """
[[systems]]
name = "pgvector"
retriever = "postgres"
postgres = { table = "passages", title = "title", text = "body", vector = "embedding", connections = 2 }

[[systems]]
name = "pgwords"
retriever = "postgres"
postgres = { table = "passages", title = "title", text = "body", words = true, matched = "any", connections = 2 }

[[systems]]
name = "pghybrid"
retriever = "hybrid"
of = ["bm25", "pgvector"]
"""
TOKENS = """
[[systems]]
name = "tokens"
retriever = "bm25"
language = "none"
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
    topics = [(str(number), words(text)) for number, text in enumerate(texts, 1)]
    return documents, topics, DATA / "cranfield/cranqrel.trec.txt"


def vaswani():
    trec = gzip.open(DATA / "vaswani/doc-text.trec.gz", "rt").read()
    found = re.findall(r"<DOC>\s*<DOCNO>(.*?)</DOCNO>(.*?)</DOC>", trec, re.S)
    documents = [{"_id": number.strip(), "title": "", "text": words(text)} for number, text in found]
    queries = (DATA / "vaswani/query-text.trec").read_text()
    topics = re.findall(r"<num>\s*(\d+)</num>\s*<title>(.*?)</title>", queries, re.S)
    topics = [(number, words(text).lower()) for number, text in topics]
    return documents, topics, DATA / "vaswani/qrels"


def write_study(folder, documents, topics, systems):
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "corpus.jsonl", "w") as corpus:
        corpus.writelines(json.dumps(document) + "\n" for document in documents)
    (folder / "topics.tsv").write_text("".join(f"{number}\t{text}\n" for number, text in topics))
    write_config(folder, systems)


def write_config(folder, systems):
    head = f'version = 1\nname = "{folder.name}"\ntopics = "topics.tsv"\ncorpus = "corpus.jsonl"\n'
    (folder / "llull.toml").write_text(f"{head}\n[retrieve]\ndepth = {DEPTH}\n{systems}")


def retrieve(folder, address=""):
    environment = {**os.environ, "DATABASE_URL": address}
    environment.setdefault("LLULL_MODELS", str(ROOT / "target/models"))
    command = [LLULL, "--study", str(folder), "pool", "--retrieve", "--show", "0"]
    untrusted = subprocess.run(command, env=environment, capture_output=True, text=True)
    said = untrusted.stderr.split()
    trust = [word for at, entry in enumerate(said[:-1]) if entry == "--trust" for word in ("--trust", said[at + 1])]
    if untrusted.returncode != 0 and not trust:
        sys.exit(f"{folder.name}: {untrusted.stdout}{untrusted.stderr}")
    if trust:
        subprocess.run([*command, *trust], env=environment, check=True, stdout=subprocess.DEVNULL)


def read_run(file):
    """Returns the results of each query, {document: score}, of a run or of what a server answered."""
    run = {}
    for line in file.read_text().splitlines():
        if file.suffix == ".results":
            asked = json.loads(line)
            if "error" in asked:
                sys.exit(f"{file.name}: query {asked['query_id']}: {asked['error']}")
            run[asked["query_id"]] = {found["doc_id"]: found["score"] for found in asked["results"]}
        else:
            query, _, document, _, score, _ = line.split()
            run.setdefault(query, {})[document] = float(score)
    return run


def write_run(file, run):
    with open(file, "w") as out:
        for query, results in run.items():
            ranked = sorted(results.items(), key=lambda found: (found[1], found[0]), reverse=True)
            for rank, (document, score) in enumerate(ranked, 1):
                out.write(f"{query} Q0 {document} {rank} {score!r} {file.stem}\n")
    return file


def measured(qrels, files):
    """Returns {system: {measure: mean}}."""
    command = [LLULL, "measure", str(qrels), *map(str, files), "-m", "nDCG@10", "-m", f"R@{DEPTH}", "--format", "jsonl"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    means = {}
    for row in map(json.loads, said.splitlines()):
        if row["query"] is None:
            means.setdefault(row["run"], {})[row["measure"]] = row["value"]
    return means


def bm25s_run(documents, topics, tokens):
    """Retrieves by the peer's variant that llull has, too, from lists of tokens."""
    import bm25s

    index = bm25s.BM25(method="lucene", k1=0.9, b=0.4)
    index.index([tokens(f"{document['title']} {document['text']}") for document in documents], show_progress=False)
    run = {}
    for number, text in topics:
        # A word of no document has no column.
        asked = [word for word in tokens(text) if word in index.vocab_dict]
        places, scores = index.retrieve([asked], k=DEPTH, show_progress=False)
        found = zip(places[0], scores[0])
        run[number] = {documents[place]["_id"]: float(score) for place, score in found if score > 0}
    return run


def tokenizer():
    """Returns a function that makes tokens of a text: letters and digits, stop words of bm25s, Snowball's stems."""
    import Stemmer
    from bm25s.stopwords import STOPWORDS_EN

    stemmer, stops = Stemmer.Stemmer("english"), set(STOPWORDS_EN)
    return lambda text: stemmer.stemWords([w for w in re.findall("[a-z0-9]+", text.lower()) if w not in stops])


def check_equal(memory, stored):
    """Returns the largest distance of two cosines. The last of a ranking may differ where several are as good."""
    assert memory.keys() == stored.keys()
    farthest, ties = 0, 0
    for query, found in memory.items():
        other = stored[query]
        assert len(found) == len(other) == DEPTH, query
        last = min(found.values())
        for document in found.keys() | other.keys():
            if document in found and document in other:
                farthest = max(farthest, abs(found[document] - other[document]))
            else:
                ties += 1
                score = found.get(document, other.get(document))
                assert abs(score - last) < 1e-6, f"query {query}: {document} with {score} is found by one alone"
    assert farthest < 1e-6, f"cosines differ by {farthest}"
    return farthest, ties


def store(folder):
    """Stores the study's documents and vectors in PostgreSQL; returns the address of the database."""
    server = os.environ.get("LLULL_POSTGRES")
    if not server:
        sys.exit("LLULL_POSTGRES is not set: scripts/servers run python3 conformance/small_collections.py")
    database = f"{folder.name}_{os.getpid()}"
    subprocess.run(["cargo", "build", "--quiet", "--workspace", "--example", "store_passages"], cwd=ROOT, check=True)
    stored = [ROOT / "target/debug/examples/store_passages", str(folder), database]
    subprocess.run(stored, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return f"{server.rsplit('/', 1)[0]}/{database}"


def collection(folder, documents, topics, qrels):
    print(f"{folder.name}: {len(documents)} documents, {len(topics)} queries", flush=True)
    write_study(folder, documents, topics, EMBEDDED)
    retrieve(folder)
    address = store(folder)
    write_config(folder, EMBEDDED + STORED)
    retrieve(folder, address)
    runs = folder / ".llull/runs"
    distance, ties = check_equal(read_run(runs / "dense.run"), read_run(runs / "pgvector.results"))
    print(f"pgvector finds what memory finds: cosines within {distance:.1e}, {ties} at the end of a ranking by a tie")

    tokens = tokenizer()
    same = folder.with_name(f"{folder.name}_tokens")
    spaced = [{"_id": document["_id"], "title": "", "text": " ".join(tokens(f"{document['title']} {document['text']}"))}
        for document in documents]
    write_study(same, spaced, [(number, " ".join(tokens(text))) for number, text in topics], TOKENS)
    retrieve(same)
    files = [runs / f"{name}.run" for name in ("bm25", "ngram", "fts5", "dense", "hybrid", "pghybrid")]
    files += [write_run(folder / f"{name}.run", read_run(runs / f"{name}.results")) for name in ("pgvector", "pgwords")]
    files += [same / ".llull/runs/tokens.run"]
    files += [write_run(folder / "bm25s.run", bm25s_run(documents, topics, tokens))]
    means = measured(qrels, files)
    print("| system | nDCG@10 | R@100 |\n|---|---:|---:|")
    for system, mean in means.items():
        print(f"| {system} | {mean['nDCG@10']:.4f} | {mean[f'R@{DEPTH}']:.4f} |")
    distance = abs(means["tokens"]["nDCG@10"] - means["bm25s"]["nDCG@10"])
    assert distance < 0.01, f"BM25 is {distance} from bm25s with the same tokens"
    for one, other in (("dense", "pgvector"), ("hybrid", "pghybrid")):
        assert abs(means[one]["nDCG@10"] - means[other]["nDCG@10"]) < 1e-3, (one, other)
    print(flush=True)


def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else temporary).resolve()
        for named in (cranfield, vaswani)[: int(os.environ.get("COLLECTIONS", 2))]:
            collection(folder / named.__name__, *named())


if __name__ == "__main__":
    sys.path.append(str(ROOT / "benches"))
    from peers import run_with

    run_with(PEERS, ROOT / "target" / "bm25s-venv", main)
