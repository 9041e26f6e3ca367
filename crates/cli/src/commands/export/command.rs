//! One export after the other.

use anyhow::Result;

use super::{fine_tune, judgment_list, pairs, ratings, rows};
use crate::args::{Export, ExportArgs};
use crate::commands::Context;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &ExportArgs) -> Result<Exit> {
    match &args.what {
        Export::Labels(args) => rows::labels(context, args),
        Export::Runs(args) => rows::runs(context, args),
        Export::Letor(args) => judgment_list::run(context, args),
        Export::Pairs(args) => pairs::run(context, args),
        Export::Quepid(args) => ratings::quepid(context, args),
        Export::RankEval(args) => ratings::rank_eval(context, args),
        Export::Opensearch(args) => ratings::opensearch(context, args),
        Export::FineTune(args) => fine_tune::run(context, args),
    }
}
