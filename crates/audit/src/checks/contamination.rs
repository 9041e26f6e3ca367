//! Checks whether a judge remembers this collection.
//!
//! It measures how much agreement with human labels is lost where the question is paraphrased, compared with a
//! collection that the judge cannot have seen.

use std::collections::BTreeMap;

use llull_core::SplitMix64;

use crate::finding::Finding;
use crate::{AuditOptions, CheckKind, Disguised, DisguisedAnswer};

/// The number of bootstrap resamples. The smallest p is one over this, which stays below the level even after the
/// correction for many judges' checks.
const RESAMPLES: u32 = 9_999;

/// Fewer queries than this have no interval: a bootstrap of them is too narrow.
const LEAST_QUERIES: usize = 6;

/// The loss beyond the control's above which agreement is mostly memory. A convention, as for other probes.
const SEVERE: f64 = 0.25;

const REMEDY: &str = "Use a judge that is older than the collection, or measure it on a newer collection.";

/// Returns how much further agreement with human labels falls here than on the control, where queries are paraphrased
/// and words of documents masked.
///
/// Agreement is the mean over documents that annotators call relevant and over the others. So a judge that becomes
/// stricter does not seem to agree more where most documents are irrelevant. Interval and p are of a bootstrap over
/// the queries of each collection.
pub(crate) fn contamination(disguised: &Disguised, options: &AuditOptions) -> Finding {
    let n = disguised.answers.len();
    let nothing = |why: String| Finding { n, ..Finding::of_figures(CheckKind::Contamination, why) };
    let here = Sums::of(&disguised.answers, disguised.compared);
    let Some(fall) = here.fall() else {
        return nothing(format!(
            "{n} answers with changed words have human labels. The check needs relevant and irrelevant documents."
        ));
    };
    let fallen = here.described("here", fall);
    let control = disguised.control.as_deref().map(|answers| Sums::of(answers, disguised.compared));
    let Some((control, beside)) = control.and_then(|control| control.fall().map(|fall| (control, fall)))
    else {
        return nothing(format!(
            "{fallen} Changed words lower agreement by themselves. The check needs a control collection that is newer \
             than the model."
        ));
    };
    let gap = fall.loss() - beside.loss();
    let figures = format!("{fallen} {}", control.described("on the control", beside));
    let conclusion = format!("The judge remembers part of this collection. {figures}");
    let queries = here.queries.len().min(control.queries.len());
    if queries < LEAST_QUERIES {
        let why = format!("{figures} The check needs at least {LEAST_QUERIES} queries in each collection.");
        return Finding { value: Some(gap), ..nothing(why) };
    }
    let mut stream = SplitMix64::new(options.seed.stream("contamination"));
    let mut drawn: Vec<f64> = (0..RESAMPLES)
        .filter_map(|_| Some(here.drawn(&mut stream, fall)? - control.drawn(&mut stream, beside)?))
        .collect();
    drawn.sort_unstable_by(f64::total_cmp);
    // Draws are around the gap as the gap is around the truth.
    let as_far = drawn.len() - drawn.partition_point(|drawn| *drawn < gap);
    let tail = ((1.0 - options.confidence) / 2.0 * drawn.len() as f64) as usize;
    let interval = drawn.get(tail).zip(drawn.iter().rev().nth(tail));
    Finding {
        n,
        value: Some(gap),
        interval: interval.map(|(low, high)| (gap + low, gap + high)),
        chance: Some(0.0),
        p: Some((as_far + 1) as f64 / (drawn.len() + 1) as f64),
        severe: gap > SEVERE,
        conclusion,
        remedy: REMEDY,
        ..Finding::of_figures(CheckKind::Contamination, figures)
    }
}

/// How many answers there are about documents that people call irrelevant, and how far they agree before and after;
/// then the same about relevant ones.
type Kinds = [[f64; 3]; 2];

/// Answers by query.
struct Sums {
    queries: Vec<Kinds>,
    compared: bool,
}

/// Agreement with people before words are changed, and after.
#[derive(Debug, Clone, Copy)]
struct Fall {
    before: f64,
    after: f64,
}

impl Fall {
    fn loss(self) -> f64 {
        self.before - self.after
    }
}

impl Sums {
    fn of(answers: &[DisguisedAnswer], compared: bool) -> Self {
        let mut queries: BTreeMap<usize, Kinds> = BTreeMap::new();
        for answer in answers {
            let mut one = Kinds::default();
            if let Some(kind) = one.get_mut(usize::from(answer.relevant)) {
                *kind = [1.0, answer.before, answer.after];
            }
            add(queries.entry(answer.query).or_default(), &one);
        }
        Self { queries: queries.into_values().collect(), compared }
    }

    /// `None` if a kind of answer is not there. Comparisons are of one kind.
    fn agreement(&self, kinds: &Kinds) -> Option<Fall> {
        let there: Vec<&[f64; 3]> = kinds.iter().filter(|[count, ..]| *count > 0.0).collect();
        let count = there.len() as f64;
        (there.len() == if self.compared { 1 } else { 2 }).then(|| Fall {
            before: there.iter().map(|[n, before, _]| before / n).sum::<f64>() / count,
            after: there.iter().map(|[n, _, after]| after / n).sum::<f64>() / count,
        })
    }

    fn fall(&self) -> Option<Fall> {
        let mut total = Kinds::default();
        self.queries.iter().for_each(|query| add(&mut total, query));
        self.agreement(&total)
    }

    fn described(&self, place: &str, fall: Fall) -> String {
        let n: f64 = self.queries.iter().flatten().map(|[n, ..]| n).sum();
        let Fall { before, after } = fall;
        format!(
            "With changed words, agreement with human labels {place} changes from {before:.2} to {after:.2} ({n} \
             answers)."
        )
    }

    /// How much further agreement falls in resampled queries, widened for a small number of queries; `None` if they
    /// lack a kind of answer.
    fn drawn(&self, stream: &mut SplitMix64, fall: Fall) -> Option<f64> {
        let count = self.queries.len();
        let [mut n, mut lost] = [[0.0; 2]; 2];
        for _ in 0..count {
            let drawn = self.queries.get((stream.next_u64() % count as u64) as usize);
            if let Some([irrelevant, relevant]) = drawn {
                n = [n[0] + irrelevant[0], n[1] + relevant[0]];
                lost = [lost[0] + irrelevant[1] - irrelevant[2], lost[1] + relevant[1] - relevant[2]];
            }
        }
        let loss = match (self.compared, n) {
            (true, [_, of]) => lost[1] / of,
            (false, [other, of]) => (lost[0] / other + lost[1] / of) / 2.0,
        };
        let wider = (count as f64 / (count as f64 - 1.0)).sqrt();
        loss.is_finite().then(|| (loss - fall.loss()) * wider)
    }
}

fn add(sums: &mut Kinds, more: &Kinds) {
    sums.iter_mut().flatten().zip(more.iter().flatten()).for_each(|(sum, more)| *sum += more);
}

#[cfg(test)]
mod tests {
    use llull_core::Seed;

    use super::*;
    use crate::{AuditedCollection, AuditedJudge, CheckOutcome, JudgeCheck, judge_checks};

    fn uniform(stream: &mut SplitMix64) -> f64 {
        (stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// 100 answers about 40 queries, half of them about relevant documents, by a judge that agrees so often before and
    /// after.
    fn answers(stream: &mut SplitMix64, before: f64, after: f64) -> Vec<DisguisedAnswer> {
        let mut agrees = |share: f64| f64::from(u8::from(uniform(stream) < share));
        let answer = |at: usize| {
            let (before, after) = (agrees(before), agrees(after));
            DisguisedAnswer { query: at % 40, relevant: at.is_multiple_of(2), before, after }
        };
        (0..100).map(answer).collect()
    }

    fn check(seed: u64, disguised: Disguised) -> JudgeCheck {
        let judge =
            AuditedJudge { judge: "mini".into(), disguised: Some(disguised), ..AuditedJudge::default() };
        judge_checks(&[judge], &AuditedCollection::default(), &AuditOptions::new(Seed(seed))).remove(0)
    }

    /// The judge's agreement before and after here, then on the control.
    fn judged(seed: u64, here: [f64; 2], control: [f64; 2]) -> JudgeCheck {
        let mut stream = SplitMix64::new(Seed(seed).stream("disguised"));
        let answers = [here, control].map(|[before, after]| answers(&mut stream, before, after));
        let [answers, control] = answers;
        check(seed, Disguised { compared: false, answers, control: Some(control) })
    }

    #[test]
    fn a_judge_that_knows_the_collection_fails_and_one_that_words_disturb_everywhere_seldom_does() {
        let raised = |here, control| (0..100).filter(|&seed| judged(seed, here, control).is_raised()).count();
        let memory = raised([1.0, 0.6], [0.6, 0.6]);
        let part = raised([0.95, 0.7], [0.75, 0.7]);
        let honest = [
            raised([0.85, 0.7], [0.85, 0.7]),
            raised([0.8, 0.5], [0.8, 0.5]),
            raised([0.7, 0.7], [0.9, 0.6]),
        ];
        assert!(
            memory >= 99 && part >= 75 && honest.iter().all(|raised| *raised <= 7),
            "{memory} {part} {honest:?}"
        );
        let found = judged(1, [1.0, 0.6], [0.6, 0.6]);
        assert_eq!((found.outcome, found.n), (CheckOutcome::Failed, 100), "{found:?}");
        assert!(found.low.unwrap() < 0.4 && found.high.unwrap() > 0.4, "{found:?}");
    }

    /// The interval covers the true difference in about as many of 100 draws as its confidence.
    #[test]
    fn the_interval_holds_the_difference_of_differences() {
        let held = (0..200).filter(|&seed| {
            let found = judged(seed, [0.9, 0.6], [0.8, 0.6]);
            found.low.unwrap() <= 0.1 && 0.1 <= found.high.unwrap()
        });
        let held = held.count();
        assert!((184..=198).contains(&held), "{held}");
    }

    /// A judge that calls everything irrelevant once words are changed loses as much on a collection of few relevant
    /// documents as on one of many.
    #[test]
    fn how_many_documents_are_relevant_does_not_matter() {
        let of = |relevant: usize| {
            let answer = |at: usize| DisguisedAnswer {
                query: at % 20,
                relevant: at % 10 < relevant,
                before: 1.0,
                after: f64::from(u8::from(at % 10 >= relevant)),
            };
            (0..100).map(answer).collect::<Vec<_>>()
        };
        let found = check(1, Disguised { compared: false, answers: of(2), control: Some(of(7)) });
        assert_eq!((found.value, found.outcome), (Some(0.0), CheckOutcome::Passed), "{found:?}");
    }

    #[test]
    fn without_a_control_or_with_few_queries_nothing_is_decided() {
        let mut stream = SplitMix64::new(1);
        let all = answers(&mut stream, 1.0, 0.5);
        let alone = check(1, Disguised { compared: false, answers: all.clone(), control: None });
        assert_eq!((alone.value, alone.outcome, alone.n), (None, CheckOutcome::Passed, 100));
        assert!(
            alone.finding.contains("changes from 1.00 to 0.")
                && alone.finding.contains("a control collection"),
            "{alone:?}"
        );
        let few: Vec<_> =
            all.iter().map(|answer| DisguisedAnswer { query: answer.query % 5, ..*answer }).collect();
        let few = check(1, Disguised { compared: false, answers: few, control: Some(all.clone()) });
        assert_eq!((few.low, few.outcome), (None, CheckOutcome::Passed));
        assert!(few.finding.ends_with("The check needs at least 6 queries in each collection."), "{few:?}");
        let relevant: Vec<_> = all.into_iter().filter(|answer| answer.relevant).collect();
        let one_kind = check(1, Disguised { compared: false, answers: relevant.clone(), control: None });
        assert_eq!(one_kind.value, None);
        assert!(one_kind.finding.contains("relevant and irrelevant documents"), "{one_kind:?}");
        let pairs =
            check(1, Disguised { compared: true, answers: relevant.clone(), control: Some(relevant) });
        assert_eq!(pairs.value, Some(0.0), "comparisons are of one kind");
    }
}
