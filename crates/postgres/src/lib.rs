//! The address of a PostgreSQL server, and its messages.
//!
//! An address may hold a password: it comes from an environment variable and is never shown.

mod address;
mod message;

pub use address::{AddressError, PostgresAddress};
pub use message::message;
