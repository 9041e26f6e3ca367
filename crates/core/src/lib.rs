//! The data types of retrieval evaluation.
//!
//! Everything here is a plain value: no I/O, no clock, no global randomness. These types are all that the other crates
//! share, so a judge, a store and a measure can be written without knowing each other.
//!
//! | subject | types |
//! |---|---|
//! | queries and documents | [`Topic`], [`Document`] |
//! | results of a retriever | [`Run`], [`Ranking`], [`Hits`] |
//! | queries that share a value of their metadata | [`SlicedQueries`] |
//! | a choice of queries, and a sample of them | [`QueryChoice`] |
//! | answers of a judge | [`Scale`], [`Verdict`], [`Unusable`] |
//! | records of the ledger | [`Attempt`], [`Answer`], [`TaskKey`], [`JudgeSpec`], [`Usage`] |
//! | state of a question | [`Status`] |
//! | randomness from one seed | [`Seed`], [`SplitMix64`] |
//! | comparisons | [`Ballot`], [`Ballots`], [`Item`], [`PairChoice`] |
//! | labels derived from the records | [`LabelSet`], [`Qrels`], [`Preferences`] |
//! | whether sources use the same identifiers | [`Identifiers`] |
//! | what is wrong with JSON | [`JsonFault`] |
//! | scores of other systems | [`Standardization`] |
//! | pairs drawn for people to label | [`DrawnSample`] |
//! | what a misspelt name means | [`nearest_name()`] |
//! | text in addresses | [`percent_encoded()`] |
//!
//! ```
//! use llull_core::{Qrels, Ranking};
//!
//! // The official order: score descending, then document id descending.
//! let ranking = Ranking::from_scored([("d1", 1.0), ("d3", 2.0), ("d2", 1.0)]);
//! assert_eq!(ranking.iter().map(|hit| hit.document).collect::<Vec<_>>(), ["d3", "d2", "d1"]);
//!
//! let mut qrels = Qrels::default();
//! qrels.insert("q1", "d3", 2);
//! assert_eq!(qrels.grade("q1", "d3"), Some(2));
//! assert_eq!(qrels.grade("q1", "d1"), None, "unjudged is not 0");
//! ```

mod attempt;
mod ballot;
mod document;
mod drawn_sample;
mod grade;
mod hits;
mod identifier_table;
mod json_fault;
mod key;
mod labels;
mod nearest_name;
mod overlap;
mod pair_choice;
mod passage;
mod percent_encoded;
mod preferences;
mod qrels;
mod query_choice;
mod ranking;
mod run;
mod seed;
mod shell_word;
mod slice;
mod spec;
mod split_mix;
mod standardization;
mod status;
mod tokens;
mod topic;
mod topic_qrels;
mod usage;
mod verdict;

pub use attempt::{
    Answer, Attempt, CHANGED, FIRST_RECHECK, Failure, FailureKind, Outcome, RESHUFFLED, Scope,
};
pub use ballot::{Ballot, Ballots, Item, TopicBallots, order_in_groups};
pub use document::Document;
pub use drawn_sample::{DrawnSample, SampleDesign, SamplingUnit};
pub use grade::{GRADE_PARTS, Grade, Scale, ScaleError};
pub use hits::Hits;
pub use json_fault::JsonFault;
pub use key::{Hash, HashError, KeyBuilder, TaskKey};
pub use labels::{Label, LabelSet};
pub use nearest_name::{nearest_expected, nearest_name};
pub use overlap::{FewShared, Identifiers, NothingShared, Shared};
pub use pair_choice::PairChoice;
pub use passage::{DEFAULT_PASSAGE_TOKENS, Passage, passages};
pub use percent_encoded::percent_encoded;
pub use preferences::{JudgmentGroup, JudgmentSubgroup, Preferences};
pub use qrels::Qrels;
pub use query_choice::{ChosenQueries, QueryChoice, QueryChoiceError, QueryFilter, QuerySample};
pub use ranking::{Hit, Ranked, Ranking};
pub use run::Run;
pub use seed::Seed;
pub use shell_word::shell_word;
pub use slice::{QuerySlice, SliceError, SlicedQueries};
pub use spec::{JudgeSpec, Paradigm, Sampling};
pub use split_mix::SplitMix64;
pub use standardization::{Factors, Standardization};
pub use status::{AskAgain, Judgment, Status};
pub use tokens::{TextPiece, TextPieces, estimate_tokens};
pub use topic::{Topic, Topics};
pub use topic_qrels::{TopicLabels, TopicQrels};
pub use usage::Usage;
pub use verdict::{ComparedVerdict, GradedVerdict, OrderError, Reason, Unusable, Verdict};
