//! The design of a sample, indexed by pair.

use llull_core::{DrawnSample, SampleDesign};
use llull_report::text::counted;
use rustc_hash::FxHashMap;

use super::error::CorrectionError;
use super::options::SampledHow;

/// A pair that could be drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    pub(super) probability: f64,
    /// `None` if all labelled pairs count as drawn.
    pub(super) drawn: Option<bool>,
    pub(super) stratum: usize,
}

/// The design of a sample.
pub(super) enum Design<'a> {
    /// All pairs are equally likely, and all labelled ones count as drawn.
    Pairs,
    /// All queries are equally likely, and all labelled ones count as drawn.
    Queries,
    /// Pairs of a frame, by these probabilities. `fixed`: their number was no matter of chance.
    PairsOfFrame { units: Units<'a>, fixed: bool, name: &'static str },
    /// Queries of a frame, all equally likely unless `unequal`.
    QueriesOfFrame { units: Units<'a>, queries: FxHashMap<&'a str, DrawnQuery>, unequal: bool },
}

/// A query that could be drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct DrawnQuery {
    pub(super) probability: f64,
    /// `None` if all labelled queries count as drawn.
    pub(super) drawn: Option<bool>,
}

/// The frame by pair.
pub(super) type Units<'a> = FxHashMap<(&'a str, &'a str), Unit>;

impl<'a> Design<'a> {
    /// Reads a design. `is_labelled` tests whether a pair has a human label.
    pub(super) fn of(
        how: SampledHow<'a>,
        is_labelled: impl Fn(&str, &str) -> bool,
    ) -> Result<Self, CorrectionError> {
        match how {
            SampledHow::Pairs => Ok(Self::Pairs),
            SampledHow::Queries => Ok(Self::Queries),
            SampledHow::Drawn(sample) => drawn(sample, is_labelled),
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Pairs => SampleDesign::Pairs.name(),
            Self::QueriesOfFrame { unequal: true, .. } => "queries, unequal",
            Self::Queries | Self::QueriesOfFrame { .. } => SampleDesign::Queries.name(),
            Self::PairsOfFrame { name, .. } => name,
        }
    }
}

fn drawn<'a>(
    sample: &'a DrawnSample,
    is_labelled: impl Fn(&str, &str) -> bool,
) -> Result<Design<'a>, CorrectionError> {
    let mut strata: FxHashMap<&str, usize> = FxHashMap::default();
    let mut units = Units::default();
    let (mut expected, mut spread, mut count) = (0.0, 0.0, 0_usize);
    for unit in &sample.units {
        let next = strata.len() + 1;
        let stratum = unit.stratum.as_deref().map_or(0, |name| *strata.entry(name).or_insert(next));
        let known = Unit { probability: unit.probability, drawn: unit.drawn, stratum };
        units.insert((unit.topic.as_str(), unit.document.as_str()), known);
        expected += unit.probability;
        spread += unit.probability * (1.0 - unit.probability);
        count += usize::from(unit.drawn.unwrap_or_else(|| is_labelled(&unit.topic, &unit.document)));
    }
    if sample.units.iter().all(|unit| unit.probability >= 1.0) {
        return Err(CorrectionError::NoSample("every pair of the frame has the probability 1".to_owned()));
    }
    if sample.design == Some(SampleDesign::Queries) {
        return by_query(sample, units);
    }
    // The number of labels reveals probabilities of another draw, or a list picked by hand.
    if (count as f64 - expected).abs() > 6.0 * spread.sqrt() + 1.0 {
        return Err(CorrectionError::NoSample(format!(
            "{} of the frame, where its probabilities make one expect {expected:.0}: these are not the probabilities \
             of this draw, or the column drawn is missing and labels are, too",
            counted(count, "drawn pair")
        )));
    }
    let fixed = (count as f64 - expected).abs() < 0.5;
    let (fixed, name) = match sample.design {
        Some(SampleDesign::Independent) => (false, SampleDesign::Independent.name()),
        Some(design) => (true, design.name()),
        None if fixed => (true, SampleDesign::Unequal.name()),
        None => (false, SampleDesign::Independent.name()),
    };
    Ok(Design::PairsOfFrame { units, fixed, name })
}

fn by_query<'a>(sample: &'a DrawnSample, units: Units<'a>) -> Result<Design<'a>, CorrectionError> {
    let mut queries: FxHashMap<&str, DrawnQuery> = FxHashMap::default();
    for unit in &sample.units {
        let (probability, drawn) = (unit.probability, unit.drawn);
        let known = *queries.entry(&unit.topic).or_insert(DrawnQuery { probability, drawn });
        if differ(known.probability, probability) || known.drawn != drawn {
            return Err(CorrectionError::Problem(format!(
                "the pairs of query {query} differ in their probability or in whether they were drawn, and a sample \
                 of queries draws each of them whole. Give all pairs of a query the query's probability, or leave out \
                 the design",
                query = unit.topic
            )));
        }
    }
    let first = sample.units.first().map_or(1.0, |unit| unit.probability);
    let unequal = sample.units.iter().any(|unit| differ(unit.probability, first));
    Ok(Design::QueriesOfFrame { units, queries, unequal })
}

fn differ(one: f64, other: f64) -> bool {
    (one - other).abs() > 1e-9
}
