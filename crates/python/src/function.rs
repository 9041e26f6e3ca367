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
                Ok(reply) => reply.map_err(|error: PyErr| failed(error.to_string())),
                Err(_) => Err(failed("the function did not return".to_owned())),
            }
        })
    }

    fn names_questions(&self) -> bool {
        true
    }
}
