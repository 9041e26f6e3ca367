//! Addresses of servers, shown without secrets.

use std::fmt;
use std::sync::Arc;

use reqwest::Url;

use crate::redact::redact_address;

/// The address of a server: an `http` or `https` URL without user, password or fragment.
///
/// It has one reading: display, comparison and the destination of requests all follow from the same parsed URL.
/// `Display` and `Debug` leave its query out, which may hold a key.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    url: Url,
    /// The variable that holds it, which is shown in its place.
    variable: Option<Arc<str>>,
}

/// An address that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("address {address:?}: {problem}")]
pub struct AddressError {
    /// The address as written, without user, password and query.
    pub address: String,
    /// The problem.
    pub problem: AddressProblem,
}

/// The problem of an address, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressProblem {
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}

impl Address {
    /// Reads an address. White space around it and a fragment are dropped.
    ///
    /// # Errors
    /// Returns an error if `text` is not an `http` or `https` URL, or holds a user or a password.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let wrong = |problem| AddressError { address: redact_address(text), problem };
        // A URL of these two protocols has a host, or it is not parsed.
        let mut url = Url::parse(text.trim()).map_err(|error| {
            wrong(AddressProblem::Problem(format!("{error}; write an address such as http://localhost:8000")))
        })?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong(AddressProblem::Problem(
                "an address begins with http:// or https://".to_owned(),
            )));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong(AddressProblem::Problem(
                "an address holds no user or password; put the key in the environment".to_owned(),
            )));
        }
        url.set_fragment(None);
        Ok(Self { url, variable: None })
    }

    /// Returns the same address, shown by the name of its environment variable. Users may not know the variable's
    /// value, and it may be a secret.
    #[must_use]
    pub fn in_variable(self, variable: &str) -> Self {
        Self { variable: Some(variable.into()), ..self }
    }

    /// Returns the variable that is shown in its place, if there is one.
    pub fn variable(&self) -> Option<&str> {
        self.variable.as_deref()
    }

    /// Returns another address of this server, shown in the same way.
    ///
    /// # Errors
    /// Returns an error, without the address where a variable holds it, if `text` cannot be used.
    pub fn sibling(&self, text: &str) -> Result<Self, String> {
        match (Self::parse(text), &self.variable) {
            (Ok(address), variable) => Ok(Self { variable: variable.clone(), ..address }),
            (Err(error), None) => Err(error.to_string()),
            (Err(error), Some(variable)) => Err(format!("the address in {variable}: {}", error.problem)),
        }
    }

    /// Returns its path, which begins with `/`.
    pub fn path(&self) -> &str {
        self.url.path()
    }

    /// Returns the same address with another path; the query stays.
    #[must_use]
    pub fn with_path(&self, path: &str) -> Self {
        let mut other = self.clone();
        other.url.set_path(path);
        other
    }

    /// Returns the same address with these parameters added to its query.
    #[must_use]
    pub fn with_query(&self, parameters: &[(&str, &str)]) -> Self {
        let mut other = self.clone();
        other.url.query_pairs_mut().extend_pairs(parameters);
        other
    }

    /// Returns the value of a parameter of its query.
    pub fn query(&self, name: &str) -> Option<String> {
        self.url.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
    }

    /// Returns whether the server is on this machine: `localhost`, a name under it, or a loopback address.
    pub fn is_loopback(&self) -> bool {
        let host = self.url.host_str().unwrap_or_default();
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
        host == "localhost"
            || host.ends_with(".localhost")
            || address.is_ok_and(|address| address.is_loopback())
    }

    /// Returns whether both addresses are of one server: the same protocol, host and port.
    pub fn is_same_server(&self, other: &Self) -> bool {
        let server = |url: &Url| {
            (url.scheme().to_owned(), url.host_str().map(str::to_owned), url.port_or_known_default())
        };
        server(&self.url) == server(&other.url)
    }

    /// Returns the server alone: protocol, host and port, the port only if it is not the protocol's own.
    pub fn server(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// Returns whether requests can be read on the way: `http`, and another machine.
    pub fn is_clear_text(&self) -> bool {
        self.url.scheme() == "http" && !self.is_loopback()
    }

    /// Returns an address as it may be shown or written down: without user, password, query and fragment.
    pub fn shown(text: &str) -> String {
        redact_address(text)
    }

    pub(crate) fn url(&self) -> &Url {
        &self.url
    }
}

/// The address without its query, or the variable that holds it.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(variable) = &self.variable {
            return write!(f, "the address in {variable}");
        }
        let mut url = self.url.clone();
        url.set_query(None);
        f.write_str(url.as_str())
    }
}

/// The same as `Display`.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Address {
        Address::parse(text).unwrap()
    }

    #[test]
    fn a_query_is_kept_and_not_shown() {
        let found = address(" https://h/api/v1?key=hunter2#there ");
        assert_eq!(found.to_string(), "https://h/api/v1");
        assert_eq!(format!("{found:?}"), "Address(https://h/api/v1)");
        assert_eq!(found.url().as_str(), "https://h/api/v1?key=hunter2");
        assert_eq!(found.with_path("/x").url().as_str(), "https://h/x?key=hunter2");
    }

    #[test]
    fn an_address_in_a_variable_is_shown_by_its_name() {
        let found = address("https://topsecret.test/v1?x=1").in_variable("SEARCH_URL");
        let sibling = found.sibling("https://topsecret.test/q").unwrap();
        for shown in [found.to_string(), found.with_path("/x").to_string(), sibling.to_string()] {
            assert_eq!(shown, "the address in SEARCH_URL");
        }
        assert_eq!(format!("{found:?}"), "Address(the address in SEARCH_URL)");
        assert_eq!(found.server(), "https://topsecret.test");
        assert!(!found.sibling("topsecret.test").unwrap_err().contains("topsecret"));
    }

    #[test]
    fn what_is_no_address_is_refused_without_its_credentials() {
        for text in [
            "",
            "localhost:8000",
            "ftp://h/v1",
            "http://",
            "http://?key=hunter2",
            "http://me:hunter2@h/v1?key=hunter2",
            "http://me:hunter2@",
            "me:hunter2@h",
        ] {
            let error = Address::parse(text).unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn a_server_is_named_without_path_and_query() {
        assert_eq!(address("https://H.test:443/v1?key=hunter2").server(), "https://h.test");
        assert_eq!(address("http://[::1]:8000/v1").server(), "http://[::1]:8000");
        assert!(address("http://gpu.lan/v1").is_clear_text());
        assert!(!address("http://localhost:1").is_clear_text() && !address("https://h").is_clear_text());
        assert_eq!(Address::shown("https://h/v1?api-key=hunter2"), "https://h/v1");
        assert_eq!(Address::shown("h/v1?api-key=hunter2"), "h/v1");
    }

    #[test]
    fn this_machine_is_known() {
        for text in ["http://localhost:1", "http://m.localhost", "http://127.0.0.2", "http://[::1]:80"] {
            assert!(address(text).is_loopback(), "{text}");
        }
        for text in ["https://api.openai.com", "http://10.0.0.1", "http://localhost.evil.test"] {
            assert!(!address(text).is_loopback(), "{text}");
        }
    }

    #[test]
    fn an_address_that_only_looks_like_this_machine_is_elsewhere() {
        for text in
            ["http://evil.test\\@localhost/", "http:evil.test://localhost", "http://localhost\t.evil.test"]
        {
            let found = address(text);
            assert!(!found.is_loopback() && found.to_string().contains("evil.test"), "{text}: {found}");
        }
    }

    #[test]
    fn a_server_is_a_protocol_a_host_and_a_port() {
        let own = address("https://api.openai.com/v1");
        for same in ["https://api.openai.com", "https://API.openai.com:443/other?x=1"] {
            assert!(own.is_same_server(&address(same)), "{same}");
        }
        for other in ["http://api.openai.com/v1", "https://api.openai.com:8443/v1", "https://openai.com/v1"] {
            assert!(!own.is_same_server(&address(other)), "{other}");
        }
    }
}
