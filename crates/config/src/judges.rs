//! The judges, resolved from file, environment and command line.

use std::path::PathBuf;
use std::sync::Arc;

use llull_core::{Paradigm, Qrels};
use llull_label::{GradeMap, GradeMapError};
use llull_llm::{AwsSettings, ChatModel, ExtraFields};
use llull_runner::{AccountLimits, Judge};
use serde::Serialize;

use crate::aws::aws;
use crate::custom::custom;
use crate::defaults::{USUAL_CONCURRENCY, USUAL_TIMEOUT};
use crate::error::ConfigError;
use crate::extra_fields::extra_fields;
use crate::file::{JudgeTable, StudyFile};
use crate::judge_ranges::{self as ranges, PriceSettings};
use crate::label_file::{ALL_ANNOTATORS, LabelReading};
use crate::overrides::Overrides;
use crate::own_judge::{OwnJudgeSettings, OwnJudgeSource, named_key, own_judge};
use crate::place::{JudgeFault, Place};
use crate::remote::without_query;
use crate::source::Source;
use crate::spanned::Spanned;

/// One judge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeSettings {
    /// Its name in every table.
    pub name: String,
    /// The model as written: `openai/gpt-4o-mini`, `similarity`, `replay`.
    pub model: String,
    /// The kind of judge.
    #[serde(flatten)]
    pub kind: JudgeKind,
    /// Questions at once.
    pub concurrency: usize,
    /// The weight of its votes, if several judges compare.
    #[serde(skip_serializing_if = "is_one")]
    pub weight: f64,
}

fn is_one(weight: &f64) -> bool {
    *weight == 1.0
}

fn optional_without_query<S: serde::Serializer>(
    address: &Option<String>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    without_query(address.as_deref().unwrap_or_default(), serializer)
}

/// The kinds of judge.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum JudgeKind {
    /// A language model with a prompt.
    Prompted {
        /// A built-in prompt's name, or a template file.
        prompt: String,
        /// Sampling.
        #[serde(flatten)]
        sampling: llull_core::Sampling,
        /// The longest part of a document that the prompt shows, in estimated tokens.
        document_tokens: u32,
        /// Whether the anchors' order is shuffled by the study's seed.
        shuffle_anchors: bool,
        /// Whether requests ask for log-probabilities.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        logprobs: bool,
        /// The server's address, if it is not the provider's own. Its query, which may hold a key, is not serialized.
        #[serde(skip_serializing_if = "Option::is_none", serialize_with = "optional_without_query")]
        base_url: Option<String>,
        /// The variable of the environment with its key, if it is not the provider's.
        #[serde(skip)]
        key: Option<String>,
        /// How its requests are signed, if no key is sent.
        #[serde(skip)]
        aws: Option<Box<AwsSettings>>,
        /// A file of certificate authorities that are trusted for that server, besides those of the system.
        #[serde(skip)]
        ca_file: Option<PathBuf>,
        /// Seconds that one request may take.
        timeout: u64,
        /// The limits of the account, beside those that its server states.
        #[serde(flatten)]
        limits: AccountLimits,
        /// The model's price, if it is configured.
        #[serde(skip_serializing_if = "Option::is_none")]
        price: Option<PriceSettings>,
        /// Fields that are added to the body of every request.
        #[serde(skip_serializing_if = "ExtraFields::is_empty")]
        extra: Box<ExtraFields>,
        /// The only field of documents that its prompts show; `None` for all.
        #[serde(skip)]
        attribute: Option<String>,
        /// The model, if it is the caller's own; else llull connects to it by name.
        #[serde(skip)]
        client: Option<CustomModel>,
    },
    /// A language model that answers from a recording.
    Recorded {
        /// The file: an export of the ledger that has its answers.
        recording: PathBuf,
        /// The longest part of a document that its prompts showed, in estimated tokens.
        document_tokens: u32,
    },
    /// Answers from qrels.
    Replay {
        /// The file, or the labels themselves.
        labels: Source<Qrels>,
        /// The scale of the labels, and their grades on the rubric's scale; inferred if it is not declared.
        #[serde(skip_serializing_if = "Option::is_none")]
        scale: Option<GradeMap>,
        /// How their grades are read.
        #[serde(flatten)]
        reading: LabelReading,
        /// Whether the labels are a judge's, so that verdicts have a track record.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        by_judge: bool,
    },
    /// The lexical similarity baseline.
    Similarity {},
    /// A small model that the study trained on labels and saved.
    Student {
        /// Its name.
        name: String,
    },
    /// A decision tree that `llull train` fitted to other judges' answers about a pair. It requests the answers that it
    /// needs.
    Tree {
        /// Its name.
        name: String,
    },
    /// An annotator, who labels in a review or on a sheet. Their labels in the ledger count; no run asks them.
    Annotator {
        /// The name of the annotator.
        #[serde(rename = "person")]
        annotator: String,
    },
    /// A program or a server of the user's own.
    Own(OwnJudgeSettings),
    /// A judge of the caller's own.
    Custom {
        /// The judge.
        #[serde(skip)]
        judge: CustomJudge,
    },
}

impl JudgeKind {
    /// Whether it is a language model that llull prompts, connected or recorded.
    pub fn is_language_model(&self) -> bool {
        matches!(self, Self::Prompted { .. } | Self::Recorded { .. })
    }

    /// The longest part of a document that a language model sees, in estimated tokens; `None` for other judges.
    pub fn document_tokens(&self) -> Option<u32> {
        match self {
            Self::Prompted { document_tokens, .. } | Self::Recorded { document_tokens, .. } => {
                Some(*document_tokens)
            }
            Self::Replay { .. }
            | Self::Similarity {}
            | Self::Student { .. }
            | Self::Tree { .. }
            | Self::Annotator { .. }
            | Self::Own(_)
            | Self::Custom { .. } => None,
        }
    }
}

custom! {
    /// A judge of the caller's own.
    CustomJudge: Judge;
    /// A language model of the caller's own.
    CustomModel: ChatModel;
}

/// The prefix of a student's name.
const STUDENT: &str = "student:";

/// The prefix of a decision tree's name.
const TREE: &str = "tree:";

/// The prefix of the name of a function.
const FUNCTION: &str = "function:";

/// The prefix of the name of a recorded language model.
const RECORDED: &str = "recorded:";

/// The prefix of an annotator's name where it names a judge. No provider of models has this name.
pub const PERSON_PREFIX: &str = "person/";

/// Returns the judges of the file, or those that the command line names.
pub(crate) fn judges(
    file: &StudyFile,
    paradigm: Paradigm,
    overrides: &Overrides,
    at: &Place<'_>,
) -> Result<Vec<JudgeSettings>, ConfigError> {
    let written = written(&file.judges, paradigm, overrides, at)?;
    let judges = if overrides.judges.is_empty() {
        written
    } else {
        overrides
            .judges
            .iter()
            .map(|wanted| chosen(wanted, &written, paradigm, overrides))
            .collect::<Result<Vec<_>, _>>()?
    };
    if let Some((index, message)) = same_name(&judges) {
        return Err(match file.judges.get(index) {
            Some(table) if overrides.judges.is_empty() => at.wrong(table, message),
            _ => ConfigError::Override(message),
        });
    }
    Ok(judges)
}

/// Returns the judges that grade a few documents of each tier.
///
/// The command line chooses judges, not these. Only its options for all language models hold for them: the server's
/// address, and the number of requests at once.
pub(crate) fn graders(
    file: &StudyFile,
    overrides: &Overrides,
    at: &Place<'_>,
) -> Result<Vec<JudgeSettings>, ConfigError> {
    let overrides = Overrides { prompt: None, ..overrides.clone() };
    let graders = written(&file.graders, Paradigm::Graded, &overrides, at)?;
    match same_name(&graders).and_then(|(index, message)| Some((file.graders.get(index)?, message))) {
        Some((table, message)) => Err(at.wrong(table, message)),
        None => Ok(graders),
    }
}

pub(crate) fn written(
    tables: &[Spanned<JudgeTable>],
    paradigm: Paradigm,
    overrides: &Overrides,
    at: &Place<'_>,
) -> Result<Vec<JudgeSettings>, ConfigError> {
    tables
        .iter()
        .map(|table| {
            judge(table.get_ref(), paradigm, overrides).map_err(|fault| at.wrong_judge(table, fault))
        })
        .collect()
}

/// The first judge with the name of an earlier one, or with the name of all annotators.
fn same_name(judges: &[JudgeSettings]) -> Option<(usize, String)> {
    if let Some(index) = judges.iter().position(|judge| judge.name.eq_ignore_ascii_case(ALL_ANNOTATORS)) {
        return Some((
            index,
            format!("{ALL_ANNOTATORS:?} means all annotators together; give the judge another `name`"),
        ));
    }
    let twice = |index: &usize| {
        judges
            .get(..*index)
            .is_some_and(|earlier| earlier.iter().any(|other| other.name == judges[*index].name))
    };
    let index = (0..judges.len()).find(twice)?;
    let name = &judges.get(index)?.name;
    Some((index, format!("two judges are called {name:?}; give each a `name` of its own")))
}

/// Returns the grading judges of these names without a `llull.toml`: models, or built-in judges.
///
/// Each is named after the last part of its model's name, and after the whole if two would have the same name.
///
/// # Errors
/// Returns an error if a name is no model's, or a required option is missing.
pub fn typed_judges(names: &[String], overrides: &Overrides) -> Result<Vec<JudgeSettings>, ConfigError> {
    let judges: Vec<JudgeSettings> =
        names.iter().map(|name| chosen(name, &[], Paradigm::Graded, overrides)).collect::<Result<_, _>>()?;
    let alike = |judge: &JudgeSettings| judges.iter().filter(|other| other.name == judge.name).count() > 1;
    let called = |judge: &JudgeSettings| match alike(judge) {
        true => JudgeSettings { name: judge.model.clone(), ..judge.clone() },
        false => judge.clone(),
    };
    Ok(judges.iter().map(called).collect())
}

/// The judge that `--judge` names: one of the file's by name, else a model.
fn chosen(
    wanted: &str,
    written: &[JudgeSettings],
    paradigm: Paradigm,
    overrides: &Overrides,
) -> Result<JudgeSettings, ConfigError> {
    if let Some(judge) = written.iter().find(|judge| judge.name == wanted) {
        return Ok(judge.clone());
    }
    let (model, labels) = match wanted.strip_prefix("replay:") {
        Some(labels) => ("replay", Some(labels.to_owned())),
        None => (wanted, None),
    };
    let named = model == "similarity"
        || [STUDENT, TREE, RECORDED, FUNCTION].iter().any(|kind| model.starts_with(kind));
    if !named && labels.is_none() && !model.contains('/') {
        let names = written.iter().map(|judge| judge.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(ConfigError::Override(format!(
            "--judge {wanted}: neither a judge of llull.toml ({}) nor a model; models are written provider/model, \
             such as openai/gpt-4o-mini, or similarity, student:NAME, tree:NAME, person/NAME, recorded:FILE or \
             replay:FILE",
            if names.is_empty() { "it has none" } else { &names }
        )));
    }
    let no_model = |message: String| ConfigError::NoModel { wanted: wanted.to_owned(), message };
    if labels.as_deref() == Some("") {
        return Err(no_model("`replay:` needs a file, for example `replay:labels.qrels`".into()));
    }
    let table = JudgeTable { model: Some(model.to_owned()), labels, ..JudgeTable::default() };
    judge(&table, paradigm, overrides).map_err(|fault| no_model(fault.message))
}

fn judge(table: &JudgeTable, paradigm: Paradigm, overrides: &Overrides) -> Result<JudgeSettings, JudgeFault> {
    let own = own_judge(table, paradigm)?;
    if let (Some(written), false) = (&table.scores, own.as_ref().is_some_and(|own| own.source.has_scores())) {
        return Err(JudgeFault::of(written, "`scores` is for a judge with an `endpoint`".to_owned()));
    }
    if let (Some(written), None) = (&table.threshold, &table.scores) {
        return Err(JudgeFault::of(written, "`threshold` is for a judge with `scores`".to_owned()));
    }
    let model = match (&table.model, &own) {
        (Some(model), None) => model.clone(),
        (None, Some(own)) => own.source.model().to_owned(),
        (Some(model), Some(own)) if own.source.has_scores() => model.clone(),
        (Some(_), Some(own)) => {
            return Err(format!(
                "a judge has a `model` or one of `command`, `endpoint`; this has a {}, too",
                own.source.model()
            )
            .into());
        }
        (None, None) => {
            return Err("a judge needs a model, such as model = \"openai/gpt-4o-mini\", \"similarity\" or \"replay\"; \
                        or command = [\"python3\", \"judge.py\"]; or endpoint = \"http://...\""
                .into());
        }
    };
    let kind = match own {
        Some(_) if has_keys_of_a_model(table) => return Err(no_model_keys(&model)),
        Some(own) => JudgeKind::Own(own),
        None => of_model(&model, table, paradigm, overrides)?,
    };
    if table.scale.is_some() && !matches!(kind, JudgeKind::Replay { .. }) {
        return Err("`scale` belongs to a replay judge; others grade on the rubric's scale".into());
    }
    if (table.round.is_some() || table.repeats.is_some()) && !matches!(kind, JudgeKind::Replay { .. }) {
        return Err("`round` and `repeats` belong to a replay judge: they set how its labels are read".into());
    }
    if table.by_judge.is_some() && !matches!(kind, JudgeKind::Replay { .. }) {
        return Err("`by_judge` belongs to a replay judge: it says whose labels are replayed".into());
    }
    if table.labels.is_some() && !matches!(kind, JudgeKind::Replay { .. }) {
        return Err("`labels` belongs to a replay judge (model = \"replay\")".into());
    }
    if matches!(kind, JudgeKind::Annotator { .. }) && paradigm != Paradigm::Graded {
        return Err(format!(
            "{model}: a person's comparisons are no votes, so a person is a judge only where judges grade; llull agree \
             --people compares the judges with human comparisons"
        )
        .into());
    }
    let concurrency = match overrides.concurrency.or(ranges::concurrency(table.concurrency.as_ref())?) {
        Some(concurrency) => concurrency,
        None if matches!(kind, JudgeKind::Prompted { .. } | JudgeKind::Own(_)) => USUAL_CONCURRENCY,
        None => std::thread::available_parallelism().map_or(2, std::num::NonZero::get),
    };
    // The judge's name differs from the annotator's, so that a name is unambiguous where either is allowed.
    let name = match &kind {
        JudgeKind::Annotator { .. } => table.name.clone().unwrap_or_else(|| model.clone()),
        _ => table.name.clone().unwrap_or_else(|| default_name(&model, table.labels.as_deref())),
    };
    let weight = match (ranges::weight(table.weight.as_ref())?, paradigm) {
        (None, _) => 1.0,
        (Some(_), Paradigm::Graded) => {
            return Err("`weight` is for judges that compare; graded judges' median has no weights".into());
        }
        (Some(weight), _) => weight,
    };
    Ok(JudgeSettings { name, model, kind, concurrency, weight })
}

/// Whether a table has keys that only a language model has.
fn has_keys_of_a_model(table: &JudgeTable) -> bool {
    table.prompt.is_some()
        || table.temperature.is_some()
        || table.top_p.is_some()
        || table.max_tokens.is_some()
        || table.seed.is_some()
        || table.document_tokens.is_some()
        || table.shuffle_anchors.is_some()
        || table.base_url.is_some()
        || (table.key.is_some() && table.endpoint.is_none())
        || table.aws.is_some()
        || table.ca_file.is_some()
        || table.logprobs.is_some()
        || table.extra.is_some()
        || (table.price.is_some() && table.scores.is_none())
        || (table.endpoint.is_none()
            && (table.requests_per_minute.is_some() || table.tokens_per_minute.is_some()))
}

fn no_model_keys(model: &str) -> JudgeFault {
    let lacks = "no prompt, sampling, address, key, price or limit of an account";
    format!("a {model} judge has {lacks}; remove those keys").into()
}

/// The kind of judge, by its model.
fn of_model(
    model: &str,
    table: &JudgeTable,
    paradigm: Paradigm,
    overrides: &Overrides,
) -> Result<JudgeKind, JudgeFault> {
    Ok(match model {
        // A recording has the model's settings, but not how much of a document its prompts showed.
        name if name.starts_with(RECORDED)
            && has_keys_of_a_model(&JudgeTable { document_tokens: None, ..table.clone() }) =>
        {
            return Err(no_model_keys(model));
        }
        name if has_keys_of_a_model(table)
            && (["similarity", "replay"].contains(&name)
                || [STUDENT, TREE, FUNCTION, PERSON_PREFIX].iter().any(|kind| name.starts_with(kind))) =>
        {
            return Err(no_model_keys(model));
        }
        "similarity" => JudgeKind::Similarity {},
        name if name.starts_with(STUDENT) => match &name[STUDENT.len()..] {
            "" => {
                return Err(
                    "`student:` needs the name of a trained student, for example `student:NAME`".into()
                );
            }
            name => JudgeKind::Student { name: name.to_owned() },
        },
        name if name.starts_with(TREE) => match &name[TREE.len()..] {
            "" => {
                return Err(
                    "`tree:` needs the name from `llull train --save`, for example `tree:NAME`".into()
                );
            }
            name => JudgeKind::Tree { name: name.to_owned() },
        },
        name if name.starts_with(FUNCTION) => {
            let source = OwnJudgeSource::function(&name[FUNCTION.len()..])?;
            JudgeKind::Own(OwnJudgeSettings { source, dir: None, expected: Arc::default() })
        }
        name if name.starts_with(RECORDED) => match &name[RECORDED.len()..] {
            "" => return Err("recorded: needs a file, for example recorded:answers.jsonl".into()),
            file => {
                let document_tokens = ranges::document_tokens(table.document_tokens.as_ref())?;
                let document_tokens = document_tokens.unwrap_or(llull_judge::DEFAULT_DOCUMENT_TOKENS);
                JudgeKind::Recorded { recording: PathBuf::from(file), document_tokens }
            }
        },
        name if name.starts_with(PERSON_PREFIX) => match name[PERSON_PREFIX.len()..].trim() {
            "" => return Err("`person/` needs the name of an annotator, for example `person/NAME`".into()),
            annotator => JudgeKind::Annotator { annotator: annotator.to_owned() },
        },
        "replay" => JudgeKind::Replay {
            labels: table
                .labels
                .clone()
                .map(Source::file)
                .ok_or("a replay judge answers from `labels = \"FILE\"`, a qrels file")?,
            scale: table
                .scale
                .as_ref()
                .map(|scale| scale.parse())
                .transpose()
                .map_err(|error: GradeMapError| error.to_string())?,
            reading: LabelReading::of(table.round, table.repeats.as_deref())?,
            by_judge: table.by_judge.unwrap_or_default(),
        },
        _ => prompted(model, table, paradigm, overrides)?,
    })
}

fn default_name(model: &str, labels: Option<&str>) -> String {
    if let Some((name, _)) = model.strip_prefix(FUNCTION).and_then(|function| function.split_once('@')) {
        return name.to_owned();
    }
    let last = labels.unwrap_or(model).rsplit('/').next().unwrap_or(model);
    let Some(recording) = last.strip_prefix(RECORDED).or(model.starts_with(RECORDED).then_some(last)) else {
        return last.to_owned();
    };
    let endings = [".gz", ".zst", ".jsonl"];
    let name = endings.iter().fold(recording, |name, ending| name.strip_suffix(ending).unwrap_or(name));
    if name.is_empty() { recording } else { name }.to_owned()
}

fn prompted(
    model: &str,
    table: &JudgeTable,
    paradigm: Paradigm,
    overrides: &Overrides,
) -> Result<JudgeKind, JudgeFault> {
    let (provider, _) = llull_llm::split_name(model).map_err(|error| error.to_string())?;
    let default = llull_core::Sampling::default();
    Ok(JudgeKind::Prompted {
        prompt: overrides
            .prompt
            .clone()
            .or_else(|| table.prompt.clone())
            .unwrap_or_else(|| paradigm.name().to_owned()),
        sampling: llull_core::Sampling {
            temperature: ranges::temperature(table.temperature.as_ref(), default.temperature)?,
            top_p: ranges::top_p(table.top_p.as_ref())?,
            max_tokens: ranges::max_tokens(table.max_tokens.as_ref())?.unwrap_or(default.max_tokens),
            seed: table.seed,
        },
        document_tokens: ranges::document_tokens(table.document_tokens.as_ref())?
            .unwrap_or(llull_judge::DEFAULT_DOCUMENT_TOKENS),
        shuffle_anchors: table.shuffle_anchors.unwrap_or(false),
        logprobs: table.logprobs.unwrap_or(false),
        base_url: overrides.base_url.clone().or_else(|| table.base_url.clone()),
        key: named_key(table)?,
        aws: aws(table.aws.as_ref(), provider, table.key.is_some())?,
        ca_file: table.ca_file.clone(),
        timeout: ranges::timeout(table.timeout.as_ref())?.unwrap_or(USUAL_TIMEOUT),
        limits: ranges::limits(table)?,
        price: ranges::price(table.price.as_ref())?,
        extra: Box::new(extra_fields(table.extra.as_ref(), provider)?),
        attribute: None,
        client: None,
    })
}
