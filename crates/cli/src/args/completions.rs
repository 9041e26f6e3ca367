//! The arguments of `llull completions`.

use clap::Args;

const AFTER_HELP: &str = "Example: llull completions bash > ~/.local/share/bash-completion/completions/llull";

/// `llull completions`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}
