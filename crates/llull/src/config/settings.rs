//! What the configuration means once file, environment and command line are put together.

use std::path::{Path, PathBuf};

use llull_core::{Grade, Seed};
use llull_label::TierScheme;
use llull_metrics::{Measure, MeasureError};
use llull_stats::BootstrapOptions;
use serde::Serialize;
use toml::Spanned;

use super::judges::{graders, judges};
use super::tournament::{paradigm, tournament, without_effect};
use super::{
    ConfigError, FORMAT_VERSION, JudgeSettings, Overrides, StudyFile, SystemTable, TournamentSettings,
};

/// The resolved configuration. Written beside every output, so paths are as the file gives them.
#[derive(Debug, Clone, Serialize)]
pub struct Settings {
    /// The study's name.
    pub name: String,
    /// The seed of all chance.
    pub seed: u64,
    /// Topics.
    pub topics: PathBuf,
    /// Corpus, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corpus: Option<PathBuf>,
    /// Rubric; the built-in one if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rubric: Option<PathBuf>,
    /// Labels made elsewhere, to compare with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<PathBuf>,
    /// Measures, the first decides. [`Study::open`](crate::Study::open) fills them in where nothing is said.
    pub measures: Vec<Measure>,
    /// How many of each system's documents are judged.
    pub pool_depth: usize,
    /// How many documents a retriever returns.
    pub retrieve_depth: usize,
    /// How systems are compared.
    pub compare: CompareSettings,
    /// When to stop paying.
    pub budget: BudgetSettings,
    /// The systems.
    pub systems: Vec<SystemSettings>,
    /// The judges.
    pub judges: Vec<JudgeSettings>,
    /// How they compare, where they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TournamentSettings>,
    /// Who grades a few documents of each tier.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub graders: Vec<JudgeSettings>,
    /// What is written and has no effect.
    #[serde(skip)]
    pub notes: Vec<String>,
}

/// How systems are compared.
#[derive(Debug, Clone, Serialize)]
pub struct CompareSettings {
    /// The system that the others are compared with.
    pub baseline: String,
    /// The interval's confidence, between 0 and 1.
    pub confidence: f64,
    /// Bootstrap resamples.
    pub resamples: usize,
}

/// When to stop paying.
#[derive(Debug, Clone, Default, Serialize)]
pub struct BudgetSettings {
    /// Requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// Tokens of prompts and replies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usd: Option<f64>,
}

/// One system.
#[derive(Debug, Clone, Serialize)]
pub struct SystemSettings {
    /// Its name in every table.
    pub name: String,
    /// Where its results come from.
    #[serde(flatten)]
    pub source: SystemSource,
    /// The line of `llull.toml` that names it.
    #[serde(skip)]
    pub line: usize,
}

/// Where a system's results come from.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum SystemSource {
    /// A run file.
    Run {
        /// The file.
        run: PathBuf,
    },
    /// A retriever of llull's own.
    Retriever {
        /// Which.
        retriever: RetrieverKind,
        /// What it indexes.
        fields: Vec<Field>,
        /// BM25's k1.
        #[serde(skip_serializing_if = "Option::is_none")]
        k1: Option<f64>,
        /// BM25's b.
        #[serde(skip_serializing_if = "Option::is_none")]
        b: Option<f64>,
    },
}

/// The retrievers that are built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RetrieverKind {
    /// Okapi BM25 over words.
    Bm25,
    /// Cosine over character n-grams.
    Ngram,
}

/// A part of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// The title.
    Title,
    /// The text.
    Text,
}

/// The measures of a study that names none, where grades of at least `cutoff` are relevant: one for the order, one for
/// the first hit, two for what was found, one for what is known. Where no grade says "relevant" (`None`), only what needs
/// no such line: how near a system comes to the best order, what it gains, and what is known.
pub(crate) fn default_measures(cutoff: Option<Grade>) -> Result<Vec<Measure>, MeasureError> {
    let names: &[&str] = match cutoff {
        Some(_) => &["nDCG@10", "RR(rel=_)@10", "P(rel=_)@5", "R(rel=_)@10", "Judged@10"],
        None => &["Compat(p=0.9)", "nDCG@10", "Judged@10"],
    };
    // A grade below 1 is never relevant to a measure, whatever the rubric's lowest grades are.
    let rel = cutoff.unwrap_or(1).max(1);
    names.iter().map(|name| name.replace('_', &rel.to_string()).parse()).collect()
}

impl Settings {
    /// Puts file and overrides together.
    ///
    /// # Errors
    /// [`ConfigError::Value`] with the line, or [`ConfigError::Override`].
    pub fn resolve(
        file: StudyFile,
        text: &str,
        path: &Path,
        overrides: &Overrides,
    ) -> Result<Self, ConfigError> {
        let at = Place { text, path };
        if let Some(version) = &file.version
            && *version.get_ref() != FORMAT_VERSION
        {
            return Err(at.wrong(version, format!(
                "version {} of llull.toml is not one that this llull reads ({FORMAT_VERSION}); a newer llull may",
                version.get_ref()
            )));
        }
        let paradigm = paradigm(&file, overrides, &at)?;
        let tournament = tournament(&file, paradigm, &at)?;
        let systems = systems(&file, &at)?;
        let measures = measures(&file, &at, overrides)?;
        let name = file.name.clone().unwrap_or_else(|| folder_name(path));
        Ok(Self {
            name,
            seed: overrides.seed.or(file.seed).unwrap_or(42),
            topics: required(file.topics.as_ref(), "topics", "topics = \"topics.tsv\"", &at)?,
            corpus: file.corpus.as_ref().map(|path| PathBuf::from(path.get_ref())),
            rubric: file.rubric.as_ref().map(|path| PathBuf::from(path.get_ref())),
            reference: file.reference.as_ref().map(|path| PathBuf::from(path.get_ref())),
            measures,
            pool_depth: positive(file.pool.depth.as_ref(), overrides.depth, 10, "pool.depth", &at)?,
            retrieve_depth: positive(file.retrieve.depth.as_ref(), None, 100, "retrieve.depth", &at)?,
            compare: compare(&file, &systems, overrides, &at)?,
            budget: BudgetSettings {
                calls: overrides.max_calls.or(file.budget.calls),
                tokens: file.budget.tokens,
                usd: match &file.budget.usd {
                    Some(usd) if !(usd.get_ref().is_finite() && *usd.get_ref() >= 0.0) => {
                        return Err(at.wrong(usd, "budget.usd is an amount of US dollars, 0 or more"));
                    }
                    usd => usd.as_ref().map(|usd| *usd.get_ref()),
                },
            },
            judges: judges(&file, paradigm, overrides, &at)?,
            graders: match &tournament {
                Some(tournament) if tournament.labels == TierScheme::Anchored => {
                    graders(&file, overrides, &at)?
                }
                _ => Vec::new(),
            },
            notes: without_effect(&file, tournament.as_ref()),
            tournament,
            systems,
        })
    }
}

/// The file, for messages.
pub(super) struct Place<'a> {
    text: &'a str,
    path: &'a Path,
}

impl Place<'_> {
    fn line<T>(&self, value: &Spanned<T>) -> usize {
        let before = self.text.get(..value.span().start).unwrap_or_default();
        before.bytes().filter(|byte| *byte == b'\n').count() + 1
    }

    pub(super) fn wrong<T>(&self, value: &Spanned<T>, message: impl Into<String>) -> ConfigError {
        ConfigError::Value {
            file: self.path.display().to_string(),
            line: self.line(value),
            message: message.into(),
        }
    }

    fn missing(&self, message: impl std::fmt::Display) -> ConfigError {
        ConfigError::Syntax { file: self.path.display().to_string(), message: message.to_string() }
    }
}

fn folder_name(path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let full = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    full.file_name().map_or_else(|| String::from("study"), |name| name.to_string_lossy().into_owned())
}

fn required(
    value: Option<&Spanned<String>>,
    key: &str,
    example: &str,
    at: &Place<'_>,
) -> Result<PathBuf, ConfigError> {
    value
        .map(|value| PathBuf::from(value.get_ref()))
        .ok_or_else(|| at.missing(format!("it does not say `{key}`; add a line such as\n  {example}")))
}

fn positive(
    value: Option<&Spanned<usize>>,
    above: Option<usize>,
    default: usize,
    key: &str,
    at: &Place<'_>,
) -> Result<usize, ConfigError> {
    match (above, value) {
        (Some(0), _) => Err(ConfigError::Override(format!("{key} must be at least 1"))),
        (Some(depth), _) => Ok(depth),
        (None, Some(value)) if *value.get_ref() == 0 => {
            Err(at.wrong(value, format!("{key} must be at least 1")))
        }
        (None, value) => Ok(value.map_or(default, |value| *value.get_ref())),
    }
}

fn systems(file: &StudyFile, at: &Place<'_>) -> Result<Vec<SystemSettings>, ConfigError> {
    if file.systems.is_empty() {
        return Err(at.missing(
            "no system to evaluate; add at least one, such as\n  [[systems]]\n  name = \"mine\"\n  run = \"runs/mine.run\"",
        ));
    }
    let mut systems: Vec<SystemSettings> = Vec::with_capacity(file.systems.len());
    for table in &file.systems {
        let system = system(table, file, at)?;
        if systems.iter().any(|other| other.name == system.name) {
            return Err(
                at.wrong(table, format!("a second system is called {:?}; names must differ", system.name))
            );
        }
        systems.push(system);
    }
    Ok(systems)
}

fn system(
    table: &Spanned<SystemTable>,
    file: &StudyFile,
    at: &Place<'_>,
) -> Result<SystemSettings, ConfigError> {
    let SystemTable { name, run, retriever, fields, k1, b } = table.get_ref();
    if name.is_empty() || name.contains(['/', '\\', '\n', '\t']) || name.starts_with('.') {
        return Err(at.wrong(table, format!("{name:?} cannot be a system's name: it becomes a file's name")));
    }
    let source = match (run, retriever) {
        (Some(run), None) => {
            if fields.is_some() || k1.is_some() || b.is_some() {
                return Err(at.wrong(table, "`fields`, `k1` and `b` belong to a `retriever`, not to a `run`"));
            }
            SystemSource::Run { run: PathBuf::from(run) }
        }
        (None, Some(retriever)) => {
            if file.corpus.is_none() {
                return Err(at.wrong(
                    table,
                    "a retriever needs a corpus; add a line such as\n  corpus = \"corpus.jsonl\"",
                ));
            }
            let retriever = match retriever.as_str() {
                "bm25" => RetrieverKind::Bm25,
                "ngram" => RetrieverKind::Ngram,
                other => {
                    return Err(at.wrong(
                        table,
                        format!("retriever = {other:?} is not one; there are \"bm25\" and \"ngram\""),
                    ));
                }
            };
            if retriever == RetrieverKind::Ngram && (k1.is_some() || b.is_some()) {
                return Err(at.wrong(table, "`k1` and `b` are BM25's; an ngram retriever has none"));
            }
            SystemSource::Retriever {
                retriever,
                fields: parse_fields(fields.as_deref(), table, at)?,
                k1: *k1,
                b: *b,
            }
        }
        (Some(_), Some(_)) => {
            return Err(at.wrong(table, format!("system {name:?} has both `run` and `retriever`; keep one")));
        }
        (None, None) => {
            return Err(at.wrong(table, format!(
                "system {name:?} says neither where its results are (run = \"runs/{name}.run\") nor how to get them (retriever = \"bm25\")"
            )));
        }
    };
    Ok(SystemSettings { name: name.clone(), source, line: at.line(table) })
}

fn parse_fields(
    fields: Option<&[String]>,
    table: &Spanned<SystemTable>,
    at: &Place<'_>,
) -> Result<Vec<Field>, ConfigError> {
    let Some(fields) = fields else { return Ok(vec![Field::Title, Field::Text]) };
    let parsed = fields
        .iter()
        .map(|field| match field.as_str() {
            "title" => Ok(Field::Title),
            "text" => Ok(Field::Text),
            other => Err(at.wrong(
                table,
                format!("{other:?} is not a field of a document; there are \"title\" and \"text\""),
            )),
        })
        .collect::<Result<Vec<_>, _>>()?;
    if parsed.is_empty() {
        return Err(at.wrong(table, "`fields` is empty; name \"title\", \"text\" or both"));
    }
    Ok(parsed)
}

/// The measures that were asked for; none where nothing is said, and then the rubric decides.
fn measures(file: &StudyFile, at: &Place<'_>, overrides: &Overrides) -> Result<Vec<Measure>, ConfigError> {
    if !overrides.measures.is_empty() {
        let parse = |text: &String| {
            text.parse().map_err(|error: MeasureError| ConfigError::Override(error.to_string()))
        };
        return overrides.measures.iter().map(parse).collect();
    }
    let Some(measures) = &file.measures else { return Ok(Vec::new()) };
    if measures.is_empty() {
        return Err(at.missing("`measures` is empty; name at least one, such as\n  measures = [\"nDCG@10\"]"));
    }
    let parse = |text: &Spanned<String>| {
        text.get_ref().parse().map_err(|error: MeasureError| at.wrong(text, error.to_string()))
    };
    measures.iter().map(parse).collect()
}

fn compare(
    file: &StudyFile,
    systems: &[SystemSettings],
    overrides: &Overrides,
    at: &Place<'_>,
) -> Result<CompareSettings, ConfigError> {
    let names = || systems.iter().map(|system| system.name.as_str()).collect::<Vec<_>>().join(", ");
    let known = |name: &str| systems.iter().any(|system| system.name == name);
    let baseline = match (&overrides.baseline, &file.compare.baseline) {
        (Some(name), _) if !known(name) => {
            return Err(ConfigError::Override(format!(
                "--baseline {name}: no such system; there are {}",
                names()
            )));
        }
        (Some(name), _) => name.clone(),
        (None, Some(name)) if !known(name.get_ref()) => {
            return Err(at.wrong(
                name,
                format!("baseline {:?} is not a system; there are {}", name.get_ref(), names()),
            ));
        }
        (None, Some(name)) => name.get_ref().clone(),
        (None, None) => systems.first().map(|system| system.name.clone()).unwrap_or_default(),
    };
    let confidence = match &file.compare.confidence {
        Some(value) if !(0.5..1.0).contains(value.get_ref()) => {
            return Err(at.wrong(value, "compare.confidence lies from 0.5 to below 1; 0.95 is usual"));
        }
        value => value.as_ref().map_or(0.95, |value| *value.get_ref()),
    };
    let resamples = positive(file.compare.resamples.as_ref(), None, 10_000, "compare.resamples", at)?;
    if let Err(error) = (BootstrapOptions { resamples, confidence, ..BootstrapOptions::new(Seed(0)) }).check()
    {
        return Err(match (&file.compare.resamples, &file.compare.confidence) {
            (Some(resamples), _) => at.wrong(resamples, error.to_string()),
            (None, Some(confidence)) => at.wrong(confidence, error.to_string()),
            (None, None) => ConfigError::Override(error.to_string()),
        });
    }
    Ok(CompareSettings { baseline, confidence, resamples })
}
