//! Checks agreement with annotators or with other judges, beyond chance.

use std::collections::BTreeMap;

use llull_core::Item;

use crate::checks::length_words_ranks::correlation;
use crate::clustered_ratio::Clustered;
use crate::finding::{Finding, needs};
use crate::reference::{Against, Place, Reference, Votes};
use crate::{AuditOptions, CheckKind, CheckOutcome};

/// The least of the published judges have about this much within queries, on two to four grades. It is shown, and not
/// tested: a lenient or strict judge that keeps the order has less.
const DECENT: f64 = 0.08;

/// Good judges' grades have at least this rank correlation with human ones, within queries.
const DECENT_ORDER: f64 = 0.2;

/// The least of 33 published judges of LLMJudge and TREC DL 2019 have about this (0.27, with an error of 0.04).
const PUBLISHED_ORDER: f64 = 0.25;

/// Judges that compare agree with human grades at least this much beyond chance.
const DECENT_OF_PAIRS: f64 = 0.1;

/// Annotators compare pairs of a tournament, mostly close ones, and there are no published judges on such pairs. So no
/// minimum is required: the test is whether agreement is below chance.
const CHANCE: f64 = 0.0;

/// With fewer, agreement is an accident of a few answers: it is shown, and the check passes.
const LEAST: usize = 30;

/// From this many documents or pairs on, a judge that is not shown to agree beyond chance gets a warning.
const ENOUGH: usize = 100;

/// Returns the reference for a judge's agreement: human comparisons, if it put enough of their pairs in an order;
/// otherwise human grades or other judges; few human comparisons if there is no other.
pub(crate) fn kappa_reference<'a>(
    own: &Votes,
    compared: Option<&'a Reference<'a>>,
    otherwise: Option<&'a Reference<'a>>,
) -> Option<&'a Reference<'a>> {
    let enough = |compared: &&Reference<'_>| units_of_pairs(own, compared).len() >= LEAST;
    compared.filter(enough).or(otherwise).or(compared)
}

/// Returns Cohen's kappa with human labels, or with each of the other judges. Agreement by chance is that of the two
/// judges' grades *within each query*, so that a judge gains nothing from finding the queries with many relevant
/// documents. For comparisons it is twice the share of equal directions, less one.
///
/// Of grades the rank correlation within queries is tested, since a judge that is one grade too lenient everywhere has
/// no kappa and still orders documents and systems well.
///
/// With human comparisons, which are of pairs drawn by lot from those that judges saw, the test is "the judge agrees
/// no less often than by chance". With grades and judges it is against the level of decent judges.
pub(crate) fn kappa(
    own: &Votes,
    reference: Option<&Reference<'_>>,
    options: &AuditOptions,
) -> Option<Finding> {
    if own.grades.is_empty() && own.pairs.is_empty() {
        return None;
    }
    let Some(reference) = reference else {
        let why = "There are no other judges and no human labels to compare with. Label a sample by hand (`llull \
                   sample`), or add a judge.";
        return Some(Finding::of_figures(CheckKind::Kappa, why));
    };
    let comparing = reference.against == Against::HumanComparing;
    let order = order_of_grades(&own.grades, reference);
    let (units, n, decent, what) = if own.grades.is_empty() {
        let units = units_of_pairs(own, reference);
        let n = units.len();
        let least = if comparing { CHANCE } else { DECENT_OF_PAIRS };
        (units, n, least, "pairs of documents")
    } else {
        let found = reference.grades.iter().map(|grades| units_of_grades(&own.grades, grades));
        let (units, documents): (Vec<_>, Vec<usize>) = found.unzip();
        (units.concat(), documents.into_iter().sum(), DECENT, "grades")
    };
    let Some(kappa) = Clustered::ratio(&units) else {
        let why = format!("The judge and {} distinguish no documents in common.", reference.against.words());
        return Some(Finding::of_figures(CheckKind::Kappa, why));
    };
    let interval = kappa.interval(options.confidence, (-1.0, 1.0));
    let tested = order.as_ref().unwrap_or(&kappa);
    let decent = if order.is_some() { DECENT_ORDER } else { decent };
    // Of two judges that do not agree, either may be the one with random answers.
    let known = reference.against != Against::Judges(1);
    let of_tested = tested.interval(options.confidence, (-1.0, 1.0));
    let by_chance = of_tested.is_some_and(|(low, _)| low <= 0.0);
    let weak = n >= ENOUGH && order.is_some() && of_tested.is_some_and(|(_, high)| high < PUBLISHED_ORDER);
    let with = reference.against.words();
    let few = if n < LEAST { needs(LEAST) } else { String::new() };
    let value = kappa.value;
    let contradicts = n >= LEAST && comparing && interval.is_some_and(|(_, high)| high < 0.0);
    let (lead, bound) = if contradicts {
        ("contradicts", "chance: 0".to_owned())
    } else if n >= ENOUGH && by_chance {
        ("does not reliably agree beyond chance with", "chance: 0".to_owned())
    } else if let Some(order) = &order {
        let bound = format!("rank correlation {:.2}; published judges reach 0.27 to 0.62", order.value);
        ("agrees less than published judges with", bound)
    } else {
        ("agrees too little with", format!("good judges reach {decent:.2}"))
    };
    Some(Finding {
        kind: CheckKind::Kappa,
        n,
        value: Some(kappa.value),
        interval,
        chance: Some(0.0),
        p: (n >= LEAST).then(|| tested.p_below(decent)),
        severe: known && by_chance,
        at_least: match () {
            () if n >= ENOUGH && by_chance => CheckOutcome::Warning,
            () if weak => CheckOutcome::Weak,
            () => CheckOutcome::Passed,
        },
        shows_sense: of_tested.is_some_and(|(low, _)| low > 0.0),
        figures: if contradicts {
            format!("The judge contradicts {with}: kappa {value:.2} within queries ({n} {what}).{few}")
        } else {
            let order = order
                .as_ref()
                .map_or_else(String::new, |order| format!(", rank correlation {:.2}", order.value));
            format!(
                "Agreement with {with} beyond chance: kappa {value:.2}{order} within queries ({n} {what}).{few}"
            )
        },
        conclusion: format!(
            "The judge {lead} {with}: kappa {value:.2} within queries on {n} {what} ({bound})."
        ),
        remedy: if comparing {
            "Read the differences (`llull agree --people`), and have a second annotator compare."
        } else {
            "Read the differences (`llull agree`), and label a sample by hand to see which side is right."
        },
    })
}

/// Returns the rank correlation of grades with those of the reference, within queries and, of several other judges,
/// within each of them; `None` if one side is the same throughout, or of judges that compare.
fn order_of_grades(own: &BTreeMap<Place, f64>, reference: &Reference<'_>) -> Option<Clustered> {
    let ranked = reference.grades.iter().zip(0_u64..).flat_map(|(grades, judge)| {
        own.iter().filter_map(move |(place, grade)| Some(((place.0, judge), *grade, *grades.get(place)?)))
    });
    correlation(ranked.collect()).map(|(order, _)| order)
}

/// Returns each query's agreement beyond chance and the most that it could have been, and the number of documents.
fn units_of_grades(
    own: &BTreeMap<Place, f64>,
    other: &BTreeMap<Place, f64>,
) -> (Vec<(usize, f64, f64)>, usize) {
    let both: Vec<Graded> =
        own.iter().filter_map(|(place, grade)| Some((place.0, *grade, *other.get(place)?))).collect();
    let both = on_one_scale(both);
    let n = both.len();
    let mut queries: BTreeMap<usize, Vec<(f64, f64)>> = BTreeMap::new();
    for (query, one, other) in both {
        queries.entry(query).or_default().push((one, other));
    }
    let unit = |(query, pairs): (usize, Vec<(f64, f64)>)| {
        let n = pairs.len() as f64;
        let equal = pairs.iter().filter(|(one, other)| one == other).count() as f64;
        let mut by_chance = 0.0;
        for (grade, count) in counts(pairs.iter().map(|(one, _)| *one)) {
            by_chance += count * pairs.iter().filter(|(_, other)| *other == grade).count() as f64 / n;
        }
        (query, equal - by_chance, n - by_chance)
    };
    (queries.into_iter().map(unit).collect(), n)
}

/// If the two use different scales, both are cut in two. The side with fewer grades is cut where its shares are
/// nearest to halves; the other is cut, query by query, where its share above is nearest to that. So a judge with yes
/// or no, points or ranks can be compared with grades.
pub(crate) fn on_one_scale(mut both: Vec<Graded>) -> Vec<Graded> {
    let own = counts(both.iter().map(|unit| unit.1));
    let other = counts(both.iter().map(|unit| unit.2));
    let flipped = own.len() > other.len();
    let (few, many) = if flipped { (&other, &own) } else { (&own, &other) };
    let contained = few.iter().all(|one| many.iter().any(|other| other.0 == one.0));
    let alike = contained && (few.len() == many.len() || (few.len() > 2 && many.len() <= few.len() + 2));
    // With one grade no cut is possible, and agreement beyond chance is 0 on any scale.
    let Some(of_few) = cut(few, 0.5).filter(|_| !alike) else { return both };
    let turn = |unit: &mut Graded| {
        if flipped {
            std::mem::swap(&mut unit.1, &mut unit.2);
        }
    };
    both.iter_mut().for_each(turn);
    both.sort_by_key(|unit| unit.0);
    for query in both.chunk_by_mut(|a, b| a.0 == b.0) {
        query.iter_mut().for_each(|unit| unit.1 = f64::from(u8::from(unit.1 >= of_few)));
        let above = query.iter().map(|unit| unit.1).sum::<f64>() / query.len() as f64;
        // One grade in a whole query is above or below as most of the query is.
        let of_many = cut(&counts(query.iter().map(|unit| unit.2)), above);
        let top = |grade: f64| of_many.map_or(above >= 0.5, |cut| grade >= cut);
        query.iter_mut().for_each(|unit| unit.2 = f64::from(u8::from(top(unit.2))));
    }
    both.iter_mut().for_each(turn);
    both
}

/// A document's query, and the grades that two gave it.
pub(crate) type Graded = (usize, f64, f64);

/// Returns the grade, never the lowest, from which on the share of grades is nearest to this.
fn cut(counts: &[(f64, f64)], wanted: f64) -> Option<f64> {
    let off = |grade: &f64| (share_from(counts, *grade) - wanted).abs();
    counts.iter().skip(1).map(|one| one.0).min_by(|a, b| off(a).total_cmp(&off(b)))
}

fn share_from(counts: &[(f64, f64)], grade: f64) -> f64 {
    let sum = |least: f64| counts.iter().filter(|one| one.0 >= least).map(|one| one.1).sum::<f64>();
    sum(grade) / sum(f64::NEG_INFINITY)
}

/// Returns how often each value occurs, ascending by value.
fn counts(values: impl Iterator<Item = f64>) -> Vec<(f64, f64)> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as f64)).collect()
}

/// Returns 1 for each pair that both order alike and -1 for each other pair. Documents are numbered without a meaning,
/// so random answers agree half of the time.
fn units_of_pairs(own: &Votes, reference: &Reference<'_>) -> Vec<(usize, f64, f64)> {
    let mut units = Vec::new();
    let directions = own.directions();
    let mut add = |query: usize, lead: i64, other: i64| {
        if lead != 0 && other != 0 {
            units.push((query, if (lead > 0) == (other > 0) { 1.0 } else { -1.0 }, 1.0));
        }
    };
    for grades in &reference.grades {
        for (&(query, low, high), &lead) in &directions {
            let grade = |item: Item| grades.get(&(query, item));
            if let (Some(one), Some(other)) = (grade(low), grade(high)) {
                let order = if one > other {
                    1
                } else if one < other {
                    -1
                } else {
                    0
                };
                add(query, lead, order);
            }
        }
    }
    for votes in &reference.votes {
        let others = votes.directions();
        for (pair, &lead) in &directions {
            add(pair.0, lead, others.get(pair).copied().unwrap_or(0));
        }
    }
    units
}
