//! Servers that retrieve: requests, replies and connections.
//!
//! A [`SearchProtocol`] is the two pure halves, the request for queries and the reading of the reply: [`HttpTemplate`]
//! for any server, [`StoreKind`] for known stores. [`RemoteRetrieval`] sends several requests at once, and repeats
//! those that may succeed. It has limits of time and size, and writes a line for each query.

mod asking;
mod connecting;
mod error;
mod placeholders;
mod protocol;
mod reply;
mod stores;
mod template;

pub use crate::found::{FoundText, QueryAnswer};
pub use asking::{LONGEST_REPLY, RemoteRetrieval};
pub use connecting::{Greeting, NamedKey, RemoteLimits};
pub use error::RemoteError;
pub use protocol::{AskedQuery, SearchProtocol, SearchRequest};
pub use stores::{StoreKind, StoreOptions};
pub use template::{HttpTemplate, TemplateText};
