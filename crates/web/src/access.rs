//! Restricts pages to requests with the token, at the server's own address.
//!
//! `Host` is checked against DNS rebinding: a page elsewhere could point its own name at this machine, and browsers
//! would then treat both as one origin.

use std::net::{IpAddr, SocketAddr};

use crate::error::ServeError;

/// The conditions for access to a page.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    token: String,
    cookie: String,
    hosts: Vec<String>,
}

/// Why a request is turned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It names a host that the server does not have, or none.
    Host,
    /// Another site sends it.
    Origin,
}

impl Access {
    /// Access to a server at this address, and by these further names of it (with or without a port).
    ///
    /// # Errors
    /// Returns an error if the system has no random numbers.
    pub(crate) fn new(address: SocketAddr, names: &[String]) -> Result<Self, ServeError> {
        let token = unguessable()?;
        let port = address.port();
        let mut hosts = vec![address.to_string()];
        if address.ip().is_loopback() || address.ip().is_unspecified() {
            hosts.extend(["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}")));
        }
        for name in names.iter().map(|name| name.to_ascii_lowercase()) {
            hosts.push(format!("{name}:{port}"));
            hosts.push(name);
        }
        Ok(Self { token, cookie: format!("llull_{port}"), hosts })
    }

    /// The address to open, with the token.
    pub(crate) fn url(&self, address: SocketAddr) -> String {
        let host = match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => format!("127.0.0.1:{}", address.port()),
            IpAddr::V6(ip) if ip.is_unspecified() => format!("[::1]:{}", address.port()),
            _ => address.to_string(),
        };
        format!("http://{host}/?token={}", self.token)
    }

    /// Checks the headers with the target and the origin of a request.
    pub(crate) fn place(&self, host: Option<&str>, origin: Option<&str>) -> Result<(), Refusal> {
        let known = |host: &str| self.hosts.contains(&host.to_ascii_lowercase());
        if !host.is_some_and(known) {
            return Err(Refusal::Host);
        }
        let Some(origin) = origin else { return Ok(()) };
        let from = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if from.is_some_and(known) { Ok(()) } else { Err(Refusal::Origin) }
    }

    /// Whether this is the token.
    pub(crate) fn is_token(&self, given: &str) -> bool {
        same(&self.token, given)
    }

    /// Whether one of these cookies holds the token.
    pub(crate) fn has_cookie(&self, header: &str) -> bool {
        let cookies = header.split(';').filter_map(|cookie| cookie.trim().split_once('='));
        cookies.into_iter().any(|(name, value)| name == self.cookie && self.is_token(value))
    }

    /// The header that gives a browser the token to keep, until it is closed.
    pub(crate) fn set_cookie(&self) -> String {
        format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie, self.token)
    }
}

/// Random digits that cannot be guessed.
///
/// # Errors
/// Returns an error if the system has no random numbers.
pub(crate) fn unguessable() -> Result<String, ServeError> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| ServeError::Start(error.to_string()))?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether two secrets are equal. Compares every byte, so that the time does not depend on how many are right.
pub(crate) fn same(secret: &str, given: &str) -> bool {
    let pairs = secret.bytes().zip(given.bytes());
    secret.len() == given.len() && pairs.fold(0, |found, (a, b)| found | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(address: &str, names: &[&str]) -> Access {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Access::new(address.parse().unwrap(), &names).unwrap()
    }

    #[test]
    fn a_host_is_one_of_the_servers_own() {
        let local = access("127.0.0.1:4000", &[]);
        for host in ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000", "[::1]:4000"] {
            assert_eq!(local.place(Some(host), None), Ok(()), "{host}");
        }
        for host in ["127.0.0.1", "127.0.0.1:4001", "127.0.0.1.evil.test:4000", "evil.test:4000", ""] {
            assert_eq!(local.place(Some(host), None), Err(Refusal::Host), "{host}");
        }
        assert_eq!(local.place(None, None), Err(Refusal::Host));
        assert_eq!(access("10.0.0.5:80", &[]).place(Some("localhost:80"), None), Err(Refusal::Host));
        assert_eq!(access("10.0.0.5:80", &["My.Proxy"]).place(Some("my.proxy"), None), Ok(()));
    }

    #[test]
    fn an_origin_is_one_of_the_servers_own() {
        let local = access("127.0.0.1:4000", &[]);
        let from = |origin| local.place(Some("127.0.0.1:4000"), Some(origin));
        assert_eq!(from("http://127.0.0.1:4000"), Ok(()));
        for origin in ["null", "http://evil.test", "http://127.0.0.1:4001", "file://", "127.0.0.1:4000"] {
            assert_eq!(from(origin), Err(Refusal::Origin), "{origin}");
        }
    }

    #[test]
    fn a_token_is_the_whole_token() {
        let (one, other) = (access("127.0.0.1:1", &[]), access("127.0.0.1:1", &[]));
        assert_ne!(one.token, other.token);
        assert!(one.is_token(&one.token) && !one.is_token(&other.token));
        assert!(
            !one.is_token("") && !one.is_token(&one.token[1..]) && !one.is_token(&format!("{}0", one.token))
        );
        assert!(one.has_cookie(&format!("a=b; llull_1={}", one.token)));
        assert!(!one.has_cookie(&format!("llull_2={}", one.token)) && !one.has_cookie("llull_1=; llull_1"));
    }
}
