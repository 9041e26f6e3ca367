//! `llull retrieve`: runs the study's retrievers.

use anyhow::{Result, bail};
use llull::RetrievedRun;
use llull::report::text::{count, figure, figures, text_table, words};
use serde::Serialize;

use super::Context;
use crate::args::RetrieveArgs;
use crate::exit::Exit;

#[derive(Serialize)]
struct Retrieved {
    system: String,
    file: String,
    queries: usize,
    documents: usize,
}

pub(crate) fn run(context: &Context, args: &RetrieveArgs) -> Result<Exit> {
    let study = context.study(Default::default())?;
    let topics = study.topics()?;
    let files = study.retrieved(&topics)?;
    let mut rows = Vec::new();
    let mut best = Vec::new();
    for (system, file) in study.settings().systems.iter().zip(files) {
        let file = match file {
            Some(RetrievedRun::File(file)) => file,
            Some(RetrievedRun::Run(_)) => bail!(
                "the folder {} is read-only, so the run of {} cannot be kept; pool, measure and report retrieve it \
                 again each time",
                study.folder().dir().display(),
                system.name
            ),
            None => continue,
        };
        let run = llull::files::read_system(&file, &system.name, None, Default::default())?.value;
        for (topic, ranking) in run.iter() {
            for hit in ranking.iter().take(args.show) {
                best.push(vec![
                    topic.to_owned(),
                    system.name.clone(),
                    count(hit.rank),
                    hit.document.to_owned(),
                    figure(hit.score),
                ]);
            }
        }
        rows.push(Retrieved {
            system: system.name.clone(),
            file: file.display().to_string(),
            queries: run.len(),
            documents: run.iter().map(|(_, ranking)| ranking.len()).sum(),
        });
    }
    if rows.is_empty() {
        context
            .printer
            .note("llull retrieves no system of this study; it would retrieve one with retriever = \"bm25\"");
    }
    if context.global.json {
        context.printer.result(serde_json::to_string_pretty(&rows)?)?;
        return Ok(Exit::Fine);
    }
    if rows.is_empty() {
        return Ok(Exit::Fine);
    }
    if !best.is_empty() {
        best.sort_by(|a, b| a[0].cmp(&b[0]));
        context.printer.result(text_table(["query", "system", "rank", "document", "score"], best))?;
        context.printer.result("")?;
    }
    let cells =
        rows.into_iter().map(|row| vec![row.system, count(row.queries), count(row.documents), row.file]);
    context.printer.result(text_table(
        [figures("system"), figures("queries"), figures("documents"), words("file")],
        cells,
    ))?;
    Ok(Exit::Fine)
}
