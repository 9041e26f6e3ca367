//! The options of commands whose result a CI system shows.

use std::path::PathBuf;

use clap::Args;

/// The outputs for CI.
#[derive(Debug, Default, Args)]
pub(crate) struct CiOutputs {
    /// Write gates and bounds on judges as test cases of JUnit's XML. A gate that lacks labels is an error, another
    /// that does not hold a failure
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Print annotations for GitHub Actions, and add the result to the job's summary if GITHUB_STEP_SUMMARY names a
    /// file
    #[arg(long)]
    pub(crate) github: bool,
    /// Write the decision, the gates and the systems as Markdown for a pull request, in at most 60,000 characters
    #[arg(long, value_name = "FILE")]
    pub(crate) comment: Option<PathBuf>,
}

impl CiOutputs {
    /// Whether any of them is wanted.
    pub(crate) fn is_any(&self) -> bool {
        self.junit.is_some() || self.github || self.comment.is_some()
    }
}
