//! How a run sends the requests of a wave together.

use std::sync::Arc;

use llull_config::{Environment, Settings};
use llull_core::Failure;
use llull_llm::ChatModel;
use llull_runner::{BatchChannel, Cancel, ProviderBatches, SystemClock};
use llull_store::{BatchRecord, BatchState, BatchTable};

use super::batch_files::{BatchFiles, FileChannel};
use super::models::connected;
use crate::error::StudyError;
use crate::judging::error::JudgeError;

/// How a run sends the requests of a wave together.
#[derive(Clone)]
pub(crate) enum Batches {
    /// As files.
    Files(Arc<BatchFiles>),
    /// As batches of each judge's provider, which the table has. The switch ends the waiting for them.
    Providers(Arc<dyn BatchTable>, Cancel),
}

impl Batches {
    /// Returns whether all that is recorded was paid for before.
    pub(crate) fn is_paid(&self) -> bool {
        matches!(self, Self::Files(files) if files.is_paid())
    }

    pub(crate) fn are_files(&self) -> bool {
        matches!(self, Self::Files(_))
    }

    /// Returns the way of a judge's requests; `None` if its model or its provider has none.
    pub(crate) fn channel(&self, judge: &str, model: &Arc<dyn ChatModel>) -> Option<Arc<dyn BatchChannel>> {
        let (judge, model) = (judge.to_owned(), Arc::clone(model));
        match self {
            Self::Files(files) => {
                model.batch_lines()?;
                Some(Arc::new(FileChannel { judge, model, files: Arc::clone(files) }))
            }
            Self::Providers(table, cancel) => {
                model.batch_server()?;
                let (table, clock) = (Arc::clone(table), Arc::new(SystemClock));
                Some(Arc::new(ProviderBatches::new(judge, model, table, clock, cancel.clone())))
            }
        }
    }
}

/// Asks the providers to end all batches that are with them. Returns each with the failure of that, if it failed. The
/// next run in batches records what was done until then.
///
/// # Errors
/// Returns an error if a batch is of a judge that the study does not have, or whose model cannot be used.
pub(crate) fn cancel_batches(
    settings: &Settings,
    batches: Vec<BatchRecord>,
    environment: Environment<'_>,
) -> Result<Vec<(BatchRecord, Option<Failure>)>, StudyError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut done = Vec::new();
    for batch in batches.into_iter().filter(|batch| batch.state == BatchState::Submitted) {
        let mut judges = settings.judges.iter().chain(&settings.graders);
        let judge = judges.find(|judge| judge.name == batch.judge).ok_or_else(|| {
            let known = settings.judges.iter().chain(&settings.graders).map(|judge| judge.name.clone());
            StudyError::Judges(JudgeError::UnknownJudge {
                judge: batch.judge.clone(),
                known: known.collect(),
            })
        })?;
        let model = connected(judge, environment, false)?;
        let server = model.batch_server();
        let server = server.ok_or_else(|| StudyError::Judges(JudgeError::NoBatches(judge.name.clone())))?;
        let cancelled = runtime.block_on(server.cancel(batch.remote.as_deref().unwrap_or_default()));
        done.push((batch, cancelled.err()));
    }
    Ok(done)
}
