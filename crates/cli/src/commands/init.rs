//! `llull init`

use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

use anyhow::{Result, bail};
use llull::Scaffold;

use super::Context;
use crate::args::InitArgs;
use crate::exit::Exit;
use crate::printer::Printer;

pub(crate) fn run(context: &Context, args: InitArgs) -> Result<Exit> {
    let asks = !args.yes && io::stdin().is_terminal() && io::stderr().is_terminal();
    let scaffold = scaffold(&args, asks.then_some(context.printer))?;
    let written = scaffold.write(&args.dir)?;
    if context.global.json {
        let files: Vec<String> = written.iter().map(|file| shown(file)).collect();
        context.printer.result(serde_json::to_string_pretty(&serde_json::json!({"written": files}))?)?;
    }
    for file in &written {
        context.printer.note(format!("wrote {}", shown(file)));
    }
    let at = match args.dir.as_os_str() {
        dir if dir == "." => String::new(),
        _ => format!(" -C {}", args.dir.display()),
    };
    context.printer.note(format!(
        "\nNext: say in {} what relevant means, then\n  llull{at} doctor   checks it all, before money is spent\n  llull{at} run      does it all",
        shown(&args.dir.join("rubric.md"))
    ));
    Ok(Exit::Fine)
}

/// A path without the `./` of the current folder.
fn shown(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).display().to_string()
}

fn scaffold(args: &InitArgs, ask: Option<Printer>) -> Result<Scaffold> {
    let default = Scaffold::default();
    let answer = |given: &Option<String>, question: &str, default: &str| -> Result<String> {
        match (given, ask) {
            (Some(given), _) => Ok(given.clone()),
            (None, Some(printer)) => question_of(printer, question, default),
            (None, None) => Ok(default.to_owned()),
        }
    };
    let name = answer(&args.name, "What is the study called?", &default.name)?;
    let topics = answer(&args.topics, "Where are the queries? (TSV, JSONL, BEIR folder)", &default.topics)?;
    let corpus = answer(&args.corpus, "Where is the corpus? (JSONL, TSV, BEIR folder)", "corpus.jsonl")?;
    let mut runs = args.runs.iter().map(|run| named_run(run)).collect::<Result<Vec<_>>>()?;
    if let (true, Some(printer)) = (runs.is_empty(), ask) {
        loop {
            let run = question_of(printer, "A system's run, as NAME=FILE? (empty: no more)", "")?;
            if run.is_empty() {
                break;
            }
            runs.push(named_run(&run)?);
        }
    }
    let judge =
        answer(&args.judge, "Which judge? (provider/model, similarity, replay:FILE)", &default.judge)?;
    Ok(Scaffold { name, topics, corpus: Some(corpus), runs, judge })
}

fn question_of(printer: Printer, question: &str, default: &str) -> Result<String> {
    printer.note(if default.is_empty() { question.to_owned() } else { format!("{question} [{default}]") });
    let mut line = String::new();
    if io::stdin().lock().read_line(&mut line)? == 0 {
        bail!("the input ended before all questions were answered; nothing was written");
    }
    let answer = line.trim();
    Ok(if answer.is_empty() { default.to_owned() } else { answer.to_owned() })
}

/// `NAME=FILE`, or a file whose stem is the name.
fn named_run(run: &str) -> Result<(String, String)> {
    if let Some((name, file)) = run.split_once('=') {
        return Ok((name.to_owned(), file.to_owned()));
    }
    let file = run.rsplit('/').next().unwrap_or(run);
    let stem = file.split('.').next().filter(|stem| !stem.is_empty());
    match stem {
        Some(stem) => Ok((stem.to_owned(), run.to_owned())),
        None => bail!("--run {run}: write it as NAME=FILE"),
    }
}
