//! `llull agree`

mod inputs;
mod labels;
mod output;
mod preferences;
mod systems;
mod tested;

use anyhow::Result;

use super::Context;
use crate::args::AgreeArgs;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &AgreeArgs) -> Result<Exit> {
    if args.preferences { preferences::run(context, args) } else { output::run(context, args) }
}
