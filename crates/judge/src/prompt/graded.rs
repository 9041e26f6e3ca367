//! Prompts that ask for the grade of one document.

use std::path::Path;

use llull_core::{Hash, KeyBuilder, Scale};
use minijinja::context;
use serde::Deserialize;

use super::{
    AnchorOrder, AnswerKind, PromptError, Rendered, delimit, fit,
    rendered::{rubric_values, sample_rubric, shown_document},
    template::{Template, normalised},
};
use crate::{front_matter, rubric::Rubric};

/// The built-in templates: names and texts.
const BUILTIN: [(&str, &str); 3] = [
    ("graded", include_str!("templates/graded.j2")),
    ("graded-direct", include_str!("templates/graded-direct.j2")),
    ("umbrela", include_str!("templates/umbrela.j2")),
];

/// The names of the built-in prompts, the default first.
pub const BUILTIN_PROMPTS: [&str; 3] = [BUILTIN[0].0, BUILTIN[1].0, BUILTIN[2].0];

/// What a template may use.
const VARIABLES: [&str; 10] =
    ["query", "document", "relevance", "grades", "anchors", "choices", "low", "high", "cutoff", "off_target"];

/// What is put before the judge.
#[derive(Debug, Clone, Copy)]
pub struct PromptInput<'a> {
    /// The query as it was typed.
    pub query: &'a str,
    /// The document as it is to be shown, with its title.
    pub document: &'a str,
    /// What relevant means.
    pub rubric: &'a Rubric,
    /// The order of the worked examples.
    pub anchor_order: AnchorOrder,
    /// How much of the document is shown, in tokens; [`DEFAULT_DOCUMENT_TOKENS`](super::DEFAULT_DOCUMENT_TOKENS) unless
    /// the study says otherwise.
    pub document_tokens: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    #[serde(rename = "version")]
    _version: i64,
    name: String,
    description: String,
    answer: AnswerKind,
    source: Option<String>,
}

/// A prompt template: TOML between two `+++` lines (`version = 1`, `name`, `description`, `answer` = `"reasoned"` or
/// `"grade"`, optionally `source`), then messages, each begun by a line `[system]` or `[user]`, in the language of
/// [minijinja](https://docs.rs/minijinja) (Jinja2's). Messages are told apart before anything is filled in, so that no
/// text of a document can begin one.
///
/// The variables of a template, none of which may be missing or misspelt:
///
/// | variable | what it is |
/// |---|---|
/// | `query`, `document` | the two texts, each between tags that it cannot close; the document is followed by a note if it was cut |
/// | `relevance` | the rubric's text |
/// | `grades` | its grades, lowest first, each with `grade`, `name`, `definition` |
/// | `anchors` | its worked examples in the order asked for, each with `grade`, `name`, `query`, `document`, `why` |
/// | `choices` | the grades in words, `0, 1, 2 or 3` |
/// | `low`, `high`, `cutoff` | the ends of the scale and the lowest grade that counts as relevant |
/// | `off_target` | the highest grade below the cutoff: the most that a document can get which does not answer |
///
/// A template that shows query and document last lets servers reuse their work on the part before, which is then
/// the same for every pair.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// Its name, for people.
    pub name: String,
    /// One sentence on what it is.
    pub description: String,
    /// The form of the answers that it asks for.
    pub answer: AnswerKind,
    /// Where it comes from.
    pub source: Option<String>,
    hash: Hash,
    template: Template,
}

impl Prompt {
    /// The built-in template of this name; see [`BUILTIN_PROMPTS`].
    ///
    /// # Errors
    /// [`PromptError::Unknown`] when there is none.
    pub fn builtin(name: &str) -> Result<Self, PromptError> {
        match BUILTIN.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => Self::parse(text, name),
            None => Err(PromptError::unknown(name, "grades", &BUILTIN_PROMPTS)),
        }
    }

    /// Reads the template in a file.
    ///
    /// # Errors
    /// [`PromptError::Read`] when the file cannot be read as UTF-8, else as [`parse`](Self::parse).
    pub fn load(path: &Path) -> Result<Self, PromptError> {
        Self::parse(&fs_err::read_to_string(path)?, &path.display().to_string())
    }

    /// Reads a template, and renders it once for a sample, so that most of what can be wrong with it is found before
    /// anything is paid for. `origin` is what error messages call it.
    ///
    /// # Errors
    /// [`PromptError::Invalid`] with the line: settings that are unknown or missing, no message, a syntax error,
    /// a variable that does not exist, a query or document that is never shown.
    pub fn parse(text: &str, origin: &str) -> Result<Self, PromptError> {
        let file = front_matter::split(text).map_err(|error| PromptError::front_matter(origin, error))?;
        let settings: Settings =
            file.settings("prompt").map_err(|error| PromptError::front_matter(origin, error))?;
        let prompt = Self {
            name: settings.name,
            description: settings.description,
            answer: settings.answer,
            source: settings.source,
            hash: hash(settings.answer, file.body),
            template: Template::new(text, &file, origin, &VARIABLES)?,
        };
        prompt.try_out()?;
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

    /// Fills the template in. Equal inputs give equal bytes.
    ///
    /// # Errors
    /// [`PromptError::Invalid`] when the template reads something that this rubric does not have.
    pub fn render(&self, input: &PromptInput<'_>) -> Result<Rendered, PromptError> {
        let fitted = fit(input.document, input.document_tokens);
        let nonce = delimit::nonce(input.query, &[fitted.shown]);
        let variables = context! {
            query => delimit::enclose(&format!("query-{nonce}"), input.query, ""),
            document => shown_document(&format!("document-{nonce}"), &fitted),
            choices => choices(input.rubric.scale),
            off_target => input.rubric.cutoff - 1,
            ..rubric_values(input.rubric, input.anchor_order)
        };
        self.template.fill(&variables, fitted.tokens_cut)
    }

    /// Renders a sample, and checks that the judge gets to see what it is to judge.
    fn try_out(&self) -> Result<(), PromptError> {
        let (query, document) = ("the query of the sample", "the document of the sample");
        let sample = self.render(&PromptInput {
            query,
            document,
            rubric: &sample_rubric(),
            anchor_order: AnchorOrder::Ascending,
            document_tokens: 100,
        })?;
        self.template.must_show(&sample, query, "query", "query")?;
        self.template.must_show(&sample, document, "document", "document")
    }
}

fn hash(answer: AnswerKind, body: &str) -> Hash {
    KeyBuilder::new("llull prompt v1")
        .text("answer", answer.name())
        .text("messages", &normalised(body))
        .finish()
}

/// The grades in words: `0 or 1`, `0, 1, 2 or 3`; a long scale by its ends.
fn choices(scale: Scale) -> String {
    let grades: Vec<_> = scale.grades().map(|grade| grade.to_string()).collect();
    match grades.as_slice() {
        [most @ .., last] if grades.len() <= 11 => format!("{} or {last}", most.join(", ")),
        _ => format!("a whole number from {} to {}", scale.low(), scale.high()),
    }
}
