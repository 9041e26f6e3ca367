//! Splits, checks and fills in the messages of a template file.

use std::io;

use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior, Value, syntax::SyntaxConfig};

use super::{
    error::PromptError,
    growth::{bound, refused},
    rendered::{PromptRole, Rendered, RenderedMessage},
};
use crate::{fit::estimate_tokens, front_matter::FrontMatter};

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
    pub(super) fn origin(&self) -> &str {
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
            let content = String::from_utf8_lossy(&output.written).into_owned();
            let trimmed = content.trim();
            let content = if trimmed.len() == content.len() { content } else { trimmed.to_owned() };
            rendered.tokens = rendered.tokens.saturating_add(estimate_tokens(&content)).saturating_add(4);
            rendered.messages.push(RenderedMessage { role: message.role, content });
        }
        Ok(rendered)
    }

    /// Checks that a sample shows `text`, the value of `variable`.
    pub(super) fn must_show(
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
