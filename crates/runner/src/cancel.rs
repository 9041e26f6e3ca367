//! Stopping a run from outside.

use tokio_util::sync::CancellationToken;

/// Stops a run from another thread, in two steps: first no new questions are asked, then those in flight are dropped.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    stop: CancellationToken,
    abort: CancellationToken,
}

impl Cancel {
    /// Creates a switch that has not been used yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Handles Ctrl-C: the first call [stops](Self::stop), any further one [aborts](Self::abort).
    pub fn interrupt(&self) {
        if self.stop.is_cancelled() { self.abort() } else { self.stop() }
    }

    /// Asks no new questions. Questions in flight are paid for, so the run waits for them and records them.
    pub fn stop(&self) {
        self.stop.cancel();
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
