//! Values of the command line and the environment.

use std::collections::BTreeMap;
use std::fmt::Display;

use llull_core::{AskAgain, Paradigm, shell_word};
use llull_data::Columns;
use serde::{Deserialize, Serialize};

use crate::base::KeptLabels;
use crate::error::ConfigError;
use crate::panel_rule::PanelRule;
use crate::query_settings::sample_value;
use crate::ranges::CONCURRENCY;

/// Values that override the file. `None` and empty lists leave it unchanged. Values for one run only are not
/// serialized.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Overrides {
    /// Judges: names of the file's, or models.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<String>,
    /// The address of every language model's server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The variables of judges' keys, in the form that [`judge_key`](crate::judge_key) reads.
    #[serde(skip)]
    pub keys: Vec<String>,
    /// The seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The pool's depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// Measures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<String>,
    /// The system that the others are compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// Metadata fields of the queries, for figures on each of their values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<String>,
    /// The queries that are judged and measured: files of identifiers, patterns of identifiers, `field=value`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<String>,
    /// The identifiers of these files, as the last run read them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub query_lists: BTreeMap<String, Vec<String>>,
    /// The size of a sample of the queries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample_queries: Option<usize>,
    /// The metadata field whose values get shares of that sample in proportion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample_by: Option<String>,
    /// The columns of tables.
    #[serde(skip_serializing_if = "Columns::is_empty")]
    pub columns: Columns,
    /// Requests at once, of every judge.
    #[serde(skip)]
    pub concurrency: Option<usize>,
    /// The prompt of every language model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The most requests of this run.
    #[serde(skip)]
    pub max_calls: Option<u64>,
    /// The beginning of the hash of an earlier rubric, for commands that send no request.
    #[serde(skip)]
    pub rubric_hash: Option<String>,
    /// The answers of earlier runs whose questions are repeated.
    #[serde(skip)]
    pub ask_again: Option<AskAgain>,
    /// The US dollars after which this run stops.
    #[serde(skip)]
    pub max_usd: Option<f64>,
    /// The form of judgements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paradigm: Option<Paradigm>,
    /// The method that combines several judges' grades to a label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<PanelRule>,
    /// The labels of an earlier report that are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<KeptLabels>,
    /// Whether a verdict is shown although a judge check failed.
    #[serde(skip)]
    pub ignore_checks: bool,
    /// Paraphrased queries, for this command.
    #[serde(skip)]
    pub paraphrases: Option<String>,
    /// The folder of the control study, for this command.
    #[serde(skip)]
    pub control: Option<String>,
    /// The values that the user did not choose.
    #[serde(skip)]
    pub of_study: OfStudy,
}

/// The values that come from the study's own files, such as `.env`, and so may be a stranger's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OfStudy {
    /// The file that names the judges.
    pub judges: Option<String>,
    /// The file that names the address.
    pub base_url: Option<String>,
    /// The file that names the prompt.
    pub prompt: Option<String>,
    /// The file that chooses queries.
    pub queries: Option<String>,
}

impl Overrides {
    /// Reads the environment: `LLULL_JUDGE` (several with commas), `LLULL_BASE_URL`, `LLULL_SEED`, `LLULL_CONCURRENCY`.
    ///
    /// # Errors
    /// Returns an error if a number cannot be read.
    pub fn from_environment(env: &dyn Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        Ok(Self {
            judges: env("LLULL_JUDGE")
                .map(|judges| judges.split(',').map(|judge| judge.trim().to_owned()).collect())
                .unwrap_or_default(),
            base_url: env("LLULL_BASE_URL"),
            seed: number(env, "LLULL_SEED")?,
            concurrency: concurrency(env)?,
            ..Self::default()
        })
    }

    /// Returns the values that are saved of a run, and the variables of keys, in the form of the command line: the seed
    /// first, since it is a variable of the environment, then the flags.
    pub fn as_typed(&self) -> String {
        let mut typed: Vec<String> = Vec::new();
        typed.extend(self.seed.map(|seed| format!("LLULL_SEED={seed}")));
        typed.extend(self.paradigm.map(|paradigm| flag("paradigm", paradigm.name())));
        typed.extend(self.method.map(|method| flag("method", method)));
        typed.extend(self.judges.iter().map(|judge| flag("judge", judge)));
        typed.extend(self.base_url.iter().map(|url| flag("base-url", url)));
        typed.extend(self.keys.iter().map(|key| flag("key", key)));
        typed.extend(self.prompt.iter().map(|prompt| flag("prompt", prompt)));
        typed.extend(self.depth.map(|depth| flag("depth", depth)));
        typed.extend(self.measures.iter().map(|measure| flag("measure", measure)));
        typed.extend(self.slices.iter().map(|field| flag("slice", field)));
        typed.extend(self.queries.iter().map(|queries| flag("queries", queries)));
        let sample = self.sample_queries.map(|size| sample_value(size, self.sample_by.as_deref()));
        typed.extend(sample.map(|sample| flag("sample-queries", sample)));
        typed.extend((!self.columns.is_empty()).then(|| flag("columns", &self.columns)));
        typed.extend(self.baseline.iter().map(|baseline| flag("baseline", baseline)));
        typed.extend(self.kept.iter().map(|kept| flag("changed", &kept.report)));
        typed.join(" ")
    }

    /// Returns whether some queries are chosen.
    fn chooses_queries(&self) -> bool {
        !self.queries.is_empty() || self.sample_queries.is_some()
    }

    /// Marks these values as read from a file of the study's. They count as the study's reach; unmarked values are the
    /// user's own choice.
    #[must_use]
    pub fn from_file(self, file: &str) -> Self {
        let mark = |said: bool| said.then(|| file.to_owned());
        let of_study = OfStudy {
            judges: mark(!self.judges.is_empty()),
            base_url: mark(self.base_url.is_some()),
            prompt: mark(self.prompt.is_some()),
            queries: mark(!self.queries.is_empty()),
        };
        Self { of_study, ..self }
    }

    /// Returns these values, completed by those of `below`.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        let list = |above: Vec<String>, below: Vec<String>| if above.is_empty() { below } else { above };
        let chooses_queries = self.chooses_queries();
        let (mine, theirs) = (self.of_study, below.of_study);
        let of_study = OfStudy {
            judges: if self.judges.is_empty() { theirs.judges } else { mine.judges },
            base_url: if self.base_url.is_none() { theirs.base_url } else { mine.base_url },
            prompt: if self.prompt.is_none() { theirs.prompt } else { mine.prompt },
            queries: if chooses_queries { mine.queries } else { theirs.queries },
        };
        // A choice of queries replaces the other whole: its sample is one of its own queries.
        let (queries, query_lists, sample_queries, sample_by) = match chooses_queries {
            true => (self.queries, self.query_lists, self.sample_queries, self.sample_by),
            false => (below.queries, below.query_lists, below.sample_queries, below.sample_by),
        };
        Self {
            of_study,
            judges: list(self.judges, below.judges),
            base_url: self.base_url.or(below.base_url),
            keys: list(self.keys, below.keys),
            seed: self.seed.or(below.seed),
            depth: self.depth.or(below.depth),
            measures: list(self.measures, below.measures),
            baseline: self.baseline.or(below.baseline),
            slices: list(self.slices, below.slices),
            queries,
            query_lists,
            sample_queries,
            sample_by,
            columns: below.columns.overruled(&self.columns),
            concurrency: self.concurrency.or(below.concurrency),
            prompt: self.prompt.or(below.prompt),
            max_calls: self.max_calls.or(below.max_calls),
            rubric_hash: self.rubric_hash.or(below.rubric_hash),
            ask_again: self.ask_again.or(below.ask_again),
            max_usd: self.max_usd.or(below.max_usd),
            paradigm: self.paradigm.or(below.paradigm),
            method: self.method.or(below.method),
            paraphrases: self.paraphrases.or(below.paraphrases),
            control: self.control.or(below.control),
            kept: self.kept.or(below.kept),
            ignore_checks: self.ignore_checks || below.ignore_checks,
        }
    }
}

fn flag(name: &str, value: impl Display) -> String {
    format!("--{name} {}", shell_word(&value.to_string()))
}

fn concurrency(env: &dyn Fn(&str) -> Option<String>) -> Result<Option<usize>, ConfigError> {
    match number(env, "LLULL_CONCURRENCY")? {
        Some(wanted) if !CONCURRENCY.contains(&wanted) => Err(ConfigError::Override(format!(
            "LLULL_CONCURRENCY={wanted} in the environment is not from {} to {}",
            CONCURRENCY.start(),
            CONCURRENCY.end()
        ))),
        wanted => Ok(wanted),
    }
}

fn number<T: std::str::FromStr>(
    env: &dyn Fn(&str) -> Option<String>,
    name: &str,
) -> Result<Option<T>, ConfigError> {
    env(name)
        .map(|text| {
            text.trim().parse().map_err(|_| {
                ConfigError::Override(format!(
                    "{name}={text:?} in the environment is not a whole number; set one or unset it"
                ))
            })
        })
        .transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_comes_before_the_flags() {
        let saved = Overrides { seed: Some(7), depth: Some(2), ..Overrides::default() };
        assert_eq!(saved.as_typed(), "LLULL_SEED=7 --depth 2");
        let copied = Overrides { judges: vec!["my judge".into()], keys: vec!["m=KEY".into()], ..saved };
        assert_eq!(copied.as_typed(), "LLULL_SEED=7 --judge 'my judge' --key m=KEY --depth 2");
    }
}
