//! The study: its rubric and its judges.

use std::fmt;

use llull_core::{ChosenQueries, Paradigm};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::text::{count, counted};

/// The study, its rubric and its judges.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StudySection {
    /// The study's name.
    pub name: String,
    /// The seed of everything random in it.
    pub seed: u64,
    /// Which queries were judged and measured; absent if all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queries: Option<QuerySelection>,
    /// The rubric, which defines "relevant" here.
    pub rubric: ReportRubric,
    /// The judges, in the order in which `topics` lists their answers.
    pub judges: Vec<ReportJudge>,
    /// How the judges' answers become one label: `the judge's grade`, `the median of 3 judges' grades`.
    pub aggregation: String,
    /// The kind of these labels and how reliable they are, in plain sentences.
    pub honesty: String,
}

/// The queries that were chosen among those of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuerySelection {
    /// How many were chosen.
    pub chosen: usize,
    /// How many there are.
    pub of: usize,
    /// How: `segment=head; sample by language, seed 42`.
    pub how: String,
}

impl From<&ChosenQueries> for QuerySelection {
    fn from(found: &ChosenQueries) -> Self {
        Self { chosen: found.ids.len(), of: found.of, how: found.how.clone() }
    }
}

/// `40 of 400 queries (sample by segment, seed 42)`
impl fmt::Display for QuerySelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} ({})", count(self.chosen), counted(self.of, "query"), self.how)
    }
}

/// The rubric's name and scale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReportRubric {
    /// Its name.
    pub name: String,
    /// The lowest grade.
    pub low: i32,
    /// The highest grade.
    pub high: i32,
    /// The lowest grade that counts as relevant.
    pub cutoff: i32,
}

/// One judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReportJudge {
    /// Its name in the study.
    pub name: String,
    /// The model as configured, such as `openai/gpt-4o-mini`; the file, for replayed labels.
    pub model: String,
    /// The prompt template's name; null for a judge that is not prompted.
    pub prompt: Option<String>,
    /// The kind of judge.
    pub kind: ReportJudgeKind,
    /// A sentence on how far a student agreed with its training labels, on queries outside the training; absent for
    /// other judges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<String>,
    /// The form of its requests; absent for a judge that grades one document at a time.
    #[serde(default = "graded", skip_serializing_if = "is_graded")]
    #[schemars(schema_with = "paradigm_schema")]
    pub paradigm: Paradigm,
}

/// The kind of judge, which decides how far to trust it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ReportJudgeKind {
    /// A language model that reads the rubric.
    #[serde(rename = "language model")]
    LanguageModel,
    /// Lexical similarity turned into grades.
    #[serde(rename = "similarity baseline")]
    SimilarityBaseline,
    /// A small model that learned from labels, and uses words only.
    #[serde(rename = "student")]
    Student,
    /// A decision tree learned from other judges' answers about pairs; it requests the answers that it needs.
    #[serde(rename = "tree")]
    Tree,
    /// Labels that were made elsewhere and read from a file.
    #[serde(rename = "replayed labels")]
    ReplayedLabels,
    /// A judge of the user's own: a program, a server, or code.
    #[serde(rename = "judge of one's own")]
    Own,
    /// Words that a passage shares with an expected answer.
    #[serde(rename = "shared words")]
    SharedWords,
    /// The cosine of the vectors of a passage and an expected answer.
    #[serde(rename = "nearness in meaning")]
    Meaning,
    /// An annotator who answered in a review.
    #[serde(rename = "person")]
    Annotator,
}

impl ReportJudgeKind {
    /// The name that JSON uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::LanguageModel => "language model",
            Self::SimilarityBaseline => "similarity baseline",
            Self::Student => "student",
            Self::Tree => "tree",
            Self::ReplayedLabels => "replayed labels",
            Self::Own => "judge of one's own",
            Self::SharedWords => "shared words",
            Self::Meaning => "nearness in meaning",
            Self::Annotator => "person",
        }
    }

    /// One sentence on how far to trust such labels.
    pub fn caution(self) -> &'static str {
        match self {
            Self::LanguageModel => "A language model's labels are not human labels.",
            Self::SimilarityBaseline => {
                "A lexical baseline rewards shared words and is not a judge of relevance: do not rely on these \
                 labels to choose a system, name a model with llull run --judge openai/MODEL instead."
            }
            Self::Student => {
                "A student repeats what labels have in common with words and does not read: it is for what nobody can \
                 afford to judge, and no better than it was on queries that it had not seen."
            }
            Self::Tree => {
                "A tree combines the answers of other judges, by the human preferences that it was trained on: \
                 elsewhere it is no better than they are until a sample of human labels shows it."
            }
            Self::ReplayedLabels => "Replayed labels are imported, and llull has not checked them.",
            Self::Own => {
                "llull does not know how good a judge of your own is: llull doctor --judge tests the form of its \
                 answers, and a sample that people grade shows whether it is right."
            }
            Self::SharedWords => {
                "Shared words know no synonyms and no negation: look at which passages were counted, and why, before \
                 you rely on them."
            }
            Self::Meaning => {
                "What is near in meaning may still deny the answer or name another thing: look at which passages were \
                 counted before you rely on the threshold."
            }
            Self::Annotator => {
                "A person's answers are those of one reader, about what this person was shown: have a second one \
                 answer some of it, and see how far they agree."
            }
        }
    }
}

/// The kind of labels that these judges make, in plain sentences: the names of each kind's judges, then one caution a
/// kind.
///
/// ```
/// use llull_core::Paradigm;
/// use llull_report::{ReportJudge, ReportJudgeKind, honesty};
/// let judge = ReportJudge {
///     name: "lexical".into(),
///     model: "similarity".into(),
///     prompt: None,
///     kind: ReportJudgeKind::SimilarityBaseline,
///     held_out: None,
///     paradigm: Paradigm::Graded,
/// };
/// assert!(honesty(&[judge]).starts_with("Labels by: similarity baseline lexical. A lexical baseline rewards"));
/// ```
pub fn honesty(judges: &[ReportJudge]) -> String {
    if judges.is_empty() {
        return "Labels by: nobody; no judge was configured.".to_owned();
    }
    let mut who = Vec::new();
    let mut cautions = String::new();
    for kind in [
        ReportJudgeKind::SimilarityBaseline,
        ReportJudgeKind::Student,
        ReportJudgeKind::Tree,
        ReportJudgeKind::ReplayedLabels,
        ReportJudgeKind::LanguageModel,
        ReportJudgeKind::Own,
        ReportJudgeKind::SharedWords,
        ReportJudgeKind::Meaning,
        ReportJudgeKind::Annotator,
    ] {
        let of_kind: Vec<_> = judges.iter().filter(|judge| judge.kind == kind).map(describe).collect();
        if !of_kind.is_empty() {
            who.push(format!("{} {}", kind.name(), of_kind.join(", ")));
            cautions.push(' ');
            cautions.push_str(kind.caution());
            for said in
                judges.iter().filter(|judge| judge.kind == kind).filter_map(|judge| judge.held_out.as_ref())
            {
                cautions.push(' ');
                cautions.push_str(said);
            }
        }
    }
    format!("Labels by: {}.{cautions}", who.join("; "))
}

fn describe(judge: &ReportJudge) -> String {
    match judge.kind {
        ReportJudgeKind::SimilarityBaseline => judge.name.clone(),
        _ if judge.name == judge.model => judge.name.clone(),
        _ => format!("{} ({})", judge.name, judge.model),
    }
}

/// The paradigm of a judge whose report does not name one: the first llull had no other.
pub(crate) fn graded() -> Paradigm {
    Paradigm::Graded
}

pub(crate) fn is_graded(paradigm: &Paradigm) -> bool {
    *paradigm == Paradigm::Graded
}

pub(crate) fn paradigm_schema(_: &mut SchemaGenerator) -> Schema {
    let names = Paradigm::ALL.map(Paradigm::name);
    json_schema!({ "type": "string", "enum": names })
}
