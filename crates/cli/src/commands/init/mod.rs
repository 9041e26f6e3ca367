//! `llull init`: writes a new study, with questions on a terminal.

mod exported_dataset;
mod given_runs;

use std::io::{self, IsTerminal};
use std::path::{Component, Path, PathBuf};

use anyhow::{Result, bail};
use llull::core::Topics;
use llull::data::{Columns, DataError, read_text};
use llull::judge::Rubric;
use llull::llm::{ModelError, ModelSettings, connect};
use llull::reach::real_path;
use llull::{CheckedFiles, GivenFile, Scaffold, StudyError};

use self::exported_dataset::export;
use self::given_runs::{GivenRun, queries_of_results, runs_of, runs_of_folder};
use super::Context;
use super::dialogue::{Dialogue, free_name};
use crate::args::InitArgs;
use crate::exit::{Exit, refuse};
use crate::trust::remember;

/// The queries that results name, below the study's folder.
const QUERIES: &str = "queries.jsonl";

const CORPUS: &str = "corpus.jsonl";

pub(crate) fn run(context: &Context, mut args: InitArgs) -> Result<Exit> {
    if context.global.study != Path::new(".") {
        refuse!(
            "-C names a study that is there: leave it out, and write llull init {}",
            context.global.study.display()
        );
    }
    let asks = !args.yes && io::stdin().is_terminal() && io::stderr().is_terminal();
    let columns = &context.typed_columns;
    let mut reference = None;
    if let Some(id) = &args.dataset {
        Scaffold::default().check(&args.dir)?;
        let dataset = export(id, &args.dir, context.printer)?;
        reference = dataset.labels;
        (args.topics, args.corpus) = (Some(dataset.queries), Some(dataset.documents));
    }
    let runs = match &args.from_results {
        Some(folder) => runs_of_folder(folder, columns, context.printer)?,
        None => {
            let runs = args.runs.iter().map(|run| runs_of(run, &args.dir, columns));
            runs.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect()
        }
    };
    let derived = args.from_results.as_ref().filter(|_| args.topics.is_none());
    let queries = derived.map(|folder| queries_of_results(folder, &runs, columns)).transpose()?;
    let mut draft = Draft::new(&args, columns, runs, queries.as_ref())?;
    draft.study.reference = reference;
    let mut dialogue = asks.then(|| Dialogue::new(io::stdin().lock(), context.printer));
    let Finished { study: mut scaffold, copies, lines } = draft.finish(dialogue.as_mut(), &args)?;
    // Here also those of files in standard formats are said.
    drop(columns.take_tables());
    context.printer.notes(lines);
    let mut written = Vec::new();
    if copies {
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
    context.printer.notes(not_given(context, &args, &scaffold));
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

/// The parts of a new study so far. Each file is read when it is named, queries before results, which may
/// name them by text or place.
struct Draft<'a> {
    dir: &'a Path,
    study: Scaffold,
    /// The systems, with their typed paths.
    runs: Vec<GivenRun>,
    checked: CheckedFiles,
}

/// A new study whose files are read.
struct Finished {
    study: Scaffold,
    /// Whether its files are to be copied into it.
    copies: bool,
    /// How each table was read.
    lines: Vec<String>,
}

impl<'a> Draft<'a> {
    /// Begins with what was given. Nothing is read yet.
    fn new(
        args: &'a InitArgs,
        columns: &Columns,
        runs: Vec<GivenRun>,
        queries: Option<&Topics>,
    ) -> Result<Self> {
        let default = Scaffold::default();
        let dir = args.dir.as_path();
        let topics = if queries.is_some() { QUERIES } else { &default.topics };
        let judge = args.judge.clone().unwrap_or(default.judge);
        let reading = args.run_reading.form(columns);
        if reading.float32 {
            refuse!("--order score32 is for commands on plain files: a study's runs have score or rank");
        }
        let study = Scaffold {
            name: args.name.clone().or(args.dataset.clone()).or(folder_name(dir)).unwrap_or(default.name),
            topics: from_study(dir, args.topics.as_deref().unwrap_or(topics)),
            corpus: Some(from_study(dir, args.corpus.as_deref().unwrap_or(CORPUS))),
            runs: runs.iter().map(|run| (run.name.clone(), from_study(dir, &run.file))).collect(),
            reference: None,
            judge: judge_of_study(dir, &judge),
            others: Vec::new(),
            rubric: args.rubric.as_deref().map(rubric_text).transpose()?,
            order: reading.order,
            third: reading.third,
            columns: columns.clone(),
        };
        study.check(dir)?;
        let checked = queries.cloned().map(CheckedFiles::of_queries).unwrap_or_default();
        Ok(Self { dir, study, runs, checked })
    }

    /// Reads all files, and asks for what was not given.
    fn finish(mut self, mut ask: Option<&mut Dialogue<'_>>, args: &InitArgs) -> Result<Finished> {
        if let (None, Some(ask)) = (&args.name, ask.as_deref_mut()) {
            self.study.name =
                ask.question("What is the study called?", &self.study.name, |_, name| Ok(name.to_owned()))?;
        }
        if args.from_results.is_none() || args.topics.is_some() {
            self.topics(ask.as_deref_mut(), args.topics.as_deref())?;
        }
        self.runs(ask.as_deref_mut())?;
        self.corpus(ask.as_deref_mut(), args.corpus.as_deref())?;
        self.judge(ask.as_deref_mut(), args.judge.as_deref())?;
        if let (None, false, Some(ask)) =
            (&args.rubric, self.dir.join("rubric.md").exists(), ask.as_deref_mut())
        {
            let question = format!("Which rubric to begin with? ({}, or a file)", shelf_names());
            self.study.rubric = ask.question(&question, GENERAL, |_, answer| {
                Ok(if answer == GENERAL { None } else { Some(rubric_text(answer)?) })
            })?;
        }
        self.study.check(self.dir)?;
        self.study.check_files(self.dir, &self.checked)?;
        let copies = match ask {
            Some(ask) if !args.copy && self.study.reaches_outside() => {
                let question =
                    "Copy the files into the study? Else llull may ask whether it may read them. (yes, no)";
                ask.question(question, "yes", |_, answer| match answer {
                    "yes" | "y" => Ok(true),
                    "no" | "n" => Ok(false),
                    _ => bail!("{answer:?} is neither yes nor no"),
                })?
            }
            _ => args.copy,
        };
        Ok(Finished { study: self.study, copies, lines: self.checked.columns })
    }

    /// Reads a file. If several columns could have one role, it asks which one has.
    fn read(&mut self, mut ask: Option<&mut Dialogue<'_>>, file: &GivenFile) -> Result<()> {
        loop {
            let error = match self.checked.check(file, &self.study.columns) {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            let (Some(ask), StudyError::Data(DataError::Ambiguous { file, role, candidates })) =
                (ask.as_deref_mut(), &error)
            else {
                return Err(error.into());
            };
            let Some(name) = free_name(role, &self.study.columns) else { return Err(error.into()) };
            let chosen = ask.column(&format!("{file}: several columns could be the {role}"), candidates)?;
            self.study.columns.name(name, vec![chosen]);
        }
    }

    fn topics(&mut self, ask: Option<&mut Dialogue<'_>>, given: Option<&str>) -> Result<()> {
        let default = self.study.topics.clone();
        let mut take = |ask: Option<&mut Dialogue<'_>>, typed: &str, is_chosen: bool| {
            let file = place(self.dir, typed);
            // The usual name may be that of a file that is still to come.
            if is_chosen || file.exists() {
                self.read(ask, &GivenFile::Topics(file))?;
            }
            Ok(from_study(self.dir, typed))
        };
        self.study.topics = match (given, ask) {
            (Some(given), ask) => take(ask, given, true)?,
            (None, Some(ask)) => {
                let question = "Where are the queries? (CSV, TSV, JSON, JSONL, XML, BEIR folder)";
                ask.question(question, &default, |ask, typed| take(Some(ask), typed, typed != default))?
            }
            (None, None) => take(None, &default, false)?,
        };
        Ok(())
    }

    fn runs(&mut self, mut ask: Option<&mut Dialogue<'_>>) -> Result<()> {
        for GivenRun { name, file } in self.runs.clone() {
            let file = place(self.dir, &file);
            let Scaffold { order, third, .. } = self.study;
            self.read(ask.as_deref_mut(), &GivenFile::Run { name, file, order, third })?;
        }
        let (true, Some(ask)) = (self.study.runs.is_empty(), ask) else { return Ok(()) };
        while let Some(runs) =
            ask.question("A system's results, as NAME=FILE? (empty: no more)", "", |ask, typed| {
                if typed.is_empty() {
                    return Ok(None);
                }
                let runs = runs_of(typed, self.dir, &self.study.columns)?;
                for run in &runs {
                    let GivenRun { name, file } = run.clone();
                    if self.study.runs.iter().any(|(known, _)| *known == name) {
                        bail!("there is a system {name:?} already; write it as OTHER-NAME={file}");
                    }
                    let file = place(self.dir, &file);
                    let Scaffold { order, third, .. } = self.study;
                    self.read(Some(ask), &GivenFile::Run { name, file, order, third })?;
                }
                Ok(Some(runs))
            })?
        {
            let runs = runs.into_iter().map(|run| (run.name, from_study(self.dir, &run.file)));
            self.study.runs.extend(runs);
        }
        Ok(())
    }

    /// The corpus is often the largest file. Results with texts need none, nor do finished labels.
    fn corpus(&mut self, ask: Option<&mut Dialogue<'_>>, given: Option<&str>) -> Result<()> {
        let needs_none = self.checked.has_texts || self.study.judge.starts_with("replay:");
        let mut take = |ask: Option<&mut Dialogue<'_>>, typed: &str, is_chosen: bool| {
            let file = place(self.dir, typed);
            let is_read = is_chosen || file.exists();
            if is_read {
                self.read(ask, &GivenFile::Corpus(file))?;
            }
            Ok((from_study(self.dir, typed), is_read))
        };
        let (corpus, is_read) = match (given, ask) {
            (Some(given), ask) => take(ask, given, true)?,
            (None, Some(ask)) if !needs_none => {
                let question =
                    "Where is the corpus? (CSV, TSV, JSON, JSONL, XML, BEIR folder, folder of texts)";
                ask.question(question, CORPUS, |ask, typed| take(Some(ask), typed, typed != CORPUS))?
            }
            (None, ask) => take(ask, CORPUS, false)?,
        };
        self.study.corpus = Some(corpus).filter(|_| is_read || !needs_none);
        Ok(())
    }

    fn judge(&mut self, ask: Option<&mut Dialogue<'_>>, given: Option<&str>) -> Result<()> {
        let default = self.study.judge.clone();
        let mut take = |ask: Option<&mut Dialogue<'_>>, typed: &str| {
            if let Some(labels) = typed.strip_prefix("replay:") {
                self.read(ask, &GivenFile::Labels(place(self.dir, labels)))?;
            }
            let judge = judge_of_study(self.dir, typed);
            Scaffold { judge: judge.clone(), ..self.study.clone() }.check(self.dir)?;
            Ok(judge)
        };
        self.study.judge = match (given, ask) {
            (Some(given), ask) => take(ask, given)?,
            (None, Some(ask)) => {
                let question = "Which judge? (provider/model, similarity, replay:FILE)";
                ask.question(question, &default, |ask, typed| take(Some(ask), typed))?
            }
            (None, None) => default,
        };
        Ok(())
    }
}

/// What was not given: what the study has in its place, or still needs.
fn not_given(context: &Context, args: &InitArgs, study: &Scaffold) -> Vec<String> {
    let is_there = |file: &str| args.dir.join(file).exists();
    let mut notes = Vec::new();
    if study.judge == Scaffold::default().judge && args.judge.is_none() {
        notes.push(format!("judge: {}, until llull.toml or --judge names another", study.judge));
    }
    if study.runs.is_empty() {
        notes.push(
            "system: bm25, llull's own search of the corpus, until llull.toml or --run names results".into(),
        );
    }
    if !is_there(&study.topics) {
        notes.push(format!("still missing: {}, the queries", study.topics));
    }
    if let Some(corpus) = study.corpus.as_deref().filter(|corpus| !is_there(corpus)) {
        notes.push(format!("still missing: {corpus}, the documents' texts, which the judge reads"));
    }
    let model = ModelSettings::new(&study.judge);
    if let Err(ModelError::MissingKey { variable, .. }) =
        connect(&model, &|name| context.environment.get(name))
    {
        notes.push(format!("still missing: {variable}, the judge's key"));
    }
    notes
}

/// The name of a folder.
fn folder_name(dir: &Path) -> Option<String> {
    Some(real_path(dir).file_name()?.to_str()?.to_owned())
}

/// The name of the rubric that a study has without another.
const GENERAL: &str = "general";

fn shelf_names() -> String {
    Rubric::shelf().iter().map(|rubric| rubric.name).collect::<Vec<_>>().join(", ")
}

/// Returns the text of a rubric of the shelf, or of a file.
fn rubric_text(typed: &str) -> Result<String> {
    if let Some(rubric) = Rubric::shelf().iter().find(|rubric| rubric.name == typed) {
        return Ok(rubric.text.to_owned());
    }
    let file = Path::new(typed);
    if !file.exists() {
        bail!(
            "--rubric {typed}: there is no such file, and llull has no rubric of this name. It has {}",
            shelf_names()
        );
    }
    let text = read_text(file)?;
    Rubric::parse(&text, typed)?;
    Ok(text)
}

/// A judge whose labels or recorded answers are named as the study sees them.
fn judge_of_study(dir: &Path, typed: &str) -> String {
    match Scaffold::judge_file(typed) {
        Some((kind, file)) => format!("{kind}{}", from_study(dir, file)),
        None => typed.to_owned(),
    }
}

/// Trusts the new study with the files outside its folder that were typed or answered. A default is no choice: a file
/// of that name may be a stranger's link.
fn trust_typed(context: &Context, args: &InitArgs, scaffold: &Scaffold) {
    let default = Scaffold::default();
    let chosen = |typed: bool, path: &str, default: Option<&str>| typed || Some(path) != default;
    let mut paths: Vec<&str> = scaffold.runs.iter().map(|(_, run)| run.as_str()).collect();
    paths.extend(Scaffold::judge_file(&scaffold.judge).map(|(_, file)| file));
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

/// The typed path, in the study's folder if there is such a file.
fn place(dir: &Path, typed: &str) -> PathBuf {
    let in_study = if dir == Path::new(".") { PathBuf::from(typed) } else { dir.join(typed) };
    if in_study.exists() { in_study } else { PathBuf::from(typed) }
}

#[cfg(test)]
mod tests {
    use llull::data::ColumnName;

    use super::*;
    use crate::args::RunReading;
    use crate::printer::Printer;

    /// The study of these answers in a folder with queries, results with and without texts, and labels.
    fn study(answers: &str) -> Result<(Finished, tempfile::TempDir)> {
        let folder = tempfile::tempdir()?;
        let files = [
            ("queries.csv", "query_id,query\nq1,red shoes\n"),
            ("products.csv", "sku,title\na,Shoes\n"),
            ("bm25.run", "q1 Q0 a 1 2.5 x\n"),
            ("texts.jsonl", "{\"query_id\":\"q1\",\"sku\":\"a\",\"text\":\"Shoes\"}\n"),
            ("ids.csv", "id,product_id,title\n1,a,Shoes\n"),
            ("broken.csv", "query_id,query\nq1,\n"),
            ("ratings.csv", "query,docid,rating\nq1,a,3\n"),
        ];
        for (name, content) in files {
            fs_err::write(folder.path().join(name), content)?;
        }
        let dir = folder.path().join("study");
        let (above, inside) = (folder.path().display().to_string(), "DIR/");
        let answers = answers.replace(inside, &format!("{above}/"));
        let args = InitArgs {
            dir,
            name: None,
            topics: None,
            corpus: None,
            runs: Vec::new(),
            run_reading: RunReading::default(),
            from_results: None,
            dataset: None,
            copy: false,
            judge: None,
            rubric: None,
            yes: false,
        };
        let draft = Draft::new(&args, &Columns::default(), Vec::new(), None)?;
        let mut dialogue = Dialogue::new(answers.as_bytes(), Printer::new(true, true));
        Ok((draft.finish(Some(&mut dialogue), &args)?, folder))
    }

    #[test]
    fn each_answer_is_checked_when_it_is_given() {
        let answers = "shop\nDIR/missing.csv\nDIR/broken.csv\nDIR/queries.csv\nbm25=DIR/bm25.run\n\
                       bm25=DIR/texts.jsonl\n\n\
                       DIR/bm25.run\nDIR/products.csv\nno judge\nreplay:DIR/ratings.csv\nprodukt\nproduct-search\n\
                       maybe\nyes\n";
        let (finished, folder) = study(answers).unwrap();
        let of = |name: &str| folder.path().join(name).display().to_string();
        let study = finished.study;
        assert_eq!((study.name.as_str(), study.topics), ("shop", of("queries.csv")));
        assert_eq!(study.runs, [("bm25".to_owned(), of("bm25.run"))]);
        assert_eq!(study.corpus, Some(of("products.csv")));
        assert_eq!(study.judge, format!("replay:{}", of("ratings.csv")));
        assert!(study.rubric.is_some_and(|text| text.contains("Substitute")));
        assert!(finished.copies);
        assert_eq!(finished.lines.len(), 3, "{:?}", finished.lines);
    }

    #[test]
    fn of_several_columns_that_could_be_the_identifier_one_is_chosen() {
        let answers = "\nDIR/queries.csv\n\nDIR/ids.csv\nsku\nproduct_id\nsimilarity\n\nno\n";
        let (finished, _folder) = study(answers).unwrap();
        let columns: Vec<_> =
            finished.study.columns.iter().map(|(name, fields)| (name, fields.to_vec())).collect();
        assert_eq!(columns, [(ColumnName::Id, vec!["product_id".to_owned()])]);
    }

    #[test]
    fn results_with_texts_need_no_corpus() {
        let answers = "\nDIR/queries.csv\nDIR/texts.jsonl\n\nsimilarity\n\nno\n";
        let (finished, _folder) = study(answers).unwrap();
        assert_eq!((finished.study.corpus, finished.study.rubric, finished.copies), (None, None, false));
        assert!(study("\nDIR/queries.csv\n").err().unwrap().to_string().contains("the input ended"));
    }
}
