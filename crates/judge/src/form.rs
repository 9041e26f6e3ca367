//! The forms of an answer: keys, labels and JSON schema.

use llull_core::{Paradigm, Scale};
use serde_json::{Value, json};
use strum::{Display, EnumString, IntoStaticStr, VariantNames};

/// The form of an answer: all that has to be known to write the schema of an answer and to read one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerForm {
    /// The grade of one document.
    Grade {
        /// The keys of the answer.
        kind: GradeKind,
        /// The grades that it may name.
        scale: Scale,
    },
    /// A comparison of several documents.
    Comparison(ComparisonForm),
}

impl AnswerForm {
    /// Returns the name by which servers know the schema.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Grade { .. } => "judgment",
            Self::Comparison(_) => "comparison",
        }
    }

    /// Returns the JSON schema of the answer; see [`grade_schema`] and [`comparison_schema`].
    pub fn schema(&self) -> Value {
        match self {
            Self::Grade { kind, scale } => grade_schema(*kind, *scale),
            Self::Comparison(form) => comparison_schema(form),
        }
    }
}

/// Where in a reply its answer may stand, once the model's reasoning is taken away. It belongs to a prompt: one that
/// asks for nothing but the answer is answered by nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnswerPlace {
    /// The answer is all that there is, or all that a single Markdown fence holds.
    Alone,
    /// Prose may come before the answer, which is then at the end, on lines of its own.
    AfterProse,
}

impl AnswerPlace {
    /// Returns the place of an answer with reasons, or without.
    pub(crate) fn of(reasoned: bool) -> Self {
        if reasoned { Self::AfterProse } else { Self::Alone }
    }
}

/// The keys of an answer that is a grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GradeKind {
    /// `facets_covered`, `facets_missing`, `rationale`, then `grade`.
    Reasoned,
    /// `grade` alone.
    GradeOnly,
}

impl GradeKind {
    /// Returns the name that template files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reasoned => "reasoned",
            Self::GradeOnly => "grade",
        }
    }

    /// Returns the keys of the answer in the order in which they are written: the grade comes last, so that a
    /// model, which writes from left to right, has reasoned before it decides.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Reasoned => &["facets_covered", "facets_missing", "rationale", "grade"],
            Self::GradeOnly => &["grade"],
        }
    }
}

/// Returns the JSON schema of a grade, in the subset that OpenAI's strict mode accepts (and llama.cpp, vLLM and
/// Ollama understand): an object, nothing but the required keys, the grade one of the scale's whole numbers.
///
/// ```
/// use llull_core::Scale;
/// use llull_judge::{GradeKind, grade_schema};
///
/// let schema = grade_schema(GradeKind::GradeOnly, Scale::default());
/// assert_eq!(schema["properties"]["grade"]["enum"], serde_json::json!([0, 1, 2, 3]));
/// ```
pub fn grade_schema(kind: GradeKind, scale: Scale) -> Value {
    let properties: serde_json::Map<String, Value> = kind
        .keys()
        .iter()
        .map(|&key| {
            let property = match key {
                "grade" => json!({"type": "integer", "enum": scale.grades().collect::<Vec<_>>()}),
                "rationale" => json!({"type": "string"}),
                _ => json!({"type": "array", "items": {"type": "string"}}),
            };
            (key.to_owned(), property)
        })
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": kind.keys(),
        "additionalProperties": false,
    })
}

/// The kind of answer to a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompareKind {
    /// Which of two documents is better: `{"choice": "LHS"}`.
    Choice,
    /// The order of several, ties included: `{"ranking": [["C"], ["A", "D"], ["B"]]}`.
    Ranking,
    /// The best of several, and nothing on the rest: `{"best": "C"}`.
    Best,
}

impl CompareKind {
    /// Returns the key under which the answer stands, and the name that template files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Choice => "choice",
            Self::Ranking => "ranking",
            Self::Best => "best",
        }
    }

    /// Returns the paradigm of such questions.
    pub fn paradigm(self) -> Paradigm {
        match self {
            Self::Choice => Paradigm::Pairwise,
            Self::Ranking | Self::Best => Paradigm::Listwise,
        }
    }
}

/// The form of a comparison: the kind of answer, and the number of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ComparisonForm {
    /// The kind of answer.
    pub kind: CompareKind,
    /// Whether the answer has to hold a `rationale` before it decides.
    pub rationale: bool,
    /// How many documents are shown: 2 for a [`Choice`](CompareKind::Choice), 2 or more else.
    pub documents: usize,
    /// Whether documents may be called equally good: `Neither` in a choice, a tie in a ranking. There are no ties
    /// for a [`Best`](CompareKind::Best) one.
    pub ties: bool,
}

/// The answer that neither of two documents is better.
pub(crate) const NEITHER: &str = "Neither";

impl ComparisonForm {
    /// Returns the labels of the documents in the order in which they are shown: `LHS` and `RHS` for a choice, else
    /// `A` to `Z`, then `AA`, `AB` and so on, as spreadsheets name columns. They contain no information about a
    /// document.
    ///
    /// ```
    /// use llull_judge::{CompareKind, ComparisonForm};
    ///
    /// let labels = |kind, documents| ComparisonForm { kind, rationale: false, documents, ties: true }.labels();
    /// assert_eq!(labels(CompareKind::Choice, 2), ["LHS", "RHS"]);
    /// assert_eq!(labels(CompareKind::Ranking, 28)[25..], ["Z", "AA", "AB"]);
    /// ```
    pub fn labels(&self) -> Vec<String> {
        match self.kind {
            CompareKind::Choice => {
                ["LHS", "RHS"].iter().take(self.documents).map(|&side| side.into()).collect()
            }
            CompareKind::Ranking | CompareKind::Best => (0..self.documents).map(letters).collect(),
        }
    }

    /// Returns the words that answer a choice or name the best one: the labels, and `Neither` where that is
    /// allowed.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = self.labels();
        if self.kind == CompareKind::Choice && self.ties {
            words.push(NEITHER.to_owned());
        }
        words
    }

    /// Returns the keys of the answer in the order in which they are written: the decision comes last.
    pub fn keys(&self) -> Vec<&'static str> {
        let decision = self.kind.name();
        if self.rationale { vec!["rationale", decision] } else { vec![decision] }
    }
}

/// Returns the `at`th label of the series `A` to `Z`, `AA`, `AB`.
fn letters(at: usize) -> String {
    let letter = char::from(b'A' + (at % 26) as u8);
    let mut label = if at < 26 { String::new() } else { letters(at / 26 - 1) };
    label.push(letter);
    label
}

/// Returns the JSON schema of a comparison, in the subset that OpenAI's strict mode accepts (and llama.cpp, vLLM and
/// Ollama understand): an object, nothing but the required keys, labels by enumeration. The subset cannot require that
/// each label of a ranking occurs once; [`read_comparison`](crate::read_comparison) checks that.
///
/// ```
/// use llull_judge::{CompareKind, ComparisonForm, comparison_schema};
///
/// let form = ComparisonForm { kind: CompareKind::Choice, rationale: true, documents: 2, ties: false };
/// assert_eq!(comparison_schema(&form)["properties"]["choice"]["enum"], serde_json::json!(["LHS", "RHS"]));
/// ```
pub fn comparison_schema(form: &ComparisonForm) -> Value {
    let word = json!({"type": "string", "enum": form.words()});
    // No minItems and maxItems. OpenAI accepts them now, but not for fine-tuned models, and Azure and Anthropic
    // answer a request that has them with 400 (vercel/ai issue 17197). One schema has to do for every server.
    let list = |items: Value| json!({"type": "array", "items": items});
    let decision = match form.kind {
        CompareKind::Choice | CompareKind::Best => word,
        CompareKind::Ranking if form.ties => list(list(word)),
        CompareKind::Ranking => list(word),
    };
    let properties: serde_json::Map<String, Value> = form
        .keys()
        .into_iter()
        .map(|key| match key {
            "rationale" => (key.to_owned(), json!({"type": "string"})),
            _ => (key.to_owned(), decision.clone()),
        })
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": form.keys(),
        "additionalProperties": false,
    })
}

/// The category of a question about a passage.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display, EnumString, IntoStaticStr, VariantNames,
)]
#[strum(serialize_all = "kebab-case", parse_err_ty = UnknownCategory, parse_err_fn = UnknownCategory::of)]
pub enum QuestionCategory {
    /// One fact that the passage states, in the passage's own terms.
    DirectFact,
    /// The same, in other words than the passage's.
    Paraphrase,
    /// A few words, as people type them into a search box.
    Keyword,
    /// A detail that the passage mentions in passing.
    Detail,
    /// The main statement of the whole passage.
    Summary,
    /// A question that the passage does not answer, although it seems to belong there.
    OutOfContext,
}

/// The error for a name that is no category's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is no category: there are {}", <QuestionCategory as strum::VariantNames>::VARIANTS.join(", "))]
pub struct UnknownCategory {
    /// The name.
    pub name: String,
}

impl UnknownCategory {
    fn of(name: &str) -> Self {
        Self { name: name.to_owned() }
    }
}

impl QuestionCategory {
    /// All categories.
    pub const ALL: [Self; 6] =
        [Self::DirectFact, Self::Paraphrase, Self::Keyword, Self::Detail, Self::Summary, Self::OutOfContext];

    /// Returns the name that command lines and files use.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns whether the passage answers such a question.
    pub fn is_answered(self) -> bool {
        self != Self::OutOfContext
    }
}

/// A question about a passage, with the answer that it expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenQuestion {
    /// The question.
    pub question: String,
    /// The answer; `None` where the passage does not answer it.
    pub answer: Option<String>,
}

/// Returns the JSON schema of a question with its answer, in the subset that OpenAI's strict mode accepts: both are
/// null where the passage gives no such question.
pub fn question_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "question": {"type": ["string", "null"]},
            "answer": {"type": ["string", "null"]},
        },
        "required": ["question", "answer"],
        "additionalProperties": false,
    })
}

/// The most facts that a prompt requests, and that are read, of one text.
pub const MOST_FACTS: usize = 20;

/// Returns the JSON schema of the facts of a text, in the subset that OpenAI's strict mode accepts. How many there may
/// be is no part of that subset.
pub fn facts_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
        "required": ["facts"],
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn reasoning_stands_before_the_grade() {
        let schema = grade_schema(GradeKind::Reasoned, Scale::new(1, 5).unwrap());
        let text = schema.to_string();
        let places: Vec<_> =
            GradeKind::Reasoned.keys().iter().map(|key| text.find(&format!("\"{key}\":{{"))).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
        assert_eq!(schema["required"], json!(["facets_covered", "facets_missing", "rationale", "grade"]));
        assert_eq!(schema["additionalProperties"], json!(false));
        assert_eq!(schema["properties"]["grade"], json!({"type": "integer", "enum": [1, 2, 3, 4, 5]}));
    }

    fn form(kind: CompareKind, documents: usize, ties: bool) -> ComparisonForm {
        ComparisonForm { kind, rationale: true, documents, ties }
    }

    #[test]
    fn labels_are_different_and_count_like_columns() {
        let labels = form(CompareKind::Best, 1_000, true).labels();
        assert_eq!(labels.iter().collect::<BTreeSet<_>>().len(), 1_000);
        for (at, label) in
            [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")]
        {
            assert_eq!(labels[at], label);
        }
    }

    #[test]
    fn a_schema_names_the_legal_answers_and_reasons_come_first() {
        let schema = comparison_schema(&form(CompareKind::Choice, 2, true));
        assert_eq!(schema["properties"]["choice"]["enum"], json!(["LHS", "RHS", "Neither"]));
        assert_eq!(
            schema["properties"].as_object().unwrap().keys().collect::<Vec<_>>(),
            ["rationale", "choice"]
        );
        assert_eq!(schema["required"], json!(["rationale", "choice"]));
        assert_eq!(schema["additionalProperties"], json!(false));

        let labels = json!({"type": "string", "enum": ["A", "B", "C"]});
        let ranking =
            |ties| comparison_schema(&form(CompareKind::Ranking, 3, ties))["properties"]["ranking"].clone();
        assert_eq!(ranking(false), json!({"type": "array", "items": labels}));
        assert_eq!(ranking(true), json!({"type": "array", "items": {"type": "array", "items": labels}}));
        let direct = ComparisonForm { rationale: false, ..form(CompareKind::Best, 3, true) };
        assert_eq!(comparison_schema(&direct)["properties"], json!({"best": labels}));
    }

    #[test]
    fn a_category_is_read_as_it_is_named() {
        for category in QuestionCategory::ALL {
            assert_eq!(category.to_string().parse(), Ok(category));
        }
        let error = "facts".parse::<QuestionCategory>().unwrap_err().to_string();
        assert!(error.contains("direct-fact, paraphrase, keyword"), "{error}");
    }
}
