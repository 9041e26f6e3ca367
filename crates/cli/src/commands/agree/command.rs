//! The choice between the two reports.

use anyhow::Result;

use super::{labels, preferences};
use crate::args::AgreeArgs;
use crate::commands::Context;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &AgreeArgs) -> Result<Exit> {
    if args.preferences { preferences::run(context, args) } else { labels::run(context, args) }
}
