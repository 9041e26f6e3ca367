//! What studies are trusted with: typed, in the environment, remembered, or asked for.

mod ask;
mod file;

pub(crate) use ask::{Answer, ask};
pub(crate) use file::{remember, remembered};
