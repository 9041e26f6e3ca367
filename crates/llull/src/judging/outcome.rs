//! Judging: texts for the pool, the judges, the ledger, and the labels that follow.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use llull_core::{Document, LabelSet};
use llull_data::read_documents;
use llull_judge::{Idf, IdfBuilder};
use llull_label::TierScheme;
use llull_runner::{Cancel, Judge, Pair, PooledDocument, Reporter, RunOutcome, Spent, Workload};
use llull_store::{LedgerLock, SqliteLedger};
use rustc_hash::FxHashSet;

use crate::asker::Asker;
use crate::compared::Comparison;
use crate::config::JudgeKind;
use crate::panel::panel;
use crate::{Prepared, Study, StudyError};

/// The environment: a variable's value, if it is set.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What judging came to.
pub struct Judged {
    /// The pool: a question for each pair, in the pool's order.
    pub pooled: Arc<Workload>,
    /// What was asked: the pool, or the sets of documents that were compared.
    pub workload: Arc<Workload>,
    /// By whom.
    pub judges: Vec<Arc<dyn Judge>>,
    /// How every task ended.
    pub outcome: RunOutcome,
    /// What comparing came to, where judges compare.
    pub comparison: Option<Comparison>,
    /// Who graded a few documents of each tier, where labels are anchored.
    pub grading: Option<Grading>,
    /// The labels: the judges' median for every pair that has a verdict, or what the tiers amount to.
    pub labels: LabelSet,
    /// Remarks that the user should see.
    pub notes: Vec<String>,
}

/// The grading of a few documents of each tier.
pub struct Grading {
    /// What was graded.
    pub workload: Arc<Workload>,
    /// By whom.
    pub judges: Vec<Arc<dyn Judge>>,
    /// How every task ended.
    pub outcome: RunOutcome,
}

impl Judged {
    /// Whether nothing is missing: every pair has its verdicts, or every query's best documents are in order, every document
    /// has a label, and no question is left that another run would ask.
    pub fn is_complete(&self) -> bool {
        let Some(comparison) = &self.comparison else { return self.outcome.is_complete() };
        comparison.topics.iter().all(|topic| topic.outcome.complete)
            && self.outcome.judges.iter().all(|judge| judge.not_asked + judge.gave_up == 0)
            && self.grading.as_ref().is_none_or(|grading| grading.outcome.is_complete())
            && self.labels.labelled() == self.labels.asked()
    }
}

/// Whether judges are asked, or only what they have said before is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// Whatever the ledger does not know is asked.
    Missing,
    /// Nothing is asked: what is not in the ledger is missing. No key is needed.
    Nothing,
}

impl Study {
    /// Judges the pool, as far as the ledger does not know the answers, and derives the labels.
    ///
    /// # Errors
    /// When the corpus lacks a document, a judge cannot be made, or the ledger fails. What judges or their
    /// servers do wrong is no error: it is in the outcome.
    pub fn judge(
        &self,
        prepared: &Prepared,
        environment: Environment<'_>,
        asking: Asking,
        reporter: &dyn Reporter,
        cancel: &Cancel,
    ) -> Result<Judged, StudyError> {
        if self.settings().judges.is_empty() {
            return Err(StudyError::Unfit(format!(
                "{}: no judge. Add one, such as\n  [[judges]]\n  model = \"openai/gpt-4o-mini\"\nor say --judge openai/MODEL",
                self.path(Path::new(crate::config::FILE_NAME)).display()
            )));
        }
        let mut notes = Vec::new();
        let (pooled, idf) = self.workload(prepared, &mut notes)?;
        // Whoever cannot be asked is found out before anybody is.
        let settings = self.settings();
        let tournament = settings.tournament.as_ref();
        let graders = match tournament {
            Some(tournament) if tournament.labels == TierScheme::Anchored => {
                panel(self, prepared, &settings.graders, None, idf.clone(), environment, asking)?
            }
            _ => Vec::new(),
        };
        let judges = panel(self, prepared, &settings.judges, tournament, idf, environment, asking)?;
        fs_err::create_dir_all(self.private_dir())?;
        let path = self.ledger_path();
        let _lock = match asking {
            Asking::Missing => Some(LedgerLock::acquire(&path)?),
            Asking::Nothing => None,
        };
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let mut asker = Asker {
            study: self,
            prepared,
            asking,
            reporter,
            cancel,
            ledger: SqliteLedger::open(&path)?,
            runtime: runtime.handle().clone(),
            spent: Spent::default(),
        };
        let judged = match &self.settings().tournament {
            None => asker.grade(pooled, judges, notes),
            Some(settings) => asker.compare(settings, pooled, judges, graders, notes),
        };
        runtime.shutdown_background();
        judged
    }

    /// The pool with its texts: one pass over the corpus, which also counts what the similarity baseline needs.
    fn workload(
        &self,
        prepared: &Prepared,
        notes: &mut Vec<String>,
    ) -> Result<(Arc<Workload>, Option<Idf>), StudyError> {
        let reads = |kind: &JudgeKind| !matches!(kind, JudgeKind::Replay { .. });
        let asked = || self.settings().judges.iter().chain(&self.settings().graders);
        let text_needed = asked().any(|judge| reads(&judge.kind));
        let similarity = asked().any(|judge| matches!(judge.kind, JudgeKind::Similarity {}));
        let mut texts = indexmap::IndexMap::default();
        let mut idf =
            similarity.then(|| IdfBuilder::new(prepared.topics.iter().map(|topic| topic.text.as_str())));
        if text_needed || self.settings().corpus.is_some() {
            let wanted: FxHashSet<&str> = prepared.pool.iter().map(|(_, document)| &*document.id).collect();
            let corpus = self.corpus_path()?;
            let found = read_documents(&corpus, |id| wanted.contains(id), &mut |document| {
                if let Some(idf) = &mut idf {
                    idf.add(&document.shown());
                }
            })?;
            if text_needed {
                self.all_there(prepared, &corpus, |id| found.found.contains_key(id))?;
            }
            blank(&found, &corpus, notes);
            texts = found.found;
        }
        let workload = assemble(prepared, |id| texts.swap_remove(id))?;
        Ok((Arc::new(workload), idf.map(IdfBuilder::finish)))
    }

    /// Every pooled document must be in the corpus when a judge reads text.
    fn all_there(
        &self,
        prepared: &Prepared,
        corpus: &Path,
        has: impl Fn(&str) -> bool,
    ) -> Result<(), StudyError> {
        let mut absent = prepared.pool.iter().filter(|(_, document)| !has(&document.id));
        let Some((topic, document)) = absent.next() else { return Ok(()) };
        let more = absent.count();
        let run =
            document.found.first().and_then(|found| self.settings().systems.get(usize::from(found.run)));
        let place = run.and_then(|system| self.place_in_run(system, topic, &document.id)).unwrap_or_default();
        Err(StudyError::Unfit(format!(
            "{place}document {:?}, found for query {topic:?}, is not in {}{}. A judge needs its text: add it there, or correct \
             the identifier; a replay judge needs no texts",
            &*document.id,
            corpus.display(),
            match more {
                0 => String::new(),
                n => format!(", nor are {n} more of the pool"),
            },
        )))
    }

    fn place_in_run(
        &self,
        system: &crate::config::SystemSettings,
        topic: &str,
        document: &str,
    ) -> Option<String> {
        let file: PathBuf = match &system.source {
            crate::config::SystemSource::Run { run } => self.path(run),
            crate::config::SystemSource::Retriever { .. } => return None,
        };
        let line = llull_data::locate(&file, topic, Some(document))?;
        Some(format!("{} line {line}: ", file.display()))
    }
}

fn blank(found: &llull_data::Documents, corpus: &Path, notes: &mut Vec<String>) {
    let mut blank = found.blank();
    if let Some((id, line)) = blank.next() {
        let more = match blank.count() {
            0 => String::new(),
            n => format!(" (and {n} more)"),
        };
        notes.push(format!(
            "{} line {line}: document {id:?} has neither title nor text{more}; it cannot be judged and counts as missing. Give it a text",
            corpus.display()
        ));
    }
}

fn assemble(
    prepared: &Prepared,
    mut text: impl FnMut(&str) -> Option<Document>,
) -> Result<Workload, StudyError> {
    let topics: Vec<_> = prepared.topics.iter().cloned().collect();
    let mut places: BTreeMap<&str, u32> = BTreeMap::new();
    let mut documents = Vec::new();
    let mut pairs = Vec::with_capacity(prepared.pool.pairs());
    for (topic, pooled) in (0u32..).zip(&prepared.pool.topics) {
        for document in &pooled.documents {
            let place =
                *places.entry(&document.id).or_insert_with(|| {
                    let found = text(&document.id).filter(|document| !document.is_blank());
                    documents.push(found.map_or_else(
                        || PooledDocument::IdOnly(document.id.to_string()),
                        PooledDocument::Found,
                    ));
                    documents.len() as u32 - 1
                });
            pairs.push(Pair { topic, document: place });
        }
    }
    Workload::new(topics, documents, pairs).map_err(|error| StudyError::Unfit(error.to_string()))
}
