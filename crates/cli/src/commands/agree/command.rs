//! Chooses the report of `llull agree`.

use anyhow::Result;

use super::{annotators, labels, preferences};
use crate::args::AgreeArgs;
use crate::commands::Context;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &AgreeArgs) -> Result<Exit> {
    match () {
        () if args.people => annotators::run(context, args),
        () if args.preferences => preferences::run(context, args),
        () => labels::run(context, args),
    }
}
