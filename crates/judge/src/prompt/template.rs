//! Templates: read once, checked once, rendered for every pair.

use std::path::Path;

use llull_core::Hash;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, syntax::SyntaxConfig};
use serde::Deserialize;

use super::{
    AnswerKind, PromptError, PromptInput, Rendered, Role,
    render::{self, VARIABLES},
};
use crate::front_matter::{self, FrontMatter};

/// The built-in templates: names and texts.
const BUILTIN: [(&str, &str); 3] = [
    ("graded", include_str!("templates/graded.j2")),
    ("graded-direct", include_str!("templates/graded-direct.j2")),
    ("umbrela", include_str!("templates/umbrela.j2")),
];

/// The names of the built-in prompts, the default first.
pub const BUILTIN_PROMPTS: [&str; 3] = [BUILTIN[0].0, BUILTIN[1].0, BUILTIN[2].0];

pub(super) fn known_names() -> String {
    BUILTIN_PROMPTS.map(|name| format!("{name:?}")).join(", ")
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
    text: String,
    pub(super) messages: Vec<Message>,
    pub(super) environment: Environment<'static>,
    /// What error messages call it: the file, or the name.
    pub(super) origin: String,
}

/// One message of a template; its text is in the environment under the message's number.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub(super) role: Role,
    pub(super) key: String,
    /// How many lines of the file stand before its text.
    pub(super) lines_before: usize,
}

impl Prompt {
    /// The built-in template of this name; see [`BUILTIN_PROMPTS`].
    ///
    /// # Errors
    /// [`PromptError::Unknown`] when there is none.
    pub fn builtin(name: &str) -> Result<Self, PromptError> {
        match BUILTIN.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => Self::parse(text, name),
            None => Err(PromptError::Unknown { name: name.to_owned() }),
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
        let mut prompt = Self {
            name: settings.name,
            description: settings.description,
            answer: settings.answer,
            source: settings.source,
            hash: hash(settings.answer, file.body),
            text: text.to_owned(),
            messages: Vec::new(),
            environment: environment().map_err(|error| render::explain(origin, 0, &error))?,
            origin: origin.to_owned(),
        };
        for (role, line, body) in split_messages(&file, origin)? {
            prompt.add(role, line, body)?;
        }
        render::try_out(&prompt)?;
        Ok(prompt)
    }

    /// The hash of what a judge can see of it: the messages and the form of the answer, not the name or description.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// The template's text as it was read, for whoever wants to write a variant.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Fills the template in. Equal inputs give equal bytes.
    ///
    /// # Errors
    /// [`PromptError::Invalid`] when the template reads something that this rubric does not have.
    pub fn render(&self, input: &PromptInput<'_>) -> Result<Rendered, PromptError> {
        render::render(self, input)
    }

    fn add(&mut self, role: Role, line: usize, body: &str) -> Result<(), PromptError> {
        let message = Message { role, key: self.messages.len().to_string(), lines_before: line - 1 };
        self.environment
            .add_template_owned(message.key.clone(), body.to_owned())
            .map_err(|error| render::explain(&self.origin, message.lines_before, &error))?;
        let unknown = {
            let template = self
                .environment
                .get_template(&message.key)
                .map_err(|error| render::explain(&self.origin, message.lines_before, &error))?;
            let known = |name: &str| {
                VARIABLES.contains(&name) || self.environment.globals().any(|(global, _)| global == name)
            };
            // The set's own order differs between runs; the first by name is always the same.
            template.undeclared_variables(false).into_iter().filter(|name| !known(name)).min()
        };
        if let Some(name) = unknown {
            let line = line + body.lines().take_while(|line| !line.contains(&name)).count();
            let message = format!("there is no variable `{name}`; there are {}", VARIABLES.join(", "));
            return Err(PromptError::invalid(&self.origin, line, message));
        }
        self.messages.push(message);
        Ok(())
    }
}

/// An engine that fails on what is undefined, escapes nothing, and lets a line with nothing but a block tag vanish.
fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    Ok(environment)
}

fn hash(answer: AnswerKind, body: &str) -> Hash {
    let lines: Vec<_> = body.lines().map(str::trim_end).collect();
    llull_core::KeyBuilder::new("llull prompt v1")
        .text("answer", answer.name())
        .text("messages", lines.join("\n").trim())
        .finish()
}

/// The messages of a template: who speaks, the line of the file on which the text begins, and the text.
fn split_messages<'a>(
    file: &FrontMatter<'a>,
    origin: &str,
) -> Result<Vec<(Role, usize, &'a str)>, PromptError> {
    let invalid = |line: usize, message: &str| PromptError::invalid(origin, line, message);
    let mut found: Vec<(Role, usize, usize, usize)> = Vec::new();
    let mut at = 0;
    for (index, line) in file.body.split_inclusive('\n').enumerate() {
        let (number, start) = (file.body_line + index, at);
        at += line.len();
        let role = match line.trim_end() {
            "[system]" => Role::System,
            "[user]" => Role::User,
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
    if !found.iter().any(|(role, ..)| *role == Role::User) {
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
