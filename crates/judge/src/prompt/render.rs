//! Filling a template in.

use llull_core::{Hash, Scale};
use minijinja::{Value, context};

use super::{AnchorOrder, Prompt, PromptError, delimit, estimate_tokens, fit};
use crate::rubric::{Example, GradeDefinition, Rubric};

/// What a template may use.
pub(super) const VARIABLES: [&str; 10] =
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

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Instructions.
    System,
    /// The question.
    User,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedMessage {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

/// A prompt, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The messages in order.
    pub messages: Vec<RenderedMessage>,
    /// Estimated tokens of the document that are not shown; 0 when it is whole.
    pub tokens_cut: u32,
    /// Estimated tokens of all messages, with 4 for the frame of each.
    pub tokens: u32,
}

/// Follows the document when it was cut; outside its tags, so that a document cannot be told from it by its words alone.
const CUT_HERE: &str = "\n[document cut here: the rest is not shown; judge what is]";

pub(super) fn render(prompt: &Prompt, input: &PromptInput<'_>) -> Result<Rendered, PromptError> {
    let fitted = fit(input.document, input.document_tokens);
    let nonce = delimit::nonce(input.query, fitted.shown);
    let after = if fitted.tokens_cut > 0 { CUT_HERE } else { "" };
    let rubric = input.rubric;
    let variables = context! {
        query => delimit::enclose(&format!("query-{nonce}"), input.query, ""),
        document => delimit::enclose(&format!("document-{nonce}"), fitted.shown, after),
        relevance => rubric.body.as_str(),
        grades => rubric.grades.iter().map(grade_value).collect::<Vec<_>>(),
        anchors => input.anchor_order.arrange(&rubric.grades).into_iter().map(anchor_value).collect::<Vec<_>>(),
        choices => choices(rubric.scale),
        low => rubric.scale.low(),
        high => rubric.scale.high(),
        cutoff => rubric.cutoff,
        off_target => rubric.cutoff - 1,
    };
    let mut rendered = Rendered {
        messages: Vec::with_capacity(prompt.messages.len()),
        tokens_cut: fitted.tokens_cut,
        tokens: 0,
    };
    for message in &prompt.messages {
        let content = prompt
            .environment
            .get_template(&message.key)
            .and_then(|template| template.render(variables.clone()))
            .map_err(|error| explain(&prompt.origin, message.lines_before, &error))?;
        let trimmed = content.trim();
        let content = if trimmed.len() == content.len() { content } else { trimmed.to_owned() };
        rendered.tokens = rendered.tokens.saturating_add(estimate_tokens(&content)).saturating_add(4);
        rendered.messages.push(RenderedMessage { role: message.role, content });
    }
    Ok(rendered)
}

fn grade_value(grade: &GradeDefinition) -> Value {
    context! { grade => grade.grade, name => grade.name.as_str(), definition => grade.definition.as_str() }
}

fn anchor_value((grade, example): (&GradeDefinition, &Example)) -> Value {
    context! {
        grade => grade.grade,
        name => grade.name.as_str(),
        query => example.query.as_str(),
        document => example.document.as_str(),
        why => example.why.as_str(),
    }
}

/// The grades in words: `0 or 1`, `0, 1, 2 or 3`; a long scale by its ends.
fn choices(scale: Scale) -> String {
    let grades: Vec<_> = scale.grades().map(|grade| grade.to_string()).collect();
    match grades.as_slice() {
        [most @ .., last] if grades.len() <= 11 => format!("{} or {last}", most.join(", ")),
        _ => format!("a whole number from {} to {}", scale.low(), scale.high()),
    }
}

/// An error of the template engine, with its line in the file and the expression at fault.
pub(super) fn explain(origin: &str, lines_before: usize, error: &minijinja::Error) -> PromptError {
    let line = lines_before + error.line().unwrap_or(1);
    let at_fault = error
        .range()
        .and_then(|range| error.template_source()?.get(range))
        .map(|expression| format!(" in `{}`", expression.trim()))
        .unwrap_or_default();
    let what = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
    PromptError::invalid(origin, line, format!("{what}{at_fault}"))
}

/// Renders a sample, and checks that the judge gets to see what it is to judge.
pub(super) fn try_out(prompt: &Prompt) -> Result<(), PromptError> {
    let grade = |grade: i32| GradeDefinition {
        grade,
        name: format!("name {grade}"),
        definition: format!("definition {grade}"),
        example: Some(Example { query: "an".into(), document: "example".into(), why: "why".into() }),
    };
    let rubric = Rubric {
        name: String::new(),
        scale: Scale::default(),
        cutoff: 2,
        grades: Scale::default().grades().map(grade).collect(),
        body: String::from("What relevant means."),
        hash: Hash([0; 32]),
    };
    let (query, document) = ("the query of the sample", "the document of the sample");
    let anchor_order = AnchorOrder::Ascending;
    let sample = render(
        prompt,
        &PromptInput { query, document, rubric: &rubric, anchor_order, document_tokens: 100 },
    )?;
    for (text, variable) in [(query, "query"), (document, "document")] {
        if !sample.messages.iter().any(|message| message.content.contains(text)) {
            let message = format!(
                "the judge is never shown the {variable}; write `{{{{ {variable} }}}}` where it belongs"
            );
            return Err(PromptError::invalid(&prompt.origin, 1, message));
        }
    }
    Ok(())
}
