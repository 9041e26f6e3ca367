//! `llull demo`: writes a study of a small collection, and runs it.

use anyhow::Result;
use llull::config::Overrides;
use llull::{Study, write_demo};

use super::Context;
use crate::args::{DemoArgs, StoppingOptions};
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &DemoArgs) -> Result<Exit> {
    let dir = args.dir.display();
    let written = write_demo(&args.dir)?;
    if written.is_empty() {
        context.printer.note(format!("{dir} holds a study already, which is run unchanged"));
    } else {
        context.printer.note(format!(
            "wrote a study into {dir}: 212 passages about running PostgreSQL, 24 queries, the authors' own grades"
        ));
    }
    let study = Study::open(&args.dir, &Overrides::default())?;
    let exit = super::run::whole(context, &study, StoppingOptions::default(), false)?;
    context.printer.note(format!(
        "With a real judge: llull -C {dir} run --judge openai/MODEL   (a local one: --base-url \
         http://localhost:11434/v1)"
    ));
    Ok(exit)
}
