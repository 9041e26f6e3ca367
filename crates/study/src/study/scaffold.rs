//! `llull init`: the first files of a study.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use llull_config::{FILE_NAME, Folder};
use llull_core::{Topic, Topics};
use llull_data::{Columns, RunOrder, ThirdColumn, create_below, open_file};
use llull_judge::Rubric;

use crate::error::StudyError;
use crate::study::scaffold_error::ScaffoldError;

/// The file of the rubric.
const RUBRIC: &str = "rubric.md";

/// The parts of a new study.
#[derive(Debug, Clone)]
pub struct Scaffold {
    /// Its name.
    pub name: String,
    /// Topics, relative to the study.
    pub topics: String,
    /// Corpus, relative to the study.
    pub corpus: Option<String>,
    /// Systems: name and run file.
    pub runs: Vec<(String, String)>,
    /// Labels to compare the judges' with, relative to the study.
    pub reference: Option<String>,
    /// The judge's model, `replay:FILE` or `recorded:FILE`.
    pub judge: String,
    /// The models of further judges.
    pub others: Vec<String>,
    /// The text of `rubric.md`; without it the folder's own, or the general one.
    pub rubric: Option<String>,
    /// What orders the documents of runs with six columns.
    pub order: RunOrder,
    /// What the third column of runs with three is.
    pub third: Option<ThirdColumn>,
    /// The columns of tables, where they do not have their usual names.
    pub columns: Columns,
}

impl Default for Scaffold {
    fn default() -> Self {
        Self {
            name: "my search".into(),
            topics: "topics.tsv".into(),
            corpus: Some("corpus.jsonl".into()),
            runs: Vec::new(),
            reference: None,
            judge: "openai/gpt-4o-mini".into(),
            others: Vec::new(),
            rubric: None,
            order: RunOrder::default(),
            third: None,
            columns: Columns::default(),
        }
    }
}

impl Scaffold {
    /// Writes `llull.toml` and `rubric.md` into the folder. Returns the written files. An existing rubric is unchanged.
    ///
    /// # Errors
    /// Returns an error if an `llull.toml` exists, or a rubric beside a chosen one, or a file cannot be written.
    pub fn write(&self, dir: &Path) -> Result<Vec<PathBuf>, StudyError> {
        let config = dir.join(FILE_NAME);
        let rubric = dir.join(RUBRIC);
        let chosen = self.rubric.as_ref().map(|_| &rubric);
        if let Some(occupied) = [Some(&config), chosen].into_iter().flatten().find(|file| file.exists()) {
            return Err(StudyError::Scaffold(ScaffoldError::Occupied(occupied.clone())));
        }
        fs_err::create_dir_all(dir)?;
        let mut written = vec![config];
        let folder = Folder::new(dir);
        folder.write(FILE_NAME, self.config().as_bytes())?;
        if !rubric.exists() {
            let text = self.rubric.as_deref().unwrap_or(Rubric::default_text());
            folder.write(RUBRIC, text.as_bytes())?;
            written.push(rubric);
        }
        Ok(written)
    }

    /// Splits a judge whose answers are in a file into its kind, with the colon, and that file.
    pub fn judge_file(judge: &str) -> Option<(&'static str, &str)> {
        ["replay:", "recorded:"].into_iter().find_map(|kind| Some((kind, judge.strip_prefix(kind)?)))
    }

    /// Returns whether a file of the study lies outside its folder, where each use needs trust.
    pub fn reaches_outside(&self) -> bool {
        let answers = Self::judge_file(&self.judge).map(|(_, file)| file);
        let runs = self.runs.iter().map(|(_, run)| run.as_str());
        let files = runs.chain([self.topics.as_str()]).chain(self.corpus.as_deref()).chain(answers);
        files.into_iter().any(is_outside)
    }

    /// Copies the files of the study that lie outside its folder below `data/` in it, which need no trust there, and
    /// names the copies instead. Returns the copies. Folders stay where they are.
    ///
    /// # Errors
    /// Returns an error if two files have one name, a copy exists, or a file cannot be read or written. The first two
    /// are found before anything is copied.
    pub fn copy_files(&mut self, dir: &Path) -> Result<Vec<PathBuf>, StudyError> {
        // A path such as ../runs leads through the folder.
        fs_err::create_dir_all(dir)?;
        let mut copies: Vec<(PathBuf, String)> = Vec::new();
        let mut copied = |path: &mut String| -> Result<(), StudyError> {
            let from = dir.join(&*path);
            if !is_outside(path) || !from.is_file() {
                return Ok(());
            }
            let name = from.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let below = format!("data/{name}");
            match copies.iter().find(|(_, known)| *known == below) {
                Some((known, _)) if *known == from => {}
                Some((known, _)) => {
                    let (one, other) = (known.display().to_string(), from.display().to_string());
                    return Err(StudyError::Scaffold(ScaffoldError::Problem(format!(
                        "{one} and {other} would both be copied to data/{name}; nothing was written. Rename one of \
                         them"
                    ))));
                }
                None if dir.join(&below).symlink_metadata().is_ok() => {
                    return Err(StudyError::Scaffold(ScaffoldError::Occupied(dir.join(&below))));
                }
                None => copies.push((from, below.clone())),
            }
            *path = below;
            Ok(())
        };
        copied(&mut self.topics)?;
        self.corpus.iter_mut().try_for_each(&mut copied)?;
        self.runs.iter_mut().try_for_each(|(_, run)| copied(run))?;
        if let Some((kind, file)) = Self::judge_file(&self.judge) {
            let mut file = file.to_owned();
            copied(&mut file)?;
            self.judge = format!("{kind}{file}");
        }
        for (from, below) in &copies {
            let mut to = create_below(dir, below)?;
            std::io::copy(&mut open_file(from)?, &mut to)?;
            to.finish()?;
        }
        Ok(copies.into_iter().map(|(_, below)| dir.join(below)).collect())
    }

    /// Writes the queries, as JSON lines, to the file that the study names.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write_topics(&self, dir: &Path, topics: &Topics) -> Result<PathBuf, StudyError> {
        let file = dir.join(&self.topics);
        let line =
            |topic: &Topic| serde_json::json!({"id": topic.id, "query": topic.text}).to_string() + "\n";
        let text: String = topics.iter().map(line).collect();
        Folder::new(dir).write(&self.topics, text.as_bytes())?;
        Ok(file)
    }

    /// The text of `llull.toml`.
    pub fn config(&self) -> String {
        let mut text = String::from(
            "# What is evaluated, who judges, what is measured. `llull doctor` checks it before anything is paid \
             for.\nversion = 1\n",
        );
        // Writing to a string cannot fail.
        let _ = writeln!(text, "name = {}\nseed = 42\n", quoted(&self.name));
        let _ =
            writeln!(text, "topics = {}   # CSV, TSV, JSON, JSONL or a BEIR folder", quoted(&self.topics));
        match &self.corpus {
            Some(corpus) => {
                let _ = writeln!(
                    text,
                    "corpus = {}   # CSV, TSV, JSON, JSONL or a BEIR folder",
                    quoted(corpus)
                );
            }
            None => text.push_str(
                "# corpus = \"corpus.jsonl\"   # if results hold no texts: CSV, TSV, JSON, JSONL or a BEIR folder\n",
            ),
        }
        text.push_str("rubric = \"rubric.md\"   # what relevant means: edit this first\n");
        let (mark, reference) = match &self.reference {
            Some(reference) => ("", reference.as_str()),
            None => ("# ", "human.qrels"),
        };
        let _ = writeln!(
            text,
            "{mark}reference = {}   # labels of others, to compare with; as base they count, and judges grade the rest",
            quoted(reference)
        );
        text.push_str(
            "# method = \"majority\"   # how several judges' grades become a label: by default fractional\n\
            # paradigm = \"listwise\"   # judges compare instead of grading: listwise or pairwise, see [tournament] \
            in the docs\n\n",
        );
        text.push_str(
            "# The first measure decides. Grades from the rubric's cutoff on count as relevant.\n\
            measures = [\"nDCG@10\", \"RR@10\", \"P@5\", \"R@10\", \"Judged@10\"]\n\n[pool]\n\
            depth = 10   # how many of each system's documents are judged\n\n[compare]\nconfidence = 0.95\n",
        );
        if let Some((name, _)) = self.runs.first() {
            let _ = writeln!(text, "baseline = {}", quoted(name));
        }
        text.push_str(
            "\n# [budget]\n# calls = 5000   # stop, and go on another time, after so many requests\n\n",
        );
        if !self.columns.is_empty() {
            text.push_str("[columns]   # which columns or fields of the files hold what\n");
            for (name, fields) in self.columns.iter() {
                let fields: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
                let value = match fields.as_slice() {
                    [one] => one.clone(),
                    several => format!("[{}]", several.join(", ")),
                };
                let _ = writeln!(text, "{} = {value}", name.name());
            }
            text.push('\n');
        }
        text.push_str(&self.systems());
        text.push_str(&self.judges());
        for judge in &self.others {
            let _ = write!(text, "\n[[judges]]\nmodel = {}\n", quoted(judge));
        }
        text
    }

    fn systems(&self) -> String {
        let mut text = String::new();
        for (name, run) in &self.runs {
            let _ = writeln!(
                text,
                "[[systems]]\nname = {}\nrun = {}   # TREC, CSV, JSON, or saved replies",
                quoted(name),
                quoted(run)
            );
            if let Some(third) = self.third {
                let _ = writeln!(text, "third = {}   # of three columns", quoted(third.name()));
            }
            if self.order != RunOrder::default() {
                let _ = writeln!(text, "order = {}   # what orders the documents", quoted(self.order.name()));
            }
            text.push('\n');
        }
        if self.runs.is_empty() {
            text.push_str(
                "[[systems]]   # retrieved by llull itself, from the corpus\nname = \"bm25\"\nretriever = \"bm25\"\n\n\
                 # [[systems]]   # or yours\n# name = \"mine\"\n\
                 # run = \"runs/mine.run\"   # TREC, CSV, JSON, or saved replies\n\n",
            );
        }
        text
    }

    fn judges(&self) -> String {
        match Self::judge_file(&self.judge) {
            Some(("replay:", labels)) => {
                format!("[[judges]]\nmodel = \"replay\"\nlabels = {}\n", quoted(labels))
            }
            Some(_) => format!(
                "[[judges]]   # a language model's recorded answers; for new ones, name a model: openai/gpt-4o-mini\n\
                 model = {}\n",
                quoted(&self.judge)
            ),
            None if self.judge == "similarity" => {
                "[[judges]]   # lexical: a baseline to beat, no judge of relevance\nmodel = \"similarity\"\n"
                    .into()
            }
            None if self.judge.starts_with("function:") => format!(
                "[[judges]]   # a function of Python: llull.Study.open(FOLDER, judges=[...]).run()\nmodel = {}\n",
                quoted(&self.judge)
            ),
            None => format!(
                "[[judges]]\nmodel = {}\n# base_url = \"http://localhost:11434/v1\"   # any OpenAI-compatible server\n\
                 # prompt = \"graded\"   # graded, graded-direct, umbrela, or a template file\n\
                 # price = {{ input = 0.15, output = 0.60 }}   # US dollars per million tokens; unknown is not 0\n",
                quoted(&self.judge)
            ),
        }
    }
}

fn is_outside(path: &str) -> bool {
    Path::new(path).is_absolute() || path.split('/').any(|part| part == "..")
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use llull_config::{Overrides, Settings, StudyFile};

    fn settings(scaffold: &Scaffold) -> Settings {
        let text = scaffold.config();
        let path = Path::new("llull.toml");
        Settings::resolve(StudyFile::parse(&text, path).unwrap(), &text, path, &Overrides::default()).unwrap()
    }

    #[test]
    fn the_scaffold_is_a_study() {
        let settings = settings(&Scaffold::default());
        assert_eq!(settings.systems.len(), 1);
        assert_eq!(settings.judges[0].name, "gpt-4o-mini");
    }

    #[test]
    fn what_was_said_is_in_it_even_when_it_needs_quoting() {
        let scaffold = Scaffold {
            name: "a \"quoted\" name".into(),
            runs: vec![("old".into(), "a.run".into()), ("new".into(), "b.run".into())],
            judge: "replay:labels.qrels".into(),
            corpus: None,
            ..Scaffold::default()
        };
        let settings = settings(&scaffold);
        assert_eq!(settings.name, scaffold.name);
        assert_eq!(settings.compare.baseline, "old");
        assert_eq!(settings.judges[0].model, "replay");
    }

    /// Uncomments the keys in `text` for which `wanted` is true, by their place among all commented ones; a heading is
    /// treated like the key below it.
    fn uncommented(text: &str, wanted: impl Fn(usize) -> bool) -> (String, usize) {
        let is_heading = |line: &str| line.starts_with("# [");
        let is_key = |line: &str| {
            let key = line.strip_prefix("# ").and_then(|line| line.split_once(" = "));
            key.is_some_and(|(key, _)| key.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
        };
        let (mut keys, mut out, mut in_block) = (0, String::new(), false);
        for line in text.lines() {
            // A commented block is one: its keys mean nothing without its heading.
            let begins = is_heading(line) || (is_key(line) && !in_block);
            keys += usize::from(begins);
            in_block = is_heading(line) || (in_block && is_key(line));
            let plain = (is_heading(line) || is_key(line)) && wanted(keys - 1);
            out += if plain { &line[2..] } else { line };
            out.push('\n');
        }
        (out, keys)
    }

    /// `# paradigm` stood below `[[systems]]`, where it was an unknown field.
    #[test]
    fn every_commented_key_works_where_it_stands() {
        let runs = vec![("old".to_owned(), "a.run".to_owned())];
        for scaffold in [
            Scaffold::default(),
            Scaffold { runs: runs.clone(), corpus: None, ..Scaffold::default() },
            Scaffold { runs, order: RunOrder::Rank, third: Some(ThirdColumn::Rank), ..Scaffold::default() },
            Scaffold { judge: "similarity".to_owned(), ..Scaffold::default() },
            Scaffold { judge: "recorded:claude.jsonl".to_owned(), ..Scaffold::default() },
        ] {
            let text = scaffold.config();
            let (_, keys) = uncommented(&text, |_| false);
            assert!(keys >= 3, "{text}");
            for wanted in 0..=keys {
                // One after the other, and at last all together.
                let (text, _) = uncommented(&text, |key| wanted == keys || key == wanted);
                let path = Path::new("llull.toml");
                let file = StudyFile::parse(&text, path).unwrap_or_else(|error| panic!("{error}\n{text}"));
                let resolved = Settings::resolve(file, &text, path, &Overrides::default());
                resolved.unwrap_or_else(|error| panic!("{error}\n{text}"));
            }
        }
    }

    #[test]
    fn uncommenting_the_paradigm_has_judges_compare() {
        let text = Scaffold::default().config().replace("# paradigm", "paradigm");
        let path = Path::new("llull.toml");
        let file = StudyFile::parse(&text, path).unwrap();
        let settings = Settings::resolve(file, &text, path, &Overrides::default()).unwrap();
        assert!(settings.tournament.is_some());
    }
}
