//! A judge of the user's own: a program, or a server.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use llull_core::Paradigm;
use llull_llm::Address;
use llull_runner::{AccountLimits, ExpectedAnswers, ScoreForm, Scores};
use serde::Serialize;

use crate::command::CommandSettings;
use crate::defaults::USUAL_TIMEOUT;
use crate::file::JudgeTable;
use crate::judge_ranges as ranges;
use crate::place::JudgeFault;
use crate::remote::variable;
use crate::remote::without_query;

/// A judge of the user's own: its source and its context.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OwnJudgeSettings {
    /// The program or server.
    #[serde(flatten)]
    pub source: OwnJudgeSource,
    /// Where a program runs, if not in the study's folder.
    #[serde(skip)]
    pub dir: Option<PathBuf>,
    /// The expected answers, for topics that stand for a query and an expected answer.
    #[serde(skip)]
    pub expected: Arc<ExpectedAnswers>,
}

/// The program or server of a judge of the user's own.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum OwnJudgeSource {
    /// A program; its timeout holds for one answer.
    Command(CommandSettings),
    /// A server.
    Endpoint(EndpointSettings),
    /// A function of the program that runs the study, which alone can ask it.
    Function {
        /// Its name and its version: `NAME@VERSION`.
        function: String,
    },
}

/// A server that questions are posted to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EndpointSettings {
    /// The address. Its query, which may hold a key, is not serialized.
    #[serde(serialize_with = "without_query")]
    pub endpoint: String,
    /// The variable of the environment that has its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The time limit of an answer, in seconds.
    pub timeout: u64,
    /// The limits of the account.
    #[serde(flatten)]
    pub limits: AccountLimits,
    /// The form of a server that scores documents, which order them.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Scores>,
}

impl EndpointSettings {
    /// Returns the time limit of an answer.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }
}

impl OwnJudgeSource {
    /// Returns the word in place of a model's name.
    pub fn model(&self) -> &'static str {
        match self {
            Self::Command(_) => "command",
            Self::Endpoint(_) => "endpoint",
            Self::Function { .. } => "function",
        }
    }

    /// Returns the form of a server that scores documents.
    pub fn scores(&self) -> Option<&Scores> {
        match self {
            Self::Endpoint(endpoint) => endpoint.scores.as_ref(),
            Self::Command(_) | Self::Function { .. } => None,
        }
    }

    /// Returns whether it is a server that scores documents.
    pub fn has_scores(&self) -> bool {
        self.scores().is_some()
    }

    /// Returns the function that `function:` names: `NAME@VERSION`.
    pub(crate) fn function(written: &str) -> Result<Self, JudgeFault> {
        match written.split_once('@') {
            Some((name, version)) if !name.is_empty() && !version.is_empty() => {
                Ok(Self::Function { function: written.to_owned() })
            }
            _ => Err("`function:` needs the name and the version of a function, as llull.Study writes it: \
                      `function:NAME@VERSION`"
                .into()),
        }
    }
}

/// Returns the judge of a table that has `command` or `endpoint`; `None` if it has neither.
pub(crate) fn own_judge(
    table: &JudgeTable,
    paradigm: Paradigm,
) -> Result<Option<OwnJudgeSettings>, JudgeFault> {
    let timeout = ranges::timeout(table.timeout.as_ref())?.unwrap_or(USUAL_TIMEOUT);
    let source = match (&table.command, &table.endpoint) {
        (None, None) if table.env.is_some() => {
            return Err(
                "`env` is for a judge that is a program: command = [\"python3\", \"judge.py\"]".into()
            );
        }
        (None, None) => return Ok(None),
        (Some(_), Some(_)) => return Err("a judge has a `command` or an `endpoint`, not both".into()),
        (Some(_), None) if table.key.is_some() => {
            return Err(
                "a program gets variables by `env`, for example env = [\"MY_KEY\"]; `key` is for an endpoint"
                    .into(),
            );
        }
        (Some(command), None) => {
            OwnJudgeSource::Command(CommandSettings::of(command, table.env.as_deref(), Some(timeout as f64))?)
        }
        (None, Some(_)) if table.env.is_some() => {
            return Err("`env` is for a program; an endpoint has key = \"NAME\", a variable".into());
        }
        (None, Some(endpoint)) => {
            Address::parse(endpoint).map_err(|error| error.to_string())?;
            let (endpoint, key, scores) = (endpoint.clone(), named_key(table)?, scores(table)?);
            let limits = ranges::limits(table)?;
            OwnJudgeSource::Endpoint(EndpointSettings { endpoint, key, timeout, limits, scores })
        }
    };
    let threshold = source.scores().map(|scores| scores.threshold.is_some());
    match (paradigm, threshold) {
        (Paradigm::Graded, Some(false)) => {
            return Err(
                "`scores` order documents and are no grades; set paradigm = \"listwise\", or threshold = 0.5, the \
                        score from which a document has the higher of two grades"
                    .into(),
            );
        }
        (Paradigm::Pairwise | Paradigm::Listwise, Some(true)) => {
            return Err("`threshold` makes grades of scores, and these judges compare; leave it out".into());
        }
        (Paradigm::Pairwise | Paradigm::Listwise, None) => {
            return Err(
                "a judge with a `command` or an `endpoint` grades documents and compares none, but for one \
                        with `scores`; leave it out, or set paradigm = \"graded\""
                    .into(),
            );
        }
        _ => {}
    }
    if table.name.as_deref().is_none_or(|name| name.trim().is_empty()) {
        return Err("a judge with a `command` or an `endpoint` needs a name: name = \"mine\"".into());
    }
    Ok(Some(OwnJudgeSettings { source, dir: None, expected: Arc::default() }))
}

/// Returns an endpoint's score format, the model to name in requests, the threshold and the price.
fn scores(table: &JudgeTable) -> Result<Option<Scores>, JudgeFault> {
    let Some(written) = &table.scores else { return Ok(None) };
    let name = written.get_ref();
    let Some(form) = ScoreForm::ALL.into_iter().find(|form| form.name() == name) else {
        let names = ScoreForm::ALL.map(ScoreForm::name).join(", ");
        return Err(JudgeFault::of(
            written,
            format!("`scores` is the form of a reranker, one of {names}; not {name:?}"),
        ));
    };
    if table.model.is_none() && form != ScoreForm::Tei {
        let message = format!("a reranker of {name} needs the name of its model: model = \"...\"");
        return Err(JudgeFault::of(written, message));
    }
    let (threshold, price) =
        (ranges::threshold(table.threshold.as_ref())?, ranges::score_price(table.price.as_ref(), form)?);
    Ok(Some(Scores { form, model: table.model.clone(), threshold, price }))
}

/// Returns the variable of a judge's key.
pub(crate) fn named_key(table: &JudgeTable) -> Result<Option<String>, JudgeFault> {
    let Some(written) = &table.key else { return Ok(None) };
    let name = variable("key", written.get_ref(), "the key");
    name.map(Some).map_err(|message| JudgeFault::of(written, message))
}
