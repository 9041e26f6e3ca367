//! Checks whether two figures were measured alike.
//!
//! They are in one report, or in a report and an earlier one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A condition under which a figure was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// The texts of the documents.
    Corpus,
    /// The queries and their texts.
    Queries,
    /// The rubric, which defines relevance.
    Rubric,
    /// The judges, and how several of them count.
    Judge,
}

impl Condition {
    /// Returns its name: `corpus`, `queries`, `rubric`, `judge`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Corpus => "corpus",
            Self::Queries => "queries",
            Self::Rubric => "rubric",
            Self::Judge => "judge",
        }
    }
}

/// One condition that differs between compared figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Incomparability {
    /// The condition that differs.
    pub of: Condition,
    /// The difference, and its consequence, in one or two sentences.
    pub sentence: String,
}

impl Incomparability {
    /// A condition with its sentence.
    pub fn new(of: Condition, sentence: impl Into<String>) -> Self {
        Self { of, sentence: sentence.into() }
    }

    /// The same as one line: `not measured alike (corpus): ...`
    pub fn line(&self) -> String {
        format!("not measured alike ({}): {}", self.of.name(), self.sentence)
    }
}

/// The comparison with an earlier report: conditions that the two do not share, and changed figures.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SinceSection {
    /// The earlier report's name: its file.
    pub name: String,
    /// The study that it is of.
    pub study: String,
    /// The conditions that differ; empty if they were measured alike.
    pub unlike: Vec<Incomparability>,
    /// Other changes, a sentence each: runs, the pool, labels, settings.
    pub changed: Vec<String>,
    /// The figures that both have, system by system.
    pub figures: Vec<SinceFigure>,
    /// The comparisons that came out otherwise, a sentence each.
    pub decisions: Vec<String>,
}

/// A figure then and now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SinceFigure {
    /// The system.
    pub system: String,
    /// The measure.
    pub measure: String,
    /// The mean then; null if there was none.
    pub before: Option<f64>,
    /// The mean now; null if it is undefined.
    pub now: Option<f64>,
    /// The mean now less the mean then; null if either is null.
    pub difference: Option<f64>,
}

/// The same as templates need it.
#[derive(Serialize)]
pub(crate) struct SinceView<'a> {
    pub(crate) verdict: String,
    #[serde(flatten)]
    pub(crate) since: &'a SinceSection,
}

impl SinceSection {
    /// A sentence on whether figures of the two reports may be compared.
    pub fn verdict(&self) -> String {
        let mut unlike: Vec<Condition> = self.unlike.iter().map(|condition| condition.of).collect();
        unlike.sort_unstable();
        unlike.dedup();
        let names: Vec<&str> = unlike.into_iter().map(Condition::name).collect();
        match names.as_slice() {
            [] => "Both reports have the same corpus, queries, rubric and judges, as far as the pooled texts show."
                .to_owned(),
            [only] => format!("The two reports differ in {only}: their figures cannot be compared."),
            [first @ .., last] => format!(
                "The two reports differ in {} and {last}: their figures cannot be compared.",
                first.join(", ")
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_names_each_condition_once() {
        let mut since = SinceSection::default();
        assert!(since.verdict().contains("the same corpus"));
        let judge = || Incomparability::new(Condition::Judge, "judge b is new");
        since.unlike = vec![judge(), Incomparability::new(Condition::Corpus, "texts"), judge()];
        let verdict = since.verdict();
        assert_eq!(verdict, "The two reports differ in corpus and judge: their figures cannot be compared.");
    }
}
