//! Draws pairs of a frame for annotators, with known probabilities.

use indexmap::IndexMap;
use llull_core::{DrawnSample, Hash, SampleDesign, SamplingUnit, Seed};
use llull_data::{DataError, write_sample};
use llull_report::text::counted;
use llull_stats::{
    LEAST_LABELS, StatsError, StratumToSample, allocate, draw_by_probability, draw_without_replacement,
    probabilities_by_size,
};

use super::error::SampleError;
use super::frame::{FrameFigure, FramedPair, SamplingFrame};
use super::frame_strata::FrameStratum;
use crate::human_labels::form;

/// If fewer queries than these carry a difference, intervals from sampled queries are far too narrow.
const LEAST_EFFECTIVE: f64 = 4.0;

/// With fewer sampled queries no interval is computed.
pub(super) const LEAST_QUERIES: usize = 3;

/// No simulation of pairs drawn by weight had fewer labels.
const LEAST_UNEQUAL: usize = 12;

/// The purpose of the draw's random numbers.
const PURPOSE: &str = "sample for people to label";

impl SamplingFrame {
    /// Draws `n` pairs, or `n` queries. The same seed draws the same units.
    ///
    /// # Errors
    /// Returns an error if `n` is too small for an interval, or greater than the frame. Also if strata would get fewer
    /// than two labels, or if queries are drawn for one difference that fewer than four of them carry.
    pub fn draw(&self, n: usize) -> Result<DrawnSample, SampleError> {
        let units = match self.design {
            SampleDesign::Queries => self.drawn_queries(n)?,
            SampleDesign::Stratified => self.drawn_by_stratum(n)?,
            SampleDesign::Unequal => self.drawn_by_size(n)?,
            _ => self.drawn_uniformly(n)?,
        };
        let mut notes = vec![("measure".to_owned(), self.request.measure.to_string())];
        if let Some((baseline, candidate)) = &self.request.compare {
            notes.push(("compare".to_owned(), format!("{baseline}, {candidate}")));
        }
        Ok(DrawnSample { design: Some(self.design), seed: Some(self.request.seed), notes, units })
    }

    /// Returns the number of whole queries that have about this number of pairs.
    ///
    /// # Errors
    /// Returns an error if that is less than the least number of queries, or not less than all of them.
    pub fn queries_of(&self, pairs: usize) -> Result<usize, SampleError> {
        let queries = self.queries();
        self.at_most(pairs, self.pairs(), "pairs")?;
        let n = pairs * queries / self.pairs().max(1);
        if n < LEAST_QUERIES {
            let least = LEAST_QUERIES;
            let measure = &self.request.measure;
            return Err(SampleError::Problem(format!(
                "{pairs} pairs are fewer than {least} whole queries, which {measure} needs at least. Draw {} pairs or \
                 more, or measure by P@k, DCG@k or, of two systems, nDCG@k (-m)",
                self.pairs_of(least)
            )));
        }
        Ok(n)
    }

    /// Whether single pairs could correct its figures, too.
    fn by_pairs(&self) -> bool {
        let differences = self.figures.iter().all(|figure| figure.baseline.is_some());
        form(&self.request.measure, differences).is_ok()
    }

    /// Returns the average number of pairs in this number of whole queries, rounded up.
    pub(super) fn pairs_of(&self, queries: usize) -> usize {
        (queries * self.pairs()).div_ceil(self.queries().max(1))
    }

    /// Refuses a frame that is too small for any interval.
    pub(super) fn some_sample(&self) -> Result<(), SampleError> {
        let (frame, least, unit) = match self.design {
            SampleDesign::Queries => (self.queries(), LEAST_QUERIES, "query"),
            _ => (self.pairs(), self.least_labels(), "pair"),
        };
        if frame <= least {
            let measure = self.request.measure.to_string();
            return Err(SampleError::TooSmall { measure, found: counted(frame, unit), needed: least + 1 });
        }
        match self.design {
            SampleDesign::Queries => {
                let few = |figure: &FrameFigure| {
                    llull_stats::effective_queries(&figure.judged).filter(|found| *found < LEAST_EFFECTIVE)
                };
                let carried: Vec<Option<f64>> = self.figures.iter().map(few).collect();
                match (self.figures.first(), carried.iter().copied().collect::<Option<Vec<f64>>>()) {
                    (Some(figure), Some(effective)) => Err(SampleError::FewEffectiveQueries {
                        figure: figure.name(),
                        effective: effective.first().copied().unwrap_or_default(),
                        by_pairs: self.by_pairs(),
                    }),
                    _ => Ok(()),
                }
            }
            SampleDesign::Stratified => self.allocated(&self.strata(), frame - 1).map(|_| ()),
            _ => Ok(()),
        }
    }

    fn drawn_uniformly(&self, n: usize) -> Result<Vec<SamplingUnit>, SampleError> {
        at_least(n, LEAST_LABELS + 1)?;
        self.at_most(n, self.pairs.len(), "pairs")?;
        let drawn = self.numbers(self.pairs.len(), n, 0);
        let chance = n as f64 / self.pairs.len() as f64;
        Ok(self.units(|at, _| (chance, drawn[at], None)))
    }

    fn drawn_by_size(&self, n: usize) -> Result<Vec<SamplingUnit>, SampleError> {
        at_least(n, self.least_labels())?;
        self.at_most(n, self.pairs.len(), "pairs")?;
        let chances = probabilities_by_size(&self.sizes(|pair| self.place_on_scale(pair)), n)?;
        let drawn = draw_by_probability(&chances, self.request.seed, PURPOSE);
        Ok(self.units(|at, _| (chances[at], drawn[at], None)))
    }

    /// The least number of drawn pairs: with fewer no interval is computed.
    pub(super) fn least_labels(&self) -> usize {
        match self.design {
            SampleDesign::Unequal => (self.grades() + 1).max(LEAST_UNEQUAL),
            _ => LEAST_LABELS + 1,
        }
    }

    fn drawn_by_stratum(&self, n: usize) -> Result<Vec<SamplingUnit>, SampleError> {
        at_least(n, LEAST_LABELS + 1)?;
        self.at_most(n, self.pairs.len(), "pairs")?;
        let strata = self.strata();
        let labels = self.allocated(&strata, n)?;
        let mut of_pair = vec![(0.0, false, None); self.pairs.len()];
        for (place, (stratum, labels)) in strata.iter().zip(labels).enumerate() {
            let size = stratum.members.len();
            let drawn = self.numbers(size, labels, place);
            for (at, drawn) in stratum.members.iter().zip(drawn) {
                of_pair[*at] = (labels as f64 / size as f64, drawn, Some(stratum.name.clone()));
            }
        }
        Ok(self.units(|at, _| of_pair[at].clone()))
    }

    fn drawn_queries(&self, n: usize) -> Result<Vec<SamplingUnit>, SampleError> {
        let queries = self.filled_queries();
        at_least(n, LEAST_QUERIES)?;
        self.at_most(n, queries.len(), "queries")?;
        if let ([figure], true) = (self.figures.as_slice(), n < queries.len()) {
            let effective = llull_stats::effective_queries(&figure.judged);
            if let Some(effective) = effective.filter(|effective| *effective < LEAST_EFFECTIVE) {
                let (figure, by_pairs) = (figure.name(), self.by_pairs());
                return Err(SampleError::FewEffectiveQueries { figure, effective, by_pairs });
            }
        }
        let drawn = self.numbers(queries.len(), n, 0);
        let chance = n as f64 / queries.len() as f64;
        let is_drawn = |pair: &FramedPair| queries.binary_search(&pair.query).is_ok_and(|place| drawn[place]);
        Ok(self.units(|_, pair| (chance, is_drawn(pair), None)))
    }

    /// Returns the number of drawn pairs in each stratum.
    pub(super) fn allocated(&self, strata: &[FrameStratum], n: usize) -> Result<Vec<usize>, SampleError> {
        let sizes: Vec<StratumToSample> = strata
            .iter()
            .map(|stratum| StratumToSample {
                size: stratum.members.len(),
                spread: self.spread(&stratum.members),
            })
            .collect();
        allocate(&sizes, n).map_err(|error| match error {
            StatsError::TooFewLabels { needed, .. } => {
                SampleError::TooFewForStrata { n, strata: strata.len(), needed }
            }
            error => error.into(),
        })
    }

    /// Whether each of the numbers below `size` is among the `n` drawn ones.
    fn numbers(&self, size: usize, n: usize, stream: usize) -> Vec<bool> {
        let mut drawn = vec![false; size];
        for at in draw_without_replacement(size, n, self.request.seed, PURPOSE, stream) {
            drawn[at] = true;
        }
        drawn
    }

    /// The units of the frame, each with its probability, whether it was drawn, and its stratum.
    fn units(&self, of: impl Fn(usize, &FramedPair) -> (f64, bool, Option<String>)) -> Vec<SamplingUnit> {
        let unit = |(at, pair): (usize, &FramedPair)| {
            let (probability, drawn, stratum) = of(at, pair);
            SamplingUnit {
                topic: self.queries[pair.query].clone(),
                document: pair.document.to_string(),
                probability,
                drawn: Some(drawn),
                stratum,
            }
        };
        self.pairs.iter().enumerate().map(unit).collect()
    }

    fn at_most(&self, n: usize, frame: usize, what: &'static str) -> Result<(), SampleError> {
        if n >= frame {
            Err(SampleError::Problem(format!(
                "there are {frame} {what} to draw from, so {n} are no sample. Draw fewer (llull sample proposes how \
                 many), or label all of them and use human labels in place of the judge's"
            )))
        } else {
            Ok(())
        }
    }
}

fn at_least(n: usize, needed: usize) -> Result<(), SampleError> {
    if n < needed {
        Err(SampleError::Problem(format!(
            "{n} are too few to compute an interval from; draw at least {needed}"
        )))
    } else {
        Ok(())
    }
}

/// Returns the name of a sample: a letter and eight digits of the hash of its file.
///
/// # Errors
/// Returns an error if a name in it cannot be written to a file.
pub fn sample_id(sample: &DrawnSample) -> Result<String, DataError> {
    let mut bytes = Vec::new();
    write_sample(sample, &mut bytes)?;
    let hash = Hash::of(&bytes).to_string();
    Ok(format!("s{}", hash.get(..8).unwrap_or_default()))
}

/// Returns the drawn pairs in random order, each with its number in the frame, from 1.
///
/// So the labelled part is a random sample, even if the annotator stops early. If whole queries were drawn, queries are
/// in random order, and each one's documents are together.
pub fn sheet_order(sample: &DrawnSample) -> Vec<(usize, &SamplingUnit)> {
    let drawn = sample.units.iter().enumerate().filter(|(_, unit)| unit.drawn == Some(true));
    let mut groups: IndexMap<&str, Vec<(usize, &SamplingUnit)>> = IndexMap::new();
    for (at, unit) in drawn {
        let group = if sample.design == Some(SampleDesign::Queries) { unit.topic.as_str() } else { "" };
        groups.entry(group).or_default().push((at + 1, unit));
    }
    let seed = sample.seed.unwrap_or(Seed(0));
    let shuffled = |size, stream| draw_without_replacement(size, size, seed, "order of a sheet", stream);
    let mut order = Vec::new();
    for group in shuffled(groups.len(), 0) {
        let Some((_, members)) = groups.get_index(group) else { continue };
        order.extend(shuffled(members.len(), group + 1).into_iter().map(|at| members[at]));
    }
    order
}
