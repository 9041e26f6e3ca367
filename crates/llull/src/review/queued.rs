//! The pairs of a queue, whether people grade them or compare.

use llull_core::{Hash, Seed};

use super::compared_queue::{compared, compared_by_alarm, queued_pairs, why_none_compared};
use super::graded_queue::{disputed, graded_queue, of_sample};
use super::queue::{QueueSource, Queued, ReviewOptions, ReviewQueue};
use crate::error::StudyError;
use crate::people::PairDraw;
use crate::review_error::ReviewError;

/// Returns the pairs of a queue in their order; and how they were drawn, where their order is random.
///
/// # Errors
/// Returns an error if the study has no sample and the sample is asked for, a drawn pair is not in the pool any more,
/// the queue has comparisons and judges grade, or there is no pair.
pub(super) fn queued(
    source: &QueueSource<'_>,
    rubric: Hash,
    seed: Seed,
    options: &ReviewOptions,
) -> Result<(Queued, Option<PairDraw>), StudyError> {
    let (evidence, queue) = (source.evidence, &options.queue);
    match queue {
        ReviewQueue::Sample => return Ok((of_sample(source, rubric, None)?, None)),
        ReviewQueue::Adjudicate(person) => {
            let mut queued = of_sample(source, rubric, Some(&disputed(evidence, person)?))?;
            queued.items.truncate(options.most.unwrap_or(usize::MAX));
            return Ok((queued, None));
        }
        _ => {}
    }
    if evidence.compared.is_some() {
        let mut pairs = match (queue, &source.alarmed) {
            (ReviewQueue::Alarm, Some(alarmed)) => compared_by_alarm(evidence, alarmed),
            _ => compared(evidence, queue, seed),
        };
        let drawn = PairDraw { seed: seed.0, pairs: pairs.len() };
        pairs.truncate(options.most.unwrap_or(usize::MAX));
        if pairs.is_empty() {
            let why = match &source.alarmed {
                Some(alarmed) => alarmed.why_none(),
                None => why_none_compared(evidence, queue),
            };
            return Err(ReviewError::Empty { queue: queue.name(), why }.into());
        }
        let queued = queued_pairs(evidence, queue, &pairs, (rubric, seed))?;
        return Ok((queued, (*queue == ReviewQueue::Random).then_some(drawn)));
    }
    if *queue == ReviewQueue::Circles {
        return Err(ReviewError::JudgesGrade { queue: queue.name() }.into());
    }
    Ok((graded_queue(source, queue, rubric, seed, options.most)?, None))
}
