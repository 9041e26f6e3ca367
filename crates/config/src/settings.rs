//! The resolved configuration.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use llull_core::{AskAgain, Document, Grade, Qrels, Scale, Topics};
use llull_data::{Columns, CorpusFields};
use llull_judge::Rubric;
use llull_label::TierScheme;
use llull_metrics::{Measure, WrittenMeasure};
use llull_report::CheckCondition;
use llull_stats::{BootstrapOptions, Gate};
use serde::Serialize;

use crate::{
    base::{BaseSettings, base},
    defaults::{POOL_DEPTH, RETRIEVE_DEPTH, default_recheck},
    error::ConfigError,
    escalate::{EscalateSettings, escalate},
    file::{ContaminationTable, StudyFile},
    folder::FORMAT_VERSION,
    gates::gates,
    intervals::intervals,
    judge_keys::set_keys,
    judges::{JudgeKind, JudgeSettings, graders, judges},
    label_file::LabelReading,
    live::LiveSource,
    measures::measures,
    method::{idle_method, method},
    overrides::Overrides,
    panel_annotators::annotators_apart,
    panel_rule::PanelRule,
    place::Place,
    pool::of_reference,
    postgres::{ADDRESS, is_variable},
    query_settings::QuerySettings,
    ranges::{self, WholeRange},
    source::Source,
    spanned::Spanned,
    systems::{SystemSettings, SystemSource, systems},
    tournament::{TournamentSettings, paradigm, tournament, without_effect},
    tree::tree_sources,
};

/// The resolved configuration. It is written next to every output, so its paths are those of the file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Settings {
    /// The study's name.
    pub name: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Topics.
    pub topics: Source<Topics>,
    /// The queries that are judged and measured, if not all are.
    #[serde(skip_serializing_if = "QuerySettings::is_all")]
    pub queries: QuerySettings,
    /// Corpus, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corpus: Option<Source<Vec<Document>>>,
    /// Rubric; `None` for the built-in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rubric: Option<Source<Rubric>>,
    /// Existing labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<BaseSettings>,
    /// Labels made elsewhere, to compare with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Source<Qrels>>,
    /// Whether the labels to compare with are the human labels of the study's sample: `reference = "the reviewers"`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reference_people: bool,
    /// The reading of their grades.
    #[serde(skip_serializing_if = "LabelReading::is_usual")]
    pub reference_reading: LabelReading,
    /// Measures; the first one gives the verdict. `Study::open` makes them of
    /// [`written_measures`](Self::written_measures) and the rubric's cutoff.
    pub measures: Vec<Measure>,
    /// Measures as written; empty if the study names none.
    #[serde(skip)]
    pub written_measures: Vec<WrittenMeasure>,
    /// The variable with the address of the ledger's database, if it is in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ledger: Option<String>,
    /// Data that shows whether judges know the collection.
    #[serde(skip_serializing_if = "ContaminationSettings::is_empty")]
    pub contamination: ContaminationSettings,
    /// Conditions for judges: bounds on the figures of judge checks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckCondition>,
    /// Conditions on systems, which fail a build. As with [`measures`](Self::measures), `Study::open` fills in the
    /// relevance level of their measures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<Gate>,
    /// Whether a verdict is shown although a judge check failed. It holds for one command.
    #[serde(skip)]
    pub ignore_checks: bool,
    /// The number of each system's documents that are judged.
    pub pool_depth: usize,
    /// Whether the pairs of the reference are judged instead: `pool = "qrels"`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pool_of_reference: bool,
    /// The number of documents that a retriever returns.
    pub retrieve_depth: usize,
    /// The fields of the corpus that are read, if they are not the usual ones.
    #[serde(skip_serializing_if = "is_usual")]
    pub corpus_fields: CorpusFields,
    /// The columns of tables that do not have their usual names.
    #[serde(skip_serializing_if = "Columns::is_empty")]
    pub columns: Columns,
    /// The comparison of systems.
    pub compare: CompareSettings,
    /// Limits of cost, for all requests that the study's ledger records, of every judge.
    pub budget: BudgetSettings,
    /// The limits of this run, whatever the budget has left.
    #[serde(skip)]
    pub run_limits: BudgetSettings,
    /// The answers of earlier runs whose questions this run repeats.
    #[serde(skip)]
    pub ask_again: Option<AskAgain>,
    /// The systems.
    pub systems: Vec<SystemSettings>,
    /// The method that combines several judges' grades to a label, fractional by default; or their votes, the majority
    /// by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<PanelRule>,
    /// The judges.
    pub judges: Vec<JudgeSettings>,
    /// The escalation to a stronger judge, which is the one of `graders` then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escalate: Option<EscalateSettings>,
    /// The comparisons of documents, if judges compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TournamentSettings>,
    /// The share of questions that are repeated, from 0 to 1, to measure how consistent judges are.
    ///
    /// Judges that compare get them in another order (reversed, or half of the lists rotated) and in the same order,
    /// judges that grade in the same order. No question is repeated if it is 0, else at least `LEAST_RECHECKS`. The
    /// answers do not count as votes.
    pub recheck: f64,
    /// Whether `recheck` is the default. Then judges with too few grades for a result get no repeated question.
    #[serde(skip)]
    pub recheck_by_default: bool,
    /// The judges that grade a few documents of each tier, or the hard pairs, or for a tree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub graders: Vec<JudgeSettings>,
    /// Remarks on keys that have no effect.
    #[serde(skip)]
    pub notes: Vec<String>,
}

fn is_usual(fields: &CorpusFields) -> bool {
    *fields == CorpusFields::default()
}

/// Data that shows whether judges know the collection.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ContaminationSettings {
    /// Paraphrased queries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paraphrases: Option<Source<Topics>>,
    /// The folder of a study whose collection is newer than the judges' models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<PathBuf>,
}

impl ContaminationSettings {
    fn new(file: &StudyFile, overrides: &Overrides) -> Self {
        let ContaminationTable { paraphrases, control } = &file.contamination;
        Self {
            paraphrases: overrides.paraphrases.as_ref().or(paraphrases.as_ref()).map(Source::file),
            control: overrides.control.as_ref().or(control.as_ref()).map(PathBuf::from),
        }
    }

    fn is_empty(&self) -> bool {
        self.paraphrases.is_none() && self.control.is_none()
    }
}

/// The comparison of systems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompareSettings {
    /// The system that the others are compared with.
    pub baseline: String,
    /// The interval's confidence, between 0 and 1.
    pub confidence: f64,
    /// Bootstrap resamples.
    pub resamples: usize,
    /// Metadata fields of the queries, for figures on each of their values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<String>,
}

/// Limits of cost.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
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

impl BudgetSettings {
    /// Subtracts costs from the limits, none below 0. A cost with an unknown price leaves the limit in dollars
    /// unchanged.
    pub fn spend(&mut self, calls: u64, tokens: u64, usd: Option<f64>) {
        let left = |limit: Option<u64>, spent: u64| limit.map(|limit| limit.saturating_sub(spent));
        self.calls = left(self.calls, calls);
        self.tokens = left(self.tokens, tokens);
        self.usd = self.usd.map(|limit| (limit - usd.unwrap_or(0.0)).max(0.0));
    }
}

impl Settings {
    /// Returns the lowest relevant grade of the labels under a rubric with this cutoff; `None` if no grade means
    /// "relevant".
    pub fn relevant_from(&self, cutoff: Grade) -> Option<Grade> {
        self.tournament.as_ref().map_or(Some(cutoff), |found| found.labels.relevant_from(cutoff))
    }

    /// Returns the lowest grade that measures of relevance count as relevant if they name none, under a rubric with
    /// this cutoff: for labels without a grade that means relevant, a convention.
    pub fn measured_from(&self, cutoff: Grade) -> Grade {
        self.tournament.as_ref().map_or(cutoff, |found| found.labels.measured_from(cutoff))
    }

    /// Returns the lowest grade of the labels, whose gain is 0, under a rubric with this scale. Labels that are places
    /// in an order start at 0.
    pub fn lowest(&self, scale: Scale) -> Grade {
        let on_scale = self.tournament.as_ref().is_none_or(|found| found.labels == TierScheme::Anchored);
        if on_scale { scale.low() } else { 0 }
    }

    /// Combines file and overrides.
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
        let intervals = intervals(&file, overrides, &at)?;
        let paradigm = paradigm(&file, overrides, &at)?;
        let tournament = tournament(&file, paradigm, &at)?;
        let systems = systems(&file, &at)?;
        let written_measures = measures(&file, &at, overrides)?;
        let mut judges = judges(&file, paradigm, overrides, &at)?;
        let sources = tree_sources(&file, tournament.as_ref(), overrides, &mut judges, &at)?;
        let escalate = escalate(&file, tournament.as_ref(), overrides, &mut judges, &at)?;
        let method = method(&file, overrides, paradigm, judges.len(), &at)?;
        let mut notes = without_effect(&file, tournament.as_ref());
        notes.extend(escalate.note);
        notes.extend(idle_method(&file, paradigm, method, judges.len()));
        let name = file.name.clone().unwrap_or_else(|| folder_name(path));
        let columns = file.columns.0.clone().overruled(&overrides.columns);
        let mut settings = Self {
            name,
            seed: intervals.seed.0,
            topics: Source::File(required(file.topics.as_ref(), "topics", "topics = \"topics.tsv\"", &at)?),
            queries: QuerySettings {
                only: overrides.queries.clone(),
                sample: overrides.sample_queries,
                sample_by: overrides.sample_by.clone(),
                lists: overrides.query_lists.clone(),
            },
            corpus: file.corpus.as_ref().map(|path| Source::file(&path.get_ref().file)),
            corpus_fields: CorpusFields {
                columns: columns.clone(),
                ..file
                    .corpus
                    .as_ref()
                    .map_or_else(CorpusFields::default, |corpus| corpus.get_ref().fields.clone())
            },
            columns,
            rubric: file.rubric.as_ref().map(|path| Source::file(path.get_ref())),
            base: base(file.base.as_ref(), tournament.is_some(), &at)?,
            reference: file
                .reference
                .as_ref()
                .filter(|labels| !labels.get_ref().is_human_labels())
                .map(|labels| Source::file(&labels.get_ref().file)),
            reference_people: file
                .reference
                .as_ref()
                .is_some_and(|labels| labels.get_ref().is_human_labels()),
            reference_reading: file
                .reference
                .as_ref()
                .map_or_else(LabelReading::default, |labels| labels.get_ref().reading.clone()),
            measures: Vec::new(),
            written_measures,
            ledger: ledger(&file, &at)?,
            contamination: ContaminationSettings::new(&file, overrides),
            checks: checks(&file, &at)?,
            gates: gates(&file.gates, systems.len(), &at)?,
            ignore_checks: overrides.ignore_checks,
            pool_depth: within(
                ranges::POOL_DEPTH,
                file.pool.depth.as_ref(),
                overrides.depth,
                POOL_DEPTH,
                "pool.depth",
                &at,
            )?,
            pool_of_reference: of_reference(
                &file.pool,
                (file.base.as_ref(), file.reference.as_ref()),
                overrides,
                &at,
            )?,
            retrieve_depth: within(
                ranges::RETRIEVE_DEPTH,
                file.retrieve.depth.as_ref(),
                None,
                RETRIEVE_DEPTH,
                "retrieve.depth",
                &at,
            )?,
            compare: compare(&file, &systems, overrides, intervals, &at)?,
            budget: BudgetSettings {
                calls: file.budget.calls,
                tokens: file.budget.tokens,
                usd: match &file.budget.usd {
                    Some(usd) if !(usd.get_ref().is_finite() && *usd.get_ref() >= 0.0) => {
                        return Err(at.wrong(usd, "budget.usd is an amount of US dollars, 0 or more"));
                    }
                    usd => usd.as_ref().map(|usd| *usd.get_ref()),
                },
            },
            run_limits: BudgetSettings { calls: overrides.max_calls, tokens: None, usd: overrides.max_usd },
            ask_again: overrides.ask_again,
            method,
            judges,
            graders: match &tournament {
                Some(tournament) if tournament.labels == TierScheme::Anchored => {
                    graders(&file, overrides, &at)?
                }
                _ => escalate.strong.into_iter().chain(sources).collect(),
            },
            escalate: escalate.settings,
            recheck: recheck(&file, tournament.is_some(), &at)?,
            recheck_by_default: file.recheck.is_none(),
            notes,
            tournament,
            systems,
        };
        set_keys(&overrides.keys, &mut settings.judges, &mut settings.graders)?;
        settings.ca_files().into_iter().flatten().for_each(|file| *file = beside(path, file));
        let Self { judges, graders, method, escalate, .. } = &settings;
        annotators_apart((judges, graders), *method, escalate.as_ref())
            .map_err(|message| at.missing(message))?;
        Ok(settings)
    }
}

impl Settings {
    /// Returns the files of certificate authorities of every server, where it has one.
    fn ca_files(&mut self) -> Vec<Option<&mut PathBuf>> {
        let judges = self.judges.iter_mut().chain(&mut self.graders).map(|judge| match &mut judge.kind {
            JudgeKind::Prompted { ca_file, .. } => ca_file.as_mut(),
            _ => None,
        });
        let systems = self.systems.iter_mut().map(|system| match &mut system.source {
            SystemSource::Live(LiveSource::Remote(remote)) => remote.ca_file.as_mut(),
            _ => None,
        });
        judges.chain(systems).collect()
    }
}

/// Returns a path relative to the folder of the configuration as an absolute one.
fn beside(config: &Path, file: &Path) -> PathBuf {
    let joined = config.parent().unwrap_or(Path::new("")).join(file);
    std::path::absolute(&joined).unwrap_or(joined)
}

fn checks(file: &StudyFile, at: &Place<'_>) -> Result<Vec<CheckCondition>, ConfigError> {
    let conditions = file.checks.iter().map(|(name, bound)| {
        CheckCondition::parse(name, bound.get_ref()).map_err(|error| at.wrong(bound, error.to_string()))
    });
    conditions.collect()
}

fn recheck(file: &StudyFile, compares: bool, at: &Place<'_>) -> Result<f64, ConfigError> {
    match &file.recheck {
        Some(written) => {
            ranges::share(*written.get_ref()).map_err(|range| at.wrong(written, format!("recheck {range}")))
        }
        None => Ok(default_recheck(compares)),
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
        .ok_or_else(|| at.missing(format!("`{key}` is missing; add a line such as\n  {example}")))
}

fn within(
    range: WholeRange,
    value: Option<&Spanned<usize>>,
    above: Option<usize>,
    default: usize,
    key: &str,
    at: &Place<'_>,
) -> Result<usize, ConfigError> {
    let check = |number: usize| range.check(number as u64).map_err(|range| format!("{key} {range}"));
    match (above, value) {
        (Some(number), _) => check(number).map_err(ConfigError::Override)?,
        (None, Some(written)) => check(*written.get_ref()).map_err(|message| at.wrong(written, message))?,
        (None, None) => return Ok(default),
    };
    Ok(above.or(value.map(|value| *value.get_ref())).unwrap_or(default))
}

fn compare(
    file: &StudyFile,
    systems: &[SystemSettings],
    overrides: &Overrides,
    intervals: BootstrapOptions,
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
    let slices = if overrides.slices.is_empty() { &file.compare.slices } else { &overrides.slices };
    // Named twice, a field would double the number of comparisons.
    let mut named = BTreeSet::new();
    Ok(CompareSettings {
        baseline,
        confidence: intervals.confidence,
        resamples: intervals.resamples,
        slices: slices.iter().filter(|field| named.insert(field.as_str())).cloned().collect(),
    })
}

/// Returns the variable with the address of the ledger's database.
fn ledger(file: &StudyFile, at: &Place<'_>) -> Result<Option<String>, ConfigError> {
    let Some(variable) = &file.ledger else { return Ok(None) };
    match is_variable(variable.get_ref()) {
        true => Ok(Some(variable.get_ref().clone())),
        false => Err(at.wrong(
            variable,
            format!(
                "`ledger` names the environment variable with the address of a PostgreSQL database, such as \
                 \"{ADDRESS}\"; it is not the address, which may hold a password and is not shown"
            ),
        )),
    }
}
