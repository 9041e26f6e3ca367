//! Stands for the indexes of llull's own retrievers in a build without the feature `retrieval`.

use std::sync::Arc;

use llull_candidates::Retriever;
use llull_core::Document;

use crate::config::{SystemSettings, SystemSource};
use crate::error::StudyError;
use crate::retrieval_error::RetrievalError;

/// There is no index to build.
pub(super) enum Building {}

impl Building {
    pub(super) fn add(&mut self, _: &Document) -> Result<(), StudyError> {
        match *self {}
    }

    pub(super) fn build(self) -> Result<Arc<dyn Retriever>, StudyError> {
        match self {}
    }
}

/// Refuses a retriever of llull's own; there is nothing to build for one of the caller's.
pub(super) fn builder(system: &SystemSettings) -> Result<Option<Building>, StudyError> {
    match system.source {
        SystemSource::Retriever { .. } => Err(RetrievalError::NoRetrievers(system.name.clone()).into()),
        SystemSource::Run { .. }
        | SystemSource::Dense { .. }
        | SystemSource::Hybrid { .. }
        | SystemSource::Live(_)
        | SystemSource::Custom(_) => Ok(None),
    }
}
