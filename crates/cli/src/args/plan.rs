//! `llull plan`: what can be typed.

use clap::Args;

/// `llull plan`
#[derive(Debug, Args)]
pub(crate) struct PlanArgs {}
