//! The header of a key.

use reqwest::Client;
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};

use crate::error::ClientError;
use crate::secret::Secret;

/// The placeholder of the key in the value of a header.
pub const KEY: &str = "{key}";

/// How a server wants a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyForm {
    /// `Authorization: Bearer` and the key.
    Bearer,
    /// A header of its own.
    Header {
        /// The header's name.
        name: String,
        /// Its value, in which `{key}` is the placeholder of the key.
        value: String,
    },
    /// HTTP's basic authentication, if the key is `user:password`.
    Basic {
        /// The value of `Authorization` for another key, with the placeholder `{key}`.
        otherwise: String,
    },
}

impl KeyForm {
    pub(crate) fn header(
        &self,
        key: &Secret,
        client: &Client,
    ) -> Result<(HeaderName, HeaderValue), ClientError> {
        let sendable = |value: String| HeaderValue::from_str(&value).map_err(|_| ClientError::KeyNotSendable);
        let (name, mut value) = match self {
            Self::Bearer => (AUTHORIZATION, sendable(format!("Bearer {}", key.expose()))?),
            Self::Header { name, value } => (header_name(name)?, sendable(value.replace(KEY, key.expose()))?),
            Self::Basic { otherwise } => {
                let Some((user, password)) = key.expose().split_once(':') else {
                    return Self::Header { name: AUTHORIZATION.to_string(), value: otherwise.clone() }
                        .header(key, client);
                };
                // The client knows how the pair is written.
                let request = client.get("http://localhost").basic_auth(user, Some(password)).build();
                let value = request.ok().and_then(|request| request.headers().get(AUTHORIZATION).cloned());
                (AUTHORIZATION, value.ok_or(ClientError::KeyNotSendable)?)
            }
        };
        value.set_sensitive(true);
        Ok((name, value))
    }
}

pub(crate) fn header_name(name: &str) -> Result<HeaderName, ClientError> {
    HeaderName::from_bytes(name.as_bytes()).map_err(|_| ClientError::NoHeader(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::address::Address;

    /// The pair of RFC 7617, 2.
    #[test]
    fn a_key_is_sent_as_the_server_wants_it() {
        let client = crate::client::client(
            &Address::parse("http://localhost").unwrap(),
            Duration::from_secs(1),
            Vec::new(),
        )
        .unwrap();
        let sent = |form: KeyForm, key: &str| {
            let (name, value) = form.header(&Secret::new(key).unwrap(), &client).unwrap();
            assert!(value.is_sensitive());
            format!("{name}: {}", value.to_str().unwrap())
        };
        let basic = || KeyForm::Basic { otherwise: "ApiKey {key}".into() };
        assert_eq!(sent(KeyForm::Bearer, "k"), "authorization: Bearer k");
        assert_eq!(sent(basic(), "Aladdin:open sesame"), "authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        assert_eq!(sent(basic(), "k"), "authorization: ApiKey k");
        let own = KeyForm::Header { name: "api-key".into(), value: "Token {key}".into() };
        assert_eq!(sent(own, "k"), "api-key: Token k");
        let wrong = KeyForm::Header { name: "api key".into(), value: KEY.into() };
        assert!(wrong.header(&Secret::new("k").unwrap(), &client).is_err());
    }
}
