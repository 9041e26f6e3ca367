//! Servers that retrieve, over HTTP: as `llull.toml` names them, and what that means.

mod address;
mod file;
mod search;
mod settings;

pub use address::ServerAddress;
pub use file::{BodyEntry, HttpFile, ServerFile, StoreFile};
pub use search::RemoteAsked;
pub use search::RemoteSearch;
pub use settings::RemoteSettings;
