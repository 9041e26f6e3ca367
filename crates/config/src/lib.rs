//! A study's folder and configuration: `llull.toml`, environment and command line.
//!
//! [`StudyFile`] is the file as written, [`Overrides`] are the values that precede it, [`Settings`] are the result.
//! Command line > environment > file > default. [`Folder`] resolves relative paths and saves llull's own files:
//! [`SavedFile`] with the key of its inputs, [`LastRun`] with the flags of the last run.

mod aws;
mod base;
mod columns;
mod command;
mod corpus;
mod custom;
mod defaults;
mod environment;
mod error;
mod escalate;
mod extra_fields;
mod file;
mod folder;
mod gates;
mod intervals;
mod judge_keys;
mod judge_ranges;
mod judges;
mod label_file;
mod last_run;
mod live;
mod measures;
mod method;
mod named_columns;
mod named_files;
mod overrides;
mod own_judge;
mod panel_annotators;
mod panel_rule;
mod place;
mod pool;
mod postgres;
mod query_settings;
pub mod ranges;
mod remote;
mod saved_file;
mod server_limits;
mod settings;
mod source;
mod spanned;
mod systems;
mod tournament;
mod tree;

pub use base::{BASE_NEEDS_GRADES, BaseEntry, BaseScope, BaseSettings, BaseTable, KeptLabels};
pub use command::CommandSettings;
pub use corpus::CorpusEntry;
pub use defaults::default_recheck;
pub use environment::{Environment, PROGRAM_VARIABLES, given_environment};
pub use error::ConfigError;
pub use escalate::EscalateSettings;
pub use file::{
    CompareTable, EscalateTable, JudgeTable, PriceTable, RetrieveTable, StudyFile, SystemTable,
    TournamentTable,
};
pub use folder::{FILE_NAME, FORMAT_VERSION, Folder};
pub use gates::GateBounds;
pub use intervals::intervals_of;
pub use judge_keys::judge_key;
pub use judge_ranges::PriceSettings;
pub use judges::{CustomJudge, CustomModel, JudgeKind, JudgeSettings, PERSON_PREFIX, typed_judges};
pub use label_file::{ALL_ANNOTATORS, LabelFileEntry, LabelReading};
pub use last_run::{LAST_RUN_FILE, LastRun, Recalled};
pub use live::LiveSource;
pub use measures::{default_measures, on_scale, relevant_level};
pub use named_columns::{columns_of, names_files};
pub use overrides::{OfStudy, Overrides};
pub use own_judge::{EndpointSettings, OwnJudgeSettings, OwnJudgeSource};
pub use panel_rule::PanelRule;
pub use pool::PoolTable;
pub use postgres::{PostgresFile, PostgresSettings, WordsColumn, is_variable};
pub use query_settings::{QuerySettings, QuerySettingsError};
pub use ranges::CONCURRENCY;
pub use remote::{
    BodyEntry, HttpFile, RemoteAsked, RemoteSearch, RemoteSettings, ServerAddress, ServerFile, StoreFile,
};
pub use saved_file::{SavedFile, hash_file, is_absent, is_read_only};
pub use settings::{BudgetSettings, CompareSettings, ContaminationSettings, Settings};
pub use source::Source;
pub use spanned::Spanned;
pub use systems::{CustomRetriever, Field, RetrieverKind, SystemSettings, SystemSource};
pub use tournament::TournamentSettings;
