//! Whether two lists of figures order the same things alike.

mod kendall;

pub use kendall::kendall_tau_b;
