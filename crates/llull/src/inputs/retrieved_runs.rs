//! The study's own retrievers: built from one pass over the corpus, their runs kept until something changes.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use llull_candidates::{Bm25Builder, Bm25Options, CharNgramsBuilder, Fields, Retriever, retrieve_all};
use llull_core::{Document, KeyBuilder, Topics};
use llull_data::{create, stream_corpus, write_run};

use crate::config::{Field, RetrieverKind, SystemSettings, SystemSource};
use crate::prepared::hash_file;
use crate::{Study, StudyError};

/// A retriever while its index is being built.
enum Building {
    Bm25(Bm25Builder),
    Ngram(CharNgramsBuilder),
}

impl Study {
    /// The run file of every system that llull retrieves itself, in the order of the systems; `None` for the
    /// others. A run is made again when corpus, topics or the system's settings have changed.
    ///
    /// # Errors
    /// When the corpus cannot be read, or a run cannot be written.
    pub fn retrieved(&self, topics: &Topics) -> Result<Vec<Option<PathBuf>>, StudyError> {
        let dir = self.private_dir().join("runs");
        let mut files = Vec::new();
        let mut stale = Vec::new();
        for system in &self.settings().systems {
            let SystemSource::Retriever { .. } = &system.source else {
                files.push(None);
                continue;
            };
            let file = dir.join(format!("{}.run", system.name));
            let key = self.key_of(system)?;
            if !is_current(&file, &key) {
                stale.push((system, file.clone(), key));
            }
            files.push(Some(file));
        }
        if !stale.is_empty() {
            fs_err::create_dir_all(&dir)?;
            self.retrieve(topics, &stale)?;
        }
        Ok(files)
    }

    /// What a run depends on. The corpus is known by its size and time of change, so that it is not read twice.
    fn key_of(&self, system: &SystemSettings) -> Result<String, StudyError> {
        let corpus = self.corpus_path()?;
        let file = if corpus.is_dir() { llull_data::beir_corpus(&corpus)? } else { corpus.clone() };
        let metadata = fs_err::metadata(file)?;
        let changed = metadata.modified()?.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let topics = hash_file(&self.existing(&self.settings().topics, "topics")?)?;
        let key = KeyBuilder::new("llull retrieved run v1")
            .text("llull", env!("CARGO_PKG_VERSION"))
            .text("corpus", &format!("{} {} {changed}", corpus.display(), metadata.len()))
            .part("topics", &topics.0)
            .text("system", &format!("{:?}", system.source))
            .number("depth", self.settings().retrieve_depth as u64);
        Ok(key.finish().to_string())
    }

    /// The corpus.
    ///
    /// # Errors
    /// When the configuration names none, or it is not there.
    pub fn corpus_path(&self) -> Result<PathBuf, StudyError> {
        match &self.settings().corpus {
            Some(corpus) => self.existing(corpus, "corpus"),
            None => Err(StudyError::Unfit(format!(
                "{}: no `corpus`, and documents' texts are needed; add a line such as\n  corpus = \"corpus.jsonl\"",
                self.path(Path::new(crate::config::FILE_NAME)).display()
            ))),
        }
    }

    fn retrieve(
        &self,
        topics: &Topics,
        systems: &[(&SystemSettings, PathBuf, String)],
    ) -> Result<(), StudyError> {
        let mut building =
            systems.iter().map(|(system, ..)| builder(system)).collect::<Result<Vec<_>, _>>()?;
        let mut failed = None;
        stream_corpus(self.corpus_path()?, |document, _| {
            if failed.is_none() {
                failed = building.iter_mut().find_map(|index| index.add(document).err());
            }
            Ok(())
        })?;
        if let Some(error) = failed {
            return Err(error.into());
        }
        for (index, (_, file, key)) in building.into_iter().zip(systems) {
            let run = retrieve_all(&*index.build(), topics, self.settings().retrieve_depth)?;
            let mut output = create(file)?;
            write_run(&run, &mut output)?;
            output.finish()?;
            fs_err::write(key_file(file), key)?;
        }
        Ok(())
    }
}

impl Building {
    fn add(&mut self, document: &Document) -> Result<(), llull_candidates::IndexError> {
        match self {
            Self::Bm25(index) => index.add(document),
            Self::Ngram(index) => index.add(document),
        }
    }

    fn build(self) -> Box<dyn Retriever> {
        match self {
            Self::Bm25(index) => Box::new(index.build()),
            Self::Ngram(index) => Box::new(index.build()),
        }
    }
}

fn builder(system: &SystemSettings) -> Result<Building, StudyError> {
    let SystemSource::Retriever { retriever, fields, k1, b } = &system.source else {
        return Err(StudyError::Unfit(format!("system {} is not retrieved by llull", system.name)));
    };
    let fields = match (fields.contains(&Field::Title), fields.contains(&Field::Text)) {
        (true, false) => Fields::Title,
        (false, true) => Fields::Text,
        _ => Fields::All,
    };
    let default = Bm25Options::default();
    Ok(match retriever {
        RetrieverKind::Bm25 => Building::Bm25(Bm25Builder::new(
            &system.name,
            Bm25Options {
                fields,
                k1: k1.map_or(default.k1, |k1| k1 as f32),
                b: b.map_or(default.b, |b| b as f32),
            },
        )?),
        RetrieverKind::Ngram => Building::Ngram(CharNgramsBuilder::new(&system.name, fields)),
    })
}

fn key_file(run: &Path) -> PathBuf {
    run.with_extension("run.key")
}

fn is_current(run: &Path, key: &str) -> bool {
    run.is_file() && fs_err::read_to_string(key_file(run)).is_ok_and(|written| written == key)
}
