//! Stops a run from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio_util::sync::CancellationToken;

use crate::outcome::StopReason;

/// Stops a run from another thread, in two steps: first the run starts no new requests, then it drops those in flight.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    stop: CancellationToken,
    abort: CancellationToken,
    /// Whether it stops because its time is over.
    expired: Arc<AtomicBool>,
    /// The runs in progress that it can stop.
    runs: Arc<AtomicUsize>,
}

impl Cancel {
    /// Creates a switch that has not been used yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Handles Ctrl-C: the first call [stops](Self::stop) the run in progress, any further one [aborts](Self::abort)
    /// it. Returns `false` and does nothing if no run is in progress: no request is in flight then, and the caller can
    /// end the process.
    pub fn interrupt(&self) -> bool {
        if self.runs.load(Ordering::SeqCst) == 0 {
            return false;
        }
        if self.stop.is_cancelled() {
            self.abort();
        } else {
            self.stop();
        }
        true
    }

    /// Marks that a run is in progress, until the result is dropped.
    pub(crate) fn run_in_progress(&self) -> RunInProgress {
        self.runs.fetch_add(1, Ordering::SeqCst);
        RunInProgress(Arc::clone(&self.runs))
    }

    /// Asks no new questions. Questions in flight are paid for, so the run waits for them and records them.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Does the same because the time of the run is over.
    pub fn expire(&self) {
        self.expired.store(true, Ordering::SeqCst);
        self.stop();
    }

    /// Returns why a run stops that finds it used.
    pub(crate) fn reason(&self) -> StopReason {
        if self.expired.load(Ordering::SeqCst) { StopReason::TimeOver } else { StopReason::Cancelled }
    }

    /// Drops questions in flight as well. They may be paid for twice.
    pub fn abort(&self) {
        self.stop.cancel();
        self.abort.cancel();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.is_cancelled()
    }

    pub(crate) async fn stopped(&self) {
        self.stop.cancelled().await;
    }

    pub(crate) async fn aborted(&self) {
        self.abort.cancelled().await;
    }
}

/// A run that can be stopped.
pub(crate) struct RunInProgress(Arc<AtomicUsize>);

impl Drop for RunInProgress {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
