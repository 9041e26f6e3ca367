//! `llull prompt`: prints a judge's prompt.

use std::path::Path;

use anyhow::{Result, bail};
use llull::PromptPreview;
use llull::core::Seed;
use llull::judge::{FactsPrompt, QuestionCategory, QuestionPrompt, facts_schema, question_schema};
use llull::synthesis::{DEFAULT_PASSAGE_TOKENS, drawn_documents, passages};

use super::Context;
use crate::args::PromptArgs;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &PromptArgs) -> Result<Exit> {
    let written = match (&args.facts, &args.synthesize) {
        (Some(answer), _) => Some(facts(answer)?),
        (_, Some(documents)) => Some(question(context, documents, args.category)?),
        (None, None) => None,
    };
    if let Some(preview) = written {
        if !context.shows_json(&[&preview])? {
            let about = format!("{} {}", preview.topic, preview.document);
            context.printer.note(format!(
                "prompt {}, {}: about {} tokens",
                preview.judge,
                about.trim_start(),
                preview.tokens
            ));
            show(context, &preview)?;
        }
        return Ok(Exit::Fine);
    }
    let study = context.study(args.judges.overrides())?;
    let inputs = super::judge::inputs(context, &study)?;
    let previews = study.preview(&inputs, args.query.as_deref(), args.document.as_deref())?;
    if previews.is_empty() {
        bail!(
            "no judge of this study is a language model, so there is no prompt; add --judge openai/MODEL to see one"
        );
    }
    if !context.shows_json(&previews)? {
        for preview in &previews {
            context.printer.note(heading(preview));
            show(context, preview)?;
        }
    }
    Ok(Exit::Fine)
}

/// The request for the facts of an expected answer.
fn facts(answer: &str) -> Result<PromptPreview> {
    let prompt = FactsPrompt::new()?;
    Ok(PromptPreview::of_writer(prompt.name(), ("", "the answer"), prompt.render(answer)?, facts_schema()))
}

/// The request for a question about the first passage that llull synthesize draws.
fn question(
    context: &Context,
    documents: &Path,
    category: Option<QuestionCategory>,
) -> Result<PromptPreview> {
    let drawn = drawn_documents(documents, &context.global.columns, 1, Seed(0))?;
    let passage = drawn.found.values().flat_map(|found| passages(found, DEFAULT_PASSAGE_TOKENS)).next();
    let Some(passage) = passage else { bail!("{}: no document with a text", documents.display()) };
    let category = category.unwrap_or(QuestionCategory::DirectFact);
    let prompt = QuestionPrompt::new()?;
    let rendered = prompt.render(category, &passage.text)?;
    let about = (category.name(), passage.id());
    Ok(PromptPreview::of_writer(prompt.name(), (about.0, &about.1), rendered, question_schema()))
}

/// The judge, the query and the documents, and how much of them is shown.
fn heading(preview: &PromptPreview) -> String {
    let several = preview.document.contains(", ");
    let what = if several { "documents" } else { "document" };
    let cut = match preview.tokens_cut {
        0 if several => "the documents are whole".to_owned(),
        0 => "the document is whole".to_owned(),
        n => format!("about {n} tokens of the {what} are cut"),
    };
    format!(
        "judge {}, query {}, {what} {}: about {} tokens; {cut}",
        preview.judge, preview.topic, preview.document, preview.tokens
    )
}

fn show(context: &Context, preview: &PromptPreview) -> Result<()> {
    for message in &preview.messages {
        context.printer.result(format!("--- {} ---\n{}\n", message.role, message.content))?;
    }
    context.printer.result("--- reply's schema ---")?;
    Ok(context.printer.json(&preview.schema)?)
}
