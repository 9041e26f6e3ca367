//! `llull agree`: what can be typed.

use clap::Args;

/// `llull agree`
#[derive(Debug, Args)]
pub(crate) struct AgreeArgs {}
