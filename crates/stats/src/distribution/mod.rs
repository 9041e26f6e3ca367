//! The distributions that tests, intervals and plans rest on. `libm` throughout: the same bits on every platform.

mod mixture;
pub(crate) mod noncentral;
pub(crate) mod normal;
mod root;
pub(crate) mod student;

use mixture::over_deviations;
pub(crate) use root::root_of_increasing;
