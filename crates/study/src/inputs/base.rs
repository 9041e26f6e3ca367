//! Existing labels, and the labelled pairs that judges judge again.

use std::collections::BTreeSet;
use std::fmt;

use llull_candidates::{Pool, Pooled, PooledTopic};
use llull_config::{BaseScope, BaseSettings};
use llull_core::{KeyBuilder, Qrels};
use llull_judge::Rubric;
use llull_label::{BaseCalibration, LEAST_OVERLAP};
use llull_report::text::{count, counted};

use super::read_inputs::shared_with_pool;
use crate::error::StudyError;
use crate::inputs::error::InputError;

/// Existing labels, and the pairs for judges.
#[derive(Debug, Clone)]
pub struct BaseLabels {
    /// The source of these labels in labels that name one.
    pub name: String,
    /// The labels of the study's queries.
    pub labels: Qrels,
    /// The part of the pool for judges.
    pub asked: Pool,
    /// The number of pairs of the pool without a label.
    pub holes: usize,
    /// The number of labelled pairs that judges judge.
    pub again: usize,
}

/// The number of labels, and the pairs for judges.
impl fmt::Display for BaseLabels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} has {} of these queries; judges get {} without a label, and {} with one",
            self.name,
            counted(self.labels.pairs(), "label"),
            counted(self.holes, "pair"),
            count(self.again)
        )
    }
}

impl BaseLabels {
    /// Describes labels that are no grade of the rubric; `None` without any.
    pub(super) fn off_the_scale(&self, rubric: &Rubric) -> Option<String> {
        let (low, high) = (rubric.scale.low(), rubric.scale.high());
        let grades = self.labels.iter().flat_map(|(_, documents)| documents.values());
        let stray = grades.filter(|grade| !(low..=high).contains(*grade)).count();
        (stray > 0).then(|| {
            format!(
                "{} of {} {} no grade of the rubric, {low} to {high}: measures read them as they are",
                counted(stray, "label"),
                self.name,
                if stray == 1 { "is" } else { "are" },
            )
        })
    }
}

/// Adds the labelled documents to the pool, and selects the pairs for judges. Returns the whole pool.
///
/// # Errors
/// Returns an error if the labels have none of the queries, or are too few to fit a common scale.
pub(super) fn pooled_with_base(
    base: &BaseSettings,
    seed: u64,
    labels: &Qrels,
    mut pool: Pool,
) -> Result<(Pool, BaseLabels), StudyError> {
    let refused = |problem: String| {
        StudyError::Inputs(InputError::Problem(format!("{} (base): {problem}", base.labels)))
    };
    let own = of_these_queries(labels, &pool);
    // A choice among the queries may have none of the labels of an earlier report.
    if own.is_empty() && base.kept.is_none() {
        let details = shared_with_pool(&base.name, labels, &pool).err().map(|nothing| nothing.details());
        let details = details.unwrap_or_else(|| "Are its identifiers of another collection?".to_owned());
        return Err(refused(format!("it labels no document of the study's queries. {details}")));
    }
    for topic in &mut pool.topics {
        add_labelled(topic, &own);
    }
    let again = match base.judge {
        BaseScope::All => None,
        BaseScope::Holes => Some(drawn_anew(base, &own, seed, &pool)),
    };
    let asked_anew = again.as_ref().map_or(own.pairs(), BTreeSet::len);
    if asked_anew < LEAST_OVERLAP && matches!(base.calibrate, BaseCalibration::Fitted(_)) {
        return Err(refused(format!(
            "of the {} of the study's queries judges get {} to label, too, and a common scale takes at least \
             {LEAST_OVERLAP} that both have labelled: have more labelled, or set calibrate = \"none\" in [base] to mix \
             the judges' grades in as they are",
            counted(own.pairs(), "label"),
            count(asked_anew)
        )));
    }
    let asks = |topic: &str, document: &Pooled| match &again {
        None => true,
        Some(again) => {
            own.grade(topic, &document.id).is_none()
                || again.contains(&(topic.to_owned(), document.id.clone()))
        }
    };
    let topics = pool.topics.iter().map(|topic| PooledTopic {
        id: topic.id.clone(),
        documents: topic.documents.iter().filter(|document| asks(&topic.id, document)).cloned().collect(),
    });
    let asked = Pool { depth: pool.depth, runs: pool.runs.clone(), topics: topics.collect() };
    let holes = pool.pairs() - own.pairs();
    let found = BaseLabels { name: base.name.clone(), labels: own, asked, holes, again: asked_anew };
    Ok((pool, found))
}

/// Leaves the labelled documents in the pool, also those that no run returned.
pub(super) fn only_labelled(pool: &mut Pool, labels: &Qrels) {
    for topic in &mut pool.topics {
        topic.documents.retain(|document| labels.grade(&topic.id, &document.id).is_some());
        add_labelled(topic, labels);
    }
}

fn of_these_queries(labels: &Qrels, pool: &Pool) -> Qrels {
    let mut own = Qrels::default();
    for topic in &pool.topics {
        for (document, grade) in labels.topic(&topic.id).into_iter().flatten() {
            own.insert(&topic.id, document, *grade);
        }
    }
    own
}

/// Adds the labelled documents that no run returned, after those of the runs.
fn add_labelled(topic: &mut PooledTopic, own: &Qrels) {
    let pooled: BTreeSet<&str> = topic.documents.iter().map(|document| &*document.id).collect();
    let labelled = own.topic(&topic.id).into_iter().flat_map(|documents| documents.keys());
    let mut others: Vec<Box<str>> = labelled.filter(|id| !pooled.contains(id)).map(Box::from).collect();
    others.sort_unstable();
    topic.documents.extend(others.into_iter().map(|id| Pooled { id, found: Vec::new() }));
}

/// Draws the labelled pairs that judges judge again: uniformly and independently, so that another system or query
/// changes few of them.
///
/// They are pairs that a run returned, like the holes for which the scale is fitted. Others are drawn only if these are
/// too few to fit a scale.
fn drawn_anew(base: &BaseSettings, own: &Qrels, seed: u64, pool: &Pool) -> BTreeSet<(String, Box<str>)> {
    let (mut returned, mut others) = (Vec::new(), Vec::new());
    for topic in &pool.topics {
        let labelled = |document: &&Pooled| own.grade(&topic.id, &document.id).is_some();
        for document in topic.documents.iter().filter(labelled) {
            let key = KeyBuilder::new("llull pairs asked anew v1").number("seed", seed);
            let key = key.text("query", &topic.id).text("document", &document.id).finish();
            let pair = (key, (topic.id.clone(), document.id.clone()));
            if document.found.is_empty() { others.push(pair) } else { returned.push(pair) }
        }
    }
    returned.sort_unstable();
    others.sort_unstable();
    returned.truncate(base.overlap);
    let wanted = LEAST_OVERLAP.min(base.overlap).saturating_sub(returned.len());
    returned.into_iter().chain(others.into_iter().take(wanted)).map(|(_, pair)| pair).collect()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use llull_core::{Ranking, Run};
    use proptest::prelude::*;

    use super::*;

    /// Two queries; the run returns d0 to d49 of each, and labels exist of d25 to d74.
    fn halves() -> (Pool, Qrels) {
        let mut run = Run::new("run");
        let mut labels = Qrels::default();
        for query in ["q1", "q2"] {
            let ids: Vec<String> = (0..50).map(|at| format!("d{at}")).collect();
            let scored = ids.iter().zip(0..).map(|(id, at)| (id.as_str(), -f64::from(at)));
            run.insert(query, Ranking::from_scored(scored));
            for at in 25..75 {
                labels.insert(query, &format!("d{at}"), at % 3);
            }
        }
        labels.insert("q9", "d1", 1);
        (Pool::of(&[run], NonZeroUsize::new(50).unwrap(), None).unwrap(), labels)
    }

    fn base(change: impl FnOnce(&mut BaseSettings)) -> BaseSettings {
        let mut base = BaseSettings::new(Qrels::default(), "human");
        change(&mut base);
        base
    }

    #[test]
    fn holes_are_asked_about_and_a_few_labelled_pairs_that_a_run_returned() {
        let (pool, labels) = halves();
        let base = base(|base| base.overlap = 40);
        let (whole, found) = pooled_with_base(&base, 1, &labels, pool.clone()).unwrap();
        assert_eq!((whole.pairs(), found.labels.pairs()), (150, 100), "q9 is no query of the study");
        assert_eq!((found.holes, found.again, found.asked.pairs()), (50, 40, 90));
        for (query, document) in found.asked.iter() {
            assert!(!document.found.is_empty(), "{query} {}", document.id);
        }
        let again = pooled_with_base(&base, 1, &labels, pool.clone()).unwrap().1;
        assert_eq!(found.asked, again.asked, "one seed, one draw");
        let other = pooled_with_base(&base, 2, &labels, pool).unwrap().1;
        assert_ne!(found.asked, other.asked);
    }

    #[test]
    fn labels_that_no_run_returned_are_asked_about_where_the_others_are_too_few() {
        let (pool, _) = halves();
        let mut labels = Qrels::default();
        for at in 45..75 {
            labels.insert("q1", &format!("d{at}"), at % 3);
        }
        let (_, found) = pooled_with_base(&base(|_| ()), 1, &labels, pool.clone()).unwrap();
        assert_eq!((found.holes, found.again, found.asked.pairs()), (95, 30, 125));
        // One label less is no common scale.
        let mut few = Qrels::default();
        for at in 46..75 {
            few.insert("q1", &format!("d{at}"), at % 3);
        }
        let error = pooled_with_base(&base(|_| ()), 1, &few, pool.clone()).unwrap_err().to_string();
        assert!(error.contains("29 labels") && error.contains("calibrate = \"none\""), "{error}");
        let as_it_is = base(|base| (base.calibrate, base.overlap) = (BaseCalibration::None, 0));
        let (_, found) = pooled_with_base(&as_it_is, 1, &few, pool).unwrap();
        assert_eq!((found.again, found.asked.pairs()), (0, 96));
    }

    #[test]
    fn all_of_it_can_be_asked_about() {
        let (pool, labels) = halves();
        let all = base(|base| base.judge = BaseScope::All);
        let (whole, found) = pooled_with_base(&all, 1, &labels, pool).unwrap();
        assert_eq!((&whole, found.again), (&found.asked, 100));
    }

    #[test]
    fn labels_of_another_collection_are_refused() {
        let (pool, _) = halves();
        let mut labels = Qrels::default();
        labels.insert("other", "d1", 1);
        let error = pooled_with_base(&base(|_| ()), 1, &labels, pool).unwrap_err().to_string();
        assert!(error.contains("human has \"other\", the pool has \"q1\""), "{error}");
    }

    proptest! {
        /// A removed label makes a hole of its pair, and changes at most one other pair for judges.
        #[test]
        fn a_draw_hardly_depends_on_the_other_labels(seed in 0u64..50, gone in 25..50) {
            let (pool, labels) = halves();
            let base = base(|base| base.overlap = 35);
            let asked = |labels: &Qrels| -> BTreeSet<(String, Box<str>)> {
                let found = pooled_with_base(&base, seed, labels, pool.clone()).unwrap().1;
                found.asked.iter().map(|(query, document)| (query.to_owned(), document.id.clone())).collect()
            };
            let mut fewer = Qrels::default();
            for (query, documents) in labels.iter() {
                for (document, grade) in documents {
                    if (query, document) != ("q1", &*format!("d{gone}")) {
                        fewer.insert(query, document, *grade);
                    }
                }
            }
            let (before, after) = (asked(&labels), asked(&fewer));
            let hole = ("q1".to_owned(), format!("d{gone}").into());
            prop_assert!(after.contains(&hole));
            prop_assert!(before.symmetric_difference(&after).count() <= 1);
        }
    }
}
