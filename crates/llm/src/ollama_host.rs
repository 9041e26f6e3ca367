//! Reads `OLLAMA_HOST`, the address that `ollama serve` binds to.

use std::net::IpAddr;

/// Returns the address at which a client finds the server that binds to `value`: `0.0.0.0`, `:11434` or `host:port`,
/// with or without a scheme (ollama, envconfig/config.go: http and port 11434 unless stated).
pub(crate) fn client_address(value: &str) -> String {
    let (scheme, rest, default_port) = match value.split_once("://") {
        Some((scheme, rest)) => (scheme, rest, ""),
        None => ("http", value, ":11434"),
    };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (host, port) = match authority.rsplit_once(':') {
        // an IPv6 address may stand without brackets, and ends in no port then
        _ if authority.parse::<IpAddr>().is_ok() => (authority, default_port.to_owned()),
        Some((host, port)) if port.parse::<u16>().is_ok() => (host, format!(":{port}")),
        _ => (authority, default_port.to_owned()),
    };
    let host = match host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
        _ if host.is_empty() => String::from("127.0.0.1"),
        Ok(IpAddr::V4(all)) if all.is_unspecified() => String::from("127.0.0.1"),
        Ok(IpAddr::V6(all)) if all.is_unspecified() => String::from("[::1]"),
        Ok(IpAddr::V6(address)) => format!("[{address}]"),
        _ => host.to_owned(),
    };
    format!("{scheme}://{host}{port}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_found_where_it_binds() {
        for (value, url) in [
            ("0.0.0.0", "http://127.0.0.1:11434"),
            ("0.0.0.0:80", "http://127.0.0.1:80"),
            ("http://0.0.0.0:11434", "http://127.0.0.1:11434"),
            (":9999", "http://127.0.0.1:9999"),
            ("gpu.lan:1", "http://gpu.lan:1"),
            ("gpu.lan/ollama", "http://gpu.lan:11434/ollama"),
            ("[::]:80", "http://[::1]:80"),
            ("::", "http://[::1]:11434"),
            ("fe80::1", "http://[fe80::1]:11434"),
            ("https://gpu.lan", "https://gpu.lan"),
            ("https://gpu.lan/v1", "https://gpu.lan/v1"),
        ] {
            assert_eq!(client_address(value), url);
        }
    }
}
