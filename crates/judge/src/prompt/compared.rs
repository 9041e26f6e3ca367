//! Prompts that ask for a comparison of several documents.

use std::path::Path;

use llull_core::{Hash, KeyBuilder};
use minijinja::{Value, context};
use serde::Deserialize;

use super::{
    AnchorOrder, CompareKind, Comparison, PromptError, Rendered, delimit, fit_together,
    rendered::{rubric_values, sample_rubric, shown_document},
    template::{Template, normalised},
};
use crate::{front_matter, rubric::Rubric};

/// The built-in templates: names and texts.
const BUILTIN: [(&str, &str); 5] = [
    ("pairwise", include_str!("templates/pairwise.j2")),
    ("pairwise-direct", include_str!("templates/pairwise-direct.j2")),
    ("listwise", include_str!("templates/listwise.j2")),
    ("listwise-direct", include_str!("templates/listwise-direct.j2")),
    ("setwise", include_str!("templates/setwise.j2")),
];

/// The names of the built-in prompts that compare: the first two are pairwise, the others listwise.
pub const BUILTIN_COMPARE_PROMPTS: [&str; 5] =
    [BUILTIN[0].0, BUILTIN[1].0, BUILTIN[2].0, BUILTIN[3].0, BUILTIN[4].0];

/// What a template may use.
const VARIABLES: [&str; 12] = [
    "query",
    "documents",
    "count",
    "labels",
    "choices",
    "ties",
    "relevance",
    "grades",
    "anchors",
    "low",
    "high",
    "cutoff",
];

/// What is put before the judge.
#[derive(Debug, Clone, Copy)]
pub struct CompareInput<'a> {
    /// The query as it was typed.
    pub query: &'a str,
    /// The documents as they are to be shown, with their titles, in this order.
    pub documents: &'a [&'a str],
    /// What relevant means.
    pub rubric: &'a Rubric,
    /// The order of the worked examples.
    pub anchor_order: AnchorOrder,
    /// How much of each document is shown, in tokens; [`DEFAULT_DOCUMENT_TOKENS`](super::DEFAULT_DOCUMENT_TOKENS) unless
    /// the study says otherwise.
    pub document_tokens: u32,
    /// How much is shown of all documents together, in tokens; see [`fit_together`].
    pub window_tokens: u32,
    /// Whether documents may be called equally good.
    pub ties: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    #[serde(rename = "version")]
    _version: i64,
    name: String,
    description: String,
    answer: CompareKind,
    #[serde(default)]
    rationale: bool,
    source: Option<String>,
}

/// A prompt template that compares. Its file is one as [`Prompt`](super::Prompt)'s, with `answer` = `"choice"`, `"ranking"` or
/// `"best"`, and `rationale = true` if the answer has to hold its reasons. Its variables are:
///
/// | variable | what it is |
/// |---|---|
/// | `query` | the query, between tags that it cannot close |
/// | `documents` | the documents in the order in which they are shown, each with `label` and `text`; the text stands between tags that no document can close, and is followed by a note if it was cut |
/// | `count` | how many there are |
/// | `labels` | their labels in words, `A, B and C` |
/// | `choices` | what may be answered, in words: `"LHS", "RHS" or "Neither"`, `"A", "B" or "C"` |
/// | `ties` | whether documents may be called equally good |
/// | `relevance`, `grades`, `anchors`, `low`, `high`, `cutoff` | the rubric, as in a graded prompt |
#[derive(Debug, Clone)]
pub struct ComparePrompt {
    /// Its name, for people.
    pub name: String,
    /// One sentence on what it is.
    pub description: String,
    /// What it asks for.
    pub kind: CompareKind,
    /// Whether the answer has to hold a `rationale`.
    pub rationale: bool,
    /// Where it comes from.
    pub source: Option<String>,
    hash: Hash,
    template: Template,
}

impl ComparePrompt {
    /// The built-in template of this name; see [`BUILTIN_COMPARE_PROMPTS`].
    ///
    /// # Errors
    /// [`PromptError::Unknown`] when there is none.
    pub fn builtin(name: &str) -> Result<Self, PromptError> {
        match BUILTIN.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => Self::parse(text, name),
            None => Err(PromptError::unknown(name, "compares", &BUILTIN_COMPARE_PROMPTS)),
        }
    }

    /// Reads the template in a file.
    ///
    /// # Errors
    /// [`PromptError::Read`] when the file cannot be read as UTF-8, else as [`parse`](Self::parse).
    pub fn load(path: &Path) -> Result<Self, PromptError> {
        Self::parse(&fs_err::read_to_string(path)?, &path.display().to_string())
    }

    /// Reads a template, and renders it for samples, with ties and without, so that most of what can be wrong with it is
    /// found before anything is paid for. `origin` is what error messages call it.
    ///
    /// # Errors
    /// [`PromptError::Invalid`] with the line: settings that are unknown or missing, no message, a syntax error,
    /// a variable that does not exist, a query, document or label that is never shown.
    pub fn parse(text: &str, origin: &str) -> Result<Self, PromptError> {
        let file = front_matter::split(text).map_err(|error| PromptError::front_matter(origin, error))?;
        let settings: Settings =
            file.settings("prompt").map_err(|error| PromptError::front_matter(origin, error))?;
        let prompt = Self {
            name: settings.name,
            description: settings.description,
            kind: settings.answer,
            rationale: settings.rationale,
            source: settings.source,
            hash: hash(settings.answer, settings.rationale, file.body),
            template: Template::new(text, &file, origin, &VARIABLES)?,
        };
        prompt.try_out(true)?;
        prompt.try_out(false)?;
        Ok(prompt)
    }

    /// The hash of what a judge can see of it: the messages and the form of the answer, not the name or description.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// The template's text as it was read, for whoever wants to write a variant.
    pub fn text(&self) -> &str {
        &self.template.text
    }

    /// The form of the answer about so many documents.
    pub fn comparison(&self, documents: usize, ties: bool) -> Comparison {
        Comparison { kind: self.kind, rationale: self.rationale, documents, ties }
    }

    /// Fills the template in. Equal inputs give equal bytes.
    ///
    /// # Errors
    /// [`PromptError::Documents`] for fewer than two documents, or another number than two where the prompt asks for a
    /// choice; [`PromptError::Invalid`] when the template reads something that this rubric does not have.
    pub fn render(&self, input: &CompareInput<'_>) -> Result<Rendered, PromptError> {
        let form = self.comparison(input.documents.len(), input.ties);
        let count = form.documents;
        if count < 2 || (self.kind == CompareKind::Choice && count > 2) {
            return Err(PromptError::Documents {
                template: self.template.origin.clone(),
                kind: self.kind,
                count,
            });
        }
        let fitted = fit_together(input.documents, input.document_tokens, input.window_tokens);
        let shown: Vec<_> = fitted.iter().map(|fitted| fitted.shown).collect();
        let nonce = delimit::nonce(input.query, &shown);
        let labels = form.labels();
        let documents: Vec<Value> = labels
            .iter()
            .zip(&fitted)
            .map(|(label, fitted)| {
                context! { label => label, text => shown_document(&format!("document-{label}-{nonce}"), fitted) }
            })
            .collect();
        let quoted: Vec<_> = form.words().iter().map(|word| format!("\"{word}\"")).collect();
        let variables = context! {
            query => delimit::enclose(&format!("query-{nonce}"), input.query, ""),
            documents => documents,
            count => count,
            labels => in_words(&labels, "and"),
            choices => in_words(&quoted, "or"),
            ties => input.ties,
            ..rubric_values(input.rubric, input.anchor_order)
        };
        let tokens_cut = fitted.iter().fold(0u32, |sum, fitted| sum.saturating_add(fitted.tokens_cut));
        self.template.fill(&variables, tokens_cut)
    }

    /// Renders a sample, and checks that the judge gets to see what it is to judge and what to call it.
    fn try_out(&self, ties: bool) -> Result<(), PromptError> {
        let query = "the query of the sample";
        let texts = ["the first document of the sample", "the second document of the sample"];
        let sample = self.render(&CompareInput {
            query,
            documents: &texts,
            rubric: &sample_rubric(),
            anchor_order: AnchorOrder::Ascending,
            document_tokens: 100,
            window_tokens: 1000,
            ties,
        })?;
        self.template.must_show(&sample, query, "query", "query")?;
        for text in texts {
            self.template.must_show(&sample, text, "documents", "document.text")?;
        }
        Ok(())
    }
}

fn hash(kind: CompareKind, rationale: bool, body: &str) -> Hash {
    KeyBuilder::new("llull compare prompt v1")
        .text("answer", kind.name())
        .number("rationale", u64::from(rationale))
        .text("messages", &normalised(body))
        .finish()
}

/// Some words as a sentence lists them: `A, B and C`.
fn in_words(words: &[String], last: &str) -> String {
    match words {
        [most @ .., end] if !most.is_empty() => format!("{} {last} {end}", most.join(", ")),
        _ => words.join(""),
    }
}
