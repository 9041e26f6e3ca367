//! Everything of a study that comes before judging: rubric, topics, every system's results, the pool.

use std::num::NonZeroUsize;
use std::path::Path;

use llull_candidates::Pool;
use llull_core::{Hash, Qrels, Run, Topics};
use llull_judge::Rubric;
use llull_metrics::Measure;

use crate::plain::{depth_needed, read_labels, read_system};
use crate::{Study, StudyError};

/// A file that the study reads, and the hash of its bytes.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct HashedInput {
    /// What it is to the study: `topics`, `run bm25`.
    pub role: String,
    /// Its name, as the configuration gives it.
    pub name: String,
    /// The hash of its bytes.
    pub hash: Hash,
}

/// Everything that comes before judging.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// What relevant means.
    pub rubric: Rubric,
    /// What is asked.
    pub topics: Topics,
    /// Every system's results, in the order of the configuration.
    pub runs: Vec<Run>,
    /// What is to be judged.
    pub pool: Pool,
    /// Labels made elsewhere, to compare with.
    pub reference: Option<Qrels>,
    /// What was read.
    pub inputs: Vec<HashedInput>,
    /// Remarks that the user should see.
    pub notes: Vec<String>,
}

impl Study {
    /// Reads rubric, topics and runs, asks the study's own retrievers, and pools.
    ///
    /// # Errors
    /// When a file is missing or not what it should be; the message names file, line and remedy.
    pub fn prepare(&self) -> Result<Prepared, StudyError> {
        let rubric = self.rubric()?;
        let topics = self.topics()?;
        let mut notes = rubric.notes();
        notes.extend(self.settings().notes.iter().cloned());
        let mut inputs = vec![
            HashedInput {
                role: "configuration".into(),
                name: crate::config::FILE_NAME.into(),
                hash: self.config_hash(),
            },
            self.hashed("topics", &self.settings().topics)?,
        ];
        if let Some(path) = &self.settings().rubric {
            inputs.push(self.hashed("rubric", path)?);
        }
        // Read before anything is paid for, although it is needed last.
        let reference = match &self.settings().reference {
            Some(path) => {
                inputs.push(self.hashed("reference", path)?);
                let read = read_labels(&self.path(path))?;
                notes.extend(read.notes);
                Some(read.value)
            }
            None => None,
        };
        notes.extend(self.beyond_the_pool());
        notes.extend(self.without_a_line(&rubric));
        let runs = self.runs(&topics, &mut inputs, &mut notes)?;
        let pool = Pool::of(&runs, self.depth(), Some(&topics))?;
        Ok(Prepared { rubric, topics, runs, pool, reference, inputs, notes })
    }

    /// A measure that looks further down than the pool reaches meets documents that nobody judged.
    fn beyond_the_pool(&self) -> Option<String> {
        let depth = self.settings().pool_depth;
        let looks =
            |measure: &&Measure| measure.cutoff().is_some_and(|cutoff| cutoff.rank() as usize > depth);
        let measure = self.settings().measures.iter().find(looks)?;
        Some(format!(
            "the pool is {depth} deep and {measure} looks further down, where documents are judged only if another system has \
             them in its top {depth}; those that are not count as not relevant. Set depth in [pool], or a smaller cutoff"
        ))
    }

    /// A measure that counts relevant documents under labels that only say which of two is better.
    fn without_a_line(&self, rubric: &Rubric) -> Option<String> {
        let labels = self.settings().tournament.as_ref()?.labels;
        if labels.relevant_from(rubric.cutoff).is_some() {
            return None;
        }
        let measure = self.settings().measures.iter().find(|measure| measure.relevant().is_some())?;
        Some(format!(
            "{measure} counts relevant documents, and {labels} labels are places in an order, of which none says \"relevant\": its values \
             say little. Measure Compat(p=0.9) or nDCG@10, or set labels = \"anchored\" in [tournament]"
        ))
    }

    fn depth(&self) -> NonZeroUsize {
        NonZeroUsize::new(self.settings().pool_depth).unwrap_or(NonZeroUsize::MIN)
    }

    fn hashed(&self, role: &str, path: &Path) -> Result<HashedInput, StudyError> {
        let file = self.existing(path, role)?;
        Ok(HashedInput { role: role.into(), name: path.display().to_string(), hash: hash_file(&file)? })
    }

    /// Every system's results, in the order of the configuration.
    fn runs(
        &self,
        topics: &Topics,
        inputs: &mut Vec<HashedInput>,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Run>, StudyError> {
        let depth = depth_needed(&self.settings().measures).map(|depth| depth.max(self.depth().get()));
        let retrieved = self.retrieved(topics)?;
        let mut runs = Vec::with_capacity(self.settings().systems.len());
        for (system, retrieved) in self.settings().systems.iter().zip(retrieved) {
            let role = format!("run {}", system.name);
            let file = match (&system.source, retrieved) {
                (crate::config::SystemSource::Run { run }, _) => {
                    inputs.push(self.hashed(&role, run)?);
                    self.path(run)
                }
                (crate::config::SystemSource::Retriever { .. }, Some(file)) => {
                    let name = file.strip_prefix(self.dir()).unwrap_or(&file).display().to_string();
                    inputs.push(HashedInput { role, name, hash: hash_file(&file)? });
                    file
                }
                (crate::config::SystemSource::Retriever { .. }, None) => continue,
            };
            let read = read_system(&file, &system.name, depth)?;
            notes.extend(read.notes);
            let mut run = read.value;
            self.only_known_topics(&mut run, &file, topics, notes)?;
            runs.push(run);
        }
        Ok(runs)
    }

    /// Leaves out what no topic asks. A run that answers none of the topics is an error: its identifiers are others.
    fn only_known_topics(
        &self,
        run: &mut Run,
        file: &Path,
        topics: &Topics,
        notes: &mut Vec<String>,
    ) -> Result<(), StudyError> {
        let unknown: Vec<String> = run
            .iter()
            .map(|(topic, _)| topic)
            .filter(|topic| topics.get(topic).is_none())
            .map(str::to_owned)
            .collect();
        let Some(first) = unknown.first() else { return Ok(()) };
        let line =
            llull_data::locate(file, first, None).map_or(String::new(), |line| format!(" line {line}"));
        let topics_file = self.path(&self.settings().topics);
        if unknown.len() == run.len() {
            return Err(StudyError::Unfit(format!(
                "{}{line}: query {first:?} is not in {}, nor is any other query of this run. Do both use the same identifiers?",
                file.display(),
                topics_file.display(),
            )));
        }
        notes.push(format!(
            "{}{line}: query {first:?} is not in {}{}; left out. Add its text there to have it judged",
            file.display(),
            topics_file.display(),
            match unknown.len() {
                1 => String::new(),
                2 => String::from(", nor is another of this run's queries"),
                n => format!(", nor are {} more of this run's queries", n - 1),
            },
        ));
        run.retain(|topic| topics.get(topic).is_some());
        Ok(())
    }
}

/// The hash of a file's bytes.
pub(crate) fn hash_file(path: &Path) -> Result<Hash, StudyError> {
    // A BEIR folder is known by its queries.
    let path = if path.is_dir() { llull_data::beir_queries(path)? } else { path.to_owned() };
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(fs_err::File::open(path)?)?;
    Ok(Hash(*hasher.finalize().as_bytes()))
}
