//! Many studies in one table, and one overall figure, from their saved reports.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use llull_core::Seed;
use llull_report::{
    ComparisonFinding, DifferenceUnder, FamilyUnderBoth, Figure, MeasuredSystem, StudyVerdict,
};
use llull_stats::{BootstrapOptions, StatsError, mean_interval};
use serde::Serialize;

use crate::error::StudyError;
use crate::reporting::{REPORT, RecordedComparison, RecordedCoverage, ReportRecord};

/// Many studies, each a collection, and the figures over all of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Collections {
    /// The measure of all new figures.
    pub measure: String,
    /// The measure of the overall old ones, which may have another relevance level; null without old figures.
    pub old_measure: Option<String>,
    /// The collections, in the order in which they were named.
    pub collections: Vec<Collection>,
    /// How many of them count in the overall figures.
    pub counted: usize,
    /// Each system's figures over the collections that count.
    pub overall: Vec<OverallSystem>,
    /// Each family's effect over the collections that have it.
    pub families: Vec<OverallFamily>,
    /// The confidence of the overall intervals.
    pub confidence: f64,
    /// The seed of the resamples.
    pub seed: u64,
}

/// A study as a collection.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Collection {
    /// The folder or file, as it was named.
    pub source: String,
    /// The study's name.
    pub name: String,
    /// Whether it counts.
    #[serde(flatten)]
    pub outcome: CollectionOutcome,
    /// The pairs that were to be judged.
    pub pairs: usize,
    /// How many of them have a label.
    pub labelled: usize,
    /// The name of the old labels; null without a reference.
    pub reference: Option<String>,
    /// The measure under the old labels; null without a reference.
    pub old_measure: Option<String>,
    /// The judges that failed a check: what human labels do not correct is not in the overall figures.
    pub unreliable_judges: Vec<String>,
    /// The systems.
    pub systems: Vec<CollectedSystem>,
    /// The families.
    pub families: Vec<FamilyUnderBoth>,
}

/// Whether a study counts in the overall figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum CollectionOutcome {
    /// It does.
    Counted,
    /// Questions are open that another run can answer, missing labels could change a comparison, or too many are
    /// missing for figures that are averaged.
    Incomplete,
    /// One of its judges is unreliable.
    UnreliableJudge,
    /// It has no figures, such as without labels or with labels of one grade.
    Unmeasured,
    /// It has no report yet.
    NoReport,
}

/// A system of a collection.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CollectedSystem {
    /// The system.
    pub system: String,
    /// Whether its figures are in the overall ones, if the collection counts.
    pub counts: bool,
    /// Its mean under the old labels; null without them.
    pub old: Option<f64>,
    /// Over how many queries.
    pub old_n: usize,
    /// The share of the documents that the measure looked at that the old labels have.
    pub old_labelled: Option<f64>,
    /// Its mean under the new labels, corrected by human labels where they correct it.
    pub new: Option<f64>,
    /// Over how many queries.
    pub n: usize,
    /// The comparison with the baseline under the new labels; null for the baseline.
    pub difference: Option<DifferenceUnder>,
    /// The same under the old labels.
    pub old_difference: Option<DifferenceUnder>,
    /// The baseline; null for itself.
    pub baseline: Option<String>,
}

/// The mean over collections.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct OverallMean {
    /// The mean, each collection counting once.
    pub mean: f64,
    /// The lower end of its interval, by resampled collections; null with too few of them.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// How many collections.
    pub collections: usize,
}

/// A system over all collections that count.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverallSystem {
    /// The system.
    pub system: String,
    /// The baseline; null for itself.
    pub baseline: Option<String>,
    /// Its mean under the old labels, over the collections that have it under both; null without any.
    pub old: Option<OverallMean>,
    /// Its mean under the new labels, over the same collections.
    pub new: Option<OverallMean>,
    /// The difference from the baseline under the old labels, over the collections that have it under both.
    pub old_difference: Option<OverallMean>,
    /// The difference under the new labels, over the same collections.
    pub difference: Option<OverallMean>,
    /// Its mean under the new labels over all collections, with old labels or without.
    pub new_in_all: Option<OverallMean>,
    /// The difference under the new labels over all collections.
    pub difference_in_all: Option<OverallMean>,
}

/// A family over all collections that count and have it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverallFamily {
    /// The family.
    pub family: String,
    /// Its systems: a family with others is a row of its own.
    pub systems: Vec<String>,
    /// How many collections have it.
    pub collections: usize,
    /// The geometric mean of the ratios of Cohen's d, new over old, where there is one above 0; null without any.
    pub ratio: Option<OverallMean>,
}

impl Collections {
    /// Reads the reports of these studies: folders, or files. No study is opened and no judge called.
    ///
    /// # Errors
    /// Returns an error if a folder does not exist, a report cannot be read, two have different measures, or two
    /// compare a system with different baselines.
    pub fn of(sources: &[PathBuf], options: BootstrapOptions) -> Result<Self, CollectionsError> {
        let read = |source: &PathBuf| Ok((source.display().to_string(), record(source)?));
        let records: Vec<(String, Option<ReportRecord>)> =
            sources.iter().map(read).collect::<Result<_, CollectionsError>>()?;
        let measured = || records.iter().filter_map(|(source, record)| Some((source, record.as_ref()?)));
        let Some((first, record)) = measured().next() else { return Err(CollectionsError::NoReport) };
        let measure = record.decision.primary.clone();
        if let Some((source, other)) = measured().find(|(_, other)| other.decision.primary != measure) {
            return Err(CollectionsError::Problem(format!(
                "{first} decides by {measure} and {source} by {other}, so they have no common figure: give both the \
                 same first measure in llull.toml, and write the report again with llull -C STUDY report",
                other = other.decision.primary
            )));
        }
        let collections: Vec<Collection> =
            records.into_iter().map(|(source, record)| collection(source, record)).collect();
        let counted: Vec<&Collection> =
            collections.iter().filter(|found| found.outcome == CollectionOutcome::Counted).collect();
        let old_measure = counted.iter().find_map(|found| found.old_measure.clone());
        let overall = overall(&counted, old_measure.as_deref(), &options)?;
        let families = families(&counted, old_measure.as_deref(), &options)?;
        let counted = counted.len();
        let (confidence, Seed(seed)) = (options.confidence, options.seed);
        Ok(Self { measure, old_measure, collections, counted, overall, families, confidence, seed })
    }
}

impl OverallFamily {
    /// Returns whether this family of a collection is part of it.
    pub fn is_over(&self, family: &FamilyUnderBoth) -> bool {
        self.family == family.family && self.systems == sorted(&family.systems)
    }
}

impl Collection {
    /// Returns the families that count in the overall figures, whose measure under the old labels is this. No human
    /// label corrects Cohen's d.
    pub fn counted_families(&self, old_measure: Option<&str>) -> &[FamilyUnderBoth] {
        let counts = self.outcome == CollectionOutcome::Counted && self.unreliable_judges.is_empty();
        if counts && self.old_measure.as_deref() == old_measure { &self.families } else { &[] }
    }
}

/// The report of a study; `None` if it has none yet.
fn record(source: &Path) -> Result<Option<ReportRecord>, CollectionsError> {
    let is_study = source.join(llull_config::FILE_NAME).is_file();
    if is_study && !source.join(REPORT).exists() {
        return Ok(None);
    }
    if !source.is_file() && !source.join(REPORT).is_file() {
        return Err(CollectionsError::Problem(format!(
            "{}: no study is there; name the folder of one, which holds llull.toml, or its report.json",
            source.display()
        )));
    }
    Ok(Some(ReportRecord::open_whole(source)?))
}

/// A few refused or unparsable answers leave a mean over collections as it is. A twentieth could be a difference.
const LEAST_LABELLED: f64 = 0.95;

fn collection(source: String, record: Option<ReportRecord>) -> Collection {
    let Some(record) = record else {
        return Collection {
            name: source.clone(),
            source,
            outcome: CollectionOutcome::NoReport,
            pairs: 0,
            labelled: 0,
            reference: None,
            old_measure: None,
            unreliable_judges: Vec::new(),
            systems: Vec::new(),
            families: Vec::new(),
        };
    };
    let (decision, reference) = (&record.decision, record.reference.as_ref());
    let systems: Vec<CollectedSystem> =
        record.systems.iter().map(|system| collected(&record, system)).collect();
    let incomplete =
        |system: &CollectedSystem| system.difference.is_some_and(|found| found.decision.is_incomplete());
    let RecordedCoverage { pairs, labelled, judges } = &record.coverage;
    let has_open =
        judges.iter().any(|judge| judge.not_asked > 0 || judge.failed.iter().any(|failed| failed.count > 0));
    let is_open = has_open || (*labelled as f64) < LEAST_LABELLED * *pairs as f64;
    let outcome = match &decision.verdict {
        StudyVerdict::UnreliableJudge { .. } => CollectionOutcome::UnreliableJudge,
        StudyVerdict::Incomplete { .. } => CollectionOutcome::Incomplete,
        StudyVerdict::Compared | StudyVerdict::OneSystem { .. }
            if is_open || systems.iter().any(incomplete) =>
        {
            CollectionOutcome::Incomplete
        }
        StudyVerdict::Compared | StudyVerdict::OneSystem { .. }
            if !systems.iter().any(|found| found.counts) =>
        {
            CollectionOutcome::UnreliableJudge
        }
        StudyVerdict::Compared | StudyVerdict::OneSystem { .. } => CollectionOutcome::Counted,
        _ => CollectionOutcome::Unmeasured,
    };
    Collection {
        source,
        name: record.study.name.clone(),
        outcome,
        pairs: record.coverage.pairs,
        labelled: record.coverage.labelled,
        reference: reference.map(|reference| reference.name.clone()),
        old_measure: reference.filter(|_| systems.iter().any(|system| system.old.is_some())).map(
            |reference| {
                reference.systems.measure_there.clone().unwrap_or_else(|| reference.systems.measure.clone())
            },
        ),
        unreliable_judges: decision.unreliable_judges.clone(),
        families: reference.map_or_else(Vec::new, |reference| reference.systems.families.clone()),
        systems,
    }
}

fn collected(record: &ReportRecord, system: &MeasuredSystem) -> CollectedSystem {
    let primary = &record.decision.primary;
    let name = &system.system;
    let figure = figure_of(system, primary);
    let under = record.reference.as_ref().map(|reference| &reference.systems);
    let mean = under.and_then(|under| under.means.iter().find(|mean| mean.system == *name));
    let is_its = |found: &&RecordedComparison| found.system == *name && found.measure == *primary;
    let compared = record.decision.comparisons.iter().find(is_its);
    let old = under.and_then(|under| under.comparisons.iter().find(|found| found.system == *name));
    let corrected = figure.and_then(|figure| figure.ppi.as_ref());
    // The reference may lack queries that a judge was trained on: `here` is over the same ones.
    let new = match (corrected, mean.filter(|mean| mean.there.is_some())) {
        (Some(corrected), _) => Some(corrected.value),
        (None, Some(mean)) => mean.here,
        (None, None) => figure.and_then(|figure| figure.mean),
    };
    let paired = mean.filter(|mean| corrected.is_none() && mean.there.is_some());
    let is_reliable = record.decision.unreliable_judges.is_empty();
    let is_trusted = compared.is_none_or(|found| {
        found.decision != ComparisonFinding::NotTrusted && (is_reliable || found.ppi.is_some())
    });
    CollectedSystem {
        system: name.clone(),
        counts: is_trusted && (is_reliable || corrected.is_some()),
        old: mean.and_then(|mean| mean.there),
        old_n: mean.map_or(0, |mean| mean.there_n),
        old_labelled: mean.and_then(|mean| mean.there_labelled),
        new,
        n: paired.map_or_else(|| figure.map_or(0, |figure| figure.n), |mean| mean.here_n),
        difference: compared.map(|found| {
            let corrected = found.ppi.as_ref();
            DifferenceUnder {
                mean_difference: corrected.map_or(found.mean_difference, |ppi| Some(ppi.value)),
                low: corrected.map_or(found.low, |ppi| Some(ppi.low)),
                high: corrected.map_or(found.high, |ppi| Some(ppi.high)),
                n: figure.map_or(0, |figure| figure.n),
                decision: found.decision,
            }
        }),
        old_difference: old.map(|found| found.there),
        baseline: compared.map(|found| found.baseline.clone()),
    }
}

fn figure_of<'a>(system: &'a MeasuredSystem, measure: &str) -> Option<&'a Figure> {
    system.figures.iter().find(|figure| figure.measure == measure)
}

/// A figure of a system.
type Value = fn(&CollectedSystem) -> Option<f64>;

/// Each system over the collections that count, in the order in which they name them.
fn overall(
    counted: &[&Collection],
    old_measure: Option<&str>,
    options: &BootstrapOptions,
) -> Result<Vec<OverallSystem>, CollectionsError> {
    let mut names: Vec<(&str, Option<&str>, &str)> = Vec::new();
    for (found, system) in
        counted.iter().flat_map(|found| found.systems.iter().map(move |system| (found, system)))
    {
        let baseline = system.baseline.as_deref();
        match names.iter().find(|(name, ..)| *name == system.system) {
            None => names.push((&system.system, baseline, &found.source)),
            Some((_, first, source)) if *first != baseline => {
                return Err(CollectionsError::Problem(format!(
                    "{system} is compared with {baseline} in {first} and with {other} in {source_name}: give both the \
                     same baseline under [compare], and write the report again with llull -C STUDY report",
                    system = system.system,
                    baseline = first.map_or("nothing".to_owned(), str::to_owned),
                    first = *source,
                    other = baseline.map_or("nothing".to_owned(), str::to_owned),
                    source_name = found.source
                )));
            }
            Some(_) => {}
        }
    }
    let row = |(name, baseline, _): (&str, Option<&str>, &str)| {
        let its = |found: &'_ &Collection| {
            let has_old = found.old_measure.as_deref() == old_measure;
            let system = found.systems.iter().find(|system| system.system == name && system.counts)?;
            Some((has_old, system.clone()))
        };
        let its: Vec<(bool, CollectedSystem)> = counted.iter().filter_map(its).collect();
        let in_all = |new: Value| {
            let values: Vec<f64> = its.iter().filter_map(|(_, system)| new(system)).collect();
            over_collections(&values, options)
        };
        // Means over different collections would differ by the collections.
        let in_both = |old: Value, new: Value| {
            let systems = its.iter().filter(|(has_old, _)| *has_old);
            let (old, new): (Vec<f64>, Vec<f64>) =
                systems.filter_map(|(_, system)| old(system).zip(new(system))).unzip();
            Ok::<_, StatsError>((over_collections(&old, options)?, over_collections(&new, options)?))
        };
        let mean: Value = |system| system.new;
        let change: Value = |system| system.difference?.mean_difference;
        let (old, new) = in_both(|system| system.old, mean)?;
        let (old_difference, difference) = in_both(|system| system.old_difference?.mean_difference, change)?;
        let (system, baseline) = (name.to_owned(), baseline.map(str::to_owned));
        let (new_in_all, difference_in_all) = (in_all(mean)?, in_all(change)?);
        Ok(OverallSystem {
            system,
            baseline,
            old,
            new,
            old_difference,
            difference,
            new_in_all,
            difference_in_all,
        })
    };
    names.into_iter().map(row).collect()
}

/// Each family over the collections that have it with the same systems.
fn families(
    counted: &[&Collection],
    old_measure: Option<&str>,
    options: &BootstrapOptions,
) -> Result<Vec<OverallFamily>, CollectionsError> {
    let mut families: IndexMap<(&str, Vec<String>), Vec<Option<f64>>> = IndexMap::new();
    for found in counted.iter().flat_map(|found| found.counted_families(old_measure)) {
        // A ratio is as far above 1 as its inverse is below it, on a logarithmic scale.
        let ratio = found.ratio.filter(|ratio| *ratio > 0.0).map(f64::ln);
        families.entry((&found.family, sorted(&found.systems))).or_default().push(ratio);
    }
    let overall = |((family, systems), ratios): ((&str, Vec<String>), Vec<Option<f64>>)| {
        let known: Vec<f64> = ratios.iter().copied().flatten().collect();
        let ratio = over_collections(&known, options)?.map(|of| OverallMean {
            mean: of.mean.exp(),
            low: of.low.map(f64::exp),
            high: of.high.map(f64::exp),
            ..of
        });
        Ok(OverallFamily { family: family.to_owned(), systems, collections: ratios.len(), ratio })
    };
    families.into_iter().map(overall).collect()
}

/// The names in order, whatever the order of the studies' systems.
fn sorted(names: &[String]) -> Vec<String> {
    let mut names = names.to_vec();
    names.sort();
    names
}

/// The mean with an interval over collections; `None` without any.
fn over_collections(values: &[f64], options: &BootstrapOptions) -> Result<Option<OverallMean>, StatsError> {
    if values.is_empty() {
        return Ok(None);
    }
    let found = mean_interval(values, options)?;
    let end = |end: f64| Some(end).filter(|end| end.is_finite());
    let (low, high) = (end(found.low), end(found.high));
    Ok(Some(OverallMean { mean: found.mean, low, high, collections: found.n }))
}

/// Why studies cannot be collected.
#[derive(Debug, thiserror::Error)]
pub enum CollectionsError {
    /// No study has a report.
    #[error("none of these studies has a report: run each first, such as llull -C STUDY run")]
    NoReport,
    /// A report cannot be read.
    #[error(transparent)]
    Report(#[from] StudyError),
    /// The options of the bootstrap are invalid.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}
