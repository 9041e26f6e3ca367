//! `llull init`: writes a new study, with questions on a terminal.

use std::io::{self, BufRead, IsTerminal};
use std::path::{Component, Path, PathBuf};

use anyhow::{Result, bail};
use llull::core::Topics;
use llull::data::{Columns, DataError, ReadRunOptions, add_result_queries, read_run};
use llull::reach::real_path;
use llull::{GivenFile, Scaffold};

use super::Context;
use crate::args::InitArgs;
use crate::exit::{Exit, refuse};
use crate::printer::Printer;
use crate::trust::remember;

pub(crate) fn run(context: &Context, args: InitArgs) -> Result<Exit> {
    let asks = !args.yes && io::stdin().is_terminal() && io::stderr().is_terminal();
    let columns = &context.global.columns;
    let args = with_results(args)?;
    let queries = args.topics.is_none().then(|| queries_of_results(&args, columns)).transpose()?.flatten();
    let args = InitArgs { topics: args.topics.or(queries.is_some().then(|| QUERIES.to_owned())), ..args };
    let (mut scaffold, files) = scaffold(&args, columns, asks.then_some(context.printer))?;
    let files: Vec<GivenFile> = match &queries {
        Some(_) => files.into_iter().filter(|file| !matches!(file, GivenFile::Topics(_))).collect(),
        None => files,
    };
    let checked = scaffold.check_with(&args.dir, &files, queries.clone())?;
    checked.columns.iter().for_each(|line| context.printer.note(line));
    if checked.has_texts && !files.iter().any(|file| matches!(file, GivenFile::Corpus(_))) {
        scaffold.corpus = None;
    }
    let mut written = Vec::new();
    if args.copy {
        written.extend(scaffold.copy_files(&args.dir)?);
    }
    written.extend(scaffold.write(&args.dir)?);
    if let Some(queries) = &queries {
        written.push(scaffold.write_topics(&args.dir, queries)?);
    }
    trust_typed(context, &args, &scaffold);
    let written: Vec<String> = written.iter().map(|file| shown(file)).collect();
    context.shows_json(&serde_json::json!({"written": written}))?;
    for file in &written {
        context.printer.note(format!("wrote {file}"));
    }
    let at = match args.dir.as_os_str() {
        dir if dir == "." => String::new(),
        _ => format!(" -C {}", args.dir.display()),
    };
    context.printer.note(format!(
        "\nNext: define in {} what relevant means, then\n  llull{at} doctor   checks everything, before money is \
         spent\n  llull{at} run      does the whole study",
        shown(&args.dir.join("rubric.md"))
    ));
    Ok(Exit::Fine)
}

/// The queries that results name, below the study's folder.
const QUERIES: &str = "queries.jsonl";

/// Returns a file's name without the ending of a file of results; `None` if it has no such ending.
fn results_stem(name: &str) -> Option<&str> {
    const ENDINGS: [&str; 11] = [
        ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".parquet", ".run", ".trec", ".txt", ".res", ".results",
    ];
    let plain = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(name);
    let stem = ENDINGS.iter().find_map(|ending| plain.strip_suffix(ending))?;
    (!stem.is_empty() && !stem.starts_with('.')).then_some(stem)
}

/// Adds the files of the folder of results as runs.
fn with_results(args: InitArgs) -> Result<InitArgs> {
    let Some(folder) = &args.from_results else { return Ok(args) };
    let mut files = Vec::new();
    for entry in fs_err::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // A link could lead to a file that nobody named.
        if let Some(stem) = results_stem(&name).filter(|_| entry.file_type().is_ok_and(|kind| kind.is_file()))
        {
            files.push(format!("{}={}", stem.replace('=', "-"), entry.path().display()));
        }
    }
    files.sort();
    if files.is_empty() {
        bail!("{}: there is no file of results in it", folder.display());
    }
    Ok(InitArgs { runs: files, ..args })
}

/// The queries that the results of a folder name by their texts, for `--from-results` without `--topics`.
fn queries_of_results(args: &InitArgs, columns: &Columns) -> Result<Option<Topics>> {
    let Some(folder) = &args.from_results else { return Ok(None) };
    let mut topics = Topics::default();
    for file in args.runs.iter().filter_map(|run| run.split_once('=')) {
        add_result_queries(file.1, columns, &mut topics)?;
    }
    // One word each is more likely an identifier than a query.
    if topics.iter().all(|topic| !topic.text.contains(char::is_whitespace)) {
        bail!(
            "{}: the results name no queries by their texts. Name the file of the queries, as in --topics queries.csv",
            folder.display()
        );
    }
    Ok(Some(topics))
}

/// Trusts the new study with the files outside its folder that were typed or answered. A default is no choice: a file
/// of that name may be a stranger's link.
fn trust_typed(context: &Context, args: &InitArgs, scaffold: &Scaffold) {
    let default = Scaffold::default();
    let chosen = |typed: bool, path: &str, default: Option<&str>| typed || Some(path) != default;
    let mut paths: Vec<&str> = scaffold.runs.iter().map(|(_, run)| run.as_str()).collect();
    paths.extend(scaffold.judge.strip_prefix("replay:"));
    if chosen(args.topics.is_some(), &scaffold.topics, Some(&default.topics)) {
        paths.push(&scaffold.topics);
    }
    if let Some(corpus) = &scaffold.corpus
        && chosen(args.corpus.is_some(), corpus, default.corpus.as_deref())
    {
        paths.push(corpus);
    }
    let folder = real_path(&args.dir);
    let real = paths.into_iter().map(|path| real_path(&folder.join(path)));
    let outside: Vec<String> =
        real.filter(|path| !path.starts_with(&folder)).map(|path| path.display().to_string()).collect();
    if !outside.is_empty()
        && let Err(error) = remember(&args.dir, &outside)
    {
        context
            .printer
            .warn(format!("the files outside the study's folder are not remembered as trusted: {error}"));
    }
}

/// A path without the `./` of the current folder.
fn shown(path: &Path) -> String {
    path.strip_prefix(".").unwrap_or(path).display().to_string()
}

/// The new study, and the files that it was given. The usual names may be those of files that are still to come.
fn scaffold(args: &InitArgs, columns: &Columns, ask: Option<Printer>) -> Result<(Scaffold, Vec<GivenFile>)> {
    let default = Scaffold::default();
    let answer = |given: &Option<String>, question: &str, default: &str| -> Result<String> {
        match (given, ask) {
            (Some(given), _) => Ok(given.clone()),
            (None, Some(printer)) => question_of(printer, question, default),
            (None, None) => Ok(default.to_owned()),
        }
    };
    let name = answer(&args.name, "What is the study called?", &default.name)?;
    let topics =
        answer(&args.topics, "Where are the queries? (CSV, TSV, JSON, JSONL, BEIR folder)", &default.topics)?;
    let corpus =
        answer(&args.corpus, "Where is the corpus? (CSV, TSV, JSON, JSONL, BEIR folder)", "corpus.jsonl")?;
    let mut runs = Vec::new();
    for run in &args.runs {
        runs.extend(named_runs(run, &args.dir, columns)?);
    }
    if let (true, Some(printer)) = (runs.is_empty(), ask) {
        loop {
            let run = question_of(printer, "A system's run, as NAME=FILE? (empty: no more)", "")?;
            if run.is_empty() {
                break;
            }
            runs.extend(named_runs(&run, &args.dir, columns)?);
        }
    }
    let judge =
        answer(&args.judge, "Which judge? (provider/model, similarity, replay:FILE)", &default.judge)?;
    let place = |typed: &str| place(&args.dir, typed);
    let mut files = Vec::new();
    if args.topics.is_some() || topics != default.topics || place(&topics).exists() {
        files.push(GivenFile::Topics(place(&topics)));
    }
    files.extend(runs.iter().map(|(name, file)| GivenFile::Run { name: name.clone(), file: place(file) }));
    files.extend(judge.strip_prefix("replay:").map(|labels| GivenFile::Labels(place(labels))));
    // The largest file is read last.
    if args.corpus.is_some() || corpus != "corpus.jsonl" || place(&corpus).exists() {
        files.push(GivenFile::Corpus(place(&corpus)));
    }
    let judge = match judge.strip_prefix("replay:") {
        Some(labels) => format!("replay:{}", from_study(&args.dir, labels)),
        None => judge,
    };
    let scaffold = Scaffold {
        name,
        topics: from_study(&args.dir, &topics),
        corpus: Some(from_study(&args.dir, &corpus)),
        runs: runs.into_iter().map(|(name, file)| (name, from_study(&args.dir, &file))).collect(),
        judge,
        columns: columns.clone(),
    };
    Ok((scaffold, files))
}

/// Returns a typed path, relative to the study's folder `dir` instead of the current one. A path that does not exist is
/// unchanged; `llull doctor` reports it.
fn from_study(dir: &Path, typed: &str) -> String {
    let path = Path::new(typed);
    if path.is_absolute() || dir.join(path).exists() || !path.exists() {
        return typed.to_owned();
    }
    let mut up = String::new();
    for component in dir.components() {
        match component {
            Component::Normal(_) => up.push_str("../"),
            Component::CurDir => {}
            // The way back from elsewhere does not follow from the name.
            _ => {
                return path
                    .canonicalize()
                    .map_or_else(|_| typed.to_owned(), |path| path.display().to_string());
            }
        }
    }
    up + typed
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

/// The typed path, in the study's folder if there is such a file.
fn place(dir: &Path, typed: &str) -> PathBuf {
    let in_study = if dir == Path::new(".") { PathBuf::from(typed) } else { dir.join(typed) };
    if in_study.exists() { in_study } else { PathBuf::from(typed) }
}

/// Parses `NAME=FILE`, or a file that is named by its stem; with the results of several systems, each of them.
fn named_runs(run: &str, dir: &Path, columns: &Columns) -> Result<Vec<(String, String)>> {
    let (name, file) = named_run(run)?;
    if run.contains('=') {
        return Ok(vec![(name, file)]);
    }
    let options = ReadRunOptions { columns: columns.clone(), ..ReadRunOptions::default() };
    match read_run(place(dir, &file), &options) {
        Err(DataError::Systems { systems, .. }) => {
            Ok(systems.into_iter().map(|system| (system, file.clone())).collect())
        }
        // Anything else that is wrong is an error of the check of all files.
        _ => Ok(vec![(name, file)]),
    }
}

/// Parses `NAME=FILE`, or a file that is named by its stem.
fn named_run(run: &str) -> Result<(String, String)> {
    if let Some((name, file)) = run.split_once('=') {
        return Ok((name.to_owned(), file.to_owned()));
    }
    let file = run.rsplit('/').next().unwrap_or(run);
    let stem = file.split('.').next().filter(|stem| !stem.is_empty());
    match stem {
        Some(stem) => Ok((stem.to_owned(), run.to_owned())),
        None => refuse!("--run {run}: write it as NAME=FILE"),
    }
}
