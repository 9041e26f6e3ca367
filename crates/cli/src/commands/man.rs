//! `llull man`: writes a manual page for each command.

use anyhow::{Context as _, Result};
use clap::CommandFactory;

use super::Context;
use crate::args::{Cli, ManArgs};
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &ManArgs) -> Result<Exit> {
    fs_err::create_dir_all(&args.folder)?;
    clap_mangen::generate_to(Cli::command(), &args.folder)
        .with_context(|| args.folder.display().to_string())?;
    context.printer.note(format!("manual pages in {}", args.folder.display()));
    Ok(Exit::Fine)
}
