//! Requests to servers: where they go, which key goes with them, how long they may take, when to try again.
//!
//! Nothing here knows what a server is for; crates above know models, or retrievers.
//!
//! - An [`Address`] is parsed once and shown without what may be secret in it.
//! - A [`Secret`] is a key: it is sent in a header and is nowhere else, not in a message even if the server
//!   quotes it.
//! - A [`Transport`] sends requests to one address, within limits of time and size. It follows no redirects, so a
//!   key reaches only the server that the user named.
//! - A request that is not answered is a [`TransportError`]; [`RetryPolicy`] says whether and when to try again.
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
pub use error::{ClientError, TransportError};
pub use key_form::{KEY, KeyForm};
pub use redact::redact;
pub use response::Response;
pub use retry::{GiveUp, LONGEST_WAIT, RetryPolicy};
pub use secret::Secret;
pub use transport::{HttpMethod, Transport};
