//! The HTTP client: limits, proxies, certificates, no redirects.

use std::time::Duration;

use reqwest::{Client, redirect};

use crate::{
    address::Address,
    error::{ClientError, with_causes},
};

/// The longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Returns a client for requests to `address`, each of which takes `timeout` at most. An address on this machine is
/// reached directly, any other through the system's proxy (`HTTPS_PROXY` and the like).
pub(crate) fn client(address: &Address, timeout: Duration) -> Result<Client, ClientError> {
    // reqwest panics without a provider of cryptography. An error says only that one is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(concat!("llull/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(timeout);
    if address.is_loopback() {
        // No proxy reaches this machine's own servers.
        builder = builder.no_proxy();
        if address.url().scheme() == "http" {
            // Nor do they need the system's certificates, which a small container may lack.
            builder = builder.tls_certs_only([]);
        }
    }
    builder.build().map_err(|error| ClientError::NotBuilt(with_causes(&error.without_url())))
}
