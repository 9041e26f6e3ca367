//! `llull completions`

use anyhow::Result;
use clap::CommandFactory;

use super::Context;
use crate::args::{Cli, CompletionsArgs};
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &CompletionsArgs) -> Result<Exit> {
    context.printer.stream(|out| {
        clap_complete::generate(args.shell, &mut Cli::command(), "llull", &mut &mut *out);
        Ok(())
    })?;
    Ok(Exit::Fine)
}
