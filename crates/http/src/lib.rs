//! Sends requests to servers within limits, and decides about retries.
//!
//! This crate is independent of a server's purpose; crates above know models, or retrievers.
//!
//! - An [`Address`] is parsed once and shown without parts that may be secret.
//! - A [`Secret`] is a key: it is sent in a header and is nowhere else, not in a message even if the server quotes it.
//! - A [`Transport`] sends requests to one address, within limits of time and size. It follows no redirects, so a key
//!   reaches only the server that the user named.
//! - An [`AwsSigner`] signs requests instead, with the feature `sigv4`.
//! - A request without an answer is a [`TransportError`]; [`RetryPolicy`] decides whether and when to try again.
//!
//! ```
//! use llull_http::Address;
//!
//! let address = Address::parse("https://search.example.org:9200/docs?token=hunter2")?;
//! assert_eq!(address.to_string(), "https://search.example.org:9200/docs");
//! assert!(!address.is_loopback());
//! assert!(Address::parse("https://me:hunter2@example.org").is_err());
//! # Ok::<(), llull_http::AddressError>(())
//! ```

mod address;
mod aws_keys;
#[cfg(feature = "sigv4")]
mod aws_signature;
mod client;
mod error;
mod key_form;
mod redact;
mod response;
mod retry;
mod retry_after;
mod secret;
mod transport;

pub use address::{Address, AddressError, AddressProblem};
pub use aws_keys::{AwsKeys, AwsSigner};
pub use error::{ClientError, TransportError};
pub use key_form::{KEY, KeyForm};
pub use redact::redact;
pub use response::Response;
pub use retry::{GiveUp, LONGEST_WAIT, RetryPolicy};
pub use secret::Secret;
pub use transport::{HttpMethod, Transport};
