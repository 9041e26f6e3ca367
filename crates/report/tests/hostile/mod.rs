//! Identifiers that try to be a diagram.

mod identifiers;

pub(crate) use identifiers::*;
