//! The threads of this process.
//!
//! Rayon's own pool does not survive `os.fork()`: the child has the pool's memory and none of its threads, and waits
//! for ever. So each process has a pool that it started itself, another one after Ctrl-C, and nothing here computes
//! outside of it. Servers have pools of their own.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::PyResult;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The process that started the pool, and the pool.
static POOL: Mutex<Option<(u32, &'static ThreadPool)>> = Mutex::new(None);

/// How often a waiting thread looks whether Ctrl-C was pressed.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// Computes on all cores, while other threads of Python go on.
pub(crate) fn install<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = pool()?;
    Ok(py.detach(|| pool.install(work)))
}

/// The same for work that may take long: Ctrl-C does not wait for it. Its threads end it, and nobody gets its result.
pub(crate) fn abandonable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, done) = mpsc::channel();
    // A panic in a spawned task would end the process.
    pool()?.spawn(move || drop(sender.send(catch_unwind(AssertUnwindSafe(work)))));
    let waited = py.detach(move || {
        loop {
            match done.recv_timeout(LOOK) {
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
                result => return Ok(result),
            }
        }
    });
    match waited {
        Ok(Ok(Ok(done))) => Ok(done),
        Ok(Ok(Err(panic))) => resume_unwind(panic),
        Ok(Err(_)) => Err(PyRuntimeError::new_err("a thread of llull has ended unexpectedly")),
        Err(interrupt) => {
            // The next computation shall not wait for this one.
            *POOL.lock().unwrap_or_else(PoisonError::into_inner) = None;
            Err(interrupt)
        }
    }
}

/// The pool of this process. The pool of a parent is never dropped: that would wait for threads that are not here.
pub(crate) fn pool() -> PyResult<&'static ThreadPool> {
    let mut known = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    match *known {
        Some((owner, pool)) if owner == process => Ok(pool),
        _ => {
            let pool: &'static ThreadPool = Box::leak(Box::new(new()?));
            *known = Some((process, pool));
            Ok(pool)
        }
    }
}

/// A pool of its own, for work that waits for Python: in the pool of this process it would stop all others.
pub(crate) fn new() -> PyResult<ThreadPool> {
    let started = ThreadPoolBuilder::new().thread_name(|at| format!("llull-{at}")).build();
    started.map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
