//! The arguments of `llull serve`.

use std::net::{IpAddr, Ipv4Addr};

use clap::Args;

/// `llull serve`
///
/// It asks nothing and writes no answer: pages are made from the ledger, and made again when another process has
/// written to it. The address that it prints holds a token; whoever opens it sees the study, and nobody else does.
/// Ctrl-C ends it.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The address to listen at. Another than this machine's own lets others reach it, without encryption; they need
    /// the token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub(crate) listen: IpAddr,
    /// The port; 0 takes one that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub(crate) port: u16,
    /// A further name that the server has, such as a proxy's; repeat for more
    #[arg(long, value_name = "HOST")]
    pub(crate) allow_host: Vec<String>,
}
