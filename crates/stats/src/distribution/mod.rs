//! The distributions behind tests, intervals and plans.
//!
//! They use `libm` throughout: the same bits on every platform.

pub(crate) mod beta;
pub(crate) mod normal;
pub(crate) mod student;

pub(crate) use student::root_of_increasing;
