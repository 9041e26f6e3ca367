//! `llull rank`: what can be typed.

use clap::Args;

/// `llull rank`
#[derive(Debug, Args)]
pub(crate) struct RankArgs {}
