//! The record of verdicts as clear as a comparison's, in words.

use llull_metrics::Measure;
use llull_stats::VerdictMargin;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::published::{Bin, Counts, LEAST_QUERIES, PublishedVerdicts};
use crate::text::{brief_figure, capitalised, count};

/// A system, the record of its verdict, and the distance from 0 of the nearer end of the interval that is shown.
pub(crate) type Recorded<'a> = (&'a str, &'a TrackRecord, Option<f64>);

/// Returns the records of several verdicts in sentences, each with the system's name: one part for each group of
/// verdicts that are about as clear, then the bounds of all. A record without a system's name has none in its sentence.
pub(crate) fn track_record_lines(records: &[Recorded<'_>]) -> Vec<String> {
    let mut lines: Vec<String> = groups(records).iter().map(|group| of_group(group)).collect();
    if !lines.is_empty() {
        lines.push(bounds(records));
        lines.extend(exaggeration(records));
    }
    lines
}

/// Verdicts by their record.
fn groups<'a>(records: &[Recorded<'a>]) -> Vec<Vec<(&'a str, &'a TrackRecord)>> {
    let mut groups: Vec<Vec<(&str, &TrackRecord)>> = Vec::new();
    for &(system, record, _) in records {
        match groups.iter_mut().find(|group| group.iter().any(|(_, one)| is_alike(one, record))) {
            Some(group) => group.push((system, record)),
            None => groups.push(vec![(system, record)]),
        }
    }
    groups
}

/// Whether two verdicts have one record.
fn is_alike(one: &TrackRecord, other: &TrackRecord) -> bool {
    one.collections == other.collections && one.queries == other.queries
}

fn of_group(group: &[(&str, &TrackRecord)]) -> String {
    let Some((_, record)) = group.first() else { return String::new() };
    let names: Vec<&str> = group.iter().map(|(name, _)| *name).filter(|name| !name.is_empty()).collect();
    let begin = |text: String| match names.as_slice() {
        [] => capitalised(&text),
        names => format!("{}: {text}", names.join(", ")),
    };
    let label_sets: usize = record.collections.iter().map(|one| one.label_sets).sum();
    let opposite = match record.opposite {
        0 => "never decided the opposite".to_owned(),
        1 => "decided the opposite once".to_owned(),
        2 => "decided the opposite twice".to_owned(),
        times => format!("decided the opposite {times} times"),
    };
    let confirmed = record.collections.iter().map(|one| share(one.confirmed, one.verdicts));
    let verdicts = format!(
        "{} verdicts as clear by published judges ({label_sets} sets of labels, {})",
        count(record.verdicts),
        named_collections(record.collections.len()),
    );
    if record.confirmed == record.verdicts {
        return begin(format!("human labels confirmed all of {verdicts}."));
    }
    let mut text = begin(format!(
        "of {verdicts}, human labels confirmed {}, had the same direction in {}, and {opposite}.",
        of_100(range(confirmed)),
        all_or(share(record.same_direction, record.verdicts)),
    ));
    let least = (record.least_of_a_judge * 100.0).round();
    if least < 100.0 {
        text.push_str(&format!(" Of those by the worst judge they confirmed {least} of 100."));
    }
    let expected = range(group.iter().filter_map(|(_, one)| Some(hundredths(one.expected?).min(99))));
    match expected {
        Some(_) => text.push_str(&format!(
            " A curve through such verdicts gives {} for {} queries.",
            of_100(expected),
            count(record.queries),
        )),
        None if record.queries < 25 => {
            let with_15 = |one: &CollectionRecord| hundredths(one.confirmed_with_15_queries);
            let shares = range(record.collections.iter().map(with_15));
            text.push_str(&format!(" With labels for 15 of those queries it was {}.", of_100(shares)));
        }
        None => {}
    }
    text
}

fn bounds(records: &[Recorded<'_>]) -> String {
    let most = records.iter().map(|(_, record, _)| record.collections.len()).max().unwrap_or_default();
    let what = match most {
        1 => "That is one collection",
        _ => "These are two collections",
    };
    format!(
        "{what} of web passages, mostly judged by GPT-4; the verdicts share systems and queries, so they count for \
         fewer."
    )
}

/// The ends of intervals beside the systematic errors of judges: the 97.5% quantile, over all pairs of systems, of the
/// error by which a judge's difference in nDCG@10 is too large, on DL 2019 and DL 2021.
fn exaggeration(records: &[Recorded<'_>]) -> Option<String> {
    let of_ndcg = records.iter().filter(|(_, record, _)| record.is_of_ndcg());
    let mut ends: Vec<f64> = of_ndcg.filter_map(|(_, _, end)| *end).collect();
    ends.sort_by(f64::total_cmp);
    let [least, most] = [ends.first()?, ends.last()?].map(|end| brief_figure(Some(*end)));
    let end = match (least == most, ends.len()) {
        (_, 1) => format!("The interval ends {least} from 0."),
        (true, _) => format!("The intervals end {least} from 0."),
        (false, _) => format!("The intervals end {least} to {most} from 0."),
    };
    Some(format!(
        "Directions are surer than sizes: 39 of 40 differences by published judges were too large by less than 0.08 \
         (UMBRELA by GPT-4o), 0.14 (GPT, yes or no) or 0.16 (Llama). {end}"
    ))
}

fn named_collections(number: usize) -> &'static str {
    match number {
        1 => "one TREC collection",
        _ => "two TREC collections",
    }
}

/// A share in hundredths, which is 100 only of all.
fn share(part: usize, of: usize) -> u32 {
    let share = hundredths(part as f64 / of.max(1) as f64);
    if part < of { share.min(99) } else { share }
}

fn hundredths(share: f64) -> u32 {
    (share * 100.0).round() as u32
}

fn range(shares: impl Iterator<Item = u32>) -> Option<(u32, u32)> {
    shares.fold(None, |range: Option<(u32, u32)>, share| {
        Some(range.map_or((share, share), |(low, high)| (low.min(share), high.max(share))))
    })
}

fn of_100(range: Option<(u32, u32)>) -> String {
    match range {
        None => "an unknown number".to_owned(),
        Some((100, 100)) => "all".to_owned(),
        Some((low, high)) if low == high => format!("{low} of 100"),
        Some((low, high)) => format!("{low}-{high} of 100"),
    }
}

fn all_or(share: u32) -> String {
    if share == 100 { "all".to_owned() } else { share.to_string() }
}

/// How often human labels confirmed published judges' verdicts that were as clear as this one. "Not confirmed" mostly
/// means that human labels decide nothing, so the confirmed share is not the chance that a verdict is right.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrackRecord {
    /// How clear the verdict is: the size of the mean difference in standard errors, beyond the threshold of Student's
    /// t at 95%.
    pub x: f64,
    /// The number of queries of the verdict.
    pub queries: usize,
    /// The number of published verdicts with about this x.
    pub verdicts: usize,
    /// Those on which human labels of the same queries decided alike; of TREC DL 2021 rounded, from shares.
    pub confirmed: usize,
    /// Those on which the mean difference by human labels had the same sign; of TREC DL 2021 rounded, from shares.
    pub same_direction: usize,
    /// Those on which human labels decided the opposite.
    pub opposite: usize,
    /// The same for each collection.
    pub collections: Vec<CollectionRecord>,
    /// The least confirmed share of a single judge.
    pub least_of_a_judge: f64,
    /// The confirmed share for this x and number of queries, by a curve through the verdicts; absent below 25 and above
    /// 53 queries, and for AP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<f64>,
    /// The distance from 0 of the nearer end of the interval, by Student's t at 95%; absent where it is unknown how
    /// much judges exaggerate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// The same in sentences, with the bounds of the record.
    pub sentences: Vec<String>,
}

/// The published verdicts on one collection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CollectionRecord {
    /// Its name.
    pub name: String,
    /// How many label sets of judges decided.
    pub label_sets: usize,
    /// Its queries.
    pub queries: usize,
    /// How many verdicts with about this x.
    pub verdicts: usize,
    /// Those on which human labels decided alike; of TREC DL 2021 rounded, from shares.
    pub confirmed: usize,
    /// Those with the same sign by human labels; of TREC DL 2021 rounded, from shares.
    pub same_direction: usize,
    /// Those on which human labels decided the opposite.
    pub opposite: usize,
    /// The confirmed share with 15 of its queries.
    pub confirmed_with_15_queries: f64,
}

impl TrackRecord {
    /// Returns the record of a verdict from these differences by query; `None` for other measures, fewer than
    /// 15 queries, and where the interval by Student's t holds 0. `nearer_end` is the distance from 0 of the interval
    /// that is shown.
    pub fn of(measure: &Measure, differences: &[f64], nearer_end: Option<f64>) -> Option<Self> {
        let published = PublishedVerdicts::on(measure)?;
        let queries = differences.len();
        let margin = VerdictMargin::of(differences).filter(|_| queries >= LEAST_QUERIES)?;
        let bin = published.at(margin.x)?;
        let collections = collections(published, bin);
        let sum = |of: fn(&CollectionRecord) -> usize| collections.iter().map(of).sum();
        let mut record = Self {
            x: margin.x,
            queries,
            verdicts: sum(|one| one.verdicts),
            confirmed: sum(|one| one.confirmed),
            same_direction: sum(|one| one.same_direction),
            opposite: sum(|one| one.opposite),
            least_of_a_judge: bin.least_of_a_judge,
            expected: published.expected(margin.x, queries),
            margin: published.exaggeration.then_some(margin.margin),
            sentences: Vec::new(),
            collections,
        };
        record.sentences = track_record_lines(&[("", &record, nearer_end)]);
        Some(record)
    }

    /// Whether it is of verdicts by nDCG@10: only for these it is known how much judges exaggerate.
    pub(crate) fn is_of_ndcg(&self) -> bool {
        self.margin.is_some()
    }
}

fn collections(published: &PublishedVerdicts, bin: &Bin) -> Vec<CollectionRecord> {
    let named = [("TREC DL 2019", 43, Some(bin.dl19)), ("TREC DL 2021", 53, bin.dl21)];
    let record = |(label_sets, (name, queries, counts)): (usize, (&str, usize, Option<Counts>))| {
        let counts = counts?;
        Some(CollectionRecord {
            name: name.to_owned(),
            label_sets,
            queries,
            verdicts: counts.verdicts,
            confirmed: counts.confirmed,
            same_direction: counts.same_direction,
            opposite: counts.opposite,
            confirmed_with_15_queries: counts.with_15_queries,
        })
    };
    published.label_sets.into_iter().zip(named).filter_map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Differences with this x on so many queries.
    fn differences(x: f64, queries: usize) -> Vec<f64> {
        let spread: Vec<f64> = (0..queries).map(|at| if at % 2 == 0 { 0.1 } else { -0.1 }).collect();
        let mean = |shift: f64| llull_stats::VerdictMargin::of(&shifted(&spread, shift)).unwrap().x;
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if mean(middle) < x { low = middle } else { high = middle }
        }
        shifted(&spread, high)
    }

    fn shifted(values: &[f64], by: f64) -> Vec<f64> {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|value| value - mean + by).collect()
    }

    fn record(measure: &str, x: f64, queries: usize) -> Option<TrackRecord> {
        TrackRecord::of(&measure.parse().unwrap(), &differences(x, queries), Some(0.123))
    }

    #[test]
    fn a_verdict_on_43_queries() {
        let record = record("nDCG@10", 0.75, 43).unwrap();
        assert_eq!((record.verdicts, record.opposite), (4_072, 1));
        insta::assert_snapshot!(record.sentences.join("\n"));
    }

    #[test]
    fn fewer_than_25_queries_have_counts_and_no_curve() {
        let record = record("nDCG@10", 0.75, 24).unwrap();
        assert_eq!(record.expected, None);
        let text = record.sentences.join(" ");
        assert!(
            text.contains("With labels for 15 of those queries it was 83-84 of 100.")
                && !text.contains("curve"),
            "{text}"
        );
    }

    #[test]
    fn nothing_below_15_queries_or_within_the_interval() {
        assert_eq!(record("nDCG@10", 0.75, 14), None);
        assert_eq!(
            TrackRecord::of(&"nDCG@10".parse().unwrap(), &shifted(&[0.1, -0.1].repeat(20), 0.01), None),
            None
        );
        assert_eq!(record("nDCG@20", 0.75, 43), None);
    }

    #[test]
    fn a_clear_verdict_on_a_measure_of_one_collection() {
        let text = record("RR(rel=2)@10", 3.5, 100).unwrap().sentences.join("\n");
        insta::assert_snapshot!(text);
        let average_precision = record("AP(rel=2)", 1.2, 43).unwrap();
        assert!(average_precision.expected.is_none() && average_precision.margin.is_none());
    }

    #[test]
    fn several_verdicts_are_grouped_by_how_clear_they_are() {
        let [a, b, c] = [0.6, 0.9, 2.5].map(|x| record("nDCG@10", x, 43).unwrap());
        let records = [("a", &a, Some(0.021)), ("b", &b, Some(0.034)), ("c", &c, Some(0.1))];
        insta::assert_snapshot!(track_record_lines(&records).join("\n"));
    }

    /// Shares of TREC DL 2021 are rounded, so nothing is said of all.
    #[test]
    fn rounded_shares_are_never_all() {
        let record = record("nDCG@10", 2.5, 43).unwrap();
        assert!(record.same_direction < record.verdicts && record.collections[1].confirmed < 4_470);
        let text = &record.sentences[0];
        assert!(text.contains("confirmed 99-100 of 100, had the same direction in 99,"), "{text}");
    }
}
