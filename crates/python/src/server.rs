//! Servers that show a study, as `llull serve` and `llull review` start them.

use std::sync::{Mutex, PoisonError};

use llull_web::Server;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::error::of_inputs;

/// A server of this machine. It ends with the object.
#[pyclass(name = "StudyServer", module = "llull", frozen)]
pub(crate) struct PyStudyServer {
    url: String,
    server: Mutex<Option<Server>>,
}

/// The reason why a server did not start.
pub(crate) struct StartError(pub(crate) String);

impl<E: std::error::Error> From<E> for StartError {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

impl PyStudyServer {
    /// Starts one, unless an interrupt came meanwhile.
    pub(crate) fn start(
        py: Python<'_>,
        start: impl FnOnce() -> Result<(Server, Option<PyErr>), StartError> + Send,
    ) -> PyResult<Self> {
        match py.detach(start).map_err(|StartError(why)| of_inputs(why))? {
            (server, None) => Ok(Self { url: server.url().to_owned(), server: Mutex::new(Some(server)) }),
            (server, Some(interrupt)) => {
                server.stop();
                Err(interrupt)
            }
        }
    }
}

#[pymethods]
impl PyStudyServer {
    /// The address, which holds a token.
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    fn stop(&self, py: Python<'_>) {
        let server = self.server.lock().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| server.map(Server::stop));
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_reason))]
    fn __exit__(&self, py: Python<'_>, _reason: &Bound<'_, PyTuple>) {
        self.stop(py);
    }

    fn __repr__(&self) -> &str {
        &self.url
    }

    fn _repr_html_(&self) -> String {
        // An address has no character that HTML would read.
        format!("<a href=\"{0}\" target=\"_blank\">{0}</a>", self.url)
    }
}

impl Drop for PyStudyServer {
    fn drop(&mut self) {
        // A runtime that is dropped waits for its threads without limit.
        if let Some(server) = self.server.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            server.stop();
        }
    }
}
