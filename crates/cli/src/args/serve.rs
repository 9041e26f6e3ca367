//! The arguments of `llull serve`.

use std::net::{IpAddr, Ipv4Addr};

use clap::Args;
use llull_web::ServeOptions;

/// `llull serve`
///
/// It sends no request and writes no answer: it makes the pages from the ledger, and again after another process has
/// written to it. The printed address has a token; only readers with that address see the study. Ctrl-C ends it.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

/// Where a server listens, and under which names.
#[derive(Debug, Clone, Args)]
pub(crate) struct ServerArgs {
    /// The address to listen at. Any other than this machine's own lets other machines reach it, without encryption;
    /// they need the token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// The port; 0 takes one that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    /// A further name that the server has, such as a proxy's; repeat for more
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<String>,
}

impl ServerArgs {
    pub(crate) fn options(self) -> ServeOptions {
        ServeOptions {
            listen: self.listen,
            port: self.port,
            hosts: self.allow_host,
            ..ServeOptions::default()
        }
    }
}
