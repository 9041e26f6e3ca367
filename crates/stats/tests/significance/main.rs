//! Tests of significance, effect sizes, power and corrections: against scipy and statsmodels, in simulation, and at the
//! edges.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failing test panics")]

mod calibration;
mod edges;
mod golden;
mod properties;
mod reference;
