//! Builds the pairs of a queue, to grade or to compare.

use llull_core::{Hash, Seed};
use llull_study::StudyEvidence;
use llull_study::people::PairDraw;

use crate::compared_queue::{compared, compared_by_check, queued_pairs, why_none_compared};
use crate::error::{ReviewError, ReviewRefusal};
use crate::graded_queue::{drawn_to_grade, graded_queue, has_dispute, of_sample};
use crate::queue::{QueueSource, Queued, ReviewOptions, ReviewQueue};

/// Returns the pairs of a queue in their order, and their draw if the order is random.
///
/// # Errors
/// Returns an error if a required sample does not exist, the pool lacks a drawn pair, or there is no pair. Also if the
/// queue has comparisons and judges grade.
pub(crate) fn queued(
    source: &QueueSource<'_>,
    rubric: Hash,
    seed: Seed,
    options: &ReviewOptions,
) -> Result<(Queued, Option<PairDraw>), ReviewError> {
    let (evidence, queue) = (source.evidence, &options.queue);
    match queue {
        ReviewQueue::Sample => return Ok((of_sample(source, rubric)?, None)),
        ReviewQueue::Adjudicate(annotator) => return drawn_by_chance(source, annotator, rubric, seed),
        _ => {}
    }
    if evidence.compared().is_some() {
        let mut pairs = match (queue, &source.flagged) {
            (ReviewQueue::Checks, Some(flagged)) => compared_by_check(evidence, flagged),
            _ => compared(evidence, queue, seed),
        };
        let drawn = PairDraw { seed: seed.0, pairs: pairs.len() };
        pairs.truncate(options.most.unwrap_or(usize::MAX));
        if pairs.is_empty() {
            let why = match &source.flagged {
                Some(flagged) => flagged.why_none(),
                None => why_none_compared(evidence, queue),
            };
            return Err(ReviewRefusal::Empty { queue: queue.name(), why }.into());
        }
        let queued = queued_pairs(evidence, queue, &pairs, (rubric, seed))?;
        return Ok((queued, (*queue == ReviewQueue::Random).then_some(drawn)));
    }
    if *queue == ReviewQueue::Cycles {
        return Err(ReviewRefusal::Problem(format!(
            "the queue {queue} has comparisons of two documents, and this study's judges grade (paradigm); take \
             --queue sample, disagreement, failures or checks, or --query",
            queue = queue.name()
        ))
        .into());
    }
    Ok((graded_queue(source, queue, rubric, seed, options.most)?, None))
}

/// Returns every pair that was drawn at random, or could have been; pairs to settle are among them. Where judges
/// compare, they are comparisons, unless pairs of the sample are to be settled.
fn drawn_by_chance(
    source: &QueueSource<'_>,
    annotator: &str,
    rubric: Hash,
    seed: Seed,
) -> Result<(Queued, Option<PairDraw>), ReviewError> {
    let evidence = source.evidence;
    if evidence.compared().is_none() || has_dispute(evidence, annotator) {
        return Ok((drawn_to_grade(source, rubric, seed)?, None));
    }
    let (queued, drawn) = compared_by_chance(evidence, rubric, seed)?;
    Ok((queued, Some(drawn)))
}

/// Returns every two documents that judges saw together, in random order, and the draw of this order.
///
/// # Errors
/// Returns an error if one is not of the pool.
pub(crate) fn compared_by_chance(
    evidence: &StudyEvidence,
    rubric: Hash,
    seed: Seed,
) -> Result<(Queued, PairDraw), ReviewError> {
    let pairs = compared(evidence, &ReviewQueue::Random, seed);
    let drawn = PairDraw { seed: seed.0, pairs: pairs.len() };
    Ok((queued_pairs(evidence, &ReviewQueue::Random, &pairs, (rubric, seed))?, drawn))
}
