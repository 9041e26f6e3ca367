//! The trust in studies: typed, exported, remembered, or confirmed.

mod ask;
mod file;

pub(crate) use ask::{Answer, ask};
pub(crate) use file::remember;
pub use file::remembered;
