//! Addresses of servers, as people write them.

use reqwest::Url;

use crate::{registry::Provider, secret::redact};

/// The URL of chat completions at `base`, which may end in nothing, `/`, `/v1`, `/v1/` or the whole path.
/// An error is the address as it may be shown, and what is wrong with it.
pub(crate) fn chat_url(base: &str) -> Result<Url, (String, String)> {
    let wrong = |reason: String| (shown_text(base), reason);
    let mut url = Url::parse(base.trim())
        .map_err(|error| wrong(format!("{error}; write an address such as http://localhost:8000/v1")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong(String::from("an address begins with http:// or https://")));
    }
    if url.host_str().is_none() {
        return Err(wrong(String::from("names no host")));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong(String::from(
            "an address holds no user or password; put the key in the environment",
        )));
    }
    url.set_fragment(None);
    let path = url.path().trim_end_matches('/').trim_end_matches("/chat/completions").to_owned();
    let path = if path.is_empty() { "/v1" } else { &path };
    url.set_path(&format!("{path}/chat/completions"));
    Ok(url)
}

/// The URL without its query, which may hold a key.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    url.to_string()
}

/// An address that may be no URL, without credentials or query.
fn shown_text(base: &str) -> String {
    let before_query = base.split(['?', '#']).next().unwrap_or_default();
    // redact() knows credentials by what follows "://"
    match before_query.contains("://") {
        true => redact(before_query, None),
        false => before_query.rsplit_once('@').map_or(before_query, |(_, host)| host).to_owned(),
    }
}

/// Whether the server is on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    host == "localhost" || host.ends_with(".localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// The address in a provider's own variable. `OLLAMA_HOST` is what `ollama serve` binds to, `0.0.0.0`, `:11434` or
/// `host:port` without a scheme (ollama, envconfig/config.go: http and port 11434 unless stated), so it is completed
/// to where a client finds it.
pub(crate) fn from_variable(provider: &Provider, value: &str) -> String {
    let value = value.trim().trim_matches(['"', '\'']);
    if provider.name != "ollama" || value.contains("://") {
        return value.to_owned();
    }
    let (authority, path) = value.split_at(value.find('/').unwrap_or(value.len()));
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() => (host, port),
        _ => (authority, "11434"),
    };
    let host = match host {
        "" | "0.0.0.0" => "127.0.0.1",
        "[::]" => "[::1]",
        host => host,
    };
    format!("http://{host}:{port}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::split_name;

    #[test]
    fn however_the_base_is_written_the_url_is_one() {
        for base in [
            "http://h:1",
            "http://h:1/",
            "http://h:1/v1",
            " http://h:1/v1/ ",
            "http://h:1/v1/chat/completions",
        ] {
            assert_eq!(chat_url(base).unwrap().as_str(), "http://h:1/v1/chat/completions");
        }
        let other = chat_url("https://h/api/v1?api-version=2").unwrap();
        assert_eq!(other.as_str(), "https://h/api/v1/chat/completions?api-version=2");
        assert_eq!(shown(&other), "https://h/api/v1/chat/completions");
    }

    #[test]
    fn what_is_no_address_is_refused_without_its_credentials() {
        for base in [
            "",
            "localhost:8000",
            "ftp://h/v1",
            "http://",
            "http://me:hunter2@h/v1?key=hunter2",
            "me:hunter2@h",
        ] {
            let (address, reason) = chat_url(base).unwrap_err();
            assert!(!address.contains("hunter2") && !reason.contains("hunter2"), "{address} {reason}");
        }
    }

    #[test]
    fn ollama_host_is_where_the_server_binds() {
        let ollama = split_name("ollama/m").unwrap().0;
        for (value, url) in [
            ("0.0.0.0", "http://127.0.0.1:11434"),
            (":9999", "http://127.0.0.1:9999"),
            ("gpu.lan:1", "http://gpu.lan:1"),
            ("\"gpu.lan\"", "http://gpu.lan:11434"),
            ("[::]:80", "http://[::1]:80"),
            ("https://gpu.lan", "https://gpu.lan"),
        ] {
            assert_eq!(from_variable(ollama, value), url);
        }
    }

    #[test]
    fn this_machine_is_known() {
        let loopback = |url: &str| is_loopback(&Url::parse(url).unwrap());
        assert!(
            ["http://localhost:1", "http://127.0.0.2", "http://[::1]:80"].iter().all(|url| loopback(url))
        );
        assert!(!loopback("https://api.openai.com") && !loopback("http://10.0.0.1"));
    }
}
