//! How a run sends the requests of a wave together.

use std::sync::Arc;

use llull_config::{Environment, Settings};
use llull_llm::ChatModel;
use llull_runner::{AccountLimits, BatchChannel, Cancel, ProviderBatches, SystemClock};
use llull_store::{BatchRecord, BatchState, BatchTable};

use super::batch_files::{BatchFiles, FileChannel};
use super::estimate::Estimate;
use super::models::{connected, endpoint};
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

    /// Returns the way of a judge's requests; `None` if its model or its provider has none. What is too few for a batch
    /// is sent so many at once, within the limits of the account.
    pub(crate) fn channel(
        &self,
        judge: &str,
        model: &Arc<dyn ChatModel>,
        singly: (usize, AccountLimits),
    ) -> Option<Arc<dyn BatchChannel>> {
        let (judge, model) = (judge.to_owned(), Arc::clone(model));
        match self {
            Self::Files(files) => {
                model.batch_lines()?;
                Some(Arc::new(FileChannel { judge, model, files: Arc::clone(files) }))
            }
            Self::Providers(table, cancel) => {
                model.batch_server()?;
                let (table, clock) = (Arc::clone(table), Arc::new(SystemClock));
                let batches = ProviderBatches::new(judge, model, table, clock, cancel.clone());
                Some(Arc::new(batches.within(singly.0, singly.1)))
            }
        }
    }
}

/// Returns estimates with the price that providers promise for batches.
///
/// # Errors
/// Returns an error if a judge's name or address cannot be used, or its provider has no batches.
pub(crate) fn in_batches(
    settings: &Settings,
    environment: Environment<'_>,
    estimates: Vec<Estimate>,
) -> Result<Vec<Estimate>, StudyError> {
    let at_share = |estimate: Estimate| {
        let mut judges = settings.judges.iter().chain(&settings.graders);
        let judge = judges.find(|judge| judge.name == estimate.judge);
        let endpoint = judge.map(|judge| endpoint(judge, environment)).transpose()?.flatten();
        // A judge without an endpoint is no language model, or one of the caller's own.
        let Some(endpoint) = endpoint else { return Ok(estimate) };
        let lacks = || StudyError::Judges(JudgeError::NoBatches(estimate.judge.clone()));
        let terms = endpoint.batch_terms().ok_or_else(lacks)?;
        Ok(estimate.in_batches(terms))
    };
    estimates.into_iter().map(at_share).collect()
}

/// Asks the providers to end all batches that are with them. Returns each with the reason why that failed, if it did.
/// The next run in batches records what was done until then.
///
/// # Errors
/// Returns an error if the table cannot be written.
pub(crate) fn cancel_batches(
    settings: &Settings,
    table: &dyn BatchTable,
    environment: Environment<'_>,
) -> Result<Vec<(BatchRecord, Option<String>)>, StudyError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut done = Vec::new();
    for batch in table.batches()?.into_iter().filter(|batch| batch.state != BatchState::Ended) {
        let cancelled = model_of(settings, &batch, environment).and_then(|model| {
            let lacks = || StudyError::Judges(JudgeError::NoBatches(batch.judge.clone()));
            let server = model.batch_server().ok_or_else(lacks)?;
            Ok(runtime.block_on(async {
                // A kill may have come between its submission and the record of it.
                let remote = match &batch.remote {
                    Some(remote) => Some(remote.clone()),
                    None => server.find(&batch.name).await?,
                };
                match &remote {
                    Some(remote) => server.cancel(remote).await.map(|()| remote.clone()).map(Some),
                    None => Ok(None),
                }
            }))
        });
        match cancelled {
            Ok(Ok(Some(remote))) => {
                let batch = BatchRecord { state: BatchState::Submitted, remote: Some(remote), ..batch };
                table.record(&batch)?;
                done.push((batch, None));
            }
            // It was never made, or its provider gives batches no names.
            Ok(Ok(None)) => table.record(&BatchRecord { state: BatchState::Ended, ..batch })?,
            Ok(Err(failure)) => done.push((batch, Some(failure.to_string()))),
            Err(error) => done.push((batch, Some(error.to_string()))),
        }
    }
    Ok(done)
}

/// Returns the model of a batch's judge.
fn model_of(
    settings: &Settings,
    batch: &BatchRecord,
    environment: Environment<'_>,
) -> Result<Arc<dyn ChatModel>, StudyError> {
    let mut judges = settings.judges.iter().chain(&settings.graders);
    match judges.find(|judge| judge.name == batch.judge) {
        Some(judge) => connected(judge, environment, false),
        None => {
            let known = settings.judges.iter().chain(&settings.graders).map(|judge| judge.name.clone());
            let (judge, known) = (batch.judge.clone(), known.collect());
            Err(StudyError::Judges(JudgeError::UnknownJudge { judge, known }))
        }
    }
}
