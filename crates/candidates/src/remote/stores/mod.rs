//! Servers that are known: each is asked and read as its public documentation says.

mod chroma;
mod elasticsearch;
mod kind;
mod meilisearch;
mod milvus;
mod options;
mod qdrant;
mod typesense;
mod vespa;
mod weaviate;

pub use kind::StoreKind;
pub use options::StoreOptions;
