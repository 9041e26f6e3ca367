//! Reads all inputs of judging.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::Path;

use indexmap::IndexMap;
use llull_candidates::{Pool, PooledTopic};
use llull_config::{BASE_NEEDS_GRADES, BaseSettings, FILE_NAME, Folder, LabelReading, Settings, Source};
use llull_core::{
    ChosenQueries, FewShared, Hash, Identifiers, NothingShared, Qrels, Ranking, Run, SlicedQueries, Topics,
};
use llull_data::{TopicsFile, check_trec_pair, read_topics_file};
use llull_files::{WithNotes, read_labels_with};
use llull_judge::{Rubric, StudentLessons};
use llull_metrics::Measure;
use llull_report::RetrievalFigures;
use llull_report::text::{count, counted};
use llull_stats::Gate;

use super::base::{BaseLabels, only_labelled, pooled_with_base};
use super::reading::{HashedInput, Reading};
use super::remarks::{against_the_cutoff, beyond_the_highest, beyond_the_pool, no_relevant_grade};
use super::runs::runs;
use super::unread::unread_of_topics;
use crate::control_answers::ControlAnswers;
use crate::error::StudyError;
use crate::inputs::error::InputError;
use crate::part::{InPart, Note, Part, PartError};
use crate::saved::{rubric, student_lessons};
use crate::study_config::StudyConfig;
use crate::trained_labels::TrainedQueries;

/// All inputs of judging.
#[derive(Debug, Clone)]
pub struct Inputs {
    /// The rubric, which defines relevance.
    pub rubric: Rubric,
    /// The queries.
    pub topics: Topics,
    /// How they were chosen; `None` for all queries.
    pub chosen: Option<ChosenQueries>,
    /// The queries by the metadata fields that slices use.
    pub sliced: Vec<SlicedQueries>,
    /// Every system's results, in the order of the configuration.
    pub runs: Vec<Run>,
    /// Times and costs of systems, by their names, as far as their results have them.
    pub retrieval: BTreeMap<String, RetrievalFigures>,
    /// The systems whose saved results are of other settings, queries or depth.
    pub outdated: Vec<String>,
    /// The pool: the documents that systems returned, and those with an existing label.
    pub pool: Pool,
    /// Whether the pool has the pairs of the reference instead.
    pub pool_of_reference: bool,
    /// Existing labels, and the part of the pool for judges.
    pub base: Option<BaseLabels>,
    /// Labels made elsewhere, to compare with.
    pub reference: Option<Qrels>,
    /// Paraphrased queries, for the probe of [contamination](crate::JudgeProbe::Contamination); `None` without any.
    pub paraphrases: Option<Topics>,
    /// The judges' answers about a collection that is newer than their models; `None` without one. They are read by
    /// [`Study::inputs`](crate::Study::inputs).
    pub control: Option<ControlAnswers>,
    /// The training labels of the students among the judges, by their names.
    pub students: IndexMap<String, StudentLessons>,
    /// The queries of the reference that judges were trained on.
    pub trained_on_reference: TrainedQueries,
    /// The same for all human grades that checks read: those of the reference and of the base.
    pub(crate) trained_on_human_labels: TrainedQueries,
    /// The files that were read.
    pub inputs: Vec<HashedInput>,
    /// Notes for the user.
    pub notes: Vec<Note>,
}

/// The files that a report replaces.
const OUTPUTS: [&str; 4] = ["labels.qrels", "report.json", "report.md", "report.html"];

impl Inputs {
    /// Returns the part of the pool for judges: all of it, except labelled pairs that are not judged again.
    pub fn asked(&self) -> &Pool {
        self.base.as_ref().map_or(&self.pool, |base| &base.asked)
    }

    /// Returns how many queries have a document in the pool.
    pub fn pooled_queries(&self) -> usize {
        self.pool.topics.iter().filter(|topic| !topic.documents.is_empty()).count()
    }

    /// Returns which documents the pool has, such as `at depth 10`.
    pub fn pooled(&self) -> String {
        match self.pool_of_reference {
            false => format!("at depth {}", self.pool.depth),
            true => "(the pairs of the reference)".to_owned(),
        }
    }

    /// Checks that the pool has every document that the gates look at: what no judge sees can fail no build. A
    /// benchmark's own pairs are the pool that its figures are defined on.
    ///
    /// # Errors
    /// Returns an error that names a document below the pool's depth.
    pub fn check_gates(&self, gates: &[Gate]) -> Result<(), StudyError> {
        if self.pool_of_reference {
            return Ok(());
        }
        for gate in gates {
            // Measures without a cutoff look at whole lists, of which every pool judges a part.
            let measure: Measure = gate.measure().parse()?;
            let cutoff = measure.cutoff().map_or(0, |cutoff| cutoff.rank() as usize);
            if cutoff <= self.pool.depth.get() {
                continue;
            }
            for PooledTopic { id: query, documents } in &self.pool.topics {
                let pooled: BTreeSet<&str> = documents.iter().map(|pooled| &*pooled.id).collect();
                for run in &self.runs {
                    let looked_at = run.ranking(query).into_iter().flat_map(Ranking::iter).take(cutoff);
                    let below = looked_at.enumerate().find(|(_, hit)| !pooled.contains(hit.document));
                    if let Some((place, hit)) = below {
                        return Err(StudyError::Inputs(InputError::Problem(format!(
                            "the gate {gate} looks at the first {cutoff} results, and the pool has the first {depth} \
                             of each system: no judge sees document {document:?}, which {system} has for query \
                             {query:?} at rank {rank}. Set depth = {cutoff} under [pool], or write a gate on the first \
                             {depth}",
                            cutoff = cutoff as u32,
                            depth = self.pool.depth.get() as u32,
                            document = hit.document,
                            system = run.name.as_str(),
                            query = query.as_str(),
                            rank = place as u32 + 1
                        ))));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Reads rubric, topics and runs, runs the study's own retrievers, and pools.
///
/// # Errors
/// Returns an error that names file, line and remedy if a file is missing or invalid.
pub(crate) fn read_inputs(config: StudyConfig<'_>, config_hash: Option<Hash>) -> Result<Inputs, PartError> {
    let StudyConfig { settings, folder } = config;
    let rubric = rubric(config).in_part(|| Part::Rubric)?;
    let (all_topics, unread) = topics_with_remark(config).in_part(|| Part::Topics)?;
    let chosen = chosen(config, &all_topics).in_part(|| Part::Topics)?;
    let topics = match &chosen {
        Some(chosen) => all_topics.only(|query| chosen.ids.contains(query)),
        None => all_topics.clone(),
    };
    let sliced = sliced(settings, &topics).in_part(|| Part::Topics)?;
    let mut reading = Reading::default();
    reading.remark(|| Part::Rubric, rubric.notes());
    reading.remark(|| Part::Topics, unread);
    reading.remark(|| Part::Config, settings.notes.iter().cloned());
    if let Some(hash) = config_hash {
        reading.inputs.push(HashedInput { role: "configuration".into(), name: FILE_NAME.into(), hash });
    }
    reading.source("topics", &settings.topics, folder).in_part(|| Part::Topics)?;
    if let Some(rubric) = &settings.rubric {
        reading.source("rubric", rubric, folder).in_part(|| Part::Rubric)?;
    }
    // The reference is read before any cost, although it is needed last.
    if let Some(source) = &settings.reference {
        reading.source("reference", source, folder).in_part(|| Part::Reference)?;
    }
    let mut reference = reference_labels(config, &all_topics).in_part(|| Part::Reference)?.map(|read| {
        reading.remark(|| Part::Reference, read.notes);
        read.value
    });
    let mut paraphrases = paraphrases(config, &mut reading).in_part(|| Part::Topics)?;
    let base = base_labels(config, &all_topics, &mut reading).in_part(|| Part::Base)?;
    if !settings.pool_of_reference {
        reading.remark(|| Part::Pool, beyond_the_pool(settings));
    }
    reading.remark(|| Part::Measures, against_the_cutoff(settings, &rubric));
    reading.remark(|| Part::Measures, no_relevant_grade(settings, &rubric));
    reading.remark(|| Part::Measures, beyond_the_highest(settings, &rubric));
    let mut runs = runs(config, &all_topics, reference.as_ref(), &mut reading)?;
    if let Some(chosen) = &chosen {
        let is_chosen = |query: &str| chosen.ids.contains(query);
        runs.iter_mut().for_each(|run| run.retain(is_chosen));
        paraphrases = paraphrases.map(|topics| topics.only(is_chosen));
        reference.iter_mut().for_each(|labels| labels.retain(is_chosen));
        if reference.as_ref().is_some_and(Qrels::is_empty) {
            reference = None;
            reading
                .remark(|| Part::Reference, [format!("it labels none of the {chosen}: nothing is compared")]);
        }
    }
    if let Some(labels) = &mut reference {
        let is_own = |query: &str| topics.get(query).is_some();
        let (own, all) = (labels.iter().filter(|(query, _)| is_own(query)).count(), labels.len());
        // Under the reference, a query that no system was given would count as unanswered.
        if (1..all).contains(&own) {
            labels.retain(is_own);
            let other = counted(all - own, "query");
            reading.remark(
                || Part::Reference,
                [format!("its labels of {other} that the study lacks do not count")],
            );
        }
    }
    let depth = NonZeroUsize::new(settings.pool_depth).unwrap_or(NonZeroUsize::MIN);
    let pool = match settings.pool_of_reference {
        false => Pool::of(&runs, depth, Some(&topics)).in_part(|| Part::Pool)?,
        true => {
            let mut pool = Pool::of(&runs, NonZeroUsize::MAX, Some(&topics)).in_part(|| Part::Pool)?;
            pool.depth = depth;
            let name = settings.reference.as_ref().map_or_else(String::new, Source::to_string);
            let none = || {
                StudyError::Inputs(InputError::Problem(format!(
                    "{name}: it labels none of these queries, and pool = \"qrels\" judges its pairs: choose others"
                )))
            };
            let labels = reference.as_ref().ok_or_else(none).in_part(|| Part::Reference)?;
            let few = shared_with_pool(&name, labels, &pool).map_err(StudyError::from);
            let few = few.in_part(|| Part::Reference)?;
            reading.remark(|| Part::Reference, few.map(|few| few.to_string()));
            only_labelled(&mut pool, labels);
            let empty = pool.topics.iter().filter(|topic| topic.documents.is_empty()).count();
            let unlabelled = format!(
                "{} of {} queries have no pair in {name}: they are not judged and have no figure",
                count(empty),
                count(pool.topics.len())
            );
            reading.remark(|| Part::Reference, (empty > 0).then_some(unlabelled));
            pool
        }
    };
    // Labels are written at the end, and a judge is paid before.
    if folder.keeps() {
        for name in OUTPUTS {
            if let Some(role) = folder.role_of(&folder.path(name)) {
                let file = name.to_owned();
                return Err(StudyError::Inputs(InputError::Problem(format!(
                    "{file}: llull writes its own labels or report under this name, and {role}. Rename your file, and \
                     name it so in llull.toml"
                ))))
                .in_part(|| Part::Config);
            }
        }
        let pairs = || pool.iter().map(|(query, pooled)| (query, &*pooled.id));
        let checked = pairs().try_for_each(|(query, document)| check_trec_pair(query, document));
        checked.map_err(StudyError::from).in_part(|| Part::Pool)?;
    }
    let (pool, base) = match base {
        Some((base, labels)) => {
            let (pool, found) =
                pooled_with_base(base, settings.seed, &labels, pool).in_part(|| Part::Base)?;
            reading.remark(|| Part::Base, found.off_the_scale(&rubric));
            (pool, Some(found))
        }
        None => (pool, None),
    };
    if let (Some(labels), Some(source)) = (&reference, &settings.reference) {
        let few = shared_with_pool(&source.to_string(), labels, &pool);
        let few = few.map_err(StudyError::from).in_part(|| Part::Reference)?;
        reading.remark(|| Part::Reference, few.map(|few| few.to_string()));
    }
    let Reading { inputs, notes, retrieval, outdated } = reading;
    let (control, students) = (None, student_lessons(config));
    let trained_on_reference = TrainedQueries::find(config, &reference);
    let grades = reference.iter().chain(base.as_ref().map(|base| &base.labels));
    let trained_on_human_labels = TrainedQueries::find(config, grades);
    let inputs = Inputs {
        rubric,
        topics,
        chosen,
        sliced,
        runs,
        retrieval,
        outdated,
        pool,
        pool_of_reference: settings.pool_of_reference,
        base,
        reference,
        paraphrases,
        control,
        students,
        trained_on_reference,
        trained_on_human_labels,
        inputs,
        notes,
    };
    inputs.check_gates(&settings.gates).in_part(|| Part::Config)?;
    Ok(inputs)
}

/// Checks that labels share queries and documents with the pool.
pub(super) fn shared_with_pool(
    name: &str,
    labels: &Qrels,
    pool: &Pool,
) -> Result<Option<FewShared>, NothingShared> {
    let pooled = pool.topics.iter().map(|topic| {
        let documents = topic.documents.iter().map(|document| &*document.id);
        (topic.id.as_str(), documents)
    });
    Identifiers::of_labels(name, labels).check_overlap(&Identifiers::new("the pool", pooled))
}

pub(crate) fn topics(config: StudyConfig<'_>) -> Result<Topics, StudyError> {
    topics_with_remark(config).map(|(topics, _)| topics)
}

/// Returns the topics, and a note about ignored parts of their file.
fn topics_with_remark(config: StudyConfig<'_>) -> Result<(Topics, Option<String>), StudyError> {
    let (topics, name, remark) = match &config.settings.topics {
        Source::File(path) => {
            let path = config.folder.existing(path, "topics")?;
            let TopicsFile { topics, table } = read_topics_file(&path, &config.settings.columns)?;
            let name = path.display().to_string();
            let remark = unread_of_topics(&name, &table.unread);
            (topics, name, remark)
        }
        Source::Memory(topics) => (Topics::clone(topics), "topics".to_owned(), None),
    };
    if topics.is_empty() {
        return Err(StudyError::Inputs(InputError::NoQueries(name)));
    }
    Ok((topics, remark))
}

/// Returns the chosen queries; `None` if all are used.
fn chosen(
    StudyConfig { settings, folder }: StudyConfig<'_>,
    topics: &Topics,
) -> Result<Option<ChosenQueries>, StudyError> {
    if settings.queries.is_all() {
        return Ok(None);
    }
    let choice = settings.queries.choice(settings.seed, |file| folder.path(Path::new(file)));
    let ids: Vec<&str> = topics.iter().map(|topic| topic.id.as_str()).collect();
    let chosen = choice.and_then(|choice| Ok(choice.choose(&ids, topics)?)).map_err(InputError::Choice);
    Ok(Some(chosen.map_err(StudyError::Inputs)?))
}

/// Returns the queries by the metadata fields that slices use.
fn sliced(settings: &Settings, topics: &Topics) -> Result<Vec<SlicedQueries>, StudyError> {
    let ids = || topics.iter().map(|topic| topic.id.as_str());
    let fields = settings.compare.slices.iter();
    let named = || settings.topics.to_string();
    let sliced = fields.map(|field| {
        topics.sliced(field, ids()).map_err(|source| InputError::Slices { topics: named(), source })
    });
    sliced.collect::<Result<_, _>>().map_err(StudyError::Inputs)
}

/// Reads the paraphrased queries, if there are any.
fn paraphrases(
    StudyConfig { settings, folder }: StudyConfig<'_>,
    reading: &mut Reading,
) -> Result<Option<Topics>, StudyError> {
    let Some(source) = &settings.contamination.paraphrases else { return Ok(None) };
    reading.source("paraphrases", source, folder)?;
    match source {
        Source::File(path) => Ok(Some(
            read_topics_file(&folder.existing(path, "contamination.paraphrases")?, &settings.columns)?.topics,
        )),
        Source::Memory(topics) => Ok(Some(Topics::clone(topics))),
    }
}

/// Reads the labels of the study's reference, if it has one.
pub(crate) fn reference_labels(
    StudyConfig { settings, folder }: StudyConfig<'_>,
    topics: &Topics,
) -> Result<Option<WithNotes<Qrels>>, StudyError> {
    let read = |source| labels(source, settings, &settings.reference_reading, folder, topics);
    settings.reference.as_ref().map(read).transpose()
}

/// Reads the existing labels, if there are any.
fn base_labels<'a>(
    StudyConfig { settings, folder }: StudyConfig<'a>,
    topics: &Topics,
    reading: &mut Reading,
) -> Result<Option<(&'a BaseSettings, Qrels)>, StudyError> {
    let Some(base) = &settings.base else { return Ok(None) };
    if settings.tournament.is_some() {
        let problem = format!("{} (base): {BASE_NEEDS_GRADES}", base.labels);
        return Err(StudyError::Inputs(InputError::Problem(problem)));
    }
    reading.source("base", &base.labels, folder)?;
    let read = labels(&base.labels, settings, &base.reading, folder, topics)?;
    reading.remark(|| Part::Base, read.notes);
    Ok(Some((base, read.value)))
}

fn labels(
    source: &Source<Qrels>,
    settings: &Settings,
    reading: &LabelReading,
    folder: &Folder,
    topics: &Topics,
) -> Result<WithNotes<Qrels>, StudyError> {
    match source {
        Source::File(path) => {
            let mut read = read_labels_with(&folder.path(path), reading.with_columns(&settings.columns).0)?;
            read.value.name_queries(topics);
            Ok(read)
        }
        Source::Memory(labels) => Ok(WithNotes { value: Qrels::clone(labels), notes: Vec::new() }),
    }
}
