//! The files that `llull.toml` names, which no output may replace.

use std::path::Path;

use llull_data::{beir_corpus, is_corpus_text};
use toml::Value;

use crate::folder::{FILE_NAME, Folder};

/// The folders of trained judges in that of llull's own files.
const TRAINED: [&str; 2] = ["learners", "students"];

/// The keys of texts that name no file, although a file may have the same name.
const NO_FILES: [&str; 3] = ["name", "family", "reranked_by"];

impl Folder {
    /// Returns the role of an existing file that the study reads or that llull keeps: a key of `llull.toml`, such as
    /// `topics` or `systems.run`, the configuration itself, or the folder of llull's own files. `None` for any other
    /// path, also a new one outside that folder. Symbolic links are followed.
    pub fn role_of(&self, file: &Path) -> Option<String> {
        let folder = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let place = match fs_err::canonicalize(file) {
            Ok(place) => place,
            Err(_) => fs_err::canonicalize(folder).ok()?.join(file.file_name()?),
        };
        // Trained judges are put there by the user.
        let trained = |own: &Path| TRAINED.iter().any(|kind| place.starts_with(own.join(kind)));
        let own = fs_err::canonicalize(self.private_dir());
        if own.is_ok_and(|own| place.starts_with(&own) && !trained(&own)) {
            return Some("llull's own files are in its folder".into());
        }
        if fs_err::canonicalize(self.config()).ok()? == place {
            return Some("it is the study's configuration".into());
        }
        let config: toml::Table = fs_err::read_to_string(self.config()).ok()?.parse().ok()?;
        let key = self.key_in("", &config, &place)?;
        Some(format!("the study reads it: {key} in {FILE_NAME}"))
    }

    /// Returns the first key in a table whose value names this place; `above` is before each key.
    fn key_in(&self, above: &str, table: &toml::Table, place: &Path) -> Option<String> {
        let mut entries = table.iter().filter(|(key, _)| !NO_FILES.contains(&key.as_str()));
        entries.find_map(|(key, value)| self.key_of(&format!("{above}{key}"), value, place))
    }

    /// Returns the key at which a value names this place, or a folder of texts that it is in.
    fn key_of(&self, key: &str, value: &Value, place: &Path) -> Option<String> {
        let is_place = |text: &str| {
            let named = fs_err::canonicalize(self.path(text)).ok();
            let is_corpus = matches!(key, "corpus" | "corpus.file");
            named.is_some_and(|named| named == place || is_corpus && is_text_of(&named, place))
        };
        match value {
            Value::String(text) => {
                // `replay:known.qrels`
                let file = text.split_once(':').map(|(_, file)| file);
                let named = is_place(text) || file.is_some_and(|file| !file.is_empty() && is_place(file));
                (named && !text.is_empty()).then(|| key.to_owned())
            }
            Value::Array(values) => values.iter().find_map(|value| self.key_of(key, value, place)),
            Value::Table(table) => self.key_in(&format!("{key}."), table, place),
            _ => None,
        }
    }
}

/// Whether a corpus in this folder has the file, or would have it.
fn is_text_of(folder: &Path, place: &Path) -> bool {
    match beir_corpus(folder) {
        Ok(corpus) => corpus == place,
        Err(_) => place.starts_with(folder) && is_corpus_text(place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_the_configuration_names_have_a_role_and_others_have_none() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs_err::create_dir_all(at("texts")).unwrap();
        fs_err::create_dir_all(at(".llull")).unwrap();
        for file in ["topics.tsv", "a.run", "known.qrels", "other", "texts/a.md", ".llull/ledger.sqlite"] {
            fs_err::write(at(file), "").unwrap();
        }
        let config = "name = 'other'\ntopics = 'topics.tsv'\ncorpus = './texts'\n\
                      [[systems]]\nname = 'other'\nrun = 'texts/../a.run'\n[[judges]]\nmodel = 'replay:known.qrels'\n";
        fs_err::write(at("llull.toml"), config).unwrap();
        let folder = Folder::new(dir.path());
        let role = |name: &str| folder.role_of(&at(name)).unwrap_or_default();
        assert_eq!(role("llull.toml"), "it is the study's configuration");
        assert_eq!(role("topics.tsv"), "the study reads it: topics in llull.toml");
        assert_eq!(role("a.run"), "the study reads it: systems.run in llull.toml");
        assert_eq!(role("known.qrels"), "the study reads it: judges.model in llull.toml");
        for text in ["texts/new.md", "texts/deep/a.html"] {
            fs_err::create_dir_all(at("texts/deep")).unwrap();
            assert_eq!(role(text), "the study reads it: corpus in llull.toml");
        }
        assert_eq!(role("texts/labels.qrels"), "");
        for own in [".llull/ledger.sqlite", ".llull/new", "texts/../.llull/new"] {
            assert_eq!(role(own), "llull's own files are in its folder");
        }
        for free in ["other", "new.csv", "missing/topics.tsv"] {
            assert_eq!(role(free), "", "{free}");
        }
        let elsewhere = tempfile::tempdir().unwrap();
        assert_eq!(Folder::new(elsewhere.path()).role_of(&at("topics.tsv")), None);
    }

    /// Of such a folder only the corpus is read, and outputs may be written beside it.
    #[test]
    fn a_study_may_be_in_its_own_beir_folder() {
        let dir = tempfile::tempdir().unwrap();
        for (file, text) in [("corpus.jsonl", ""), ("llull.toml", "corpus = { file = '.' }\n")] {
            fs_err::write(dir.path().join(file), text).unwrap();
        }
        let role = |name: &str| Folder::new(dir.path()).role_of(&dir.path().join(name));
        assert_eq!(role("corpus.jsonl").as_deref(), Some("the study reads it: corpus.file in llull.toml"));
        assert_eq!((role("labels.qrels"), role("report.md")), (None, None));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_has_the_role_of_its_target() {
        let dir = tempfile::tempdir().unwrap();
        fs_err::write(dir.path().join("llull.toml"), "").unwrap();
        let link = dir.path().join("out.csv");
        fs_err::os::unix::fs::symlink("llull.toml", &link).unwrap();
        assert!(Folder::new(dir.path()).role_of(&link).is_some());
    }
}
