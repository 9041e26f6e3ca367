//! Reads the documents and the answer form of prompts that compare.

use serde_json::{Value, json};

/// The documents of a prompt, and the form of its answer.
pub(crate) struct ComparingPrompt<'a> {
    pub(crate) form: AnswerForm,
    /// Whether a rationale comes before the answer.
    rationale: bool,
    pub(crate) query: &'a str,
    /// Labels and texts, in the order shown.
    pub(crate) documents: Vec<(&'a str, &'a str)>,
}

#[derive(Clone, Copy)]
pub(crate) enum AnswerForm {
    /// One of two labels, or `Neither` where that is allowed.
    Choice { neither: bool },
    /// All labels in order, in groups where ties are allowed.
    Ranking { ties: bool },
    /// The label of the best.
    Best,
}

impl<'a> ComparingPrompt<'a> {
    /// Reads a prompt as the built-in templates lay it out; `None` if it does not compare.
    pub(crate) fn read(prompt: &'a str) -> Option<Self> {
        let (shown, form) = prompt.rsplit_once("# Form of the answer")?;
        let rationale = form.contains("{\"rationale\": <a string>, ");
        let form = if form.contains("\"choice\": <") {
            AnswerForm::Choice { neither: form.contains("\"Neither\"") }
        } else if form.contains("\"ranking\": <") {
            AnswerForm::Ranking { ties: form.contains("<a list of lists of labels>") }
        } else if form.contains("\"best\": <") {
            AnswerForm::Best
        } else {
            return None;
        };
        // The number of the tags occurs in no text between them.
        let (nonce, rest) = shown.split_once("<query-")?.1.split_once('>')?;
        let (query, mut rest) = rest.split_once(&format!("</query-{nonce}>"))?;
        let mut documents = Vec::new();
        while let Some((_, after)) = rest.split_once("\n<document-") {
            let (name, after) = after.split_once('>')?;
            let (text, after) = after.split_once(&format!("</document-{name}>"))?;
            documents.push((name.strip_suffix(&format!("-{nonce}"))?, text.trim_matches('\n')));
            rest = after;
        }
        (!documents.is_empty()).then_some(Self {
            form,
            rationale,
            query: query.trim_matches('\n'),
            documents,
        })
    }

    /// Returns the JSON object that holds this answer, with a rationale if the prompt asks for one.
    pub(crate) fn object(&self, answer: Value) -> String {
        let key = match self.form {
            AnswerForm::Choice { .. } => "choice",
            AnswerForm::Ranking { .. } => "ranking",
            AnswerForm::Best => "best",
        };
        match self.rationale {
            true => json!({ "rationale": "A stand-in's answer, which follows from the texts' hashes.", key: answer }),
            false => json!({ key: answer }),
        }
        .to_string()
    }
}
