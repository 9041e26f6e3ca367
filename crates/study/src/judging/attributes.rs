//! Judges compared pairs again by the rubric's attributes.
//!
//! Every pair that a tournament compares is also judged field by field, and by all fields in other modes. None of these
//! answers is a vote.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use llull_config::{JudgeKind, JudgeSettings, Settings, TournamentSettings};
use llull_core::{Document, Hash, Paradigm};
use llull_data::DataError;
use llull_judge::Rubric;
use llull_runner::{DocumentSet, Evidence, PooledDocument, Workload};
use rustc_hash::FxHashSet;

use super::panel::Panel;
use crate::error::StudyError;
use crate::inputs::{Corpus, InputError, Inputs, Surface};
use crate::part::{InPart, Note, Part, PartError};
use crate::study_config::StudyConfig;

/// Judges of one field, or of all fields, in one mode.
pub(super) struct AttributeGroup {
    /// The field; `None` for the whole document.
    pub(super) field: Option<String>,
    /// Whether judges see both orders of a pair.
    pub(super) both_orders: bool,
    /// The study's language models, under their names for this field.
    pub(super) judges: Vec<JudgeSettings>,
    /// The settings of their comparisons.
    pub(super) tournament: TournamentSettings,
}

/// The judges of a field, with the texts that they see.
pub(super) struct AttributePanel {
    pub(super) panel: Panel,
    both_orders: bool,
    /// The pool's queries and documents, with the field in place of the text.
    documents: Arc<Workload>,
}

/// Returns the judges of attributes, field by field; nothing if the rubric names no attribute or judges compare no
/// pairs.
pub(super) fn attribute_groups(settings: &Settings, rubric: &Rubric) -> Vec<AttributeGroup> {
    let pairs = |found: &&TournamentSettings| found.paradigm == Paradigm::Pairwise;
    let Some(study) = settings.tournament.as_ref().filter(pairs) else { return Vec::new() };
    if rubric.attributes.is_empty() {
        return Vec::new();
    }
    // Whether judges see both orders, by whether Neither is allowed.
    let mut modes: BTreeMap<bool, bool> = BTreeMap::new();
    for mode in &rubric.modes {
        *modes.entry(mode.neither).or_default() |= mode.double_check;
    }
    if modes.is_empty() {
        modes.insert(study.neither, study.both_orders());
    }
    let fields = rubric.attributes.iter().cloned().map(Some).chain([None]);
    let mut groups = Vec::new();
    for field in fields {
        for (neither, both_orders) in &modes {
            // The tournament has the same questions already.
            let asked = field.is_none() && *neither == study.neither;
            if asked && (!both_orders || study.both_orders()) {
                continue;
            }
            let suffix = match (&field, neither) {
                (None, _) if asked => ":all".to_owned(),
                (None, true) => ":all:neither".to_owned(),
                (None, false) => ":all:forced".to_owned(),
                (Some(field), true) => format!(":{field}"),
                (Some(field), false) => format!(":{field}:forced"),
            };
            let judges =
                settings.judges.iter().filter_map(|judge| asked_about(judge, field.as_ref(), &suffix));
            groups.push(AttributeGroup {
                field: field.clone(),
                both_orders: *both_orders,
                judges: judges.collect(),
                tournament: TournamentSettings { neither: *neither, ..study.clone() },
            });
        }
    }
    groups.retain(|group| !group.judges.is_empty());
    groups
}

/// Returns the judge of a field; `None` if it is no language model.
pub(super) fn asked_about(
    judge: &JudgeSettings,
    field: Option<&String>,
    suffix: &str,
) -> Option<JudgeSettings> {
    let mut judge = JudgeSettings { name: judge.name.clone() + suffix, ..judge.clone() };
    let JudgeKind::Prompted { attribute, .. } = &mut judge.kind else { return None };
    *attribute = field.cloned();
    Some(judge)
}

/// Returns the fingerprints of the judges of attributes.
///
/// # Errors
/// Returns an error if a prompt is missing or invalid.
pub(super) fn attribute_fingerprints(
    config: StudyConfig<'_>,
    rubric: &Arc<Rubric>,
) -> Result<Vec<Hash>, StudyError> {
    let mut fingerprints = Vec::new();
    for group in attribute_groups(config.settings, rubric) {
        let panel = Panel::new(config, rubric, &group.judges, Some(&group.tournament), None)?;
        fingerprints.extend(panel.identities().iter().map(|judge| judge.spec().fingerprint()));
    }
    Ok(fingerprints)
}

/// Makes the judges of attributes and reads their texts, in one pass over the corpus for each field. Also returns notes
/// about fields that documents lack.
///
/// # Errors
/// Returns an error if the corpus cannot be read, no document has a field, or a prompt is missing or invalid.
pub(super) fn attribute_panels(
    config: StudyConfig<'_>,
    inputs: &Inputs,
    pooled: &Arc<Workload>,
) -> Result<(Vec<AttributePanel>, Vec<Note>), PartError> {
    let groups = attribute_groups(config.settings, &inputs.rubric);
    let (panels, mut notes) = panels_of(config, inputs, pooled, (groups, None))?;
    if panels.is_empty() && !inputs.rubric.attributes.is_empty() {
        let text = "only language models that compare pairs (paradigm = \"pairwise\") use its attributes; here they \
                    have no effect";
        notes.push(Note::new(Part::Rubric, text.to_owned()));
    }
    Ok((panels, notes))
}

/// Does the same for these groups. `surface` has the statistics for the similarity baseline and for students.
///
/// # Errors
/// Returns those of [`attribute_panels`].
pub(super) fn panels_of(
    config: StudyConfig<'_>,
    inputs: &Inputs,
    pooled: &Arc<Workload>,
    (groups, surface): (Vec<AttributeGroup>, Option<&Surface>),
) -> Result<(Vec<AttributePanel>, Vec<Note>), PartError> {
    let rubric = Arc::new(inputs.rubric.clone());
    let mut shown: BTreeMap<String, Arc<Workload>> = BTreeMap::new();
    let (mut panels, mut notes) = (Vec::new(), Vec::new());
    for AttributeGroup { field, both_orders, judges, tournament } in groups {
        let panel = Panel::new(config, &rubric, &judges, Some(&tournament), surface)?;
        let documents = match &field {
            None => Arc::clone(pooled),
            Some(field) => match shown.get(field) {
                Some(documents) => Arc::clone(documents),
                None => {
                    let found = field_of(config, field, pooled).in_part(|| Part::Corpus)?;
                    notes.extend(lacking(field, &found));
                    shown.insert(field.clone(), Arc::clone(&found));
                    found
                }
            },
        };
        panels.push(AttributePanel { panel, both_orders, documents });
    }
    Ok((panels, notes))
}

/// The pool's documents with one field, by its name, in place of title and text.
pub(super) fn field_of(
    config: StudyConfig<'_>,
    field: &str,
    pooled: &Workload,
) -> Result<Arc<Workload>, StudyError> {
    let wanted: FxHashSet<&str> = pooled.documents().iter().map(PooledDocument::id).collect();
    let corpus = Corpus::of(config)?.of_field(field);
    let mut found = corpus.find(|id| wanted.contains(id), &mut |_| ()).map_err(named_by_rubric)?.found;
    let of = |document: &PooledDocument| {
        let id = document.id();
        let text =
            found.swap_remove(id).map(|found| if found.text.is_empty() { found.title } else { found.text });
        match text.filter(|text| !text.trim().is_empty()) {
            None => PooledDocument::IdOnly(id.to_owned()),
            Some(text) => PooledDocument::Found(Document {
                id: id.to_owned(),
                title: String::new(),
                text: format!("{field}: {text}"),
            }),
        }
    };
    let documents = pooled.documents().iter().map(of).collect();
    Ok(Arc::new(Workload::new(pooled.topics().to_vec(), documents, Vec::new())?))
}

/// Adds the rubric to the error of a field that no document has.
fn named_by_rubric(error: StudyError) -> StudyError {
    match error {
        StudyError::Data(DataError::NoField { file, field, known }) => {
            StudyError::Inputs(InputError::Problem(format!(
                "{file}: no document has the field {field:?}, one of the `attributes` in the rubric. Documents have \
                 {}",
                known.join(", ")
            )))
        }
        other => other,
    }
}

fn lacking(field: &str, shown: &Workload) -> Option<Note> {
    let all = shown.documents().len();
    let lacking = shown.documents().iter().filter(|document| document.document().is_none()).count();
    let text =
        format!("{lacking} of {all} pooled documents have no {field:?}: comparisons of these leave it out");
    (lacking > 0).then(|| Note::new(Part::Corpus, text))
}

impl AttributePanel {
    /// Returns these questions with the texts of this panel.
    ///
    /// # Errors
    /// Returns an error if they are of other documents.
    pub(super) fn asking(&self, sets: Vec<DocumentSet>) -> Result<Arc<Workload>, StudyError> {
        Ok(Arc::new(self.documents.comparing(sets)?))
    }

    /// Returns the questions: every compared pair once, in its first shown order, and also in the other if judges see
    /// both.
    ///
    /// # Errors
    /// Returns an error if the evidence is of other documents.
    pub(super) fn questions(&self, compared: &Evidence) -> Result<Arc<Workload>, StudyError> {
        let mut seen = BTreeSet::new();
        let mut questions = Vec::new();
        for asked in compared.questions() {
            let [first, second] = asked.documents else { continue };
            if !seen.insert((asked.topic, *first.min(second), *first.max(second))) {
                continue;
            }
            let orders = [[*first, *second], [*second, *first]];
            let orders = orders.into_iter().take(if self.both_orders { 2 } else { 1 });
            questions
                .extend(orders.map(|order| DocumentSet { topic: asked.topic, documents: order.to_vec() }));
        }
        Ok(Arc::new(self.documents.comparing(questions)?))
    }
}
