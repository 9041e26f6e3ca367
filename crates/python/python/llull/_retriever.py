"""Retrievers of LangChain, LlamaIndex and Haystack, and functions that retrieve."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeAlias

Result: TypeAlias = dict[str, Any]
Search: TypeAlias = Callable[[str, int], Any]


class Invokes(Protocol):
    """LangChain's: `invoke(query)`. The identifier is `id`, or `id`, `doc_id` or `_id` of the metadata."""

    def invoke(self, input: str, /) -> Any: ...


class Retrieves(Protocol):
    """LlamaIndex's: `retrieve(query)`."""

    def retrieve(self, query: str, /) -> Any: ...


class Runs(Protocol):
    """Haystack's: `run(query=...)["documents"]`."""

    def run(self, *, query: str) -> Any: ...


RetrieverLike: TypeAlias = Search | Invokes | Retrieves | Runs


def search_of(retriever: Any) -> Search | None:
    """A function of a query and a number of results, best first; None for an object that does not retrieve."""
    if hasattr(retriever, "invoke"):
        return lambda query, k: [_of_langchain(document) for document in retriever.invoke(query)]
    if hasattr(retriever, "retrieve"):
        return lambda query, k: [_of_llama_index(hit) for hit in retriever.retrieve(query)]
    if hasattr(retriever, "run") and not hasattr(retriever, "to_pandas"):
        return lambda query, k: [_of_haystack(found) for found in retriever.run(query=query)["documents"]]
    if callable(retriever) and not isinstance(retriever, Mapping):
        return lambda query, k: [_of_function(found) for found in retriever(query, k)]
    return None


def retrieve(search: Search, queries: Mapping[str, str], k: int) -> Iterable[dict[str, Any]]:
    """Asks every query. Of results with one identifier the best counts; scores only where all have one."""
    for query, text in queries.items():
        results: dict[str, Result] = {}
        for result in search(text, k):
            if result.get("doc_id") is None:
                raise ValueError(f'query {query!r}: a result has no identifier; set "id" in its metadata')
            results.setdefault(str(result["doc_id"]), result)
        kept = [dict(result, doc_id=identifier) for identifier, result in results.items()][:k]
        scored = all(result.get("score") is not None for result in kept)
        for result in kept:
            score = result.pop("score", None)
            if scored:
                result["score"] = float(score)
        yield {"query_id": query, "results": kept}


def _of_langchain(document: Any) -> Result:
    metadata = document.metadata
    keys = [key for key in ("id", "doc_id", "_id") if key in metadata]
    identifier = getattr(document, "id", None) or (metadata[keys[0]] if keys else None)
    return {"doc_id": identifier, "text": document.page_content}


def _of_llama_index(hit: Any) -> Result:
    return {"doc_id": hit.node.node_id, "text": hit.node.get_content(), "score": hit.score}


def _of_haystack(document: Any) -> Result:
    return {"doc_id": document.id, "text": document.content or "", "score": document.score}


def _of_function(found: Any) -> Result:
    if isinstance(found, Mapping):
        return dict(found)
    if isinstance(found, str):
        return {"doc_id": found}
    document, score = found
    return {"doc_id": document, "score": score}
