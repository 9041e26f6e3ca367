//! `llull prompt`: prints a judge's prompt.

use anyhow::{Result, bail};
use llull::PromptPreview;

use super::Context;
use crate::args::PromptArgs;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &PromptArgs) -> Result<Exit> {
    let study = context.study(args.judges.overrides())?;
    let inputs = super::judge::inputs(context, &study)?;
    let previews = study.preview(&inputs, args.query.as_deref(), args.document.as_deref())?;
    if previews.is_empty() {
        bail!(
            "no judge of this study is a language model, so there is no prompt; add --judge openai/MODEL to see one"
        );
    }
    if !context.shows_json(&previews)? {
        previews.iter().try_for_each(|preview| show(context, preview))?;
    }
    Ok(Exit::Fine)
}

fn show(context: &Context, preview: &PromptPreview) -> Result<()> {
    let several = preview.document.contains(", ");
    let what = if several { "documents" } else { "document" };
    let cut = match preview.tokens_cut {
        0 if several => "the documents are whole".to_owned(),
        0 => "the document is whole".to_owned(),
        n => format!("about {n} tokens of the {what} are cut"),
    };
    context.printer.note(format!(
        "judge {}, query {}, {what} {}: about {} tokens; {cut}",
        preview.judge, preview.topic, preview.document, preview.tokens
    ));
    for message in &preview.messages {
        context.printer.result(format!("--- {} ---\n{}\n", message.role, message.content))?;
    }
    context.printer.result("--- reply's schema ---")?;
    Ok(context.printer.json(&preview.schema)?)
}
