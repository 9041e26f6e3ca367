//! Systems under these labels and under the reference: figures, verdicts, families.

use llull_metrics::Scores;
use llull_stats::{BootstrapOptions, effect_ratio, kendall_tau_b};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agreement::PairedScores;
use crate::comparable::name_of;
use crate::comparison::{BaselineComparison, ComparisonFinding, decisive_figures};
use crate::error::ReportError;
use crate::json_number::finite;
use crate::text::{
    ABSENT, Table, brief_percent, confidence, count, counted, figures, table_difference, table_figure, words,
    wrapped,
};

/// The systems measured under both sets of labels.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReferenceSystems {
    /// The measure.
    pub measure: String,
    /// The measure under the reference, if that has another relevance level; absent if it is the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure_there: Option<String>,
    /// Why no system is measured under the reference; absent if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_measured: Option<String>,
    /// Each system's mean under both.
    pub means: Vec<ReferenceMean>,
    /// Kendall's tau-b of the two rankings of systems; null with fewer than three systems, or if it is undefined.
    pub kendall_tau: Option<f64>,
    /// The comparisons with the baseline under both; absent without any, and if queries are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<ComparisonUnderBoth>,
    /// The differences within each family of systems under both; absent without a family of two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub families: Vec<FamilyUnderBoth>,
}

/// One system under both sets of labels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReferenceMean {
    /// The system.
    pub system: String,
    /// Its mean under these labels.
    pub here: Option<f64>,
    /// Over how many queries.
    pub here_n: usize,
    /// The share of the documents that the measure looked at that these labels have; null if it saw none.
    #[serde(default)]
    pub here_labelled: Option<f64>,
    /// Its mean under the reference.
    pub there: Option<f64>,
    /// Over how many queries.
    pub there_n: usize,
    /// The share of the documents that the measure looked at that the reference has.
    #[serde(default)]
    pub there_labelled: Option<f64>,
}

/// One comparison under both sets of labels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparisonUnderBoth {
    /// The system.
    pub system: String,
    /// The system that it is compared with.
    pub baseline: String,
    /// Under these labels, corrected by human labels where they correct it.
    pub here: DifferenceUnder,
    /// Under the reference.
    pub there: DifferenceUnder,
}

/// A difference under one set of labels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DifferenceUnder {
    /// Mean over queries of system minus baseline; null if there is no query.
    pub mean_difference: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// How many queries.
    pub n: usize,
    /// The finding.
    #[serde(flatten)]
    pub decision: ComparisonFinding,
}

/// The differences within a family of systems under both sets of labels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FamilyUnderBoth {
    /// The family.
    pub family: String,
    /// Its systems.
    pub systems: Vec<String>,
    /// The number of queries that both have.
    pub n: usize,
    /// The number of pairs of its systems.
    pub pairs: usize,
    /// How many of them are in another order under the reference.
    pub reversed: usize,
    /// The mean over pairs of the absolute Cohen's d under these labels; null if a pair has none.
    pub here: Option<f64>,
    /// The same under the reference.
    pub there: Option<f64>,
    /// `here / there`; null without one of them.
    pub ratio: Option<f64>,
    /// The lower end of its interval; null unless each pair's t interval excludes 0 under both.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The interval's confidence.
    pub confidence: f64,
}

/// A table with a sentence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct UnderBothTable {
    #[serde(flatten)]
    pub(crate) table: Table,
    /// A sentence about it.
    pub(crate) note: String,
}

/// The systems of `here` and the same systems in `there`, which were measured under the reference, on one measure (its
/// number in both). A system that `there` lacks has no mean there.
///
/// # Errors
/// Returns an error if a system was not measured with that measure.
pub fn reference_systems(
    here: &[Scores],
    there: &[Scores],
    measure: usize,
) -> Result<ReferenceSystems, ReportError> {
    let labelled = |scores: &Scores| {
        let (seen, unjudged) = scores.unjudged(measure);
        (seen > 0).then(|| (seen - unjudged) as f64 / seen as f64)
    };
    let mut means = Vec::new();
    let (mut name, mut name_there) = (String::new(), None);
    for scores in here {
        name = name_of(scores, measure)?;
        let other = there.iter().find(|other| other.run == scores.run);
        if let Some(other) = other {
            name_there = Some(name_of(other, measure)?);
        }
        means.push(ReferenceMean {
            system: scores.run.clone(),
            here: scores.mean(measure).and_then(finite),
            here_n: scores.topics.len(),
            here_labelled: labelled(scores),
            there: other.and_then(|other| other.mean(measure)).and_then(finite),
            there_n: other.map_or(0, |other| other.topics.len()),
            there_labelled: other.and_then(labelled),
        });
    }
    let pairs: Vec<_> = means.iter().filter_map(|mean| Some((mean.here?, mean.there?))).collect();
    let kendall_tau = if pairs.len() < 3 { None } else { kendall_tau_b(&pairs) };
    let measure_there = name_there.filter(|there| *there != name);
    Ok(ReferenceSystems { measure: name, measure_there, means, kendall_tau, ..ReferenceSystems::default() })
}

impl ReferenceSystems {
    /// Adds comparisons with the baseline, under these labels and under the reference.
    #[must_use]
    pub fn compared<'a>(
        mut self,
        here: impl IntoIterator<Item = &'a BaselineComparison>,
        there: &[BaselineComparison],
    ) -> Self {
        let under = |found: &BaselineComparison| {
            let (mean_difference, low, high) = decisive_figures(found);
            DifferenceUnder { mean_difference, low, high, n: found.n, decision: found.decision }
        };
        let both = |here: &BaselineComparison| {
            let there =
                there.iter().find(|there| there.system == here.system && there.baseline == here.baseline)?;
            let (system, baseline) = (here.system.clone(), here.baseline.clone());
            Some(ComparisonUnderBoth { system, baseline, here: under(here), there: under(there) })
        };
        self.comparisons = here.into_iter().filter_map(both).collect();
        self
    }

    /// Adds the families with at least two systems, each with the names of its systems. Differences are over the
    /// queries that both sets of labels have. Without any, or if the measure is no mean over queries, the family is
    /// left out.
    ///
    /// # Errors
    /// Returns an error if the options of the bootstrap are invalid.
    pub fn within_families(
        mut self,
        families: &[(String, Vec<String>)],
        (here, there): (&[Scores], &[Scores]),
        measure: usize,
        options: &BootstrapOptions,
    ) -> Result<Self, ReportError> {
        for (family, systems) in families {
            let of = |all: &[Scores]| -> Vec<Scores> {
                all.iter().filter(|scores| systems.contains(&scores.run)).cloned().collect()
            };
            let Ok(paired) = PairedScores::of(&of(there), &of(here), measure) else { continue };
            let found = effect_ratio(&paired.other, &paired.truth, options)
                .map_err(|source| ReportError::Stats { system: family.clone(), source })?;
            self.families.push(FamilyUnderBoth {
                family: family.clone(),
                systems: paired.names,
                n: paired.queries.len(),
                pairs: found.pairs,
                reversed: found.reversed,
                here: found.new.and_then(finite),
                there: found.old.and_then(finite),
                ratio: found.ratio.and_then(finite),
                low: found.low.and_then(finite),
                high: found.high.and_then(finite),
                confidence: options.confidence,
            });
        }
        Ok(self)
    }

    /// The tables of every output: systems, then verdicts, then families.
    pub(crate) fn tables(&self, name: &str) -> Vec<UnderBothTable> {
        let mut tables = Vec::new();
        tables.extend((!self.means.is_empty()).then(|| self.systems_table(name)));
        tables.extend((!self.comparisons.is_empty()).then(|| self.verdicts_table(name)));
        tables.extend((!self.families.is_empty()).then(|| self.families_table(name)));
        tables
    }

    /// Returns tables of systems, verdicts and families for a terminal; empty without systems. `name` is the
    /// reference's.
    pub fn text(&self, name: &str) -> String {
        let text =
            |under: UnderBothTable| format!("{}\n{}", under.table.text(), wrapped(&under.note, 100, "", ""));
        self.tables(name).into_iter().map(text).collect::<Vec<_>>().join("\n\n")
    }

    fn systems_table(&self, name: &str) -> UnderBothTable {
        let Self { measure, .. } = self;
        let there = self.measure_there.as_ref().unwrap_or(measure);
        let row = |mean: &ReferenceMean| {
            vec![
                mean.system.clone(),
                table_figure(mean.here),
                count(mean.here_n),
                brief_percent(mean.here_labelled),
                table_figure(mean.there),
                count(mean.there_n),
                brief_percent(mean.there_labelled),
            ]
        };
        let note = match (&self.not_measured, self.kendall_tau) {
            (Some(reason), _) => reason.clone(),
            (None, Some(tau)) => format!(
                "Kendall's tau of the two rankings of {}: {}.",
                counted(self.means.len(), "system"),
                table_figure(tau)
            ),
            (None, None) => {
                "Kendall's tau of the two rankings of systems: n/a (it needs three systems, and both \
                     rankings must tell some apart)."
                    .to_owned()
            }
        };
        let (here, there) = (format!("{measure} here"), format!("{there} under {name}"));
        let columns = ["system", &here, "queries", "labelled", &there, "queries", "labelled"];
        under_both(columns, &[0], self.means.iter().map(row), note)
    }

    fn verdicts_table(&self, name: &str) -> UnderBothTable {
        let ends = |low: Option<f64>, high: Option<f64>| {
            let ends = low.zip(high);
            ends.map_or_else(String::new, |(low, high)| {
                format!(" ({} to {})", table_difference(low), table_difference(high))
            })
        };
        let difference = |of: &DifferenceUnder| match of.mean_difference {
            Some(mean) => format!("{}{}", table_difference(mean), ends(of.low, of.high)),
            None => ABSENT.to_owned(),
        };
        let row = |found: &ComparisonUnderBoth| {
            vec![
                format!("{} - {}", found.system, found.baseline),
                difference(&found.here),
                found.here.decision.words().to_owned(),
                difference(&found.there),
                found.there.decision.words().to_owned(),
            ]
        };
        let there = format!("under {name}");
        let both = || {
            let of = self.comparisons.iter().map(|found| (found.here.decision, found.there.decision));
            of.filter(|(here, there)| here.is_verdict() && there.is_verdict())
        };
        let n = both().count();
        let differ = match both().filter(|(here, there)| here.words() != there.words()).count() {
            0 => "none differs".to_owned(),
            1 => "1 differs".to_owned(),
            differ => format!("{} differ", count(differ)),
        };
        let mut note = match n {
            0 => "No verdict under both.".to_owned(),
            n => format!("{} under both: {differ}.", counted(n, "verdict")),
        };
        if n < self.comparisons.len() {
            let lack = |of: fn(&ComparisonUnderBoth) -> ComparisonFinding| {
                count(self.comparisons.iter().filter(|found| !of(found).is_verdict()).count())
            };
            let (here, there_n) = (lack(|found| found.here.decision), lack(|found| found.there.decision));
            note = format!("{note} Without a verdict: {here} here, {there_n} {there}.");
        }
        let columns = ["difference", "here", "verdict here", &there, "verdict there"];
        under_both(columns, &[0, 2, 4], self.comparisons.iter().map(row), note)
    }

    fn families_table(&self, name: &str) -> UnderBothTable {
        let row = |found: &FamilyUnderBoth| {
            vec![
                found.family.clone(),
                found.systems.join(", "),
                count(found.n),
                table_figure(found.here),
                table_figure(found.there),
                table_figure(found.ratio),
                found.low.zip(found.high).map_or_else(
                    || ABSENT.to_owned(),
                    |(low, high)| format!("{} to {}", table_figure(low), table_figure(high)),
                ),
                count(found.reversed),
            ]
        };
        let share = self.families.first().map_or(0.95, |found| found.confidence);
        let note = format!(
            "Cohen's d: the difference of two systems in standard deviations of the queries, the mean size over all \
             pairs of a family. A ratio above 1 means that these labels separate the systems more. The {} interval is \
             over queries; there is none unless the t interval of every difference excludes 0 under both labels. \
             Where systems are nearly equal, chance makes d too large: under {name}, the ratio is then too small.",
            confidence(share)
        );
        let there = format!("d under {name}");
        let columns =
            ["family", "systems", "queries", "d here", &there, "ratio", "interval", "pairs in another order"];
        under_both(columns, &[0, 1], self.families.iter().map(row), note)
    }
}

fn under_both<'a>(
    columns: impl IntoIterator<Item = &'a str>,
    left: &[usize],
    rows: impl Iterator<Item = Vec<String>>,
    note: String,
) -> UnderBothTable {
    let column = |(at, name): (usize, &str)| if left.contains(&at) { words(name) } else { figures(name) };
    UnderBothTable { table: Table::new(columns.into_iter().enumerate().map(column), rows), note }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "No verdict" was counted as a verdict that differs.
    #[test]
    fn a_withdrawn_verdict_differs_from_none() {
        let under = |decision| DifferenceUnder {
            mean_difference: Some(0.1),
            low: Some(0.0),
            high: Some(0.2),
            n: 9,
            decision,
        };
        let note = |pairs: &[(ComparisonFinding, ComparisonFinding)]| {
            let of = |(here, there): &(ComparisonFinding, ComparisonFinding)| ComparisonUnderBoth {
                system: "new".to_owned(),
                baseline: "old".to_owned(),
                here: under(*here),
                there: under(*there),
            };
            let comparisons = pairs.iter().map(of).collect();
            ReferenceSystems { comparisons, ..ReferenceSystems::default() }.verdicts_table("NIST").note
        };
        let (better, worse, none) =
            (ComparisonFinding::Better, ComparisonFinding::Worse, ComparisonFinding::NotTrusted);
        assert_eq!(
            note(&[(none, better), (worse, better), (better, better)]),
            "2 verdicts under both: 1 differs. Without a verdict: 1 here, 0 under NIST."
        );
        assert_eq!(
            note(&[(none, better)]),
            "No verdict under both. Without a verdict: 1 here, 0 under NIST."
        );
    }
}
