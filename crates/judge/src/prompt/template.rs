//! A prompt template: read once, checked once, filled in for every question.

use std::io;

use llull_core::Hash;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::merge_maps;
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior, Value, context};
use serde::Deserialize;
use toml::Spanned;

use super::anchors::AnchorOrder;
use super::delimit;
use super::error::PromptError;
use super::growth::{bound, refused};
use super::kind::{self, PromptKind};
use super::variables::{self, rubric_values, sample_rubric};
use crate::fit::{
    DEFAULT_DOCUMENT_TOKENS, DEFAULT_WINDOW_TOKENS, Fitted, estimate_tokens, fit, fit_together,
};
use crate::form::{AnswerPlace, CompareKind, ComparisonForm, GradeKind};
use crate::front_matter::{self, FrontMatter};
use crate::rubric::Rubric;

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
        match kind::text(name) {
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
            PromptKind::Grades(kind) => {
                (variables::grading_hash(kind, &trimmed(file.body)), &variables::GRADING_VARIABLES[..])
            }
            PromptKind::Compares { kind, rationale } => (
                variables::comparing_hash(kind, rationale, &trimmed(file.body)),
                &variables::COMPARING_VARIABLES[..],
            ),
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
            PromptKind::Grades(_) => variables::grading_values(input, &fitted, &nonce),
            PromptKind::Compares { kind, rationale } => {
                let form = ComparisonForm { kind, rationale, documents: count, ties: input.ties };
                variables::comparing_values(&form, &fitted, &nonce)
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

/// The values that fill in a template.
#[derive(Debug, Clone, Copy)]
pub struct PromptInput<'a> {
    /// The query's text, unchanged.
    pub query: &'a str,
    /// The documents with their titles, uncut, in the order in which they are shown: one to grade, several to
    /// compare.
    pub documents: &'a [&'a str],
    /// The definition of relevance.
    pub rubric: &'a Rubric,
    /// The order of the worked examples.
    pub anchor_order: AnchorOrder,
    /// How much of each document is shown, in tokens.
    pub document_tokens: u32,
    /// How much is shown of all documents of a comparison together, in tokens; see
    /// [`fit_together`](crate::fit_together). Not read by a prompt that grades.
    pub window_tokens: u32,
    /// Whether a comparison may call documents equally good. Not read by a prompt that grades.
    pub ties: bool,
}

impl<'a> PromptInput<'a> {
    /// Everything by default: worked examples in ascending order, the default budgets, ties allowed.
    pub fn new(query: &'a str, documents: &'a [&'a str], rubric: &'a Rubric) -> Self {
        Self {
            query,
            documents,
            rubric,
            anchor_order: AnchorOrder::Ascending,
            document_tokens: DEFAULT_DOCUMENT_TOKENS,
            window_tokens: DEFAULT_WINDOW_TOKENS,
            ties: true,
        }
    }
}

/// The author of a message in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptRole {
    /// Instructions.
    System,
    /// The question.
    User,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedMessage {
    /// The author.
    pub role: PromptRole,
    /// The text.
    pub content: String,
}

/// A prompt, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The messages in order.
    pub messages: Vec<RenderedMessage>,
    /// Estimated tokens of the documents that are not shown; 0 if they are whole.
    pub tokens_cut: u32,
    /// Estimated tokens of all messages, with 4 for the frame of each.
    pub tokens: u32,
}

/// The messages of a template file.
#[derive(Debug, Clone)]
pub(super) struct MessageTemplates {
    messages: Vec<MessageTemplate>,
    environment: Environment<'static>,
    /// The template's name in error messages: the file, or the name.
    origin: String,
}

/// One message of a template; its text is in the environment under the message's number.
#[derive(Debug, Clone)]
struct MessageTemplate {
    role: PromptRole,
    key: String,
    /// How many lines of the file are before its text.
    lines_before: usize,
}

impl MessageTemplates {
    /// Splits the body of `file` into messages and checks that they use no variable but `variables`.
    pub(super) fn new(file: &FrontMatter<'_>, origin: &str, variables: &[&str]) -> Result<Self, PromptError> {
        let mut template = Self {
            messages: Vec::new(),
            environment: environment().map_err(|error| explain(origin, 0, &error))?,
            origin: origin.to_owned(),
        };
        for (role, line, body) in split_messages(file, origin)? {
            template.add(role, line, body, variables)?;
        }
        Ok(template)
    }

    /// Returns the template's name in error messages.
    fn origin(&self) -> &str {
        &self.origin
    }

    pub(super) fn fill(&self, variables: &Value, tokens_cut: u32) -> Result<Rendered, PromptError> {
        let mut rendered =
            Rendered { messages: Vec::with_capacity(self.messages.len()), tokens_cut, tokens: 0 };
        for message in &self.messages {
            let mut output = Output::default();
            let filled = self
                .environment
                .get_template(&message.key)
                .and_then(|template| template.render_captured_to(variables, &mut output).map(|_| ()));
            if output.is_full {
                let text = format!(
                    "this message is longer than {} MiB when it is filled in; show less, or repeat nothing",
                    LONGEST_MESSAGE >> 20
                );
                return Err(PromptError::invalid(&self.origin, message.lines_before + 1, text));
            }
            filled.map_err(|error| explain(&self.origin, message.lines_before, &error))?;
            // A template writes text only.
            let content = String::from_utf8(output.written)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
            let trimmed = content.trim();
            let content = if trimmed.len() == content.len() { content } else { trimmed.to_owned() };
            rendered.tokens = rendered.tokens.saturating_add(estimate_tokens(&content)).saturating_add(4);
            rendered.messages.push(RenderedMessage { role: message.role, content });
        }
        Ok(rendered)
    }

    /// Checks that a sample shows `text`, the value of `variable`.
    fn must_show(
        &self,
        sample: &Rendered,
        text: &str,
        what: &str,
        variable: &str,
    ) -> Result<(), PromptError> {
        if sample.messages.iter().any(|message| message.content.contains(text)) {
            return Ok(());
        }
        let message =
            format!("the judge is never shown the {what}; write `{{{{ {variable} }}}}` where it belongs");
        Err(PromptError::invalid(&self.origin, 1, message))
    }

    fn add(
        &mut self,
        role: PromptRole,
        line: usize,
        body: &str,
        variables: &[&str],
    ) -> Result<(), PromptError> {
        let message = MessageTemplate { role, key: self.messages.len().to_string(), lines_before: line - 1 };
        if let Some((at, what)) = refused(body) {
            let text = format!(
                "{what} can make a text of any length, and a prompt shows values only: write {{{{ a }}}}{{{{ b }}}} \
                 for two texts"
            );
            return Err(PromptError::invalid(&self.origin, message.lines_before + at, text));
        }
        self.environment
            .add_template_owned(message.key.clone(), body.to_owned())
            .map_err(|error| explain(&self.origin, message.lines_before, &error))?;
        let unknown = {
            let template = self
                .environment
                .get_template(&message.key)
                .map_err(|error| explain(&self.origin, message.lines_before, &error))?;
            let known = |name: &str| {
                variables.contains(&name) || self.environment.globals().any(|(global, _)| global == name)
            };
            // The order of the set differs between runs; the first by name is always the same.
            template.undeclared_variables(false).into_iter().filter(|name| !known(name)).min()
        };
        if let Some(name) = unknown {
            let line = line + body.lines().take_while(|line| !line.contains(&name)).count();
            let message = format!("there is no variable `{name}`; there are {}", variables.join(", "));
            return Err(PromptError::invalid(&self.origin, line, message));
        }
        self.messages.push(message);
        Ok(())
    }
}

/// How many instructions a message may take: a hundred times what a built-in template takes to show a thousand
/// documents.
const FUEL: u64 = 1_000_000;

/// The longest message, in bytes. No model reads one as long.
pub(super) const LONGEST_MESSAGE: usize = 16 << 20;

/// The output of a template, up to the longest message.
#[derive(Default)]
struct Output {
    written: Vec<u8>,
    is_full: bool,
}

impl io::Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.written.len() + bytes.len() > LONGEST_MESSAGE {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An engine that fails on undefined variables, escapes nothing, and removes a line that has only a block tag.
fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    bound(&mut environment);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(FUEL));
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    Ok(environment)
}

/// An error of the template engine, with its line in the file and the expression at fault.
fn explain(origin: &str, lines_before: usize, error: &minijinja::Error) -> PromptError {
    let line = lines_before + error.line().unwrap_or(1);
    if error.kind() == ErrorKind::OutOfFuel {
        let message = format!("this message takes more than {FUEL} steps to fill in; make its loops shorter");
        return PromptError::invalid(origin, line, message);
    }
    let at_fault = error
        .range()
        .and_then(|range| error.template_source()?.get(range))
        .map(|expression| format!(" in `{}`", expression.trim()))
        .unwrap_or_default();
    let what = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
    PromptError::invalid(origin, line, format!("{what}{at_fault}"))
}

/// The messages of a template: the role, the line of the file on which the text begins, and the text.
fn split_messages<'a>(
    file: &FrontMatter<'a>,
    origin: &str,
) -> Result<Vec<(PromptRole, usize, &'a str)>, PromptError> {
    let invalid = |line: usize, message: &str| PromptError::invalid(origin, line, message);
    let mut found: Vec<(PromptRole, usize, usize, usize)> = Vec::new();
    let mut at = 0;
    for (index, line) in file.body.split_inclusive('\n').enumerate() {
        let (number, start) = (file.body_line + index, at);
        at += line.len();
        let role = match line.trim_end() {
            "[system]" => PromptRole::System,
            "[user]" => PromptRole::User,
            "[assistant]" => {
                return Err(invalid(
                    number,
                    "a message is [system] or [user]; the model speaks last, and in its own words",
                ));
            }
            other if found.is_empty() && !other.is_empty() => {
                return Err(invalid(
                    number,
                    "text before the first message; begin with a line `[system]` or `[user]`",
                ));
            }
            _ => continue,
        };
        if let Some(before) = found.last_mut() {
            before.3 = start;
        }
        found.push((role, number + 1, at, file.body.len()));
    }
    if !found.iter().any(|(role, ..)| *role == PromptRole::User) {
        return Err(invalid(file.body_line, "there is no message `[user]`; models answer to one"));
    }
    found
        .into_iter()
        .map(|(role, line, from, to)| match file.body.get(from..to) {
            Some(body) if !body.trim().is_empty() => Ok((role, line, body)),
            _ => Err(invalid(line, "this message is empty; write its text below, or remove its line")),
        })
        .collect()
}
