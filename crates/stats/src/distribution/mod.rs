//! The distributions behind tests, intervals and plans.
//!
//! They use `libm` throughout: the same bits on every platform.

pub(crate) mod beta;
pub(crate) mod normal;
mod root;
pub(crate) mod student;

pub(crate) use root::root_of_increasing;
