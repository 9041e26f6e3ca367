//! The arguments of `llull demo`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// The paradigms of the demo's recorded judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DemoParadigm {
    /// One document at a time gets a grade
    Graded,
    /// Several documents are put in order
    Listwise,
}

/// `llull demo`
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// The folder to write the study into; it stays
    #[arg(default_value = "llull-demo")]
    pub(crate) dir: PathBuf,
    /// Grade documents one at a time, or put several in order
    #[arg(long, value_enum, default_value_t = DemoParadigm::Graded)]
    pub(crate) paradigm: DemoParadigm,
}
