//! The faulty server, and studies that are made up.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on has failed

mod faulty;
mod synthetic_study;
