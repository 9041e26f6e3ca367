"""Asks a retriever of LangChain, LlamaIndex or Haystack, or a function of your own, what llull wants to know.

In llull.toml:

    [[systems]]
    name = "rag"
    command = ["python3", "python_retriever.py", "search.py", "retriever"]

search.py is your file, and retriever the name in it of what retrieves: an object with `invoke` (LangChain), `retrieve`
(LlamaIndex) or `run` (Haystack), or a function of a query and a number of results that returns dictionaries with
doc_id, text and score. How many results a library's retriever returns is set where it is made; ask for as many as
`[retrieve] depth` of llull.toml (100 by default) wants. Of a LangChain document the identifier is `id`, or else `id`,
`doc_id` or `_id` of its metadata. Where several results have one identifier, such as pieces of one document, the best
one counts.

Results come back query by query, each with its time in milliseconds. A query that fails is said to, and the others are
not lost. What your code prints goes to standard error.
"""

import importlib.util
import json
import sys
import time


def load(path, name):
    spec = importlib.util.spec_from_file_location("retrieved_by", path)
    if spec is None:
        sys.exit(f"{path}: this is no Python file")
    module = importlib.util.module_from_spec(spec)
    # What it imports may stand beside it.
    sys.path.insert(0, str(path).rpartition("/")[0] or ".")
    spec.loader.exec_module(module)
    if not hasattr(module, name):
        sys.exit(f"{path}: there is no {name} in this file")
    return getattr(module, name)


def of_langchain(document):
    metadata = document.metadata
    keys = [key for key in ("id", "doc_id", "_id") if key in metadata]
    identifier = getattr(document, "id", None) or (metadata[keys[0]] if keys else None)
    return {"doc_id": identifier, "text": document.page_content}


def of_llama_index(hit):
    return {"doc_id": hit.node.node_id, "text": hit.node.get_content(), "score": hit.score}


def of_haystack(document):
    return {"doc_id": document.id, "text": document.content or "", "score": document.score}


def searcher(retriever):
    """Returns a function of a query and a number of results, best first."""
    if hasattr(retriever, "invoke"):
        return lambda query, k: [of_langchain(document) for document in retriever.invoke(query)]
    if hasattr(retriever, "retrieve"):
        return lambda query, k: [of_llama_index(hit) for hit in retriever.retrieve(query)]
    if hasattr(retriever, "run"):
        return lambda query, k: [of_haystack(found) for found in retriever.run(query=query)["documents"]]
    if callable(retriever):
        return lambda query, k: list(retriever(query, k))
    sys.exit(f"{retriever!r} has no invoke, retrieve or run, and is no function")


def best_of_each(found, k):
    """Returns the results as llull reads them: each identifier once, scores only where all have one."""
    results = {}
    for result in found:
        if result.get("doc_id") is None:
            raise ValueError('a result has no identifier: set "id" in its metadata')
        results.setdefault(str(result["doc_id"]), result)
    results = [dict(result, doc_id=identifier) for identifier, result in results.items()][:k]
    if any(result.get("score") is None for result in results):
        for result in results:
            result.pop("score", None)
    else:
        for result in results:
            result["score"] = float(result["score"])
    return results


def answer(search, asked):
    began = time.perf_counter()
    try:
        found = search(asked["query"], asked["k"])
        took = (time.perf_counter() - began) * 1000
        results = best_of_each(found, asked["k"])
    except Exception as error:  # whatever a library raises, it is of this query alone
        return {"query_id": asked["query_id"], "error": f"{type(error).__name__}: {error}"}
    return {"query_id": asked["query_id"], "results": results, "ms": round(took, 3)}


def main(path, name):
    out, sys.stdout = sys.stdout, sys.stderr
    search = searcher(load(path, name))
    for line in sys.stdin:
        print(json.dumps(answer(search, json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python3 python_retriever.py FILE NAME")
    main(*sys.argv[1:])
