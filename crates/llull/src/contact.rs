//! Where a judge's requests go, and which key goes with them: a study's folder may come from a stranger, and its
//! `base_url` and `.env` say where the user's key is sent.

use llull_llm::{Provider, split_name};

use crate::Study;
use crate::config::{JudgeKind, JudgeSettings};
use crate::judged::Environment;

/// Where a language model is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    /// The address as it was written, without user, password and query, which may hold secrets.
    pub address: String,
    /// The environment variable whose key is sent there; `None` when it is not set.
    pub key_variable: Option<&'static str>,
    /// The provider, if the address is not its own.
    pub instead_of: Option<&'static str>,
    /// Whether the address is on this machine.
    pub is_local: bool,
}

impl Contact {
    /// Whether a key leaves this machine for an address that is not its provider's.
    pub fn takes_key_elsewhere(&self) -> bool {
        self.key_variable.is_some() && self.instead_of.is_some() && !self.is_local
    }
}

impl std::fmt::Display for Contact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.address)?;
        match self.key_variable {
            Some(variable) => write!(f, ", with the key in {variable}")?,
            None => write!(f, ", without a key")?,
        }
        match self.instead_of {
            Some(provider) if self.takes_key_elsewhere() => {
                write!(f, "; that is not {provider}'s own address, so make sure that you know it")
            }
            _ => Ok(()),
        }
    }
}

impl Study {
    /// Where a judge's requests go; `None` for a judge that asks nobody, or whose provider is unknown.
    pub fn contact(&self, judge: &JudgeSettings, environment: Environment<'_>) -> Option<Contact> {
        let JudgeKind::Prompted { base_url, .. } = &judge.kind else { return None };
        let (provider, _) = split_name(&judge.model).ok()?;
        let set = |variable: &str| environment(variable).filter(|value| !value.trim().is_empty());
        let address = base_url.clone().or_else(|| provider.address_variable.and_then(set));
        Some(Contact::new(provider, address, set(provider.key_variable).is_some()))
    }
}

impl Contact {
    fn new(provider: &Provider, said: Option<String>, has_key: bool) -> Self {
        let address = without_secrets(said.as_deref().unwrap_or(provider.address));
        let host = host(&address);
        let own = host == self::host(provider.address);
        Self {
            is_local: is_local(host),
            instead_of: (!own).then_some(provider.name),
            key_variable: has_key.then_some(provider.key_variable),
            address,
        }
    }
}

fn without_secrets(address: &str) -> String {
    let address = address.trim().split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = address.split_once("://").map_or(("", address), |(scheme, rest)| (scheme, rest));
    let end = rest.find(['/', '\\']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if scheme.is_empty() { format!("{host}{path}") } else { format!("{scheme}://{host}{path}") }
}

/// The host of an address without secrets, port left out; empty where it is not plainly one, since what reads URLs
/// generously may find another there.
fn host(address: &str) -> &str {
    let rest = match address.split_once("://") {
        Some(("http" | "https", rest)) => rest,
        Some(_) => return "",
        None => address,
    };
    let authority = rest.split(['/', '\\']).next().unwrap_or_default();
    if !authority.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte)) {
        return "";
    }
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

fn is_local(host: &str) -> bool {
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    host == "localhost" || host.ends_with(".localhost") || address.is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(model: &str, said: Option<&str>, has_key: bool) -> Contact {
        Contact::new(split_name(model).unwrap().0, said.map(str::to_owned), has_key)
    }

    #[test]
    fn a_key_goes_to_its_provider_or_it_is_said_where_else() {
        let own = contact("openai/m", None, true);
        assert_eq!(own.to_string(), "https://api.openai.com/v1, with the key in OPENAI_API_KEY");
        assert!(!own.takes_key_elsewhere());
        assert!(!contact("openai/m", Some("https://api.openai.com/v1/"), true).takes_key_elsewhere());
        assert!(contact("openai/m", Some("https://api.openai.com.evil.test/v1"), true).takes_key_elsewhere());
        assert!(contact("openai/m", Some("https://openrouter.ai/api/v1"), true).takes_key_elsewhere());
        assert!(!contact("openai/m", Some("https://evil.test"), false).takes_key_elsewhere());
        assert!(contact("openai/m", Some("https://localhost@evil.test"), true).takes_key_elsewhere());
    }

    #[test]
    fn an_address_that_only_looks_like_this_machine_is_elsewhere() {
        for url in
            ["http://evil.test\\@localhost/", "http:evil.test://localhost", "http://localhost\t.evil.test"]
        {
            assert!(contact("openai/m", Some(url), true).takes_key_elsewhere(), "{url}");
        }
    }

    #[test]
    fn this_machine_is_nowhere_else() {
        for url in ["http://localhost:11434/v1", "http://127.0.0.1:1", "http://[::1]:80/v1", "localhost:9"] {
            assert!(!contact("openai/m", Some(url), true).takes_key_elsewhere(), "{url}");
        }
    }

    #[test]
    fn what_is_shown_holds_no_secret() {
        let shown = contact("vllm/m", Some("http://me:hunter2@h:8000/v1?key=hunter2"), false).to_string();
        assert_eq!(shown, "http://h:8000/v1, without a key");
    }
}
