//! Reviews in a browser.

mod answers;
mod beside_a_run;
mod blind;
mod checks;
mod expected;
mod pairs;
mod safe;
mod settled;
pub(crate) mod study;
mod turns;
