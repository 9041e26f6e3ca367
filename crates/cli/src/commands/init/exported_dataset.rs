//! Datasets of ir_datasets, a library of Python, which downloads them and writes them as files.

use std::io;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use llull::PROGRAM_VARIABLES;
use llull::data::create_below;
use llull::program::Program;

use crate::environment::exported;
use crate::printer::Printer;

/// The files of a dataset, as paths from the study's folder.
pub(super) struct ExportedDataset {
    pub(super) queries: String,
    pub(super) documents: String,
    /// `None` if the dataset has no labels.
    pub(super) labels: Option<String>,
}

/// Variables that ir_datasets and downloads read, besides those of every program.
const VARIABLES: [&str; 5] =
    ["IR_DATASETS_HOME", "HTTPS_PROXY", "HTTP_PROXY", "REQUESTS_CA_BUNDLE", "PYTHONPATH"];

const INSTALL: &str =
    "Install it: pip install ir_datasets. Or export the files elsewhere, and name them: --topics, --corpus";

/// Exports a dataset to `data/` in the study's folder. Parts from an earlier call are not
/// exported again, since downloads may be large.
pub(super) fn export(id: &str, dir: &Path, printer: Printer) -> Result<ExportedDataset> {
    let name: String = id.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let part = |part: &str, format: &str, ending: &str| -> Result<String> {
        let file = format!("data/{name}.{ending}");
        if !dir.join(&file).exists() {
            printer.note(format!("ir_datasets: {part} of {id} to {}", dir.join(&file).display()));
            fs_err::create_dir_all(dir)?;
            write_part(id, part, format, dir, &file)?;
        }
        Ok(file)
    };
    Ok(ExportedDataset {
        queries: part("queries", "jsonl", "queries.jsonl")?,
        labels: match part("qrels", "trec", "qrels") {
            Err(error) if error.to_string().contains("does not provide qrels") => {
                printer.note(format!("{id} has no qrels, so the study has no reference"));
                None
            }
            labels => Some(labels?),
        },
        documents: part("docs", "jsonl", "corpus.jsonl")?,
    })
}

fn write_part(id: &str, part: &str, format: &str, dir: &Path, file: &str) -> Result<()> {
    let variables = PROGRAM_VARIABLES.iter().chain(&VARIABLES);
    let words = ["python3", "-m", "ir_datasets", "export", id, part, "--format", format];
    let program = Program {
        words: words.map(str::to_owned).to_vec(),
        // Python would also load modules of the current folder, which may be a stranger's.
        dir: "/".into(),
        environment: variables.filter_map(|name| Some(((*name).to_owned(), exported(name)?))).collect(),
    };
    let mut running = match program.start() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            bail!("--dataset {id}: it needs ir_datasets, and there is no python3. {INSTALL}")
        }
        started => started.context("python3 cannot be started")?,
    };
    drop(running.take_input());
    let mut output = create_below(dir, file)?;
    let length = running.take_output().map_or(Ok(0), |mut written| io::copy(&mut written, &mut output))?;
    // Its output has ended, and so has it, or it does so at once.
    let status = running.wait(Duration::from_secs(60))?;
    // Of a part that a dataset lacks it says so, writes nothing, and ends as if all was well.
    if length > 0 && status.is_some_and(|status| status.success()) {
        output.finish()?;
        return Ok(());
    }
    running.end();
    let said = running.said();
    if said.contains("No module named") {
        bail!("--dataset {id}: python3 has no ir_datasets. {INSTALL}");
    }
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message").trim();
    bail!(
        "--dataset {id}: ir_datasets has not exported its {part}: {last}. Its catalogue: https://ir-datasets.com"
    )
}
