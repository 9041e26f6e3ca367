//! Retrievers, and pools of the documents that they found.
//!
//! A [`Retriever`] answers queries; [`retrieve_all`] makes a [`Run`](llull_core::Run) of its answers. Two are built
//! in: [`Bm25`] over words and [`CharNgrams`] over pieces of words. Both are built from a stream of documents and
//! answer the same each time. [`Fts5`] is SQLite's full text search, and a [`DenseIndex`] searches by meaning. A
//! [`RetrievalCommand`] is a program of the user's own, [`remote`] queries servers over HTTP, and a [`PostgresQuery`]
//! is a statement for a PostgreSQL server. [`fused_run`] makes one run of several. A [`Pool`] is the union of the best
//! documents of several runs.
//!
//! ```
//! use std::num::NonZeroUsize;
//! use llull_candidates::{Bm25Builder, Bm25Options, CharNgramsBuilder, Fields, Pool, retrieve_all};
//! use llull_core::{Document, Topic, Topics};
//!
//! let mut words = Bm25Builder::new("bm25", Bm25Options::default())?;
//! let mut pieces = CharNgramsBuilder::new("ngrams", Fields::All);
//! for (id, text) in [("d1", "Reindexing a shard"), ("d2", "The index is full"), ("d3", "Unrelated")] {
//!     let document = Document { id: id.into(), text: text.into(), ..Document::default() };
//!     words.add(&document)?;
//!     pieces.add(&document)?;
//! }
//! let topics = Topics::from_iter([Topic { id: "q1".into(), text: "indexes".into() }]);
//! let runs = [
//!     retrieve_all(&words.build(), &topics, 10)?.run,
//!     retrieve_all(&pieces.build(), &topics, 10)?.run,
//! ];
//!
//! let pool = Pool::of(&runs, NonZeroUsize::new(10).unwrap(), Some(&topics))?;
//! let found: Vec<(&str, usize)> = pool.iter().map(|(_, document)| (&*document.id, document.found.len())).collect();
//! assert_eq!(found, [("d2", 2), ("d1", 1)], "d1 is found by its pieces alone");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "indexes")]
mod bm25;
#[cfg(feature = "indexes")]
mod char_ngrams;
mod command;
#[cfg(feature = "dense")]
mod dense;
#[cfg(any(feature = "remote", feature = "postgres"))]
mod found;
#[cfg(feature = "fts5")]
mod fts5;
mod fusion;
#[cfg(feature = "indexes")]
mod index;
mod language;
#[cfg(feature = "dense")]
mod nearest;
mod pool;
mod postgres;
#[cfg(feature = "remote")]
pub mod remote;
mod retriever;
pub mod versions;
#[cfg(feature = "indexes")]
mod words;

#[cfg(feature = "indexes")]
pub use crate::bm25::{Bm25, Bm25Builder, Bm25Options};
#[cfg(feature = "indexes")]
pub use char_ngrams::{CharNgrams, CharNgramsBuilder};
pub use command::{CommandError, CommandFailure, RetrievalCommand};
#[cfg(feature = "dense")]
pub use dense::{DenseError, DenseIndex};
#[cfg(feature = "fts5")]
pub use fts5::{Fts5, Fts5Builder};
pub use fusion::fused_run;
#[cfg(feature = "indexes")]
pub use index::{Fields, IndexError};
pub use language::{Language, UnknownLanguage};
#[cfg(feature = "dense")]
pub use nearest::ProductError;
pub use pool::{Contribution, Found, Pool, PoolError, Pooled, PooledTopic};
#[cfg(feature = "postgres")]
pub use postgres::{PostgresAddress, PostgresSearch, QueryToPostgres};
pub use postgres::{PostgresError, PostgresQuery, PostgresTable, WordsMatched};
pub use retriever::{RetrieveError, RetrievedAll, Retriever, retrieve_all};
