//! A function of Python that judges.

use std::pin::Pin;
use std::sync::Arc;

use llull::JudgeFunction;
use llull::core::{Failure, FailureKind};
use llull::runner::OwnChannel;
use pyo3::prelude::*;

/// The judge of this name and version. `answer` takes a question and returns a reply, both as JSON.
pub(crate) fn function(function: String, answer: Py<PyAny>) -> JudgeFunction {
    JudgeFunction { function, channel: Arc::new(Channel(Arc::new(answer))) }
}

struct Channel(Arc<Py<PyAny>>);

impl OwnChannel for Channel {
    fn ask(
        &self,
        _id: String,
        question: Vec<u8>,
    ) -> Pin<Box<dyn Future<Output = Result<Vec<u8>, Failure>> + Send + '_>> {
        let answer = Arc::clone(&self.0);
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
                Ok(reply) => reply.map_err(|error: PyErr| failed(Python::attach(|py| described(py, &error)))),
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
