//! Checks whether a judge rates the documents of one system too high, or too low, compared with all others or with the
//! baseline.
//!
//! A judge with errors at random, or a lenient one, shifts the means of systems too: the documents of a good system
//! have higher grades by it at equal human grades, and higher human grades at equal grades of its own. The two have
//! opposite signs. Only favour has one sign in both, so the check is on the smaller of them.

use std::collections::{BTreeMap, BTreeSet};

use llull_core::Item;

use crate::clustered_ratio::Clustered;
use crate::finding::{Finding, needs};
use crate::reference::{Against, Place, Reference, Votes};
use crate::{AuditOptions, AuditedCollection, AuditedSystem, CheckKind};

/// Good judges are not reliably above this in both, in standard deviations of grades: of 13 published judges of TREC DL
/// 2019, none with any of 121 sets of 2 to 37 of its systems.
const DECENT: f64 = 0.1;

/// Human labels of TREC DL 2019 with one grade more for a system's documents have 0.4 or more in nine of ten such sets,
/// and reverse verdicts.
const SEVERE: f64 = 0.25;

/// With fewer documents, means at equal grades are accidents.
const LEAST: usize = 30;

/// With fewer queries, the systems' errors have no variance to be tested against.
const LEAST_QUERIES: usize = 6;

/// More different values than this are put into so many groups of equal size.
const GROUPS: usize = 8;

/// Returns the system whose documents the judge rates furthest from the reference, compared with the documents that
/// only the other systems returned; or the comparison with the baseline, of documents that only one of the two
/// returned. `None` with fewer than two systems or without a reference.
pub(crate) fn favoured_system(
    own: &Votes,
    worth: &BTreeMap<Place, f64>,
    reference: Option<&Reference<'_>>,
    collection: &AuditedCollection,
    options: &AuditOptions,
) -> Option<Finding> {
    let reference = reference.filter(|_| collection.systems.len() > 1)?;
    let both: Vec<(Place, f64, f64)> =
        worth.iter().filter_map(|(place, own)| Some((*place, *own, reference.grade(*place)?))).collect();
    let n = both.len();
    let with = reference.against.words();
    let nothing = |why: String| Some(Finding { n, ..Finding::of_figures(CheckKind::FavouredSystem, why) });
    if n < LEAST {
        return nothing(format!("The judge and {with} have {n} documents in common.{}", needs(LEAST)));
    }
    let (ours, theirs) =
        (standardised(both.iter().map(|one| one.1)), standardised(both.iter().map(|one| one.2)));
    let (Some(ours), Some(theirs)) = (ours, theirs) else {
        return nothing(format!("The judge or {with} gave all common documents one grade."));
    };
    let errors: Vec<Errors> = {
        let (higher, lower) = (apart(&ours, &theirs), apart(&theirs, &ours));
        let pairs = both.into_iter().zip(higher.into_iter().zip(lower));
        pairs.map(|((place, ..), (higher, lower))| Errors { place, higher, lower: -lower }).collect()
    };
    drop((ours, theirs));
    let subjects = Subject::all(collection);
    let tests = subjects.len() as f64;
    let excess = |subject: Subject| -> Option<Excess> {
        let of = |subject: Subject, side: fn(&Errors) -> f64| {
            contrast((&errors, side), subject, collection, options.depth)
        };
        let subject = match subject {
            // The favoured one of the two comes first.
            Subject::Comparison(system, baseline) if of(subject, |one| one.higher)?.value < 0.0 => {
                Subject::Comparison(baseline, system)
            }
            _ => subject,
        };
        let (higher, lower) = (of(subject, |one| one.higher)?, of(subject, |one| one.lower)?);
        let p = [
            higher.p_above(DECENT).max(lower.p_above(DECENT)),
            higher.p_below(-DECENT).max(lower.p_below(-DECENT)),
        ];
        let p = (2.0 * tests * p[0].min(p[1])).min(1.0);
        Some(Excess { subject, higher, lower, p })
    };
    let found = subjects.into_iter().filter_map(excess);
    let Some(worst) = found.min_by(|a, b| a.p.total_cmp(&b.p).then(b.least().total_cmp(&a.least()))) else {
        return nothing(format!(
            "Too few queries have documents of two systems that the judge and {with} graded."
        ));
    };
    let (system, [own_documents, others, others_in_short]) = worst.subject.words(collection);
    let (least, favours) = (worst.least(), worst.higher.value > 0.0);
    let error = signed_errors(own, reference, collection, worst.subject, options.depth).map_or_else(
        String::new,
        |(own, others)| {
            format!(" Its mean error there is {own:+.2} grades, and {others:+.2} for {others_in_short}.")
        },
    );
    let (verb, up, down) =
        if favours { ("favours", "higher", "lower") } else { ("puts down", "lower", "higher") };
    let figures = format!(
        "No system stands out. The furthest is {system}: at equal grades of {with} {own_documents} have grades {:+.2} \
         standard deviations from {others}, at equal grades of the judge {with} are {:+.2} from {others}. Favour moves \
         the two apart by {DECENT:.2} or more.{error}",
        worst.higher.value, -worst.lower.value,
    );
    // Of two judges that disagree, only human labels show which one is wrong.
    let by_humans = reference.against == Against::HumanLabels;
    let (begin, who, remedy) = match by_humans {
        true => (
            format!("The judge {verb} {system}."),
            "it",
            "Read the result without this judge, or correct it with human labels (`llull sample`).",
        ),
        false => (
            match worst.subject {
                Subject::System(_) => {
                    format!("The judges disagree about {system}: one of them favours it or puts it down.")
                }
                Subject::Comparison(..) => {
                    format!("The judges disagree about {system}: one of them favours one of the two.")
                }
            },
            "this judge",
            "Human labels show which judge is wrong (`llull sample`).",
        ),
    };
    let rates = if reference.against == Against::Judges(1) { "rates" } else { "rate" };
    Some(Finding {
        value: Some(least),
        interval: worst.interval(options.confidence),
        chance: Some(0.0),
        p: Some(worst.p),
        severe: least.abs() >= SEVERE && by_humans,
        conclusion: format!(
            "{begin} At equal grades of {with}, {who} rates {own_documents} {:.2} standard deviations {up} \
             than {others}; at equal grades of its own, {with} {rates} them {:.2} {down}. With good judges one of the \
             two stays below {DECENT:.2}.{error}",
            worst.higher.value.abs(),
            worst.lower.value.abs(),
        ),
        remedy,
        ..nothing(figures)?
    })
}

/// The documents that are rated, and those that they are compared with.
#[derive(Clone, Copy)]
enum Subject {
    /// A system's documents, and those that only others returned.
    System(usize),
    /// The documents that the first of two systems returned and the other did not, and those of the other alone.
    Comparison(usize, usize),
}

impl Subject {
    /// Every system, and every comparison with the baseline. Two systems are one question, whether or not one is the
    /// baseline, and the comparison is the test with the most power.
    fn all(collection: &AuditedCollection) -> Vec<Self> {
        let systems = 0..collection.systems.len();
        if systems.len() == 2 {
            return vec![Self::Comparison(1, 0)];
        }
        let compared = collection.baseline.into_iter().flat_map(|baseline| {
            let others = systems.clone().filter(move |system| *system != baseline);
            others.map(move |system| Self::Comparison(system, baseline))
        });
        systems.clone().map(Self::System).chain(compared).collect()
    }

    /// Its name, and those of its documents and of the others, at length and in short.
    fn words(self, collection: &AuditedCollection) -> (String, [String; 3]) {
        let name = |system: usize| collection.systems.get(system).map_or("", |system| system.name.as_str());
        match self {
            Self::System(system) => {
                let words = ["this system's documents", "others'", "other systems"].map(str::to_owned);
                (name(system).to_owned(), words)
            }
            Self::Comparison(system, baseline) => {
                let (system, baseline) = (name(system), name(baseline));
                let (own, others) =
                    (format!("documents of {system} alone"), format!("those of {baseline} alone"));
                (format!("{system} against {baseline}"), [own, others.clone(), others])
            }
        }
    }

    /// Its documents of a query, and those that they are compared with.
    fn documents(
        self,
        query: usize,
        collection: &AuditedCollection,
        depth: usize,
    ) -> (BTreeSet<Item>, BTreeSet<Item>) {
        let of = |system: &AuditedSystem| -> Vec<Item> {
            system.rankings.get(query).into_iter().flatten().take(depth).copied().collect()
        };
        let first = |system: usize| -> BTreeSet<Item> {
            collection.systems.get(system).map(of).into_iter().flatten().collect()
        };
        match self {
            Self::System(system) => {
                let own = first(system);
                let all = collection.systems.iter().flat_map(of);
                let others = all.filter(|item| !own.contains(item)).collect();
                (own, others)
            }
            Self::Comparison(system, baseline) => {
                let (own, others) = (first(system), first(baseline));
                (&own - &others, &others - &own)
            }
        }
    }
}

/// How far a judge's grades of documents are from the reference's.
struct Excess {
    subject: Subject,
    /// The judge's, at equal grades of the reference.
    higher: Clustered,
    /// The reference's, at equal grades of the judge, with the opposite sign.
    lower: Clustered,
    p: f64,
}

impl Excess {
    /// The smaller of the two; 0 if they have different signs.
    fn least(&self) -> f64 {
        let (one, other) = (self.higher.value, self.lower.value);
        if one * other <= 0.0 { 0.0 } else { one.signum() * one.abs().min(other.abs()) }
    }

    /// The interval of the smaller of the two; `None` if they have different signs.
    fn interval(&self, confidence: f64) -> Option<(f64, f64)> {
        let smaller = match self.higher.value.abs() < self.lower.value.abs() {
            true => &self.higher,
            false => &self.lower,
        };
        (self.least() != 0.0).then(|| smaller.interval(confidence, (f64::MIN, f64::MAX)))?
    }
}

/// The errors on a document, in standard deviations. Those of many are in the order of their places.
struct Errors {
    place: Place,
    /// How much higher the judge is than usual for the reference's grade.
    higher: f64,
    /// How much lower the reference is than usual for the judge's.
    lower: f64,
}

/// The values less their mean, in standard deviations; `None` if all are equal.
fn standardised(values: impl ExactSizeIterator<Item = f64> + Clone) -> Option<Vec<f64>> {
    let n = values.len() as f64;
    let mean = values.clone().sum::<f64>() / n;
    let deviation = (values.clone().map(|one| (one - mean) * (one - mean)).sum::<f64>() / n).sqrt();
    (deviation > 1e-9).then(|| values.map(|one| (one - mean) / deviation).collect())
}

/// The values less the mean of those with the same value of `by`.
fn apart(values: &[f64], by: &[f64]) -> Vec<f64> {
    let cells = cells(by);
    let mut sums: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for (value, cell) in values.iter().zip(&cells) {
        let sum = sums.entry(*cell).or_default();
        *sum = (sum.0 + value, sum.1 + 1.0);
    }
    let mean = |cell: &usize| sums.get(cell).map_or(0.0, |(sum, n)| sum / n);
    values.iter().zip(&cells).map(|(value, cell)| value - mean(cell)).collect()
}

/// The number of each value among the different ones, or of its group.
fn cells(values: &[f64]) -> Vec<usize> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut different = sorted.clone();
    different.dedup();
    let starts: Vec<f64> = match different.len() > GROUPS {
        false => different,
        true => (0..GROUPS).filter_map(|group| sorted.get(group * sorted.len() / GROUPS).copied()).collect(),
    };
    values.iter().map(|value| starts.partition_point(|start| start <= value)).collect()
}

/// The mean over queries of the errors of a subject's first documents, less that of those that they are compared with;
/// `None` with too few queries.
fn contrast(
    (errors, side): (&[Errors], fn(&Errors) -> f64),
    subject: Subject,
    collection: &AuditedCollection,
    depth: usize,
) -> Option<Clustered> {
    let error = |place: Place| {
        let at = errors.binary_search_by(|one| one.place.cmp(&place)).ok()?;
        errors.get(at).map(side)
    };
    let unit = |query: usize| {
        let (own, others) = subject.documents(query, collection, depth);
        let mean_of = |items: &BTreeSet<Item>| mean(items.iter().filter_map(|item| error((query, *item))));
        Some((query, mean_of(&own)? - mean_of(&others)?, 1.0))
    };
    let units: Vec<(usize, f64, f64)> = (0..collection.documents.len()).filter_map(unit).collect();
    (units.len() >= LEAST_QUERIES).then(|| Clustered::ratio(&units))?
}

/// The mean signed errors, in grades, of a subject's first documents and of those that they are compared with. `None`
/// for judges that compare.
fn signed_errors(
    own: &Votes,
    reference: &Reference<'_>,
    collection: &AuditedCollection,
    subject: Subject,
    depth: usize,
) -> Option<(f64, f64)> {
    let error = |place: Place| Some(own.grades.get(&place)? - reference.grade(place)?);
    let sides =
        || (0..collection.documents.len()).map(|query| (query, subject.documents(query, collection, depth)));
    let of_system = sides().flat_map(|(query, (own, _))| own.into_iter().map(move |item| (query, item)));
    let of_others =
        sides().flat_map(|(query, (_, others))| others.into_iter().map(move |item| (query, item)));
    Some((mean(of_system.filter_map(error))?, mean(of_others.filter_map(error))?))
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0.0), |(sum, n), value| (sum + value, n + 1.0));
    (n > 0.0).then(|| sum / n)
}

#[cfg(test)]
mod tests {
    use llull_core::Seed;

    use super::*;
    use crate::{
        AskedAs, AuditedJudge, AuditedSystem, CheckOutcome, GradedAnswer, ShownDocument, judge_checks,
    };

    const DOCUMENTS: usize = 30;

    /// Queries with thirty documents of grades 0 to 3; three systems return ten of them each, the first the best.
    fn collection(queries: usize) -> AuditedCollection {
        let grade = |query: usize, item: usize| (Seed(5).stream(&format!("{query} {item}")) % 4) as f64;
        let document = |query: usize, item: usize| ShownDocument {
            human_grade: Some(grade(query, item)),
            ..ShownDocument::default()
        };
        let ranking = |system: usize, query: usize| -> Vec<Item> {
            let mut items: Vec<usize> = (0..DOCUMENTS).collect();
            let noise = |item: usize| (Seed(6).stream(&format!("{system} {query} {item}")) % 100) as f64;
            // The first system ranks by grade and noise, the second with more noise, the third at random.
            let weight = [25.0, 12.0, 0.0].get(system).copied().unwrap_or(0.0);
            items.sort_by(|a, b| {
                let score = |item: usize| weight * grade(query, item) + noise(item);
                score(*b).total_cmp(&score(*a))
            });
            items.into_iter().take(10).map(Item::at).collect()
        };
        AuditedCollection {
            documents: (0..queries)
                .map(|query| (0..DOCUMENTS).map(|item| document(query, item)).collect())
                .collect(),
            systems: (0..3)
                .map(|system| AuditedSystem {
                    name: format!("system {system}"),
                    family: None,
                    reranked_by: None,
                    rankings: (0..queries).map(|query| ranking(system, query)).collect(),
                })
                .collect(),
            grades: vec![0.0, 1.0, 2.0, 3.0],
            ..AuditedCollection::default()
        }
    }

    /// A judge with human grades, changed by `change`, which gets the query, the document and the human grade.
    fn judge(
        name: &str,
        collection: &AuditedCollection,
        change: impl Fn(usize, Item, f64) -> f64,
    ) -> AuditedJudge {
        let places = collection.documents.iter().enumerate().flat_map(|(query, documents)| {
            documents.iter().enumerate().map(move |(item, shown)| (query, Item::at(item), shown.human_grade))
        });
        let graded = places.map(|(query, document, human)| GradedAnswer {
            query,
            document,
            grade: change(query, document, human.unwrap()).clamp(0.0, 3.0),
            asked_as: AskedAs::Vote,
            rationale: None,
        });
        AuditedJudge { judge: name.to_owned(), graded: graded.collect(), ..AuditedJudge::default() }
    }

    /// An error of a grade up or down in half of the answers.
    fn noisy(query: usize, item: Item, human: f64) -> f64 {
        match Seed(9).stream(&format!("{query} {}", item.0)) % 4 {
            0 => human + 1.0,
            1 => human - 1.0,
            _ => human,
        }
    }

    fn outcome(judges: &[AuditedJudge], collection: &AuditedCollection) -> crate::JudgeCheck {
        let checks = judge_checks(judges, collection, &AuditOptions::new(Seed(1)));
        checks.into_iter().find(|check| check.kind == CheckKind::FavouredSystem).unwrap()
    }

    /// The human labels with one grade more for the documents of one system.
    #[test]
    fn human_labels_with_a_grade_more_for_one_system_fail() {
        let collection = collection(30);
        for favoured in 0..3 {
            let has = |query: usize, item: Item| collection.systems[favoured].rankings[query].contains(&item);
            let raised = |query, item, human| if has(query, item) { human + 1.0 } else { human };
            let found = outcome(&[judge("favours", &collection, raised)], &collection);
            assert_eq!(found.outcome, CheckOutcome::Failed, "{found:?}");
            assert!(
                found.finding.starts_with(&format!("The judge favours system {favoured}. ")),
                "{found:?}"
            );
        }
    }

    #[test]
    fn noise_leniency_and_strictness_favour_nobody() {
        let collection = collection(30);
        let judges = [
            judge("noisy", &collection, noisy),
            judge("lenient", &collection, |_, _, human| human + 1.0),
            judge("strict", &collection, |_, _, human| human - 1.0),
            judge("noisy and lenient", &collection, |query, item, human| noisy(query, item, human) + 1.0),
            judge("yes or no", &collection, |_, _, human| f64::from(u8::from(human > 1.0))),
        ];
        for one in judges {
            let found = outcome(std::slice::from_ref(&one), &collection);
            assert_eq!(found.outcome, CheckOutcome::Passed, "{} {found:?}", one.judge);
        }
    }

    /// One grade more for the documents that a system has and the baseline has not: above all, the comparison is off.
    #[test]
    fn a_favoured_comparison_fails() {
        let known = AuditedCollection { baseline: Some(2), ..collection(30) };
        let has =
            |system: usize, query: usize, item: Item| known.systems[system].rankings[query].contains(&item);
        let raised = |query, item, human| match (has(0, query, item), has(2, query, item)) {
            (true, false) => human + 0.5,
            (false, true) => human - 0.5,
            _ => human,
        };
        let found = outcome(&[judge("favours", &known, raised)], &known);
        assert_eq!(found.outcome, CheckOutcome::Failed, "{found:?}");
        assert!(
            found.finding.starts_with("The judge favours system 0 against system 2. At equal"),
            "{found:?}"
        );
        assert!(found.finding.ends_with(" for those of system 2 alone."), "{found:?}");
        let found = outcome(&[judge("noisy", &known, noisy)], &known);
        assert_eq!(found.outcome, CheckOutcome::Passed, "{found:?}");
    }

    /// Without human labels nobody fails, since judges that disagree do not show which one is wrong.
    #[test]
    fn the_other_judges_show_a_disagreement() {
        let known = collection(30);
        let has = |query: usize, item: Item| known.systems[1].rankings[query].contains(&item);
        let raised = |query, item, human| if has(query, item) { human + 1.0 } else { human };
        let mut alone = known.clone();
        alone.documents.iter_mut().flatten().for_each(|shown| shown.human_grade = None);
        let found = |judges: &[AuditedJudge]| -> Vec<crate::JudgeCheck> {
            let checks = judge_checks(judges, &alone, &AuditOptions::new(Seed(1)));
            checks.into_iter().filter(|check| check.kind == CheckKind::FavouredSystem).collect()
        };
        let good = judge("good", &known, |_, _, human| human);
        let one = found(&[judge("favours", &known, raised), judge("noisy", &known, noisy), good.clone()]);
        assert_eq!(one[0].outcome, CheckOutcome::Warning, "{one:?}");
        assert_eq!(one[1].outcome, CheckOutcome::Passed, "{one:?}");
        assert!(one[2].outcome < CheckOutcome::Failed, "{one:?}");
        let two = found(&[judge("favours", &known, raised), judge("too", &known, raised), good]);
        assert_eq!(two[2].outcome, CheckOutcome::Warning, "{two:?}");
        for finding in [&one[0].finding, &two[2].finding] {
            assert!(finding.starts_with("The judges disagree about system 1: one of them "), "{finding}");
        }
    }

    #[test]
    fn few_labels_or_one_system_show_nothing() {
        let mut few = collection(30);
        few.documents.iter_mut().flatten().skip(20).for_each(|shown| shown.human_grade = None);
        let graded = judge("good", &collection(30), |_, _, human| human);
        let found = outcome(std::slice::from_ref(&graded), &few);
        assert!(found.value.is_none() && found.outcome == CheckOutcome::Passed, "{found:?}");
        let mut one = collection(30);
        one.systems.truncate(1);
        let checks = judge_checks(&[graded], &one, &AuditOptions::new(Seed(1)));
        assert!(checks.iter().all(|check| check.kind != CheckKind::FavouredSystem));
    }
}
