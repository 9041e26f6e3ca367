//! HTTP servers that retrieve: their tables in `llull.toml`, and their settings.

mod address;
mod file;
mod search;
mod settings;

pub use address::ServerAddress;
pub(crate) use address::{variable, without_query};
pub use file::{BodyEntry, HttpFile, ServerFile, StoreFile};
pub use search::{RemoteAsked, RemoteSearch};
pub use settings::RemoteSettings;
