//! The version of the format.

/// The newest version that is read, and the one that is written.
pub(super) const VERSION: u32 = 1;
