//! `llull agree`

use anyhow::Result;

use super::Context;
use crate::args::AgreeArgs;
use crate::exit::Exit;

pub(crate) fn run(_context: &Context, _args: &AgreeArgs) -> Result<Exit> {
    Ok(Exit::Fine)
}
