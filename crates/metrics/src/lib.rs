//! Retrieval measures under the names of ir_measures.
