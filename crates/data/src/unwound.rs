//! Calls into libraries that assert what damaged files do not hold.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the result of a call, or `None` if it panicked.
pub(crate) fn unwound<T>(call: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(call)).ok()
}
