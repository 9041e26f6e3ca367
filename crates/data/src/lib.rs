//! File formats: TREC, BEIR, JSONL, TSV; compression; errors with file and line.
//!
//! Queries, runs, labels and corpora may also be CSV, JSON and, with the feature `parquet`, Parquet.
//!
//! Every reader takes a path that may be gzip or zstd (detected from its first bytes) or `-` for standard input, and
//! skips a byte order mark. Text that does not have the form of its format is an error. The error names file, line,
//! column, the text, the expected form and advice; nothing is skipped silently.
//!
//! | file | reader | writer |
//! |---|---|---|
//! | run: `qid Q0 docid rank score tag` | [`read_run`] | [`write_run`] |
//! | qrels: `qid iter docid grade`, or BEIR's | [`read_qrels`] | [`write_qrels`] |
//! | qrels by judge: `qid judge docid grade` | [`read_qrels_jg`] | [`write_sourced_qrels`] |
//! | preferences: `qid ujg ujsubg docid level` | [`read_prefs`] | [`write_prefs`] |
//! | preferences: `qid ujg docid level` | [`read_qrels_prefs`] | [`write_qrels_prefs`] |
//! | figures of other systems: `qid measure mean stddev` | [`read_zscores`] | |
//! | comparisons: CSV, columns, JSONL, preferences | [`read_ballots`] | |
//! | answers about pairs: a table of LHS, RHS, Neither | [`read_features`] | |
//! | figures about pairs: a table of query, document, numbers | [`read_pair_features`] | [`write_letor`] |
//! | samples for annotators: `query document probability drawn stratum` | [`read_sample`] | [`write_sample`] |
//! | sheets for annotators: TSV, CSV or xlsx of a spreadsheet | [`read_sheet`] | [`write_sheet`] |
//! | queries: TSV, JSONL, BEIR | [`read_topics`] | |
//! | questions with expected answers: JSON, CSV | [`read_dataset`] | [`write_dataset`], [`write_dataset_csv`] |
//! | corpus: TSV, JSONL, BEIR | [`stream_corpus`], [`read_documents`] | |
//!
//! ```
//! use llull_data::{ReadRunOptions, create, read_run, write_run};
//! use std::io::Write;
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("bm25.run.gz");
//! let mut file = create(&path)?;
//! file.write_all(b"q1 Q0 d1 1 7.5 bm25\nq1 Q0 d2 2 1e1 bm25\n")?;
//! file.finish()?;
//!
//! let read = read_run(&path, &ReadRunOptions::default())?;
//! assert_eq!(read.run.name, "bm25");
//! assert_eq!(read.run.ranking("q1").unwrap().get(1).unwrap().document, "d2", "by score, not by rank column");
//!
//! let mut written = Vec::new();
//! write_run(&read.run, &mut written)?;
//! assert_eq!(String::from_utf8(written)?, "q1 Q0 d2 1 10.0 bm25\nq1 Q0 d1 2 7.5 bm25\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ballots;
mod beir;
mod chunks;
mod corpus;
mod create;
mod csv;
mod dataset;
mod decimal;
mod entries;
mod error;
mod export;
mod features;
mod identifier;
mod json;
mod limits;
mod lines;
mod locate;
mod open;
mod pair_features;
mod parallel;
mod plain_line;
mod query_list;
mod results;
mod row_entry;
mod sample;
mod sheet;
mod source_name;
mod spreadsheet;
mod tables;
mod topics;
mod trec;
mod unread;
#[cfg(any(feature = "parquet", feature = "xlsx"))]
mod unwound;
mod whole;
mod words;
#[cfg(feature = "xlsx")]
mod workbook;

pub use ballots::{
    BallotFormat, BallotNotes, BallotsFile, ShownPair, ShownWinner, read_ballots, read_ballots_from,
    read_shown_pairs,
};
pub use beir::{beir_corpus, beir_queries};
pub use corpus::{
    CorpusFields, CorpusNotes, DocumentMetadata, Documents, FolderNotes, corpus_files, is_corpus_text,
    read_documents, stream_corpus,
};
pub use create::{
    Output, create, create_below, create_private_below, folder_below, own_file_below, remove_unfinished,
};
pub use dataset::{
    DatasetFile, DatasetNotes, EvaluationDataset, ExpectedQuery, QueryOrigin, ReadDatasetOptions,
    read_dataset, write_dataset, write_dataset_csv,
};
pub use error::{Conflict, DataError, JsonError, LineError, RowPlace, shown_path};
pub use export::{
    ChatExample, ChatMessage, Column, ColumnKind, LetorPair, LetorQuery, RankEval, RatedQuery, RowTable,
    TableFormat, WrittenRows, write_chat, write_labels_json, write_letor, write_opensearch_judgments,
    write_rank_eval, write_run_json,
};
pub use features::{FeatureColumns, FeaturesFile, read_features};
pub use llull_core::{JudgmentGroup, JudgmentSubgroup, Preferences};
pub use locate::{first_entry, locate};
pub use open::{decoded, open, open_file};
pub use pair_features::{PairFeatures, read_pair_features};
pub use query_list::read_query_list;
pub use results::{FoundDocument, QueryResults, is_results, read_results};
pub use row_entry::Entry;
pub use sample::{read_sample, write_sample};
#[cfg(feature = "xlsx")]
pub use sheet::write_sheet_workbook;
pub use sheet::{
    CellAnswer, SAMPLE_QUEUE, Sheet, SheetAnswer, SheetDraw, SheetFile, SheetForm, SheetRow, read_sheet,
    write_sheet,
};
pub use source_name::{source_name, source_of_file, system_of_file};
pub use spreadsheet::{Cell, SheetFormat, write_row};
pub use tables::{
    ColumnName, Columns, Faults, FrameColumns, FrameColumnsError, FrameKind, TableNotes, frame_columns,
};
pub use topics::{TopicsFile, add_result_queries, read_topics, read_topics_file};
pub use trec::{
    ContradictionKind, JudgesFile, OptionForm, PreferencesFile, QrelsFile, QrelsNotes, ReadQrelsOptions,
    ReadRunOptions, Repeat, RepeatedGrades, RunContradiction, RunFile, RunNotes, RunOrder, ThirdColumn,
    VisitedRun, ZscoresFile, ZscoresNotes, check_identifiers, check_trec_pair, read_prefs, read_qrels,
    read_qrels_jg, read_qrels_order_with, read_qrels_prefs, read_qrels_with, read_result_texts, read_run,
    read_run_alone, read_zscores, visit_run, write_prefs, write_qrels, write_qrels_prefs, write_run,
    write_sourced_qrels,
};
pub use unread::UnreadField;
pub use whole::{read_text, read_whole, set_file_limit};
