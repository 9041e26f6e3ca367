//! Resolves the address and the key of a model's requests.

use std::fmt;
use std::net::IpAddr;

use llull_http::{Address, Secret};

use crate::aws::{self, AwsAccess};
use crate::error::ModelError;
use crate::model_name::{split_embedding_name, split_name};
use crate::provider::{AddressForm, Provider, Wire};
use crate::settings::ModelSettings;

/// The address of a language model, and the key that is sent there.
///
/// A study's folder may come from a stranger, and its `base_url` and `.env` decide where the user's key is sent.
/// [`connect`](crate::connect) sends requests here and nowhere else, so a program can show the endpoint first.
///
/// ```
/// use llull_llm::{Endpoint, ModelSettings};
///
/// let environment = |name: &str| match name {
///     "OLLAMA_HOST" => Some(String::from("0.0.0.0")),
///     _ => None,
/// };
/// let endpoint = Endpoint::resolve(&ModelSettings::new("ollama/qwen3"), &environment)?;
/// assert_eq!(endpoint.to_string(), "http://127.0.0.1:11434/v1, without a key");
/// assert!(endpoint.is_loopback());
/// # Ok::<(), llull_llm::ModelError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    provider: &'static Provider,
    address: Address,
    source: AddressSource,
    is_own: bool,
    /// Whether it is an address that the provider gives to customers.
    serves: bool,
    key_variable: String,
    needs_key: bool,
    key: Option<Secret>,
    /// What signs requests instead of the key.
    aws: Option<AwsAccess>,
}

/// The terms of a provider's batches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BatchTerms {
    /// The share of the price that the provider takes for requests in batches; `None` if that is unknown, as for
    /// another server than the provider's.
    pub share: Option<f64>,
    /// The hours within which it promises results.
    pub hours: u16,
    /// The fewest requests of a batch.
    pub least: usize,
}

/// Where an endpoint's address is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressSource {
    /// In the model's settings.
    Settings,
    /// In this environment variable.
    Variable(&'static str),
    /// Nowhere: it is the provider's own.
    Provider,
}

impl Endpoint {
    /// Returns the endpoint of a model: the address is that of the settings, else that of the provider's environment
    /// variable, else the provider's own; the key is that of the settings' variable, else of the provider's.
    ///
    /// # Errors
    /// Returns an error if the model's name has no known provider or the address cannot be used.
    pub fn resolve(
        settings: &ModelSettings,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        let (provider, _) = split_name(&settings.model)?;
        Self::of(provider, settings, environment)
    }

    /// Returns the endpoint of an embedding model, by the same rules.
    ///
    /// # Errors
    /// Returns an error if the model's name has no known provider or the address cannot be used.
    pub fn of_embedding_model(
        settings: &ModelSettings,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        let (provider, ..) = split_embedding_name(&settings.model)?;
        Self::of(provider, settings, environment)
    }

    fn of(
        provider: &'static Provider,
        settings: &ModelSettings,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, ModelError> {
        if settings.aws.is_some() && (provider.wire != Wire::Bedrock || settings.key_variable.is_some()) {
            let problem =
                "`aws` signs requests to bedrock/ models, without a `key`; remove one of the two".to_owned();
            return Err(ModelError::Aws { model: settings.model.clone(), problem });
        }
        let bad_address = |error| ModelError::BadAddress { model: settings.model.clone(), error };
        let base = |text: &str| {
            Address::parse(text).map(|address| base_address(&address, provider)).map_err(bad_address)
        };
        let own = provider.address.map(base).transpose()?;
        let in_region = || {
            let region = settings.aws.as_ref().and_then(|_| aws::region(environment))?;
            Some((aws::REGION, format!("https://bedrock-runtime.{region}.amazonaws.com")))
        };
        let variable = address_variable(provider, environment).or_else(in_region);
        let (address, source) = match (&settings.base_url, variable) {
            (Some(text), _) => (base(text)?, AddressSource::Settings),
            (None, Some((variable, text))) => (base(&text)?, AddressSource::Variable(variable)),
            (None, None) => {
                let own = own.clone().ok_or_else(|| ModelError::NoAddress {
                    model: settings.model.clone(),
                    variable: provider.address_variable.or(settings.aws.as_ref().map(|_| aws::REGION)),
                })?;
                (own, AddressSource::Provider)
            }
        };
        let aws = settings.aws.as_ref().map(|aws| AwsAccess::new(aws, &address, environment));
        let named = settings.key_variable.as_deref().or(aws.as_ref().map(|_| aws::ACCESS_KEY));
        let key_variable = named.unwrap_or(provider.key_variable).to_owned();
        let key = environment(&key_variable).and_then(|key| Secret::new(&key));
        let serves = provider.serves(&address);
        let of_provider = source == AddressSource::Provider || serves;
        let needs_key = named.is_some() || (provider.needs_key && of_provider);
        let is_own = own.is_some_and(|own| address.is_same_server(&own));
        Ok(Self { provider, is_own, serves, address, source, key_variable, needs_key, key, aws })
    }

    /// Returns the provider that the model's name names.
    pub fn provider(&self) -> &'static Provider {
        self.provider
    }

    /// Returns the base address, which ends in `/v1` unless it is written otherwise. It shows itself without
    /// its query.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Returns where the address is written.
    pub fn address_source(&self) -> AddressSource {
        self.source
    }

    /// Returns the environment variable whose key is sent, or `None` if it is not set.
    pub fn key_variable(&self) -> Option<&str> {
        self.key.as_ref().map(|_| &*self.key_variable)
    }

    /// Returns the environment variable that would have the key.
    pub(crate) fn variable_of_key(&self) -> &str {
        &self.key_variable
    }

    /// Returns whether this is the provider's own server: the same protocol, host and port as its own address. A
    /// provider with an address for each customer has none.
    pub fn is_own(&self) -> bool {
        self.is_own
    }

    /// Returns whether the server is on this machine.
    pub fn is_loopback(&self) -> bool {
        self.address.is_loopback()
    }

    /// Returns whether each reply of this provider states its cost.
    pub fn states_price(&self) -> bool {
        self.provider.states_price
    }

    /// Returns the terms of the provider's batches; `None` without any.
    pub fn batch_terms(&self) -> Option<BatchTerms> {
        let share = (self.is_own || self.serves).then_some(0.5);
        match &self.aws {
            _ if !self.provider.half_price_batches => None,
            Some(aws) => {
                let batches = aws.batches.as_ref()?;
                Some(BatchTerms { share, hours: batches.hours, least: batches.least })
            }
            // Bedrock's need a bucket.
            None if self.provider.wire == Wire::Bedrock => None,
            None => Some(BatchTerms { share, hours: 24, least: 1 }),
        }
    }

    /// Returns whether a key leaves this machine for a server that is not its provider's.
    pub fn takes_key_elsewhere(&self) -> bool {
        self.key.is_some() && !self.is_own && !self.serves && !self.is_loopback()
    }

    /// Returns whether a key is needed and none is set. An address other than the provider's may need none, unless the
    /// settings name its variable.
    pub(crate) fn lacks_key(&self) -> bool {
        self.key.is_none() && self.needs_key
    }

    /// Returns the key that is sent; `None` if requests are signed instead.
    pub(crate) fn key(&self) -> Option<&Secret> {
        self.key.as_ref().filter(|_| self.aws.is_none())
    }

    pub(crate) fn aws(&self) -> Option<&AwsAccess> {
        self.aws.as_ref()
    }
}

/// Where requests go and with which key, and a warning if that is another server than the provider's.
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.address)?;
        match self.key_variable() {
            Some(variable) => write!(f, ", with the key in {variable}")?,
            None => write!(f, ", without a key")?,
        }
        if self.takes_key_elsewhere() {
            let provider = self.provider.name;
            write!(f, "; that is not {provider}'s own address, so make sure that you know it")?;
        }
        Ok(())
    }
}

/// Returns the provider's address variable and the address in it, if it is set. Quotes and white space around the
/// value, as they remain from `.env` files and `docker run --env-file`, are dropped.
fn address_variable(
    provider: &Provider,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Option<(&'static str, String)> {
    let variable = provider.address_variable?;
    let value = environment(variable)?;
    let value = value.trim().trim_matches(['"', '\'']).trim();
    let address = match provider.address_form {
        AddressForm::Url => value.to_owned(),
        AddressForm::OllamaHost => client_address(value),
    };
    (!value.is_empty()).then_some((variable, address))
}

/// Returns an address as the base of the protocol's paths: one that may end in nothing, `/`, `/v1`, `/v1/` or the
/// whole path of requests.
fn base_address(address: &Address, provider: &Provider) -> Address {
    let written = address.path().trim_end_matches('/');
    let whole = ["/chat/completions", "/embeddings", "/messages"];
    let path = whole.iter().fold(written, |path, end| path.trim_end_matches(end));
    // The addresses that Anthropic's own clients take end before the version.
    let lacks_version = provider.wire == Wire::Anthropic && path == written && !path.ends_with("/v1");
    match path {
        "" => address.with_path(provider.root),
        path if lacks_version => address.with_path(&format!("{path}/v1")),
        path => address.with_path(path),
    }
}

/// Returns the address at which a client finds the server that binds to `value`: `0.0.0.0`, `:11434` or `host:port`,
/// with or without a scheme (ollama, envconfig/config.go: http and port 11434 unless stated).
fn client_address(value: &str) -> String {
    let (scheme, rest, default_port) = match value.split_once("://") {
        Some((scheme, rest)) => (scheme, rest, ""),
        None => ("http", value, ":11434"),
    };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (host, port) = match authority.rsplit_once(':') {
        // an IPv6 address may be without brackets, and ends in no port then
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
    fn however_the_address_is_written_the_base_is_one() {
        let (openai, _) = split_name("openai/m").unwrap();
        let base = |text: &str| base_address(&Address::parse(text).unwrap(), openai).to_string();
        for text in [
            "http://h:1",
            "http://h:1/",
            "http://h:1/v1",
            " http://h:1/v1/ ",
            "http://h:1/v1/chat/completions",
            "http://h:1/v1/chat/completions/",
        ] {
            assert_eq!(base(text), "http://h:1/v1");
        }
        assert_eq!(base("https://h/api/v1?api-version=2"), "https://h/api/v1");
    }

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
