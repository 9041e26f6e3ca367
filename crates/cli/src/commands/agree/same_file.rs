//! The truth named a second time.

use anyhow::Result;
use llull::data::shown_path;

use crate::args::AgreeArgs;
use crate::commands::{Context, place};
use crate::exit::refuse;

/// Warns if the truth is the only other, as it agrees with itself. Refuses it among several others, where it would
/// be two raters of the panel.
pub(super) fn truth_among_others(context: &Context, args: &AgreeArgs) -> Result<()> {
    if !args.others.iter().any(|other| place(other) == place(args.truth())) {
        return Ok(());
    }
    let truth = shown_path(args.truth());
    if args.others.len() > 1 {
        refuse!("{truth}: the truth is one of the others, too, and would count as two raters; name it once");
    }
    context
        .printer
        .warn(format!("{truth}: this is the truth itself, which agrees with itself whatever it says"));
    Ok(())
}
