//! Computes in a pool of threads of its own.
//!
//! Rayon's own pool does not survive `fork`: the child of a process that has used it has the pool without its threads,
//! and waits for ever. A Python program that shows a study may fork. Each thread here has another pool, since what one
//! of them computes under a lock would wait for ever in a pool where it begins the work of another that wants the lock.

use rayon::ThreadPoolBuilder;

use crate::error::ServeError;

/// Does this in a new pool, which ends with it.
///
/// # Errors
/// Returns the error of the work, and an error if no thread can be started.
pub(crate) fn in_own_pool<T: Send>(
    work: impl FnOnce() -> Result<T, ServeError> + Send,
) -> Result<T, ServeError> {
    let pool = ThreadPoolBuilder::new().build().map_err(|error| ServeError::Start(error.to_string()))?;
    pool.install(work)
}
