//! The study as a folder.

use std::path::PathBuf;

use llull::Study;
use llull::config::Overrides;
use tempfile::TempDir;

use crate::collection::{TRUTH, corpus, new_run, old_run, topics};

/// A temporary folder with a study.
pub(crate) struct FolderStudy(TempDir);

/// The judge that knows every grade, as lines of `llull.toml`.
pub(crate) const REPLAY: &str =
    "[[judges]]\nname = \"known\"\nmodel = \"replay\"\nlabels = \"known.qrels\"\n";

impl FolderStudy {
    /// Writes the study with these judges, and these lines of `llull.toml` before any table.
    pub(crate) fn new(lines: &str, judges: &str) -> Self {
        let study = Self(tempfile::tempdir().unwrap());
        let config = format!(
            "version = 1\nname = \"tiny\"\ntopics = \"topics.tsv\"\ncorpus = \"corpus.jsonl\"\n\
             measures = [\"nDCG@3\"]\n{lines}\n\
             [pool]\ndepth = 3\n\n[[systems]]\nname = \"old\"\nrun = \"old.run\"\n\n\
             [[systems]]\nname = \"new\"\nrun = \"new.run\"\n\n{judges}"
        );
        study.write("llull.toml", &config);
        let topics: String = topics().iter().map(|topic| format!("{}\t{}\n", topic.id, topic.text)).collect();
        study.write("topics.tsv", &topics);
        let corpus = corpus();
        let documents = corpus.iter().map(|document| serde_json::to_string(document).unwrap() + "\n");
        study.write("corpus.jsonl", &documents.collect::<String>());
        for run in [old_run(), new_run()] {
            let mut file = Vec::new();
            llull::data::write_run(&run, &mut file).unwrap();
            study.write(&format!("{}.run", run.name), &String::from_utf8(file).unwrap());
        }
        let labels = TRUTH.iter().map(|(query, document, grade)| format!("{query} 0 {document} {grade}\n"));
        study.write("known.qrels", &labels.collect::<String>());
        study
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> &Self {
        fs_err::write(self.path(name), text).unwrap();
        self
    }

    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        fs_err::read_to_string(self.path(name)).unwrap()
    }

    /// Gives a saved run another text, under the key that it has.
    #[track_caller]
    pub(crate) fn mark_saved(&self, run: &str, text: &str) {
        let (run, key) = (format!(".llull/runs/{run}"), format!(".llull/runs/{run}.key"));
        let saved = self.read(&key);
        let (key_of, _) = saved.lines().last().unwrap().split_once(' ').unwrap();
        self.write(&key, &format!("{key_of} {}\n", llull::core::Hash::of(text.as_bytes()))).write(&run, text);
    }

    /// Replaces a part of a file that is there once.
    #[track_caller]
    pub(crate) fn edit(&self, name: &str, from: &str, to: &str) -> &Self {
        let text = self.read(name);
        assert_eq!(text.matches(from).count(), 1, "{from:?} in {name}:\n{text}");
        self.write(name, &text.replace(from, to))
    }

    #[track_caller]
    pub(crate) fn open(&self) -> Study {
        self.open_with(&Overrides::default())
    }

    #[track_caller]
    pub(crate) fn open_with(&self, overrides: &Overrides) -> Study {
        Study::open(self.0.path(), overrides).unwrap()
    }

    /// Returns every file below the folder, by name.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        let mut folders = vec![self.0.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs_err::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => files.push(path.strip_prefix(self.0.path()).unwrap().display().to_string()),
                }
            }
        }
        files.sort();
        files
    }
}
