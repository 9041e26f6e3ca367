//! The options of commands whose result a CI system shows.

use std::path::PathBuf;

use clap::Args;

/// The outputs for CI.
#[derive(Debug, Default, Args)]
pub(crate) struct CiOutputs {
    /// Write each gate (a result that llull.toml requires) as a test case of JUnit's XML. A gate that is not met is a
    /// failure; a gate without enough labels is an error
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
    /// Returns the first option that was given.
    pub(crate) fn first(&self) -> Option<&'static str> {
        let given = [
            (self.junit.is_some(), "--junit"),
            (self.github, "--github"),
            (self.comment.is_some(), "--comment"),
        ];
        given.into_iter().find_map(|(given, option)| given.then_some(option))
    }

    /// Whether any of them is wanted.
    pub(crate) fn is_any(&self) -> bool {
        self.first().is_some()
    }
}
