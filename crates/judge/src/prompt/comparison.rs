//! The form of a comparison: its labels, its keys and its schema.

use llull_core::Paradigm;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What a comparison asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompareKind {
    /// Which of two documents is better: `{"choice": "LHS"}`.
    Choice,
    /// The order of several, ties included: `{"ranking": [["C"], ["A", "D"], ["B"]]}`.
    Ranking,
    /// The best of several, and nothing on the rest: `{"best": "C"}`.
    Best,
}

impl CompareKind {
    /// The key under which the answer stands, and the name that template files use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Choice => "choice",
            Self::Ranking => "ranking",
            Self::Best => "best",
        }
    }

    /// The paradigm that asks so.
    pub fn paradigm(self) -> Paradigm {
        match self {
            Self::Choice => Paradigm::Pairwise,
            Self::Ranking | Self::Best => Paradigm::Listwise,
        }
    }
}

/// One form of question and answer: all that has to be known to write the schema of an answer and to read one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Comparison {
    /// What is asked for.
    pub kind: CompareKind,
    /// Whether the answer has to hold a `rationale` before it decides.
    pub rationale: bool,
    /// How many documents are shown: 2 for a [`Choice`](CompareKind::Choice), 2 or more else.
    pub documents: usize,
    /// Whether documents may be called equally good: `Neither` in a choice, a tie in a ranking. A best one has no ties.
    pub ties: bool,
}

/// What a judge says when neither of two documents is better.
pub(crate) const NEITHER: &str = "Neither";

impl Comparison {
    /// The names of the documents in the order in which they are shown: `LHS` and `RHS` for a choice, else `A` to `Z`,
    /// then `AA`, `AB` and so on, as spreadsheets name columns. They say nothing of a document.
    ///
    /// ```
    /// use llull_judge::{CompareKind, Comparison};
    ///
    /// let labels = |kind, documents| Comparison { kind, rationale: false, documents, ties: true }.labels();
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

    /// The words that a choice or a best one may be: the labels, and `Neither` where that is allowed.
    pub(crate) fn words(&self) -> Vec<String> {
        let mut words = self.labels();
        if self.kind == CompareKind::Choice && self.ties {
            words.push(NEITHER.to_owned());
        }
        words
    }

    /// The keys of the answer in the order in which it is to be written: the decision comes last.
    pub fn keys(&self) -> Vec<&'static str> {
        let decision = self.kind.name();
        if self.rationale { vec!["rationale", decision] } else { vec![decision] }
    }
}

/// The `at`th name in the series `A` to `Z`, `AA`, `AB`.
fn letters(at: usize) -> String {
    let letter = char::from(b'A' + (at % 26) as u8);
    let mut label = if at < 26 { String::new() } else { letters(at / 26 - 1) };
    label.push(letter);
    label
}

/// The JSON schema of an answer, in the subset that OpenAI's strict mode accepts (and llama.cpp, vLLM and Ollama
/// understand): an object, nothing but the required keys, labels by enumeration. The subset cannot say that each label of a
/// ranking occurs once; [`read_comparison`](crate::read_comparison) does.
///
/// ```
/// use llull_judge::{CompareKind, Comparison, comparison_schema};
///
/// let form = Comparison { kind: CompareKind::Choice, rationale: true, documents: 2, ties: false };
/// assert_eq!(comparison_schema(&form)["properties"]["choice"]["enum"], serde_json::json!(["LHS", "RHS"]));
/// ```
pub fn comparison_schema(form: &Comparison) -> Value {
    let word = json!({"type": "string", "enum": form.words()});
    // No minItems and maxItems. OpenAI takes them by now, but not of fine-tuned models, and neither Azure nor Anthropic does: a
    // request with them is answered with 400 (vercel/ai issue 17197), and one schema has to do for every server.
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

    fn form(kind: CompareKind, documents: usize, ties: bool) -> Comparison {
        Comparison { kind, rationale: true, documents, ties }
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
        let direct = Comparison { rationale: false, ..form(CompareKind::Best, 3, true) };
        assert_eq!(comparison_schema(&direct)["properties"], json!({"best": labels}));
    }
}
