//! HTTP servers that retrieve: their tables in `llull.toml`, and their settings.

mod address;
mod file;
mod search;
mod settings;

pub use address::ServerAddress;
pub use file::{BodyEntry, HttpFile, ServerFile, StoreFile};
pub use search::RemoteAsked;
pub use search::RemoteSearch;
pub use settings::RemoteSettings;
