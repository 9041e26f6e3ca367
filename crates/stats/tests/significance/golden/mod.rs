//! Figures of scipy and statsmodels. The files beside this one are written by golden.py.

#![allow(
    clippy::excessive_precision,
    clippy::type_complexity,
    reason = "plain tables, as the tools print them"
)]

mod draws;
mod effects;
mod power;
mod samples;
mod tests;

pub(crate) use draws::{BOOTSTRAP_TESTS, BOOTSTRAPS, TUKEY};
pub(crate) use effects::{EFFECTS, UNEQUAL};
pub(crate) use power::{DETECTABLE, NEEDED, POWERS};
pub(crate) use samples::{SAMPLES, SYSTEMS};
pub(crate) use tests::{EQUIVALENCE, FAMILIES, TESTS};
