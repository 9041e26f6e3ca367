//! Stopping a run from outside.

use tokio_util::sync::CancellationToken;

/// Stops a run from another thread, in two steps: first no new questions, then no more waiting.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    stop: CancellationToken,
    abort: CancellationToken,
}

impl Cancel {
    /// A run that nobody has stopped.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ctrl-C: the first [stops](Self::stop), any further one [aborts](Self::abort).
    pub fn interrupt(&self) {
        if self.stop.is_cancelled() { self.abort() } else { self.stop() }
    }

    /// No new questions. What is in flight is paid for, so it is waited for and recorded.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Drops what is in flight as well: it may be paid for twice.
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
