//! `llull plan`

use anyhow::Result;

use super::Context;
use crate::args::PlanArgs;
use crate::exit::Exit;

pub(crate) fn run(_context: &Context, _args: &PlanArgs) -> Result<Exit> {
    Ok(Exit::Fine)
}
