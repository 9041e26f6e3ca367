//! `llull pool --retrieve`: runs the study's retrievers.

use anyhow::{Result, bail};
use llull::core::{Run, Topics};
use llull::report::text::{average, count, figure, figures, text_table, words};
use llull::{RetrievedRun, Study};
use serde::Serialize;

use super::Context;

/// The results of one system.
#[derive(Serialize)]
pub(super) struct Row {
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
pub(super) struct Retrieved {
    pub(super) rows: Vec<Row>,
    best: Vec<Vec<String>>,
}

/// Saves and counts the results of the systems that llull retrieves, with the best documents of each query.
pub(super) fn retrieved(context: &Context, study: &Study, show: usize) -> Result<Retrieved> {
    let topics = study.topics()?;
    let mut retrieved = Retrieved::default();
    retrieved.own(study, &topics, show)?;
    retrieved.live(context, study, &topics, show)?;
    for (run, file) in study.retrieval().write_hybrids(&topics)? {
        retrieved.add(&run, show, (&run.name, file.display().to_string()));
    }
    if retrieved.rows.is_empty() {
        context.printer.note(
            "llull retrieves no system of this study; it would retrieve one with retriever = \"bm25\", or by a program \
             with command = [\"python3\", \"retrieve.py\"]",
        );
    }
    Ok(retrieved)
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

    /// Adds the live systems.
    fn live(&mut self, context: &Context, study: &Study, topics: &Topics, show: usize) -> Result<()> {
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
        }
        Ok(())
    }

    /// Whether queries failed.
    pub(super) fn failed(&self) -> bool {
        self.rows.iter().any(|row| row.failed.is_some_and(|failed| failed > 0))
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

    /// Prints the best documents, and a row for each system.
    pub(super) fn print(mut self, context: &Context) -> Result<()> {
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
        Ok(context.printer.result("")?)
    }
}
