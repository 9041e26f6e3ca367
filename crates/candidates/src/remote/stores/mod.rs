//! Known stores: a template and pointers for each, in `stores.toml`.

mod data;
mod kind;
mod options;
mod own_ways;
mod store;

pub use kind::StoreKind;
pub use options::StoreOptions;
