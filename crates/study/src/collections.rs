//! Many studies in one table, and one overall figure, from their saved reports.

use std::path::{Path, PathBuf};

use llull_core::Seed;
use llull_report::{DifferenceUnder, FamilyUnderBoth, Figure, MeasuredSystem, StudyVerdict};
use llull_stats::{BootstrapOptions, StatsError, mean_interval};
use serde::Serialize;

use crate::error::StudyError;
use crate::reporting::{REPORT, RecordedComparison, RecordedCoverage, ReportRecord};

/// Many studies, each a collection, and the figures over all of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Collections {
    /// The measure of all figures.
    pub measure: String,
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
    /// The queries with labels.
    pub n: usize,
    /// The pairs that were to be judged.
    pub pairs: usize,
    /// How many of them have a label.
    pub labelled: usize,
    /// The name of the old labels; null without a reference.
    pub reference: Option<String>,
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
    /// Its mean under the old labels; null without them.
    pub old: Option<f64>,
    /// Its mean under the new labels, corrected by human labels where they correct it.
    pub new: Option<f64>,
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
    /// Its mean under the old labels; null if no collection has it.
    pub old: Option<OverallMean>,
    /// Its mean under the new labels.
    pub new: Option<OverallMean>,
    /// The baseline; null for itself.
    pub baseline: Option<String>,
    /// The difference from the baseline under the old labels.
    pub old_difference: Option<OverallMean>,
    /// The difference from the baseline under the new labels.
    pub difference: Option<OverallMean>,
}

/// A family over all collections that count and have it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverallFamily {
    /// The family.
    pub family: String,
    /// The geometric mean of the ratios of Cohen's d, new over old.
    pub ratio: OverallMean,
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
            return Err(CollectionsError::Measures {
                first: first.clone(),
                measure,
                source_name: source.clone(),
                other: other.decision.primary.clone(),
            });
        }
        let collections: Vec<Collection> =
            records.into_iter().map(|(source, record)| collection(source, record)).collect();
        let counted: Vec<&Collection> =
            collections.iter().filter(|found| found.outcome == CollectionOutcome::Counted).collect();
        let overall = overall(&counted, &options)?;
        let families = families(&counted, &options)?;
        let counted = counted.len();
        let (confidence, Seed(seed)) = (options.confidence, options.seed);
        Ok(Self { measure, collections, counted, overall, families, confidence, seed })
    }
}

/// The report of a study; `None` if it has none yet.
fn record(source: &Path) -> Result<Option<ReportRecord>, CollectionsError> {
    let is_study = source.join(llull_config::FILE_NAME).is_file();
    if is_study && !source.join(REPORT).exists() {
        return Ok(None);
    }
    if !source.is_file() && !source.join(REPORT).is_file() {
        return Err(CollectionsError::NoStudy(source.display().to_string()));
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
            n: 0,
            pairs: 0,
            labelled: 0,
            reference: None,
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
        StudyVerdict::Compared | StudyVerdict::OneSystem { .. } => CollectionOutcome::Counted,
        _ => CollectionOutcome::Unmeasured,
    };
    let figure = record.systems.first().and_then(|system| figure_of(system, &decision.primary));
    Collection {
        source,
        name: record.study.name.clone(),
        outcome,
        n: figure.map_or(0, |figure| figure.n),
        pairs: record.coverage.pairs,
        labelled: record.coverage.labelled,
        reference: reference.map(|reference| reference.name.clone()),
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
    CollectedSystem {
        system: name.clone(),
        old: mean.and_then(|mean| mean.there),
        new: figure.and_then(|figure| figure.ppi.as_ref().map_or(figure.mean, |ppi| Some(ppi.value))),
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

/// Each system over the collections that count, in the order in which they name them.
fn overall(
    counted: &[&Collection],
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
                return Err(CollectionsError::Baselines {
                    system: system.system.clone(),
                    first: (*source).to_owned(),
                    baseline: first.map_or("nothing".to_owned(), str::to_owned),
                    source_name: found.source.clone(),
                    other: baseline.map_or("nothing".to_owned(), str::to_owned),
                });
            }
            Some(_) => {}
        }
    }
    let row = |(name, baseline, _): (&str, Option<&str>, &str)| {
        let of = |value: fn(&CollectedSystem) -> Option<f64>| {
            let systems = counted.iter().flat_map(|found| &found.systems);
            let values = systems.filter(|system| system.system == name).filter_map(value);
            over_collections(&values.collect::<Vec<f64>>(), options)
        };
        Ok(OverallSystem {
            system: name.to_owned(),
            old: of(|system| system.old)?,
            new: of(|system| system.new)?,
            baseline: baseline.map(str::to_owned),
            old_difference: of(|system| system.old_difference?.mean_difference)?,
            difference: of(|system| system.difference?.mean_difference)?,
        })
    };
    names.into_iter().map(row).collect()
}

fn families(
    counted: &[&Collection],
    options: &BootstrapOptions,
) -> Result<Vec<OverallFamily>, CollectionsError> {
    let mut ratios: Vec<(&str, Vec<f64>)> = Vec::new();
    for found in counted.iter().flat_map(|found| &found.families) {
        // A ratio is as far above 1 as its inverse is below it, on a logarithmic scale.
        let Some(ratio) = found.ratio.filter(|ratio| *ratio > 0.0).map(f64::ln) else { continue };
        match ratios.iter_mut().find(|(family, _)| *family == found.family) {
            Some((_, ratios)) => ratios.push(ratio),
            None => ratios.push((&found.family, vec![ratio])),
        }
    }
    let mut families = Vec::new();
    for (family, ratios) in ratios {
        let Some(of) = over_collections(&ratios, options)? else { continue };
        let ratio = OverallMean {
            mean: of.mean.exp(),
            low: of.low.map(f64::exp),
            high: of.high.map(f64::exp),
            collections: of.collections,
        };
        families.push(OverallFamily { family: family.to_owned(), ratio });
    }
    Ok(families)
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
    /// There is no study.
    #[error("{0}: no study is there; name the folder of one, which holds llull.toml, or its report.json")]
    NoStudy(String),
    /// Two studies decide by different measures.
    #[error(
        "{first} decides by {measure} and {source_name} by {other}, so they have no common figure: give both the same \
         first measure in llull.toml, and write the report again with llull -C STUDY report"
    )]
    Measures {
        /// The first study.
        first: String,
        /// Its measure.
        measure: String,
        /// Another.
        source_name: String,
        /// Its measure.
        other: String,
    },
    /// Two studies compare a system with different ones.
    #[error(
        "{system} is compared with {baseline} in {first} and with {other} in {source_name}: give both the same \
         baseline under [compare], and write the report again with llull -C STUDY report"
    )]
    Baselines {
        /// The system.
        system: String,
        /// A study.
        first: String,
        /// Its baseline.
        baseline: String,
        /// Another study.
        source_name: String,
        /// Its baseline.
        other: String,
    },
    /// A report cannot be read.
    #[error(transparent)]
    Report(#[from] StudyError),
    /// The options of the bootstrap are invalid.
    #[error(transparent)]
    Stats(#[from] StatsError),
}
