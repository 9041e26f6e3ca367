//! `llull retrieve`: runs the study's retrievers.

use anyhow::{Result, bail};
use llull::core::{Run, Topics};
use llull::report::text::{average, count, figure, figures, text_table, words};
use llull::{RetrievedRun, Study};
use serde::Serialize;

use super::Context;
use crate::args::RetrieveArgs;
use crate::exit::Exit;

/// The results of one system.
#[derive(Serialize)]
struct Row {
    system: String,
    file: String,
    queries: usize,
    documents: usize,
    /// The queries that a live system could not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<usize>,
    /// How long a live system took for a query.
    #[serde(skip_serializing_if = "Option::is_none")]
    milliseconds: Option<Milliseconds>,
}

#[derive(Serialize)]
struct Milliseconds {
    n: u64,
    p50: f64,
    p95: f64,
}

/// The rows of a table, and the best documents of each query.
#[derive(Default)]
struct Retrieved {
    rows: Vec<Row>,
    best: Vec<Vec<String>>,
}

pub(crate) fn run(context: &Context, args: &RetrieveArgs) -> Result<Exit> {
    let study = context.study_to_retrieve(args.refresh)?;
    let topics = study.topics()?;
    let mut retrieved = Retrieved::default();
    retrieved.own(&study, &topics, args.show)?;
    let failed = retrieved.live(context, &study, &topics, args.show)?;
    for (run, file) in study.retrieval().write_hybrids(&topics)? {
        retrieved.add(&run, args.show, (&run.name, file.display().to_string()));
    }
    let exit = if failed { Exit::Incomplete } else { Exit::Fine };
    if retrieved.rows.is_empty() {
        context.printer.note(
            "llull retrieves no system of this study; it would retrieve one with retriever = \"bm25\", or by a program \
             with command = [\"python3\", \"retrieve.py\"]",
        );
    }
    if !context.shows_json(&retrieved.rows)? && !retrieved.rows.is_empty() {
        retrieved.print(context)?;
    }
    Ok(exit)
}

impl Retrieved {
    /// Adds the systems that llull retrieves itself.
    fn own(&mut self, study: &Study, topics: &Topics, show: usize) -> Result<()> {
        for (system, file) in study.settings().systems.iter().zip(study.retrieval().runs(topics)?) {
            let file = match file {
                Some(RetrievedRun::File(file)) => file,
                Some(RetrievedRun::Run(_)) => bail!(
                    "the folder {} is read-only, so the run of {} cannot be saved; pool, measure and report retrieve \
                     it again each time",
                    study.folder().dir().display(),
                    system.name
                ),
                None => continue,
            };
            let run = llull::files::read_system(&file, &system.name, None, Default::default())?.value;
            self.add(&run, show, (&system.name, file.display().to_string()));
        }
        Ok(())
    }

    /// Adds the live systems. Returns whether queries failed.
    fn live(&mut self, context: &Context, study: &Study, topics: &Topics, show: usize) -> Result<bool> {
        let mut failed = false;
        for (system, results) in study.retrieval().live_results(topics)? {
            let row = self.add(&results.run, show, (system, results.file.display().to_string()));
            row.failed = Some(results.failed.len());
            row.milliseconds = results
                .asked
                .figures()
                .and_then(|found| Some(Milliseconds { n: found.n, p50: found.p50_ms?, p95: found.p95_ms? }));
            for (query, why) in &results.failed {
                context.printer.warn(format!("{system} did not answer query {query}: {why}"));
            }
            failed |= !results.failed.is_empty();
        }
        Ok(failed)
    }

    fn add(&mut self, run: &Run, show: usize, (system, file): (&str, String)) -> &mut Row {
        for (topic, ranking) in run.iter() {
            self.best.extend(ranking.iter().take(show).map(|hit| {
                let (rank, document) = (count(hit.rank), hit.document.to_owned());
                vec![topic.to_owned(), system.to_owned(), rank, document, figure(hit.score)]
            }));
        }
        let documents = run.iter().map(|(_, ranking)| ranking.len()).sum();
        let (system, queries) = (system.to_owned(), run.len());
        let place = self.rows.len();
        self.rows.push(Row { system, file, queries, documents, failed: None, milliseconds: None });
        &mut self.rows[place]
    }

    fn print(mut self, context: &Context) -> Result<()> {
        if !self.best.is_empty() {
            self.best.sort_by(|a, b| a[0].cmp(&b[0]));
            let columns = ["query", "system", "rank", "document", "score"];
            context.printer.result(text_table(columns, self.best))?;
            context.printer.result("")?;
        }
        let live = self.rows.iter().any(|row| row.failed.is_some());
        let mut columns = vec![figures("system"), figures("queries"), figures("documents")];
        if live {
            columns.extend([figures("failed"), figures("p50 ms"), figures("p95 ms")]);
        }
        columns.push(words("file"));
        let cells = self.rows.into_iter().map(|row| {
            let mut cells = vec![row.system, count(row.queries), count(row.documents)];
            if live {
                let times = row.milliseconds.map(|times| [times.p50, times.p95].map(average));
                cells.push(row.failed.map_or_else(|| "-".into(), count));
                cells.extend(times.unwrap_or_else(|| ["-".into(), "-".into()]));
            }
            cells.push(row.file);
            cells
        });
        context.printer.result(text_table(columns, cells))?;
        Ok(())
    }
}
