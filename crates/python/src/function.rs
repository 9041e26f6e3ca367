//! A function of Python that judges.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use llull::JudgeFunction;
use llull::core::{Failure, FailureKind};
use llull::runner::{Cancel, OwnChannel};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

/// The judges of these names and versions. Each takes a question and returns a reply, both as JSON.
pub(crate) fn functions(functions: Vec<(String, Py<PyAny>)>, interrupt: &Interrupt) -> Vec<JudgeFunction> {
    let functions = functions.into_iter().map(|(function, answer)| {
        let channel = Channel { answer: Arc::new(answer), interrupt: interrupt.clone() };
        JudgeFunction { function, channel: Arc::new(channel) }
    });
    functions.collect()
}

/// Stops a run from Python: by Ctrl-C, or by a function that raises what is no error, such as `KeyboardInterrupt`.
#[derive(Clone, Default)]
pub(crate) struct Interrupt {
    pub(crate) cancel: Cancel,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl Interrupt {
    /// Stops the run, a second time without waiting for requests in flight. The run raises this exception.
    pub(crate) fn raise(&self, error: PyErr) {
        if !self.cancel.interrupt() {
            // No request is in flight yet, and the run shall not begin with one.
            self.cancel.stop();
        }
        self.remember(error);
    }

    /// Stops the run because a function raised this. Calls at the same time may raise as well, and none of them drops
    /// requests in flight.
    fn raised_by_function(&self, error: PyErr) {
        self.cancel.stop();
        self.remember(error);
    }

    fn remember(&self, error: PyErr) {
        *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }

    /// The last exception that stopped the run.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

struct Channel {
    answer: Arc<Py<PyAny>>,
    interrupt: Interrupt,
}

impl OwnChannel for Channel {
    fn ask(
        &self,
        _id: String,
        question: Vec<u8>,
    ) -> Pin<Box<dyn Future<Output = Result<Vec<u8>, Failure>> + Send + '_>> {
        let answer = Arc::clone(&self.answer);
        let asked = move || {
            Python::attach(|py| {
                let question = String::from_utf8_lossy(&question);
                let reply = answer.bind(py).call1((question.as_ref(),))?;
                Ok(reply.extract::<String>()?.into_bytes())
            })
        };
        Box::pin(async move {
            let failed = |why: String| Failure::new(FailureKind::Rejected, why);
            match tokio::task::spawn_blocking(asked).await {
                Ok(reply) => reply.map_err(|error: PyErr| {
                    Python::attach(|py| {
                        let described = described(py, &error);
                        if !error.is_instance_of::<PyException>(py) {
                            self.interrupt.raised_by_function(error);
                        }
                        failed(described)
                    })
                }),
                Err(_) => Err(failed("the function did not return".to_owned())),
            }
        })
    }

    fn names_questions(&self) -> bool {
        true
    }
}

/// The exception, with file and line.
fn described(py: Python<'_>, error: &PyErr) -> String {
    match place(py, error) {
        Ok(Some((file, line))) => format!("{error} ({file}, line {line})"),
        _ => error.to_string(),
    }
}

fn place(py: Python<'_>, error: &PyErr) -> PyResult<Option<(String, u64)>> {
    let Some(traceback) = error.traceback(py) else { return Ok(None) };
    let mut innermost = traceback.into_any();
    loop {
        let next = innermost.getattr("tb_next")?;
        if next.is_none() {
            break;
        }
        innermost = next;
    }
    let file: String = innermost.getattr("tb_frame")?.getattr("f_code")?.getattr("co_filename")?.extract()?;
    let file = file.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    Ok(Some((file, innermost.getattr("tb_lineno")?.extract()?)))
}
