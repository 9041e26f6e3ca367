//! The configuration of a study: `llull.toml`, the environment and the command line, and what they mean together.
//!
//! [`StudyFile`] is the file as written, [`Overrides`] what stands above it, [`Settings`] what both mean.
//! Command line > environment > file > default.

mod base;
mod command;
mod corpus;
mod error;
mod escalate;
mod extra_fields;
mod file;
mod format;
mod judge_fault;
mod judge_ranges;
mod judges;
mod label_file;
mod live;
mod measures;
mod method;
mod overrides;
mod own_judge;
mod panel_people;
mod panel_rule;
mod place;
mod postgres;
mod price;
pub mod ranges;
mod remote;
mod settings;
mod source;
mod systems;
mod tournament;
mod tree;

pub(crate) use base::COMPARING;
pub use base::{BaseEntry, BaseScope, BaseSettings, BaseTable};
pub use command::CommandSettings;
pub use corpus::CorpusEntry;
pub use error::ConfigError;
pub use escalate::EscalateSettings;
pub use file::{
    CompareTable, EscalateTable, JudgeTable, PoolTable, PriceTable, RetrieveTable, StudyFile, SystemTable,
    TournamentTable,
};
pub use format::{FILE_NAME, FORMAT_VERSION};
pub use judge_ranges::CONCURRENCY;
pub(crate) use judges::PERSON;
pub use judges::{CustomJudge, CustomModel, JudgeKind, JudgeSettings, typed_judges};
pub use label_file::{LabelFileEntry, LabelReading};
pub use live::LiveSource;
pub(crate) use measures::{default_measures, level, on_scale};
pub use overrides::{OfStudy, Overrides};
pub use own_judge::{EndpointSettings, OwnJudgeSettings, OwnJudgeSource};
pub use panel_rule::PanelRule;
pub use postgres::{PostgresFile, PostgresSettings, WordsColumn};
pub use price::PriceSettings;
pub(crate) use remote::RemoteAsked;
pub use remote::{BodyEntry, HttpFile, RemoteSearch, RemoteSettings, ServerAddress, ServerFile, StoreFile};
pub(crate) use settings::default_recheck;
pub use settings::{BudgetSettings, CompareSettings, ContaminationSettings, Settings};
pub use source::Source;
pub use systems::{CustomRetriever, Field, RetrieverKind, SystemSettings, SystemSource};
pub use tournament::TournamentSettings;
