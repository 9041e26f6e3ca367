//! Starts and ends a server on its own thread.

use std::{io, net::SocketAddr, sync::Arc, thread, time::Duration};

use axum::http::HeaderMap;
use llull_core::{Grade, Scale};
use serde_json::Value;
use tokio::sync::oneshot;

use super::{
    batches::result_line,
    routes::routes,
    served::{Recorded, Served},
    state::ServerState,
};
use crate::{fault_plan::FaultPlan, graded_answer::grade_of_prompt};

/// An OpenAI-compatible server on this machine that misbehaves as planned.
///
/// It serves `http://127.0.0.1:PORT/v1` with `/chat/completions` and `/models`, on a thread of its own, until
/// it is dropped. The answer's grade is [`grade_of_prompt`] of the messages' contents; a prompt that compares
/// is answered by the plan's [`taste`](FaultPlan::taste).
#[derive(Debug)]
pub struct FaultyServer {
    address: SocketAddr,
    state: Arc<ServerState>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl FaultyServer {
    /// Starts a server at a free port, with grades from 0 to 3.
    ///
    /// # Errors
    /// Returns an error if no port can be bound or no thread started.
    pub fn start(plan: FaultPlan) -> io::Result<Self> {
        Self::start_at(plan, Scale::default(), SocketAddr::from(([127, 0, 0, 1], 0)))
    }

    /// Starts a server with grades on this scale at this address; port 0 takes a free one.
    ///
    /// # Errors
    /// Returns an error if the address cannot be bound or no thread started.
    pub fn start_at(plan: FaultPlan, scale: Scale, address: SocketAddr) -> io::Result<Self> {
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let state = Arc::new(ServerState::new(plan, scale));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (stop, stopped) = oneshot::channel();
        let app = routes(Arc::clone(&state));
        let thread = thread::Builder::new().name(String::from("faulty server")).spawn(move || {
            runtime.block_on(async {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                tokio::select! {
                    _ = axum::serve(listener, app) => {}
                    _ = stopped => {}
                }
            });
            // Dropping the runtime here closes the connections that hang.
        })?;
        Ok(Self { address, state, stop: Some(stop), thread: Some(thread) })
    }

    /// Returns the base URL, `http://127.0.0.1:PORT/v1`.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Returns the address at which it serves Bedrock, its batches and their bucket `llull-bucket`.
    pub fn bedrock_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Answers lines of requests as a program does that reads a batch file, such as `vllm run-batch`.
    ///
    /// # Errors
    /// Returns an error if no runtime can be made.
    pub fn run_batch(&self, requests: &[Value]) -> io::Result<Vec<Value>> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let headers = HeaderMap::new();
        let results = requests.iter().map(|line| runtime.block_on(result_line(&self.state, &headers, line)));
        Ok(results.collect())
    }

    /// Returns the grade that it gives to a prompt: the messages' contents with a blank line between them.
    pub fn grade(&self, prompt: &str) -> Grade {
        grade_of_prompt(prompt, self.state.scale)
    }

    /// Returns the counts so far.
    pub fn served(&self) -> Served {
        self.state.counts().served.clone()
    }

    /// Lets all but the first so many requests since its start wait until [`release`](Self::release). No batch ends
    /// meanwhile. So a test that kills or interrupts a client meets it at work, however slow the test is.
    pub fn hold_after(&self, requests: usize) {
        self.state.answer(Some(requests));
    }

    /// Answers all requests again.
    pub fn release(&self) {
        self.state.answer(None);
    }

    /// Returns the steps since the last [`stop_at`](Self::stop_at), or else since the start. Each request has two:
    /// before it has an effect, and before its answer is sent.
    pub fn steps(&self) -> usize {
        self.state.steps.so_far()
    }

    /// Lets so many steps pass, counted from here, and no further one; with `None`, all. A request that waits at a step
    /// already is never answered: this is for clients that are killed, and [`hold_after`](Self::hold_after) for clients
    /// that go on.
    pub fn stop_at(&self, step: Option<usize>) {
        self.state.steps.stop_at(step);
    }

    /// Waits until no request is being answered. Requests that [hang](FaultPlan::hang) are never answered.
    pub fn wait_until_idle(&self) {
        while self.state.counts().open() > 0 {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Returns the requests in order of arrival, if the plan [records](FaultPlan::record) them.
    pub fn requests(&self) -> Vec<Recorded> {
        self.state.counts().recorded.clone()
    }
}

impl Drop for FaultyServer {
    fn drop(&mut self) {
        // Either may be gone already, if the server has ended by itself.
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
