//! Checks whether grades follow length, query words or ranks.

use std::collections::BTreeMap;

use llull_core::Item;

use crate::clustered_ratio::Clustered;
use crate::finding::{Finding, needs};
use crate::reference::{Place, Reference, Votes};
use crate::{AuditOptions, AuditedCollection, CheckKind, CheckOutcome, ShownDocument};

/// With fewer documents or pairs of one grade, grades are not held equal.
const LEAST_WITHIN: usize = 100;

/// With fewer documents or pairs, a correlation is an accident of a few texts: it is shown, and the check passes.
const LEAST: usize = 30;

/// A property of documents that grades may follow.
struct Property {
    kind: CheckKind,
    /// Reads it; larger where a biased judge would grade higher.
    of: fn(ShownDocument) -> Option<f64>,
    name: &'static str,
    /// The systems that win if grades rise with the property, and if they fall with it.
    winners: [&'static str; 2],
    /// The range in which good judges lie.
    decent: (f64, f64),
    /// Beyond this, in either direction, the property replaces the judgment.
    severe: f64,
    /// The least that good judges' grades follow the property, where no other grades are held equal.
    least: Option<Least>,
    remedy: &'static str,
}

/// A lower bound on a correlation.
struct Least {
    value: f64,
    /// It holds for pools with this many documents a query, or more.
    documents: f64,
    /// The range of good judges, in words.
    usual: &'static str,
}

/// The ranges contain the published judges of LLMJudge and of TREC DL 2019, and annotators, with room to spare; see
/// `conformance/tests/published/checks_on_real_judges.rs`.
const PROPERTIES: [Property; 3] = [
    Property {
        kind: CheckKind::Length,
        of: |document| Some(libm::log1p(document.characters? as f64)),
        name: "document length",
        winners: ["a system with longer documents", "a system with shorter documents"],
        decent: (-0.3, 0.3),
        severe: 0.6,
        least: None,
        remedy: "Cut documents to one length, or state in the rubric that length does not matter. Then judge again.",
    },
    Property {
        kind: CheckKind::Overlap,
        of: |document| document.overlap,
        name: "word overlap with the query",
        winners: [
            "a system whose documents repeat the query's words",
            "a system that avoids the query's words",
        ],
        decent: (-0.3, 0.5),
        severe: 0.7,
        // In small pools all documents share the query's words: with the first ten documents of 2 to 10 systems of
        // TREC DL 2019, 47 of 1,120 published label sets are below .05 (the whole interval). With the first 50 or 100,
        // about 50 to 100 a query, none of 1,664 in 128 pools is, no human labels, and 282 of 384 random baselines.
        // LLMJudge's 20 have .17 to .35.
        least: Some(Least { value: 0.05, documents: 50.0, usual: "0.17 to 0.38 of whole collections" }),
        remedy: "Use another judge.",
    },
    Property {
        kind: CheckKind::FusedRank,
        of: |document| Some(-(document.fused_rank? as f64)),
        name: "the systems' combined ranking",
        winners: ["a system like the others", "a system unlike the others"],
        decent: (-0.3, 0.65),
        severe: 0.85,
        // 13 judges of TREC DL 2019 have 0.17 to 0.48 in pools of 3 to 37 systems, a random baseline at most 0.08.
        least: Some(Least { value: 0.1, documents: 0.0, usual: "0.17 to 0.48" }),
        remedy: "Make sure that the judge sees no ranks and no scores of systems.",
    },
];

/// Returns how grades or choices correlate with each property, within queries. Where annotators or other judges graded
/// the documents, it is also within their grade.
///
/// For grades it is Spearman's correlation of ranks within those cells, pooled. For choices it is the share of pairs
/// won by the document that has more of the property, less the share that it lost.
pub(crate) fn associations(
    own: &Votes,
    reference: Option<&Reference<'_>>,
    collection: &AuditedCollection,
    options: &AuditOptions,
) -> Vec<Finding> {
    PROPERTIES
        .iter()
        .filter_map(|property| association(property, own, reference, collection, options))
        .collect()
}

fn association(
    property: &Property,
    own: &Votes,
    reference: Option<&Reference<'_>>,
    collection: &AuditedCollection,
    options: &AuditOptions,
) -> Option<Finding> {
    let of = |place: Place| (property.of)(collection.document(place.0, place.1));
    let grade = |place: Place| reference.and_then(|reference| reference.grade(place));
    let found = if own.grades.is_empty() {
        of_pairs(&own.pairs, of, grade)
    } else {
        of_grades(&own.grades, of, grade)
    };
    let Some(Found { value, n, within }) = found else { return same_in_queries(property, own, of) };
    let (low, high) = property.decent;
    let held = match (within, reference) {
        (true, Some(reference)) => format!("within queries and grades of {}", reference.against.words()),
        _ => "within queries".to_owned(),
    };
    let (what, figure) =
        if own.grades.is_empty() { ("choices", "net share of wins") } else { ("grades", "correlation") };
    let p = if n < LEAST { 1.0 } else { value.p_beyond((low + high) / 2.0, (high - low) / 2.0) };
    let few = if n < LEAST { needs(LEAST) } else { String::new() };
    let interval = value.interval(options.confidence, (-1.0, 1.0));
    let least = property.least.as_ref().filter(|_| !within && n >= LEAST_WITHIN && !own.grades.is_empty());
    // With so few queries that each document counts by itself, there are no documents a query.
    let weak = least
        .filter(|least| n as f64 >= least.documents * (value.degrees + 1.0))
        .filter(|least| interval.is_some_and(|(_, high)| high < least.value));
    let thirds = (property.kind == CheckKind::Length && !own.grades.is_empty())
        .then(|| by_thirds(&own.grades, of, |place| if within { grade(place) } else { Some(0.0) }))
        .flatten();
    let thirds = thirds.map_or(String::new(), |[short, middle, long]| {
        format!(
            " From the shortest third of the documents to the longest, its grades are {short:+.2}, {middle:+.2} and \
             {long:+.2} from the mean {held}."
        )
    });
    let [more, less] = property.winners;
    let (with, limit, winner) = match value.value > 0.0 {
        true => ("follow", format!("below {high:.2}"), more),
        false => ("fall with", format!("above {low:.2}"), less),
    };
    let figures = format!(
        "Its {what} and {}: {figure} {:.2} {held} ({n} {what}; good judges: {low:.2} to {high:.2}).{few}{thirds}",
        property.name, value.value
    );
    Some(Finding {
        n,
        value: Some(value.value),
        interval,
        chance: Some(0.0),
        p: Some(p),
        severe: value.value.abs() > property.severe,
        at_least: if weak.is_some() { CheckOutcome::Weak } else { CheckOutcome::Passed },
        conclusion: match weak {
            Some(least) => unlike(property, least, value.value),
            None => format!(
                "Its {what} {with} {} ({figure} {:.2}; good judges stay {limit}), so {winner} would win.{thirds}",
                property.name, value.value
            ),
        },
        remedy: if weak.is_some() { LABEL } else { property.remedy },
        ..Finding::of_figures(property.kind, figures)
    })
}

/// The remedy of a judge whose grades follow nothing that relevance follows.
const LABEL: &str = "Label a sample by hand (`llull sample`), or use another judge.";

fn unlike(property: &Property, least: &Least, value: f64) -> String {
    format!(
        "Its grades do not follow {} (correlation {value:.2}; good judges: {}; chance: 0). The judge may answer at \
         random, or every system may be poor.",
        property.name, least.usual
    )
}

/// The finding on a judge whose grades are the same for all documents of each query; `None` if they differ, or if the
/// property has no lower bound.
fn same_in_queries(property: &Property, own: &Votes, of: impl Fn(Place) -> Option<f64>) -> Option<Finding> {
    let least = property.least.as_ref()?;
    let mut queries: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (place, grade) in own.grades.iter().filter(|(place, _)| of(**place).is_some()) {
        queries.entry(place.0).or_default().push(*grade);
    }
    let n = queries.values().map(Vec::len).sum::<usize>();
    let same = queries.values().all(|grades| grades.windows(2).all(|two| two[0] == two[1]));
    let figures = "Its grades are the same for all documents of a query.";
    let is_deep = n >= LEAST_WITHIN && n as f64 >= least.documents * queries.len() as f64;
    (is_deep && same && queries.values().any(|grades| grades.len() > 1)).then(|| Finding {
        n,
        value: Some(0.0),
        chance: Some(0.0),
        at_least: CheckOutcome::Weak,
        remedy: LABEL,
        ..Finding::of_figures(property.kind, figures)
    })
}

/// A figure between -1 and 1.
pub(crate) struct Found {
    pub value: Clustered,
    /// Documents, or pairs.
    pub n: usize,
    /// Whether others' grades were held equal too.
    pub within: bool,
}

/// Returns the mean grades of the documents with the least of a property, with more and with the most, less the mean of
/// their query and cell. `None` unless thirds differ.
fn by_thirds(
    grades: &BTreeMap<Place, f64>,
    of: impl Fn(Place) -> Option<f64>,
    cell: impl Fn(Place) -> Option<f64>,
) -> Option<[f64; 3]> {
    let mut cells: BTreeMap<(usize, u64), Vec<(f64, f64)>> = BTreeMap::new();
    for (&place, &grade) in grades {
        let (Some(of), Some(cell)) = (of(place), cell(place)) else { continue };
        cells.entry((place.0, cell.to_bits())).or_default().push((of, grade));
    }
    let mut apart: Vec<(f64, f64)> = Vec::new();
    for members in cells.into_values().filter(|members| members.len() > 1) {
        let mean = members.iter().map(|member| member.1).sum::<f64>() / members.len() as f64;
        apart.extend(members.into_iter().map(|(of, grade)| (of, grade - mean)));
    }
    apart.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |third: usize| apart.get(third * apart.len() / 3).map(|one| one.0);
    let (from, to) = (at(1)?, at(2)?);
    // Documents of one length are in one third.
    let starts = [0, apart.partition_point(|one| one.0 < from), apart.partition_point(|one| one.0 < to)];
    let ends = [starts[1], starts[2], apart.len()];
    let mut means = [0.0; 3];
    for ((mean, start), end) in means.iter_mut().zip(starts).zip(ends) {
        let third = apart.get(start..end).filter(|third| !third.is_empty())?;
        *mean = third.iter().map(|one| one.1).sum::<f64>() / third.len() as f64;
    }
    Some(means)
}

/// A document's query and cell, and the two things whose ranks are compared.
type Ranked = ((usize, u64), f64, f64);

/// Returns the pooled rank correlation of grades with a property.
fn of_grades(
    grades: &BTreeMap<Place, f64>,
    of: impl Fn(Place) -> Option<f64>,
    reference: impl Fn(Place) -> Option<f64>,
) -> Option<Found> {
    let all = |cell: &dyn Fn(Place) -> Option<u64>| -> Vec<Ranked> {
        grades
            .iter()
            .filter_map(|(&place, &grade)| Some(((place.0, cell(place)?), of(place)?, grade)))
            .collect()
    };
    let within = all(&|place| reference(place).map(f64::to_bits));
    let found = (within.len() >= LEAST_WITHIN).then(|| correlation(within)).flatten();
    if let Some((value, n)) = found.filter(|(_, n)| *n >= LEAST_WITHIN) {
        return Some(Found { value, n, within: true });
    }
    let (value, n) = correlation(all(&|_| Some(0)))?;
    Some(Found { value, n, within: false })
}

/// Returns the correlation of ranks within cells, pooled over cells, and how many documents share a cell with another.
/// `None` if either side is the same throughout each cell.
pub(crate) fn correlation(units: Vec<Ranked>) -> Option<(Clustered, usize)> {
    let mut cells: BTreeMap<(usize, u64), Vec<(f64, f64)>> = BTreeMap::new();
    for (cell, one, other) in units {
        cells.entry(cell).or_default().push((one, other));
    }
    cells.retain(|_, members| members.len() > 1);
    let mut centred: Vec<(usize, f64, f64)> = Vec::new();
    for ((query, _), members) in &cells {
        let ranks = |values: Vec<f64>| centred_ranks(&values);
        let ones = ranks(members.iter().map(|member| member.0).collect());
        let others = ranks(members.iter().map(|member| member.1).collect());
        centred.extend(ones.into_iter().zip(others).map(|(one, other)| (*query, one, other)));
    }
    let sum = |of: fn(&(usize, f64, f64)) -> f64| centred.iter().map(of).sum::<f64>();
    let (xx, yy, xy) =
        (sum(|unit| unit.1 * unit.1), sum(|unit| unit.2 * unit.2), sum(|unit| unit.1 * unit.2));
    if xx == 0.0 || yy == 0.0 {
        return None;
    }
    let scale = (xx * yy).sqrt();
    let r = xy / scale;
    // How far each document moves the correlation, to first order.
    let influences: Vec<(usize, f64)> = centred
        .iter()
        .map(|(query, x, y)| (*query, x * y / scale - r / 2.0 * (x * x / xx + y * y / yy)))
        .collect();
    Some((Clustered::of_influences(r, &influences), centred.len()))
}

/// Returns the ranks of values, ties sharing theirs, as shares of their number around 0.
pub(crate) fn centred_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let n = values.len() as f64;
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let rank = before as f64 + (tied.len() as f64 - 1.0) / 2.0;
        tied.iter().for_each(|&at| ranks[at] = (rank - (n - 1.0) / 2.0) / n);
        before += tied.len();
    }
    ranks
}

/// Returns how much more often the document that has more of a property wins than loses.
fn of_pairs(
    pairs: &[(usize, Item, Item)],
    of: impl Fn(Place) -> Option<f64>,
    reference: impl Fn(Place) -> Option<f64>,
) -> Option<Found> {
    let unit = |&(query, better, worse): &(usize, Item, Item)| {
        let (more, less) = (of((query, better))?, of((query, worse))?);
        (more != less).then_some((query, if more > less { 1.0 } else { -1.0 }, 1.0))
    };
    let equal = |&&(query, better, worse): &&(usize, Item, Item)| {
        reference((query, better)).is_some_and(|grade| reference((query, worse)) == Some(grade))
    };
    let units: Vec<(usize, f64, f64)> = pairs.iter().filter(equal).filter_map(unit).collect();
    if units.len() >= LEAST_WITHIN {
        return Some(Found { value: Clustered::ratio(&units)?, n: units.len(), within: true });
    }
    let units: Vec<(usize, f64, f64)> = pairs.iter().filter_map(unit).collect();
    Some(Found { value: Clustered::ratio(&units)?, n: units.len(), within: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A document: its query, the grade that others gave it, its length and its grade.
    type Graded = (usize, f64, Option<f64>, f64);

    fn thirds(documents: &[Graded]) -> Option<[f64; 3]> {
        let document = |(_, item): Place| documents[item.0 as usize];
        let grades = documents.iter().enumerate().map(|(at, one)| ((one.0, Item::at(at)), one.3));
        let grades: BTreeMap<Place, f64> = grades.collect();
        by_thirds(&grades, |place| document(place).2, |place| Some(document(place).1))
    }

    #[test]
    fn the_mean_grades_of_thirds_are_those_beyond_their_cells() {
        let lengths = |lengths: [f64; 6], grades: [f64; 6]| -> Vec<Graded> {
            lengths.into_iter().zip(grades).map(|(length, grade)| (0, 0.0, Some(length), grade)).collect()
        };
        let in_cells = [
            (0, 1.0, Some(1.0), 0.0),
            (0, 1.0, Some(2.0), 1.0),
            (0, 1.0, Some(3.0), 2.0),
            (0, 2.0, Some(4.0), 3.0),
            (0, 2.0, Some(5.0), 3.0),
            (0, 2.0, Some(6.0), 3.0),
            // Alone in its cell, and without a length.
            (0, 3.0, Some(7.0), 3.0),
            (0, 2.0, None, 0.0),
        ];
        let of_queries = [
            (0, 0.0, Some(1.0), 0.0),
            (0, 0.0, Some(4.0), 2.0),
            (1, 0.0, Some(2.0), 1.0),
            (1, 0.0, Some(5.0), 3.0),
            (2, 0.0, Some(3.0), 0.0),
            (2, 0.0, Some(6.0), 0.0),
        ];
        for (documents, means) in [
            (lengths([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.0, 0.0, 1.0, 1.0, 2.0, 2.0]), Some([-1.0, 0.0, 1.0])),
            // Equal lengths stay together, so that the thirds have one, three and two documents.
            (lengths([1.0, 2.0, 2.0, 2.0, 3.0, 3.0], [0.0, 1.0, 1.0, 1.0, 1.0, 2.0]), Some([-1.0, 0.0, 0.5])),
            (lengths([1.0; 6], [0.0, 1.0, 2.0, 0.0, 1.0, 2.0]), None),
            (in_cells.to_vec(), Some([-0.5, 0.5, 0.0])),
            (of_queries.to_vec(), Some([-1.0, 0.5, 0.5])),
            (Vec::new(), None),
        ] {
            assert_eq!(thirds(&documents), means, "{documents:?}");
        }
    }
}
