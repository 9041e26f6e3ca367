//! `llull completions`: prints a shell's completion script.

use anyhow::Result;
use clap::CommandFactory;

use super::Context;
use crate::args::{Cli, CompletionsArgs};
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &CompletionsArgs) -> Result<Exit> {
    // clap_complete panics if writing fails, for example when the reader goes away, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "llull", &mut script);
    context.printer.stream(|out| out.write_all(&script))?;
    Ok(Exit::Fine)
}
