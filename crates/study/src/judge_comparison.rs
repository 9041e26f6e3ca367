//! Compares all judges in a ledger: agreement, consistency and cost.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use llull_audit::{
    AskedAs, AuditOptions, AuditedCollection, AuditedJudge, CheckKind, ComparedAnswer, GradedAnswer,
    JudgeCheck, ShownDocument, UnusableAnswer, judge_checks, order_agreement,
};
use llull_core::{Attempt, FIRST_RECHECK, Hash, Item, JudgeSpec, Outcome, Qrels, Seed, TaskKey, Verdict};
use llull_stats::{BootstrapOptions, clustered_shares, exact_interval};
use llull_store::{AttemptFacts, Detail, JudgeId, LedgerReader, StoreError, Tally, Totals};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// A figure with its number of things, and with an interval if the number suffices.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct KnownFigure {
    /// The figure.
    pub value: f64,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The number of answers, documents or pairs.
    pub n: usize,
}

/// A judge, paradigm and prompt in a ledger, with figures of its answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KnownJudgeFigures {
    /// The name of its first request.
    pub judge: String,
    /// The specification that determines its answers.
    pub spec: JudgeSpec,
    /// The hash of the specification.
    pub fingerprint: Hash,
    /// Agreement with human labels beyond chance, within queries; `None` without labels in common.
    pub with_people: Option<KnownFigure>,
    /// The same on the documents that all grading judges with 30 answers have graded, so that prompts and models are
    /// compared on the same pairs; `None` if it is one judge, or they have fewer than 30 labelled ones in common.
    pub on_common: Option<KnownFigure>,
    /// The share of pairs of documents with different human labels that it puts in their order; a tie counts half.
    /// Judges that grade, compare pairs and order lists all have it.
    pub order: Option<KnownFigure>,
    /// The same as `with_people` with the other judges of the ledger, on common questions.
    pub with_others: Option<KnownFigure>,
    /// The share of its comparisons that the document shown first won.
    pub first_side: Option<KnownFigure>,
    /// The share of questions repeated in reverse order whose answer changed.
    pub position_flip: Option<KnownFigure>,
    /// The share of questions repeated in the same order whose answer changed.
    pub repeat_flip: Option<KnownFigure>,
    /// Questions that it has answered, without repetitions and probes.
    pub answered: usize,
    /// The share of its questions, without repetitions and probes, that it has answered.
    pub coverage: Option<f64>,
    /// The share of unparsable replies among all its replies.
    pub unusable: Option<f64>,
    /// The cost of 1,000 answered questions in US dollars, with failures and repetitions; `None` if a price is unknown.
    pub usd_per_1000: Option<f64>,
    /// Whether no other judge is both cheaper and agrees better with human labels, or without these with the others;
    /// `None` if its price or its agreement is unknown, and for labels of a file.
    pub best_value: Option<bool>,
    /// Sums over all its attempts.
    pub totals: Totals,
}

/// Reads every judge of a ledger in one pass, in the order of their first requests. If `people` is given, it is the
/// reference of agreement.
///
/// # Errors
/// Returns an error if the ledger cannot be read.
pub(crate) fn known_judges(
    ledger: &dyn LedgerReader,
    human_labels: Option<&Qrels>,
    seed: Seed,
) -> Result<Vec<KnownJudgeFigures>, StoreError> {
    let registered = ledger.judges()?;
    let mut read = Read::default();
    ledger.scan(None, Detail::Facts, &mut |judge, attempt| {
        read.take(judge, attempt);
        Ok(())
    })?;
    let mut audited = Vec::new();
    let mut totals = Vec::new();
    let mut asked = Vec::new();
    for judge in &registered {
        let answers = read.judges.remove(&judge.id).unwrap_or_default();
        totals.push(answers.tally.finish());
        asked.push(answers.asked.len());
        audited.push(read.places.audited(&judge.spec, answers.answers));
    }
    // A judge is named by its place, because names repeat: a changed rubric makes another judge of the same name.
    audited.iter_mut().enumerate().for_each(|(at, judge)| judge.judge = at.to_string());
    let options = AuditOptions::new(seed);
    let with_others = judge_checks(&audited, &read.places.collection(None), &options);
    let people = human_labels.map(|human_labels| read.places.collection(Some(human_labels)));
    let with_people = people.as_ref().map(|people| judge_checks(&audited, people, &options));
    let on_common = people
        .as_ref()
        .and_then(|people| Some(judge_checks(&on_common(&audited, people)?, people, &options)));
    let mut figures: Vec<KnownJudgeFigures> = Vec::new();
    for (at, ((judge, totals), audited)) in registered.into_iter().zip(totals).zip(&audited).enumerate() {
        let figure = |from: &[JudgeCheck], kind| figure(from, at, kind);
        let answered = audited.compared.iter().filter(|one| one.asked_as == AskedAs::Vote).count()
            + audited.graded.iter().filter(|one| one.asked_as == AskedAs::Vote).count();
        let replies = totals.judged + totals.unusable_attempts();
        let paid = totals.cost_usd.filter(|_| totals.cost_unknown == 0 && answered > 0);
        figures.push(KnownJudgeFigures {
            judge: judge.name,
            fingerprint: judge.spec.fingerprint(),
            with_people: with_people.as_deref().and_then(|found| figure(found, CheckKind::Kappa)),
            on_common: on_common.as_deref().and_then(|found| figure(found, CheckKind::Kappa)),
            order: people.as_ref().and_then(|people| order(audited, people, seed)),
            with_others: figure(&with_others, CheckKind::Kappa),
            first_side: figure(&with_others, CheckKind::FirstSide),
            position_flip: figure(&with_others, CheckKind::PositionFlip),
            repeat_flip: figure(&with_others, CheckKind::RepeatFlip),
            answered,
            coverage: asked.get(at).filter(|asked| **asked > 0).map(|asked| answered as f64 / *asked as f64),
            unusable: (replies > 0).then(|| totals.unusable_attempts() as f64 / replies as f64),
            usd_per_1000: paid.map(|usd| usd / answered as f64 * 1000.0),
            best_value: None,
            spec: judge.spec,
            totals,
        });
    }
    mark_best_value(&mut figures);
    Ok(figures)
}

/// The judges with the grades of documents that all of them graded; judges with few answers, and those that compare,
/// have none. `None` if it is one judge, or they have few labelled documents in common.
fn on_common(audited: &[AuditedJudge], people: &AuditedCollection) -> Option<Vec<AuditedJudge>> {
    let graded = |judge: &AuditedJudge| -> BTreeSet<(usize, Item)> {
        let votes = judge.graded.iter().filter(|answer| answer.asked_as == AskedAs::Vote);
        votes.map(|answer| (answer.query, answer.document)).collect()
    };
    let sets: Vec<BTreeSet<(usize, Item)>> = audited.iter().map(graded).collect();
    let mut many = sets.iter().filter(|documents| documents.len() >= LEAST_COMMON);
    let (first, second) = (many.next()?, many.next()?);
    let mut common: BTreeSet<(usize, Item)> = first.intersection(second).copied().collect();
    many.for_each(|documents| common.retain(|document| documents.contains(document)));
    let is_labelled = |(query, document): &&(usize, Item)| {
        let shown = people.documents.get(*query).and_then(|documents| documents.get(document.index()));
        shown.is_some_and(|shown| shown.human_grade.is_some())
    };
    if common.iter().filter(is_labelled).count() < LEAST_COMMON {
        return None;
    }
    let of_common = |(judge, documents): (&AuditedJudge, &BTreeSet<(usize, Item)>)| {
        let counts = documents.len() >= LEAST_COMMON;
        let is_common = |answer: &&GradedAnswer| counts && common.contains(&(answer.query, answer.document));
        AuditedJudge {
            judge: judge.judge.clone(),
            graded: judge.graded.iter().filter(is_common).cloned().collect(),
            ..AuditedJudge::default()
        }
    };
    Some(audited.iter().zip(&sets).map(of_common).collect())
}

/// With fewer answers agreement is an accident.
const LEAST_COMMON: usize = 30;

/// The agreement of a judge's order with human labels, with an interval over queries.
fn order(judge: &AuditedJudge, people: &AuditedCollection, seed: Seed) -> Option<KnownFigure> {
    let queries = order_agreement(judge, people);
    let [right, all] = queries.iter().fold([0.0, 0.0], |[right, all], one| [right + one[0], all + one[1]]);
    let value = (all > 0.0).then(|| right / all)?;
    let clusters: Vec<Vec<[f64; 2]>> = queries.into_iter().map(|query| vec![query]).collect();
    let options = BootstrapOptions::new(seed);
    let mut ends = clustered_shares(&clusters, &options).ok()?.into_iter().next().flatten();
    // Equal shares have no spread, and each query is at least one independent answer.
    if ends.is_some_and(|[low, high]| low >= high) {
        let worth = clusters.len() as f64;
        ends = exact_interval(value * worth, worth, options.confidence).ok().map(<[f64; 2]>::from);
    }
    let [low, high] = ends.map_or([None; 2], |ends| ends.map(Some));
    Some(KnownFigure { value, low, high, n: all as usize })
}

fn figure(checks: &[JudgeCheck], judge: usize, kind: CheckKind) -> Option<KnownFigure> {
    let judge = judge.to_string();
    let found = checks.iter().find(|check| check.judge == judge && check.kind == kind)?;
    Some(KnownFigure { value: found.value?, low: found.low, high: found.high, n: found.n })
}

/// The model of judges whose labels are those of a file.
const REPLAYED: &str = "replay";

/// Marks the judges that no other beats in both price and agreement; labels of a file are none.
pub(crate) fn mark_best_value(figures: &mut [KnownJudgeFigures]) {
    let by_annotators = figures.iter().any(|judge| judge.with_people.is_some());
    let worth: Vec<Option<(f64, f64)>> = figures
        .iter()
        .map(|judge| {
            let agreement = if by_annotators { judge.with_people } else { judge.with_others };
            // Labels of a file cost nothing here, but no more of them can be had.
            (judge.spec.model != REPLAYED).then_some(())?;
            Some((judge.usd_per_1000?, agreement?.value))
        })
        .collect();
    for (judge, own) in figures.iter_mut().zip(&worth) {
        judge.best_value = own.map(|(price, agreement)| {
            let beats = |other: &(f64, f64)| {
                other.0 <= price && other.1 >= agreement && (other.0 < price || other.1 > agreement)
            };
            !worth.iter().flatten().any(beats)
        });
    }
}

/// The results of a pass over the ledger.
#[derive(Default)]
struct Read {
    judges: BTreeMap<JudgeId, Answers>,
    places: Places,
    models: BTreeSet<Arc<str>>,
}

#[derive(Default)]
struct Answers {
    tally: Tally,
    /// By question, in the order of the first requests.
    answers: Vec<Answer>,
    known: FxHashMap<TaskKey, usize>,
    /// The questions that are votes, answered or not.
    asked: FxHashSet<TaskKey>,
}

struct Answer {
    query: usize,
    shown: Vec<Item>,
    recheck: bool,
    /// `None` if the reply is unparsable.
    verdict: Option<Verdict>,
}

impl Read {
    fn take(&mut self, judge: JudgeId, attempt: Attempt) {
        let of_judge = self.judges.entry(judge).or_default();
        of_judge.tally.add(&AttemptFacts::of(&attempt, &mut self.models));
        if attempt.sample < FIRST_RECHECK {
            of_judge.asked.insert(attempt.key);
        }
        // Further answers are to changed documents, so they are no repetitions of the question.
        if attempt.sample > FIRST_RECHECK {
            return;
        }
        let verdict = match attempt.answer.outcome {
            Outcome::Judged { verdict } => Some(verdict),
            Outcome::Unusable(_) => None,
            Outcome::Failed(_) => return,
        };
        if let Some(known) = of_judge.known.get(&attempt.key).and_then(|at| of_judge.answers.get_mut(*at)) {
            known.verdict = known.verdict.take().or(verdict);
            return;
        }
        let query = self.places.query(&attempt.topic);
        let shown = match attempt.documents.as_slice() {
            [] => vec![self.places.item(query, &attempt.document)],
            documents => documents.iter().map(|id| self.places.item(query, id)).collect(),
        };
        of_judge.known.insert(attempt.key, of_judge.answers.len());
        of_judge.answers.push(Answer { query, shown, recheck: attempt.sample == FIRST_RECHECK, verdict });
    }
}

/// The places of queries and their documents, in the order of the ledger.
#[derive(Default)]
struct Places {
    queries: FxHashMap<String, usize>,
    documents: Vec<FxHashMap<String, Item>>,
}

impl Places {
    fn query(&mut self, id: &str) -> usize {
        if let Some(known) = self.queries.get(id) {
            return *known;
        }
        let next = self.queries.len();
        self.queries.insert(id.to_owned(), next);
        self.documents.push(FxHashMap::default());
        next
    }

    fn item(&mut self, query: usize, id: &str) -> Item {
        let Some(documents) = self.documents.get_mut(query) else { return Item(0) };
        let next = Item::at(documents.len());
        if let Some(known) = documents.get(id) {
            return *known;
        }
        documents.insert(id.to_owned(), next);
        next
    }

    /// The documents, with human grades as their only property.
    fn collection(&self, human_labels: Option<&Qrels>) -> AuditedCollection {
        let mut all: Vec<Vec<ShownDocument>> =
            self.documents.iter().map(|own| vec![ShownDocument::default(); own.len()]).collect();
        for (id, query) in &self.queries {
            let (Some(human_labels), Some(documents)) =
                (human_labels.and_then(|human_labels| human_labels.topic(id)), self.documents.get(*query))
            else {
                continue;
            };
            for (document, item) in documents {
                if let Some(shown) = all.get_mut(*query).and_then(|all| all.get_mut(item.index())) {
                    shown.human_grade = human_labels.get(document.as_str()).map(|grade| f64::from(*grade));
                }
            }
        }
        AuditedCollection { documents: all, ..AuditedCollection::default() }
    }

    fn audited(&self, spec: &JudgeSpec, answers: Vec<Answer>) -> AuditedJudge {
        let mut judge = AuditedJudge {
            model: Some(spec.model.clone()),
            order_randomised: true,
            ..AuditedJudge::default()
        };
        let voted: BTreeSet<(usize, Vec<Item>)> = answers
            .iter()
            .filter(|answer| !answer.recheck)
            .map(|answer| (answer.query, answer.shown.clone()))
            .collect();
        for Answer { query, shown, recheck, verdict } in answers {
            let asked_as = match recheck {
                false => AskedAs::Vote,
                true if shown.len() < 2 || voted.contains(&(query, shown.clone())) => AskedAs::Repeated,
                true if voted.contains(&(query, shown.iter().rev().copied().collect())) => AskedAs::Reversed,
                true => AskedAs::Rotated,
            };
            match verdict {
                None => judge.unusable.push(UnusableAnswer { query, shown }),
                Some(Verdict::Graded(verdict)) => {
                    let grade = f64::from(verdict.grade);
                    judge.graded.extend(shown.first().map(|&document| GradedAnswer {
                        query,
                        document,
                        grade,
                        asked_as,
                        rationale: None,
                    }));
                }
                Some(Verdict::Compared(verdict)) => {
                    let group = |places: &Vec<u16>| {
                        places.iter().filter_map(|place| shown.get(usize::from(*place)).copied()).collect()
                    };
                    let groups = verdict.order.iter().map(group).collect();
                    judge.compared.push(ComparedAnswer { query, groups, shown, asked_as, rationale: None });
                }
            }
        }
        judge
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(documents: std::ops::Range<usize>) -> AuditedJudge {
        let graded = documents.map(|document| GradedAnswer {
            query: 0,
            document: Item::at(document),
            grade: (document % 3) as f64,
            asked_as: AskedAs::Vote,
            rationale: None,
        });
        AuditedJudge { graded: graded.collect(), ..AuditedJudge::default() }
    }

    #[test]
    fn judges_are_compared_on_the_documents_that_all_graded() {
        let shown =
            |document| ShownDocument { human_grade: Some(f64::from(document)), ..ShownDocument::default() };
        let documents = vec![(0..90_u8).map(shown).collect()];
        let people = AuditedCollection { documents, ..AuditedCollection::default() };
        let all = [judge(0..80), judge(40..90), judge(0..5)];
        let counts =
            |found: Vec<AuditedJudge>| found.iter().map(|judge| judge.graded.len()).collect::<Vec<_>>();
        assert_eq!(on_common(&all, &people).map(counts), Some(vec![40, 40, 0]), "one judge has few answers");
        assert!(on_common(&[judge(0..60), judge(40..90)], &people).is_none(), "20 in common");
        assert!(on_common(&all[..1], &people).is_none(), "one judge");
    }

    /// Eight queries whose one pair is in order: an interval of no width would promise that no pair ever is not. The
    /// exact one starts at the share that is 8 of 8 with a probability of 0.025.
    #[test]
    fn an_order_without_a_fault_has_an_interval() {
        let shown = |grade: f64| ShownDocument { human_grade: Some(grade), ..ShownDocument::default() };
        let people = AuditedCollection {
            documents: vec![vec![shown(0.0), shown(1.0)]; 8],
            ..AuditedCollection::default()
        };
        let graded = |query: usize, document: usize| GradedAnswer {
            query,
            document: Item::at(document),
            grade: document as f64,
            asked_as: AskedAs::Vote,
            rationale: None,
        };
        let answers = (0..8).flat_map(|query| [graded(query, 0), graded(query, 1)]);
        let judge = AuditedJudge { graded: answers.collect(), ..AuditedJudge::default() };
        let found = order(&judge, &people, Seed(1)).unwrap();
        assert_eq!((found.value, found.n, found.high), (1.0, 8, Some(1.0)));
        assert!((found.low.unwrap() - 0.025_f64.powf(0.125)).abs() < 1e-9, "{found:?}");
    }
}
