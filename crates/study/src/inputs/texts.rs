//! The pool with its texts, for judges.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;
use llull_config::{BaseSettings, Folder, JudgeKind, Source, SystemSettings, SystemSource};
use llull_core::{Document, Identifiers, Paradigm};
use llull_data::{DocumentMetadata, FolderNotes, read_result_texts};
use llull_judge::{Idf, IdfBuilder, Meanings};
use llull_runner::{DocumentIndex, Pair, PooledDocument, TopicIndex, Workload};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::corpus::Corpus;
use super::live_results::texts_of_results;
use super::read_inputs::Inputs;
use super::unread::unread_of_corpus;
use crate::error::StudyError;
use crate::inputs::error::InputError;
use crate::part::{Note, Part};
use crate::study_config::StudyConfig;

/// A study's pool with its texts, which [`Study::evidence_with`](crate::Study::evidence_with) need not read again.
#[derive(Debug, Clone)]
pub struct StudyTexts(pub(crate) PooledTexts);

/// The pool with its texts.
#[derive(Debug, Clone)]
pub(crate) struct PooledTexts {
    /// A question for each pair, in the pool's order.
    pub(crate) pooled: Arc<Workload>,
    /// The statistics for judges that read texts in this process, if there is one.
    pub(crate) surface: Option<Arc<Surface>>,
    /// The number of texts in each live system's results that differ from those that judges see.
    pub(crate) other_texts: Vec<(String, usize)>,
    /// The metadata of pooled documents.
    pub(crate) metadata: Arc<DocumentMetadata>,
    /// How the corpus was cut into passages, if it is a folder of texts.
    pub(crate) corpus_folder: Option<FolderNotes>,
    /// Notes for the user.
    pub(crate) notes: Vec<Note>,
}

/// The statistics of texts for the similarity baseline and for students.
#[derive(Debug)]
pub(crate) struct Surface {
    /// The rarity of words in the corpus.
    pub(crate) idf: Idf,
    /// The cosines of pooled documents and their queries, by the names of students' encoders.
    pub(crate) meanings: IndexMap<String, KnownMeanings>,
}

/// The cosines of the texts with vectors.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownMeanings {
    pub(crate) meanings: Arc<Meanings>,
    /// Whether all texts of the pool have one.
    pub(crate) complete: bool,
}

/// Finds the texts of the pool in one pass over the corpus, which also computes the statistics of words. Labels that an
/// earlier command kept have texts here, too, which `check` gets; `None` if no text is read.
///
/// # Errors
/// Returns an error if the corpus cannot be read, or a judge needs a text that is not in it; or that of `check`.
pub(crate) fn pooled_texts(
    config: StudyConfig<'_>,
    inputs: &Inputs,
    check: impl FnOnce(Option<&IndexMap<String, Document, FxBuildHasher>>) -> Result<(), StudyError>,
) -> Result<PooledTexts, StudyError> {
    let StudyConfig { settings, folder } = config;
    let reads = |kind: &JudgeKind| match kind {
        JudgeKind::Replay { .. } | JudgeKind::Annotator { .. } => false,
        JudgeKind::Custom { judge } => judge.0.needs_text(),
        JudgeKind::Prompted { .. }
        | JudgeKind::Recorded { .. }
        | JudgeKind::Similarity {}
        | JudgeKind::Student { .. }
        | JudgeKind::Tree { .. }
        | JudgeKind::Own(_) => true,
    };
    let asked = || settings.judges.iter().chain(&settings.graders);
    let text_needed = asked().any(|judge| reads(&judge.kind));
    let counts_words =
        asked().any(|judge| matches!(judge.kind, JudgeKind::Similarity {} | JudgeKind::Student { .. }));
    let (mut notes, mut other_texts, mut corpus_folder) = (Vec::new(), Vec::new(), None);
    let (mut texts, mut metadata) = (indexmap::IndexMap::default(), DocumentMetadata::default());
    let mut idf =
        counts_words.then(|| IdfBuilder::new(inputs.topics.iter().map(|topic| topic.text.as_str())));
    let mut wanted: FxHashSet<&str> = inputs.asked().iter().map(|(_, document)| &*document.id).collect();
    let recalled = settings.base.as_ref().and_then(BaseSettings::recalled);
    if let Some((_, base)) = recalled.zip(inputs.base.as_ref()) {
        wanted.extend(base.labels.iter().flat_map(|(_, documents)| documents.keys()));
    }
    let live = || settings.systems.iter().filter(|system| matches!(system.source, SystemSource::Live(_)));
    if settings.corpus.is_none() && text_needed {
        texts_of_runs(config, |id| wanted.contains(id), &mut texts)?;
    }
    if settings.corpus.is_some() || text_needed && texts.is_empty() && live().next().is_none() {
        let corpus = Corpus::of(config)?;
        let found = corpus.find(|id| wanted.contains(id), &mut |document| {
            if let Some(idf) = &mut idf {
                idf.add(&document.shown());
            }
        })?;
        let compares_pairs =
            settings.tournament.as_ref().is_some_and(|found| found.paradigm == Paradigm::Pairwise);
        let attributes: &[String] = if compares_pairs { &inputs.rubric.attributes } else { &[] };
        let unread = unread_of_corpus(&corpus.name(), &found.notes.table, attributes);
        let remarks = without_text(&found, &corpus).into_iter().chain(unread);
        notes.extend(remarks.map(|text| Note::new(Part::Corpus, text)));
        (texts, metadata) = (found.found, found.metadata);
        corpus_folder = found.notes.folder;
    }
    let places =
        settings.corpus.as_ref().map_or_else(|| "the results of the systems".into(), Source::to_string);
    if text_needed {
        for system in live() {
            let others = texts_of_results(&system.name, folder, |id| wanted.contains(id), &mut texts)?;
            other_texts.extend((others > 0).then(|| (system.name.clone(), others)));
            notes.extend((others > 0).then(|| {
                let text = format!(
                    "{others} texts of {}'s results are others than what the corpus or a system before has for the \
                     document; the first counts",
                    system.name
                );
                Note::new(Part::System(system.name.clone()), text)
            }));
        }
        // Every file that could have the column was read, and no judge was paid.
        if let Some(typed) = config.settings.columns.never_found() {
            return Err(StudyError::Inputs(InputError::Problem(format!(
                "columns {typed}: no file that was read has such a column. Correct the name in --columns or \
                 [columns] of llull.toml, or leave it out"
            ))));
        }
        all_there(config, inputs, &places, |id| texts.contains_key(id))?;
    }
    check((text_needed || settings.corpus.is_some()).then_some(&texts))?;
    let pooled = Arc::new(assemble(inputs, |id| texts.swap_remove(id))?);
    let surface = match idf {
        Some(idf) => {
            let meanings = meanings_of_students(config, &pooled)?;
            Some(Arc::new(Surface { idf: idf.finish(), meanings }))
        }
        None => None,
    };
    Ok(PooledTexts { pooled, surface, other_texts, metadata: Arc::new(metadata), corpus_folder, notes })
}

/// Returns the wanted texts of a study without a corpus, which the systems' results hold.
///
/// # Errors
/// Returns an error if results cannot be read, or none has a text.
pub(crate) fn texts_without_corpus(
    config: StudyConfig<'_>,
    wanted: impl Fn(&str) -> bool,
) -> Result<IndexMap<String, Document, rustc_hash::FxBuildHasher>, StudyError> {
    let mut texts = IndexMap::default();
    texts_of_runs(config, &wanted, &mut texts)?;
    for system in &config.settings.systems {
        if matches!(system.source, SystemSource::Live(_)) {
            texts_of_results(&system.name, config.folder, &wanted, &mut texts)?;
        }
    }
    if texts.is_empty() {
        // There is none, so this is the error.
        Corpus::of(config)?;
    }
    Ok(texts)
}

/// Adds the texts that files of results hold. Of several for a document, the first counts.
fn texts_of_runs(
    config: StudyConfig<'_>,
    wanted: impl Fn(&str) -> bool,
    texts: &mut IndexMap<String, Document, rustc_hash::FxBuildHasher>,
) -> Result<(), StudyError> {
    for system in &config.settings.systems {
        let SystemSource::Run { run: Source::File(path), .. } = &system.source else { continue };
        let file = config.folder.existing(path, &format!("run {}", system.name))?;
        read_result_texts(&file, &config.settings.columns, |document| {
            if wanted(&document.id) {
                texts.entry(document.id.clone()).or_insert(document);
            }
        })?;
    }
    Ok(())
}

/// Reads the saved vectors of students' encoders.
#[cfg(feature = "encoders")]
fn meanings_of_students(
    config: StudyConfig<'_>,
    pooled: &Workload,
) -> Result<IndexMap<String, KnownMeanings>, StudyError> {
    let mut found = IndexMap::new();
    // An unreadable student is an error when its judge is made; that error names the judge.
    for encoder in super::student_encoders(config).unwrap_or_default() {
        let kept = crate::saved::saved_vectors(config.folder, &encoder)?;
        let texts = super::texts_of(pooled.cases());
        let meanings = Arc::new(super::meanings(&kept, &texts));
        found.insert(encoder, KnownMeanings { meanings, complete: super::all_encoded(&kept, &texts) });
    }
    Ok(found)
}

/// This build has no encoders, so a student with one finds no vectors.
#[cfg(not(feature = "encoders"))]
fn meanings_of_students(
    _: StudyConfig<'_>,
    _: &Workload,
) -> Result<IndexMap<String, KnownMeanings>, StudyError> {
    Ok(IndexMap::new())
}

/// Checks that every pooled document is in the corpus, which is necessary if a judge reads text.
fn all_there(
    config: StudyConfig<'_>,
    inputs: &Inputs,
    corpus: &str,
    has: impl Fn(&str) -> bool,
) -> Result<(), StudyError> {
    let StudyConfig { settings, folder } = config;
    let mut absent = inputs.asked().iter().filter(|(_, document)| !has(&document.id));
    let Some((query, document)) = absent.next() else { return Ok(()) };
    let more = absent.count();
    let run = document.found.first().and_then(|found| settings.systems.get(usize::from(found.run)));
    let labels = match settings.pool_of_reference {
        true => settings.reference.as_ref().map(ToString::to_string),
        false => settings.base.as_ref().map(|base| base.labels.to_string()),
    };
    let place = match run {
        Some(system) => place_in_run(folder, system, query, &document.id),
        None => labels,
    };
    let place = place.map_or(String::new(), |place| format!("{place}: "));
    let others = if more == 0 { String::new() } else { format!(", nor are {more} more of the pool") };
    let overlap = few_in_corpus(config, inputs).map_or(String::new(), |few| format!(". {few}"));
    Err(StudyError::Inputs(InputError::Problem(format!(
        "{place}document {:?} of query {query:?} is not in {corpus}{others}. A judge needs its text: add it there, \
         correct the identifier, or leave the pair out; a replay judge needs no texts{overlap}",
        document.id
    ))))
}

/// Describes the difference of identifiers, if few or none of the pool's documents are in the corpus.
fn few_in_corpus(config: StudyConfig<'_>, inputs: &Inputs) -> Option<String> {
    let corpus = Corpus::of(config).ok()?;
    let mut ids = Vec::new();
    let each = |document: &Document| {
        ids.push(document.id.clone());
        Ok(())
    };
    // The corpus was readable before.
    corpus.for_each(each).ok()?;
    let pooled = inputs.asked().iter().map(|(_, document)| &*document.id);
    let pooled = Identifiers::of_documents("the pool", pooled);
    match pooled.check_overlap(&Identifiers::of_documents(corpus.name(), ids.iter().map(String::as_str))) {
        Ok(few) => few.map(|few| few.to_string()),
        Err(nothing) => Some(nothing.details()),
    }
}

fn place_in_run(folder: &Folder, system: &SystemSettings, query: &str, document: &str) -> Option<String> {
    let SystemSource::Run { run: Source::File(run), .. } = &system.source else { return None };
    let file = folder.path(run);
    let line = llull_data::locate(&file, query, Some(document))?;
    Some(format!("{} line {line}", file.display()))
}

/// Describes documents without text.
fn without_text(found: &llull_data::Documents, corpus: &Corpus) -> Option<String> {
    let mut blank = found.blank();
    let (id, place) = blank.next()?;
    let more = match blank.count() {
        0 => String::new(),
        n => format!(" (and {n} more)"),
    };
    Some(format!(
        "{} {place}: document {id:?} has neither title nor text{more}; it cannot be judged and counts as \
         missing. Give it \
         a text",
        corpus.name()
    ))
}

fn assemble(inputs: &Inputs, mut text: impl FnMut(&str) -> Option<Document>) -> Result<Workload, StudyError> {
    let topics: Vec<_> = inputs.topics.iter().cloned().collect();
    let mut places: BTreeMap<&str, DocumentIndex> = BTreeMap::new();
    let mut documents = Vec::new();
    let mut pairs = Vec::with_capacity(inputs.asked().pairs());
    for (topic, pooled) in (0u32..).map(TopicIndex).zip(&inputs.asked().topics) {
        for document in &pooled.documents {
            let place =
                *places.entry(&document.id).or_insert_with(|| {
                    let found = text(&document.id).filter(|document| !document.is_blank());
                    documents.push(found.map_or_else(
                        || PooledDocument::IdOnly(document.id.to_string()),
                        PooledDocument::Found,
                    ));
                    DocumentIndex(documents.len() as u32 - 1)
                });
            pairs.push(Pair { topic, document: place });
        }
    }
    Ok(Workload::new(topics, documents, pairs)?)
}
