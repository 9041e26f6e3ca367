//! The arguments of every command: clap's definitions, and nothing that acts on them.

mod agree;
mod command_line;
mod compare;
mod confidence;
mod inspect;
mod label;
mod measure;
mod plan;
mod rank;
mod study;

pub(crate) use agree::AgreeArgs;
pub(crate) use command_line::{Cli, Command, GlobalArgs};
pub(crate) use compare::{CompareArgs, CompareFormat};
pub(crate) use inspect::{CompletionsArgs, LedgerArgs, LedgerCommand, PromptArgs, ReportArgs, ReportFormat};
pub(crate) use label::LabelArgs;
pub(crate) use measure::{LabelsForm, MeasureArgs, MeasureFormat};
pub(crate) use plan::{PlanArgs, Scheduled};
pub(crate) use rank::{Method, RankArgs, RankFormat};
pub(crate) use study::{
    DemoArgs, DoctorArgs, InitArgs, JudgeArgs, JudgeOptions, PoolArgs, RetrieveArgs, RunArgs,
};
