//! The steps of the server's requests, at one of which it stops, so that a client is killed at an exact moment.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use super::state::ServerState;

/// The steps so far, and the one at which the server stops.
#[derive(Debug, Default)]
pub(super) struct Steps(Mutex<(usize, Option<usize>)>);

impl Steps {
    fn state(&self) -> MutexGuard<'_, (usize, Option<usize>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn so_far(&self) -> usize {
        self.state().0
    }

    pub(super) fn stop_at(&self, step: Option<usize>) {
        *self.state() = (0, step);
    }

    async fn take(&self) {
        let stops = {
            let mut state = self.state();
            state.0 += 1;
            state.1.is_some_and(|at| state.0 > at)
        };
        if stops {
            std::future::pending::<()>().await;
        }
    }
}

/// Serves a request between its two steps: before it has an effect, and before its answer is sent.
pub(super) async fn stepped(State(state): State<Arc<ServerState>>, request: Request, next: Next) -> Response {
    state.steps.take().await;
    let response = next.run(request).await;
    state.steps.take().await;
    response
}
