//! A study: a folder, and what its configuration means.

use std::path::{Path, PathBuf};

use llull_core::{Hash, Topics};
use llull_judge::Rubric;
use llull_store::SqliteLedger;

use crate::StudyError;
use crate::config::{ConfigError, FILE_NAME, Overrides, Settings, StudyFile, default_measures};

/// A study: a folder with `llull.toml`, and what it says under what was said elsewhere.
#[derive(Debug, Clone)]
pub struct Study {
    dir: PathBuf,
    settings: Settings,
    config_hash: Hash,
}

impl Study {
    /// Opens the study in a folder.
    ///
    /// # Errors
    /// When there is no `llull.toml`, or it or the overrides say something that cannot be; or when no measure is named and the
    /// rubric, whose cutoff then decides what counts as relevant, cannot be read.
    pub fn open(dir: &Path, overrides: &Overrides) -> Result<Self, StudyError> {
        let path = if dir == Path::new(".") { PathBuf::from(FILE_NAME) } else { dir.join(FILE_NAME) };
        let text = fs_err::read_to_string(&path).map_err(ConfigError::Unreadable)?;
        let file = StudyFile::parse(&text, &path)?;
        let settings = Settings::resolve(file, &text, &path, overrides)?;
        let mut study = Self { dir: dir.to_owned(), settings, config_hash: Hash::of(text.as_bytes()) };
        if study.settings.measures.is_empty() {
            let cutoff = match &study.settings.tournament {
                Some(tournament) => tournament.labels.relevant_from(study.rubric()?.cutoff),
                None => Some(study.rubric()?.cutoff),
            };
            study.settings.measures =
                default_measures(cutoff).map_err(|error| StudyError::Unfit(error.to_string()))?;
        }
        if let Some(first) =
            study.settings.measures.first().filter(|measure| !llull_report::is_comparable(measure))
        {
            return Err(StudyError::Unfit(format!(
                "{}: the first measure decides between systems, and {first} cannot: it is no mean over queries, or it counts what is \
                 missing. Put another before it, such as nDCG@10",
                path.display()
            )));
        }
        Ok(study)
    }

    /// The study's folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What the configuration means.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The hash of `llull.toml` as it is written.
    pub fn config_hash(&self) -> Hash {
        self.config_hash
    }

    /// A path of the configuration, which is relative to the study's folder.
    pub fn path(&self, relative: &Path) -> PathBuf {
        if self.dir == Path::new(".") { relative.to_owned() } else { self.dir.join(relative) }
    }

    /// Where llull keeps what it makes for itself.
    pub fn private_dir(&self) -> PathBuf {
        self.path(Path::new(".llull"))
    }

    /// The ledger's file.
    pub fn ledger_path(&self) -> PathBuf {
        self.private_dir().join("ledger.sqlite")
    }

    /// The ledger, to read from.
    ///
    /// # Errors
    /// When there is none yet, or it cannot be read.
    pub fn ledger(&self) -> Result<SqliteLedger, StudyError> {
        let path = self.ledger_path();
        if !path.is_file() {
            let what = format!("{}: there is no ledger yet; llull run makes one", path.display());
            return Err(StudyError::Unfit(what));
        }
        Ok(SqliteLedger::open_read_only(path)?)
    }

    /// The rubric: the study's, or the built-in one.
    ///
    /// # Errors
    /// When it cannot be read, or is not one.
    pub fn rubric(&self) -> Result<Rubric, StudyError> {
        match &self.settings.rubric {
            Some(path) => Ok(Rubric::load(&self.existing(path, "rubric")?)?),
            None => Ok(Rubric::parse(Rubric::default_text(), "the built-in rubric")?),
        }
    }

    /// The topics.
    ///
    /// # Errors
    /// When they cannot be read, or there are none.
    pub fn topics(&self) -> Result<Topics, StudyError> {
        let path = self.existing(&self.settings.topics, "topics")?;
        let topics = llull_data::read_topics(&path)?;
        if topics.is_empty() {
            return Err(StudyError::Unfit(format!(
                "{}: no topic in it; a line is: id, tab, query",
                path.display()
            )));
        }
        Ok(topics)
    }

    /// The path of a file that the configuration names under `key`.
    ///
    /// # Errors
    /// When it is not there; the message names the line that names it.
    pub fn existing(&self, relative: &Path, key: &str) -> Result<PathBuf, StudyError> {
        let path = self.path(relative);
        if path.exists() {
            return Ok(path);
        }
        let config = self.path(Path::new(FILE_NAME));
        let line = self.line_that_names(relative).map_or(String::new(), |line| format!(" line {line}"));
        Err(StudyError::Unfit(format!(
            "{}{line}: {key} = \"{}\": there is no such file. Paths are relative to the folder of {FILE_NAME}; put the file there or correct the path",
            config.display(),
            relative.display(),
        )))
    }

    fn line_that_names(&self, path: &Path) -> Option<usize> {
        let text = fs_err::read_to_string(self.dir.join(FILE_NAME)).ok()?;
        let quoted = toml::Value::from(path.to_string_lossy().into_owned()).to_string();
        text.lines().position(|line| line.contains(&quoted)).map(|index| index + 1)
    }
}
