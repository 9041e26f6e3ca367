//! The HTTP client: limits, proxies, certificates, no redirects.

use std::{fs::File, io::Read, path::Path, time::Duration};

use reqwest::{Certificate, Client, redirect};

use crate::{
    address::Address,
    error::{ClientError, with_causes},
};

/// The longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The longest file of certificates, in bytes: several times that of all public authorities.
const LONGEST_CA_FILE: u64 = 4 << 20;

/// Returns a client for requests to `address`, each of which takes `timeout` at most. An address on this machine is
/// reached directly, any other through the system's proxy (`HTTPS_PROXY` and the like). `authorities` are trusted in
/// addition to those of the system.
pub(crate) fn client(
    address: &Address,
    timeout: Duration,
    authorities: Vec<Certificate>,
) -> Result<Client, ClientError> {
    // reqwest panics without a provider of cryptography. An error says only that one is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = Client::builder()
        .user_agent(concat!("llull/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(timeout);
    if !authorities.is_empty() {
        builder = builder.tls_certs_merge(authorities);
    }
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

/// Reads the certificates of a file in PEM.
#[expect(clippy::disallowed_methods, reason = "the error of the caller names the file")]
pub(crate) fn authorities(file: &Path) -> Result<Vec<Certificate>, ClientError> {
    let wrong = |problem: String| ClientError::CaFile { file: file.display().to_string(), problem };
    let mut pem = Vec::new();
    // A named pipe would be waited for.
    if file.exists() && !file.is_file() {
        return Err(wrong("it is no regular file".into()));
    }
    let opened = File::open(file).map_err(|error| wrong(error.to_string()))?;
    opened.take(LONGEST_CA_FILE + 1).read_to_end(&mut pem).map_err(|error| wrong(error.to_string()))?;
    if pem.len() as u64 > LONGEST_CA_FILE {
        return Err(wrong(format!("more than {} MiB", LONGEST_CA_FILE >> 20)));
    }
    match Certificate::from_pem_bundle(&pem) {
        Ok(found) if !found.is_empty() => Ok(found),
        Ok(_) => Err(wrong("no certificate in PEM (-----BEGIN CERTIFICATE-----) is in it".into())),
        Err(error) => Err(wrong(with_causes(&error))),
    }
}
