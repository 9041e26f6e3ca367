//! `llull export fine-tune`: prompts and replies, to train a language model with.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::config::Overrides;
use llull::data::{ChatExample, ChatMessage, write_chat};
use llull::report::text::{count, counted};
use llull::{FineTuningExample, FineTuningTally, LeftOutAttempts, Study, validation_queries};
use serde::Serialize;

use super::written::{check_output, write};
use crate::args::ExportFineTune;
use crate::commands::judge::load_study;
use crate::commands::{Context, write_beside};
use crate::exit::{Exit, refuse};

/// How many reasons for leaving out attempts are printed; `--json` has all.
const PRINTED: usize = 5;

const LICENCES: &str = "The replies are a model's, and the prompts hold your documents: before you train with them, \
                        check that the licences of both, and the terms of the model's provider, allow it";

/// What was written, for `--json`.
#[derive(Serialize)]
struct Report<'a> {
    written: &'a Path,
    examples: usize,
    queries: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation: Option<Validation<'a>>,
    #[serde(flatten)]
    tally: &'a FineTuningTally,
}

/// The second file.
#[derive(Serialize)]
struct Validation<'a> {
    written: &'a Path,
    examples: usize,
    queries: usize,
}

/// The examples of each query in one file.
type Counts = BTreeMap<String, usize>;

pub(super) fn run(context: &Context, args: &ExportFineTune) -> Result<Exit> {
    let output = &args.output.output;
    check_output(context, output)?;
    let beside = match args.split {
        Some(_) if output == Path::new("-") => {
            refuse!("--split writes two files; name the first: -o FILE.jsonl");
        }
        Some(_) => Some(validation_file(output)),
        None => None,
    };
    let study = context.study_as_last_run(Overrides::default())?;
    one_judge(&study, args)?;
    let known = load_study(context, &study)?;
    let pooled = &known.evidence.pooled;
    let queries = pooled.topics().iter().map(|topic| topic.id.as_str());
    let drawn = match args.split {
        Some(share) => validation_queries(queries, share, study.settings().seed),
        None => BTreeSet::new(),
    };
    let (mut train, mut validation) = (Counts::new(), Counts::new());
    let mut held_out = Vec::new();
    let tally = write(context, output, |out| {
        let tally =
            study.attempts().fine_tuning(pooled, &args.judges, &mut |example: FineTuningExample| {
                let (counts, out): (_, &mut dyn Write) = match drawn.contains(example.query.as_str()) {
                    true => (&mut validation, &mut held_out),
                    false => (&mut train, &mut *out),
                };
                *counts.entry(example.query.clone()).or_default() += 1;
                write_chat([chat(&example)].into_iter(), out)
            })?;
        if train.is_empty() && validation.is_empty() {
            print_left_out(context, &tally);
            anyhow::bail!(
                "nothing to write: no verdict of a language model has a prompt that can be made again"
            );
        }
        Ok(tally)
    })?;
    let (examples, of_validation) = (train.values().sum(), validation.values().sum());
    if let Some(file) = &beside {
        write_beside(file, &held_out)?;
    }
    let validation = beside.as_deref().map(|written| Validation {
        written,
        examples: of_validation,
        queries: validation.len(),
    });
    let report = Report { written: output, examples, queries: train.len(), validation, tally: &tally };
    if !context.shows_json(&report)? {
        notes(context, &report);
    }
    context.printer.note(LICENCES);
    Ok(Exit::Fine)
}

/// Checks that the judges are chosen, if the ledger has several language models.
fn one_judge(study: &Study, args: &ExportFineTune) -> Result<()> {
    let models = study.ledger().judges()?.into_iter().filter(|judge| judge.spec.sampling.is_some());
    let names: BTreeSet<String> = models.map(|judge| judge.name).collect();
    let names: Vec<String> = names.into_iter().collect();
    match names.as_slice() {
        [] => {
            anyhow::bail!("no language model has answered in this study, so there is no reply to learn from")
        }
        [_, _, ..] if args.judges.is_empty() => anyhow::bail!(
            "the ledger has replies of {} judges ({}); choose whose replies to learn: --judge {}",
            names.len(),
            names.join(", "),
            names.first().map_or("NAME", String::as_str)
        ),
        _ => Ok(()),
    }
}

fn chat(example: &FineTuningExample) -> ChatExample<'_> {
    let prompt = example.messages.iter().map(|message| (message.role, message.content.as_str()));
    let all = prompt.chain([("assistant", example.reply.as_str())]);
    ChatExample { messages: all.map(|(role, content)| ChatMessage { role, content }).collect() }
}

fn notes(context: &Context, report: &Report<'_>) {
    let wrote = |file: &Path, examples: usize, queries: usize| {
        let words = format!("{} of {}", counted(examples, "example"), counted(queries, "query"));
        if file == Path::new("-") { words } else { format!("wrote {}, {words}", file.display()) }
    };
    context.printer.note(wrote(report.written, report.examples, report.queries));
    if let Some(Validation { written, examples, queries }) = report.validation {
        context.printer.note(wrote(written, examples, queries));
    }
    print_left_out(context, report.tally);
}

fn print_left_out(context: &Context, FineTuningTally { left_out, .. }: &FineTuningTally) {
    for LeftOutAttempts { judge, reason, attempts, query, document } in left_out.iter().take(PRINTED) {
        context.printer.warn(format!(
            "judge {judge}: {} with a verdict left out, the first about query {query}, document {document}: {reason}",
            counted(*attempts, "attempt")
        ));
    }
    if let Some(more @ 1..) = left_out.len().checked_sub(PRINTED) {
        context.printer.warn(format!("and {} more reasons; --json has all", count(more)));
    }
}

/// The file for validation: `chat.jsonl.gz` has `chat.validation.jsonl.gz` beside it.
fn validation_file(output: &Path) -> PathBuf {
    let name = output.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let ends = [".gz", ".zst", ".jsonl", ".ndjson", ".json"];
    let mut stem = name.as_str();
    for end in ends {
        stem = stem.strip_suffix(end).filter(|rest| !rest.is_empty()).unwrap_or(stem);
    }
    let ending = name.strip_prefix(stem).unwrap_or_default();
    output.with_file_name(format!("{stem}.validation{ending}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_for_validation_is_beside_the_other() {
        for (output, expected) in [
            ("a/chat.jsonl", "a/chat.validation.jsonl"),
            ("chat.jsonl.gz", "chat.validation.jsonl.gz"),
            ("chat", "chat.validation"),
            (".jsonl", ".jsonl.validation"),
        ] {
            assert_eq!(validation_file(Path::new(output)), Path::new(expected));
        }
    }
}
