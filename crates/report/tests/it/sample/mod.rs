//! A small study whose every text tries to become markup.

mod study;

pub(crate) use study::*;
