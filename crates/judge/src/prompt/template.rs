//! A prompt template: read once, checked once, filled in for every question.

use llull_core::Hash;
use minijinja::{context, value::merge_maps};
use serde::Deserialize;
use toml::Spanned;

use super::{
    built_in, comparing, delimit,
    error::PromptError,
    grading,
    input::PromptInput,
    kind::PromptKind,
    messages::MessageTemplates,
    rendered::Rendered,
    rubric_values::{rubric_values, sample_rubric},
};
use crate::{
    fit::{Fitted, fit, fit_together},
    form::{AnswerPlace, CompareKind, ComparisonForm, GradeKind},
    front_matter::{self, FrontMatter},
};

/// A prompt template, which grades one document or compares several. It is TOML between two `+++` lines, then
/// messages, each begun by a line `[system]` or `[user]`, in the language of [minijinja](https://docs.rs/minijinja)
/// (Jinja2's). Messages are separated before any variable is filled in, so that no text of a document can begin one.
///
/// The keys of the TOML are `version = 1`, `name`, `description`, optionally `source`, and `answer`. This is
/// `"reasoned"` or `"grade"` for a prompt that grades, `"choice"`, `"ranking"` or `"best"` for one that compares. The
/// latter may have `rationale = true` if the answer has to contain its reasons. With `prose = true` the model may
/// write prose before its answer, with `false` it may not. Without the key, prose is allowed where the prompt requests
/// reasons (`"reasoned"`, `rationale = true`). The key decides how a reply is read and is not part of the
/// [`hash`](Self::hash).
///
/// The variables of a template, none of which may be misspelt:
///
/// | variable | of | what it is |
/// |---|---|---|
/// | `query` | both | the query, between tags that it cannot close |
/// | `relevance` | both | the rubric's text |
/// | `grades` | both | its grades, lowest first, each with `grade`, `name`, `definition` |
/// | `anchors` | both | its worked examples in order, each with `grade`, `name`, `query`, `document`, `why` |
/// | `low`, `high`, `cutoff` | both | the ends of the scale and the lowest grade that counts as relevant |
/// | `document` | grading | the document, between tags that it cannot close, followed by a note if it was cut |
/// | `choices` | grading | the grades in words, `0, 1, 2 or 3` |
/// | `off_target` | grading | the highest grade below the cutoff, for documents that do not answer |
/// | `documents` | comparing | the documents as they are shown, each with `label` and `text` (like `document`) |
/// | `count` | comparing | how many there are |
/// | `labels` | comparing | their labels in words, `A, B and C` |
/// | `choices` | comparing | what may be answered, in words: `"LHS", "RHS" or "Neither"`, `"A", "B" or "C"` |
/// | `ties` | comparing | whether documents may be called equally good |
///
/// A template that shows query and documents last lets servers reuse their work on the part before, which is then
/// the same for every question.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// Its name, for people.
    pub name: String,
    /// Its kind.
    pub kind: PromptKind,
    /// Where in a reply the answer stands.
    pub place: AnswerPlace,
    hash: Hash,
    messages: MessageTemplates,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    #[serde(rename = "version")]
    _version: i64,
    name: String,
    #[serde(rename = "description")]
    _description: String,
    answer: AnswerName,
    rationale: Option<Spanned<bool>>,
    prose: Option<bool>,
    #[serde(rename = "source")]
    _source: Option<String>,
}

/// The values of `answer`.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AnswerName {
    Reasoned,
    Grade,
    Choice,
    Ranking,
    Best,
}

impl Prompt {
    /// Returns the built-in template of this name; see [`BUILTIN_GRADING_PROMPTS`](crate::BUILTIN_GRADING_PROMPTS) and
    /// [`BUILTIN_COMPARING_PROMPTS`](crate::BUILTIN_COMPARING_PROMPTS).
    ///
    /// # Errors
    /// Returns [`PromptError::Unknown`] for another name.
    pub fn builtin(name: &str) -> Result<Self, PromptError> {
        match built_in::text(name) {
            Some(text) => Self::parse(text, name),
            None => Err(PromptError::Unknown { name: name.to_owned() }),
        }
    }

    /// Reads a template and renders it for samples, so that most errors in it are found before anything is paid for.
    /// `origin` is its name in error messages.
    ///
    /// # Errors
    /// Returns [`PromptError::Invalid`] with the line: settings that are unknown or missing, no message, a syntax
    /// error, a variable that does not exist, a query or document that is never shown.
    pub fn parse(text: &str, origin: &str) -> Result<Self, PromptError> {
        let file = front_matter::split(text).map_err(|error| PromptError::front_matter(origin, error))?;
        let settings: Settings =
            file.settings("prompt").map_err(|error| PromptError::front_matter(origin, error))?;
        let kind = kind(&settings, &file, origin)?;
        let (hash, variables) = match kind {
            PromptKind::Grades(kind) => (grading::hash(kind, &trimmed(file.body)), &grading::VARIABLES[..]),
            PromptKind::Compares { kind, rationale } => {
                (comparing::hash(kind, rationale, &trimmed(file.body)), &comparing::VARIABLES[..])
            }
        };
        let prompt = Self {
            name: settings.name,
            kind,
            place: settings.prose.map_or(kind.place(), AnswerPlace::of),
            hash,
            messages: MessageTemplates::new(&file, origin, variables)?,
        };
        prompt.try_out()?;
        Ok(prompt)
    }

    /// Returns the hash of the parts that a judge can see: the messages and the form of the answer, not the name or
    /// description.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// Returns as much of each document as [`render`](Self::render) shows.
    pub fn fit<'a>(&self, input: &PromptInput<'a>) -> Vec<Fitted<'a>> {
        match self.kind {
            PromptKind::Grades(_) => {
                input.documents.iter().map(|document| fit(document, input.document_tokens)).collect()
            }
            PromptKind::Compares { .. } => {
                fit_together(input.documents, input.document_tokens, input.window_tokens)
            }
        }
    }

    /// Fills the template in. Equal inputs give equal bytes.
    ///
    /// # Errors
    /// Returns [`PromptError::Documents`] unless there is one document to grade, or two to choose from, or two or
    /// more to rank or to name the best of; [`PromptError::Invalid`] if the template reads something that this
    /// rubric lacks.
    pub fn render(&self, input: &PromptInput<'_>) -> Result<Rendered, PromptError> {
        let count = input.documents.len();
        if !self.kind.takes(count) {
            let template = self.messages.origin().to_owned();
            return Err(PromptError::Documents { template, kind: self.kind, count });
        }
        let fitted = self.fit(input);
        let shown: Vec<_> = fitted.iter().map(|fitted| fitted.shown).collect();
        let nonce = delimit::nonce(input.query, &shown);
        let of_kind = match self.kind {
            PromptKind::Grades(_) => grading::values(input, &fitted, &nonce),
            PromptKind::Compares { kind, rationale } => {
                let form = ComparisonForm { kind, rationale, documents: count, ties: input.ties };
                comparing::values(&form, &fitted, &nonce)
            }
        };
        let anchor_order = input.anchor_order.of_question(input.query, &shown);
        let values = context! {
            query => delimit::enclose(&format!("query-{nonce}"), input.query, ""),
            ..merge_maps([of_kind, rubric_values(input.rubric, anchor_order)])
        };
        let tokens_cut = fitted.iter().fold(0u32, |sum, fitted| sum.saturating_add(fitted.tokens_cut));
        self.messages.fill(&values, tokens_cut)
    }

    /// Renders samples, with ties and without, and checks that the judge sees all texts that it has to judge.
    fn try_out(&self) -> Result<(), PromptError> {
        let query = "the query of the sample";
        let texts = ["the first document of the sample", "the second document of the sample"];
        let (documents, what, variable) = match self.kind {
            PromptKind::Grades(_) => (&texts[..1], "document", "document"),
            PromptKind::Compares { .. } => (&texts[..], "documents", "document.text"),
        };
        let rubric = sample_rubric();
        for ties in [true, false] {
            let sample = self.render(&PromptInput { ties, ..PromptInput::new(query, documents, &rubric) })?;
            self.messages.must_show(&sample, query, "query", "query")?;
            for document in documents {
                self.messages.must_show(&sample, document, what, variable)?;
            }
        }
        Ok(())
    }
}

fn kind(settings: &Settings, file: &FrontMatter<'_>, origin: &str) -> Result<PromptKind, PromptError> {
    let grades = |kind| match &settings.rationale {
        None => Ok(PromptKind::Grades(kind)),
        Some(rationale) => {
            let message = "`rationale` belongs to prompts that compare; remove it (a prompt that grades asks \
                           for reasons by `answer = \"reasoned\"`)";
            Err(PromptError::invalid(origin, file.line_of(&rationale.span()), message))
        }
    };
    let rationale = settings.rationale.as_ref().is_some_and(|rationale| *rationale.get_ref());
    let compares = |kind| Ok(PromptKind::Compares { kind, rationale });
    match settings.answer {
        AnswerName::Reasoned => grades(GradeKind::Reasoned),
        AnswerName::Grade => grades(GradeKind::GradeOnly),
        AnswerName::Choice => compares(CompareKind::Choice),
        AnswerName::Ranking => compares(CompareKind::Ranking),
        AnswerName::Best => compares(CompareKind::Best),
    }
}

/// The messages of a template as its hash reads them: without white space at the ends of lines and of the whole.
fn trimmed(body: &str) -> String {
    let lines: Vec<_> = body.lines().map(str::trim_end).collect();
    lines.join("\n").trim().to_owned()
}
