//! File formats: TREC, BEIR, JSONL, TSV; compression; diagnostics with file and line.
