//! The form of a comparison: its labels, its keys and its schema.

use llull_core::Paradigm;
use serde_json::{Value, json};

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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

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
}
