//! The name and the version of the configuration file.

/// The name of a study's configuration file.
pub const FILE_NAME: &str = "llull.toml";

/// The version of `llull.toml` that this llull reads and writes.
pub const FORMAT_VERSION: u32 = 1;
