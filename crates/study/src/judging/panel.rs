//! The judges of a study, made from its configuration.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;

use llull_config::{
    EndpointSettings, Environment, Folder, JudgeKind, JudgeSettings, OwnJudgeSource, TournamentSettings,
};
use llull_core::{Answer, Failure, FailureKind, Hash, JudgeSpec, KeyBuilder, Paradigm, Scale, TaskKey};
use llull_http::Address;
use llull_judge::{Rubric, Similarity};
use llull_llm::{ObservedServer, RequestObserver};
use llull_runner::{
    AccountLimits, AccountUse, AnnotatorJudge, Case, Judge, JudgeIdentity, ModelJudge, NamedStudent,
    OwnIdentity, OwnJudge, Prompted, RecordedJudge, RegisteredJudge, ReplayJudge, SimilarityJudge,
    StudentJudge,
};
use llull_store::{Detail, JudgeId, LedgerJudge, LedgerReader, StoreError};

use super::batches::Batches;
use super::budget_tracker::SCORES;
use super::models::{connected, observed_by};
use super::own_judges::{JudgeFunction, own_channel, own_identity};
use super::prompts::prompted;
use super::recorded_judge::with_answers;
use super::replayed_labels::{LabelForm, replayed};
use crate::error::StudyError;
use crate::inputs::topics;
use crate::inputs::{InputError, Surface};
use crate::judging::error::JudgeError;
use crate::part::{InPart, Note, Part, PartError};
use crate::saved::{UnusableStudent, saved_learner, saved_student};
use crate::study_config::StudyConfig;

/// Judges that answer the same questions.
pub(crate) struct Panel {
    members: Vec<Member>,
    /// The folder in which programs run.
    folder: Folder,
    /// The students among them, by place.
    students: Vec<Option<NamedStudent>>,
    /// A student whose encoder has not encoded all texts: its answers can be read, but it cannot judge.
    without_vectors: Option<WithoutVectors>,
    /// Whether their verdicts need explanations, which reports show document by document.
    explains: bool,
    /// Notes for the user about judges.
    notes: Vec<Note>,
}

/// A student and the encoder that it needs.
struct WithoutVectors {
    student: String,
    encoder: String,
}

struct Member {
    settings: JudgeSettings,
    judge: PanelJudge,
}

enum PanelJudge {
    /// A language model that is not connected. Its recorded answers can be read without a model or a key.
    Prompted(Arc<Prompted>),
    /// A recorded language model without its answers, which are read when it connects.
    Recorded(Arc<RecordedJudge>),
    /// A program or a server of the user's own, neither started nor connected.
    Own(Arc<OwnIdentity>),
    Complete(Arc<dyn Judge>),
    /// A judge that computes its answers from those of others, which get the requests.
    Computed(Arc<TreeIdentity>),
    /// A language model with an earlier specification. It is read and gets no request.
    Registered(Arc<RegisteredJudge>),
}

/// Reads a student and checks that it grades on the rubric's scale. Also returns the reason why it cannot judge, if
/// there is one.
fn student(
    folder: &Folder,
    name: &str,
    scale: Scale,
    surface: &Surface,
) -> Result<(NamedStudent, Option<WithoutVectors>), StudyError> {
    let student = saved_student(folder, name)?;
    let wrong = |source| UnusableStudent::Student { student: format!("student:{name}"), source };
    student.check_scale(scale).map_err(wrong)?;
    let Some(encoder) = &student.encoder else {
        return Ok((NamedStudent::new(name, student, surface.idf.clone(), Arc::default(), scale), None));
    };
    let known = surface.meanings.get(encoder).cloned().unwrap_or_default();
    let lacks = || WithoutVectors { student: name.to_owned(), encoder: encoder.clone() };
    let lacks = (!known.complete).then(lacks);
    Ok((NamedStudent::new(name, student, surface.idf.clone(), known.meanings, scale), lacks))
}

impl Panel {
    /// Makes every judge of a panel: those of a tournament compare, others grade. `surface` has the statistics of texts
    /// for the similarity baseline and for students.
    ///
    /// # Errors
    /// Returns an error if a file of a judge is missing or invalid, or its prompt is of another paradigm.
    pub(crate) fn new(
        config: StudyConfig<'_>,
        rubric: &Arc<Rubric>,
        judges: &[JudgeSettings],
        tournament: Option<&TournamentSettings>,
        surface: Option<&Surface>,
    ) -> Result<Self, PartError> {
        let StudyConfig { settings, folder } = config;
        let paradigm = tournament.map_or(Paradigm::Graded, |tournament| tournament.paradigm);
        let (mut members, mut notes) = (Vec::with_capacity(judges.len()), Vec::new());
        let (mut has_baseline, mut students) = (false, vec![None; judges.len()]);
        let mut without_vectors = None;
        for (at, judge) in judges.iter().enumerate() {
            let part = || Part::Judge(judge.name.clone());
            let prompted_by = || prompted(config, judge, tournament, rubric);
            let asks = |asks: Paradigm| match asks == paradigm {
                true => Ok(()),
                false => Err(StudyError::Judges(JudgeError::JudgeParadigm {
                    judge: judge.name.clone(),
                    asks: asks.name(),
                    wanted: paradigm.name(),
                })),
            };
            let made = match &judge.kind {
                JudgeKind::Prompted { .. } => PanelJudge::Prompted(Arc::new(prompted_by().in_part(part)?)),
                JudgeKind::Recorded { .. } => {
                    let recorded = RecordedJudge::new(prompted_by().in_part(part)?, "", []);
                    PanelJudge::Recorded(Arc::new(recorded))
                }
                JudgeKind::Replay { labels, scale, reading, .. } => {
                    let grade = paradigm == Paradigm::Graded;
                    let topics = topics(config).in_part(|| Part::Topics)?;
                    let reading = reading.with_columns(&settings.columns);
                    let form = LabelForm { scale: scale.as_ref(), reading, topics: &topics };
                    let read = replayed(folder, judge, labels, form, rubric.scale, grade).in_part(part)?;
                    notes.extend(read.notes.into_iter().map(|text| Note::new(part(), text)));
                    let (name, file) = (judge.name.clone(), labels.to_string());
                    if let Some(difference) = read.difference {
                        if judges.len() > 1 || settings.escalate.is_some() {
                            return Err(StudyError::Judges(JudgeError::JudgeScale {
                                judge: name,
                                difference,
                            }))
                            .in_part(part);
                        }
                        notes.push(Note::new(part(), format!("judge {name}: {difference}")));
                    }
                    let replay = ReplayJudge::new(name, read.qrels, file, read.hash, rubric.scale, paradigm);
                    PanelJudge::Complete(Arc::new(replay))
                }
                JudgeKind::Similarity {} => {
                    let first = !std::mem::replace(&mut has_baseline, true);
                    let surface = surface
                        .filter(|_| first)
                        .ok_or(StudyError::Judges(JudgeError::TwoBaselines))
                        .in_part(part)?;
                    let baseline = Similarity::new(rubric.scale, surface.idf.clone());
                    let judge = SimilarityJudge::new(&judge.name, baseline, paradigm, judge.concurrency);
                    PanelJudge::Complete(Arc::new(judge))
                }
                JudgeKind::Student { name } => {
                    let surface = surface
                        .ok_or_else(|| {
                            StudyError::Inputs(InputError::NoCorpus(folder.config().display().to_string()))
                        })
                        .in_part(part)?;
                    let (student, lacks) = student(folder, name, rubric.scale, surface).in_part(part)?;
                    without_vectors = without_vectors.or(lacks);
                    if let Some(place) = students.get_mut(at) {
                        *place = Some(student.clone());
                    }
                    let judge = StudentJudge::new(&judge.name, student, paradigm, judge.concurrency);
                    PanelJudge::Complete(Arc::new(judge))
                }
                JudgeKind::Tree { name } => {
                    let learner = saved_learner(folder, name).in_part(part)?;
                    let text = learner.to_json().map_err(|error| {
                        StudyError::Judges(JudgeError::Problem(format!("judge tree:{name}: {error}")))
                    });
                    let hash = Hash::of(text.in_part(part)?.as_bytes());
                    PanelJudge::Computed(Arc::new(TreeIdentity::new(judge, hash, rubric.scale)))
                }
                JudgeKind::Annotator { annotator } => {
                    asks(Paradigm::Graded).in_part(part)?;
                    PanelJudge::Complete(Arc::new(PanelAnnotator::new(&judge.name, annotator, rubric)))
                }
                JudgeKind::Own(own) => PanelJudge::Own(Arc::new(
                    own_identity(&judge.name, own, folder, rubric, paradigm).in_part(part)?,
                )),
                JudgeKind::Custom { judge: custom } => {
                    asks(custom.0.spec().paradigm).in_part(part)?;
                    PanelJudge::Complete(Arc::clone(&custom.0))
                }
            };
            members.push(Member { settings: judge.clone(), judge: made });
        }
        let explains = |judge: &JudgeSettings| {
            matches!(
                judge.kind,
                JudgeKind::Prompted { .. }
                    | JudgeKind::Recorded { .. }
                    | JudgeKind::Own(_)
                    | JudgeKind::Custom { .. }
            )
        };
        let explains = tournament.is_none() && judges.iter().any(explains);
        let folder = folder.clone();
        Ok(Self { members, folder, students, without_vectors, explains, notes })
    }

    /// Returns the only judge, if it is a student.
    pub(crate) fn only_student(&self) -> Option<&NamedStudent> {
        match self.students.as_slice() {
            [only] => only.as_ref(),
            _ => None,
        }
    }

    /// Returns notes about the judges.
    pub(crate) fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns the level of detail for reading these judges' answers from a ledger.
    pub(crate) fn detail(&self) -> Detail {
        if self.explains { Detail::Verdicts } else { Detail::Facts }
    }

    /// Replaces language models by their earlier specifications, for the members with one.
    pub(crate) fn register(&mut self, specs: &[Option<JudgeSpec>]) {
        for (member, spec) in self.members.iter_mut().zip(specs) {
            if let (PanelJudge::Prompted(now), Some(spec)) = (&member.judge, spec) {
                let earlier = RegisteredJudge::new(&member.settings.name, spec.clone(), now);
                member.judge = PanelJudge::Registered(Arc::new(earlier));
            }
        }
    }

    /// Gives rerankers the specification of a ledger that was written when the rubric was part of it, so that their
    /// answers count. The last one of [`recorded_judges`] counts; none does once the ledger has the present one.
    pub(crate) fn take_recorded_rerankers(&mut self, recorded: &[LedgerJudge]) {
        for member in &mut self.members {
            let PanelJudge::Own(identity) = &mut member.judge else { continue };
            if recorded.iter().any(|judge| judge.spec == *identity.spec()) {
                continue;
            }
            if let Some(earlier) = recorded.iter().rev().find_map(|judge| identity.as_recorded(&judge.spec)) {
                *identity = Arc::new(earlier);
            }
        }
    }

    /// Returns the identity of each judge's answers.
    pub(crate) fn identities(&self) -> Vec<Arc<dyn JudgeIdentity>> {
        let identity = |member: &Member| -> Arc<dyn JudgeIdentity> {
            match &member.judge {
                PanelJudge::Prompted(prompted) => Arc::clone(prompted) as _,
                PanelJudge::Recorded(judge) => Arc::clone(judge) as _,
                PanelJudge::Own(judge) => Arc::clone(judge) as _,
                PanelJudge::Complete(judge) => Arc::clone(judge) as _,
                PanelJudge::Registered(judge) => Arc::clone(judge) as _,
                PanelJudge::Computed(judge) => Arc::clone(judge) as _,
            }
        };
        self.members.iter().map(identity).collect()
    }

    /// Returns the places of the judges whose prompts can show worked examples in another order.
    pub(crate) fn order_examples(&self) -> Vec<usize> {
        let orders = |member: &Member| match &member.judge {
            PanelJudge::Prompted(prompted) => prompted.orders_examples(),
            PanelJudge::Recorded(_)
            | PanelJudge::Own(_)
            | PanelJudge::Complete(_)
            | PanelJudge::Registered(_)
            | PanelJudge::Computed(_) => false,
        };
        self.members.iter().enumerate().filter(|(_, member)| orders(member)).map(|(at, _)| at).collect()
    }

    /// Connects every language model, so that the judges can run, each by its own requests or in batches. No request is
    /// sent yet. Judges that compute their answers from others' are left out. `account_use` is that of the run.
    ///
    /// # Errors
    /// Returns an error if a model's name, address or key is invalid, or a student needs vectors that texts lack.
    pub(crate) fn connect(
        &self,
        environment: Environment<'_>,
        batches: Option<&Batches>,
        functions: &[JudgeFunction],
        observer: Option<&Arc<dyn RequestObserver>>,
        account_use: &AccountUse,
    ) -> Result<Vec<Arc<dyn Judge>>, StudyError> {
        if let Some(WithoutVectors { student, encoder }) = &self.without_vectors {
            let (name, encoder) = (student.clone(), encoder.clone());
            return Err(UnusableStudent::Problem(format!(
                "student {name} compares texts by their meaning, and not all of them have vectors of {encoder} yet; \
                 Study::students().encode makes them"
            ))
            .into());
        }
        let asked = |member: &&Member| !matches!(member.judge, PanelJudge::Computed(_));
        let connect = |member: &Member| -> Result<Arc<dyn Judge>, StudyError> {
            Ok(match &member.judge {
                PanelJudge::Prompted(prompted) => {
                    let model =
                        connected(&member.settings, environment, batches.is_some_and(Batches::are_files))?;
                    let model = observed_by(model, &member.settings, environment, observer)?;
                    let (prompted, concurrency) = (Arc::clone(prompted) as _, member.settings.concurrency);
                    let judge = ModelJudge::new(prompted, Arc::clone(&model), concurrency);
                    let limits = match &member.settings.kind {
                        JudgeKind::Prompted { limits, .. } => *limits,
                        _ => AccountLimits::default(),
                    };
                    let judge = judge.within(limits, account_use.clone());
                    let no_batches = || StudyError::Judges(JudgeError::NoBatches(judge.name().to_owned()));
                    match batches {
                        Some(batches) => {
                            let singly = (concurrency, limits);
                            let channel =
                                batches.channel(judge.name(), &model, singly).ok_or_else(no_batches)?;
                            Arc::new(judge.through(channel))
                        }
                        None => Arc::new(judge),
                    }
                }
                PanelJudge::Recorded(judge) => {
                    Arc::new(with_answers(&self.folder, &member.settings, judge.prompted())?)
                }
                PanelJudge::Own(identity) => {
                    let JudgeKind::Own(own) = &member.settings.kind else {
                        return Err(StudyError::Judges(JudgeError::NoModel(member.settings.name.clone())));
                    };
                    let channel =
                        own_channel(&member.settings.name, own, &self.folder, environment, functions)?;
                    let judge = OwnJudge::new((**identity).clone(), channel, member.settings.concurrency);
                    Arc::new(match &own.source {
                        OwnJudgeSource::Endpoint(EndpointSettings {
                            endpoint, key, limits, scores, ..
                        }) => {
                            let account = format!("{endpoint} {}", key.as_deref().unwrap_or_default());
                            let server = scores.as_ref().zip(observer).zip(Address::parse(endpoint).ok());
                            let server = server.map(|((scores, observer), address)| {
                                let (form, model) = (scores.form.name(), scores.model.as_deref());
                                ObservedServer::new(form, model, &address, Arc::clone(observer))
                            });
                            judge.within(account, *limits, account_use.clone()).observed(server)
                        }
                        OwnJudgeSource::Command(_) | OwnJudgeSource::Function { .. } => judge,
                    })
                }
                PanelJudge::Complete(judge) => Arc::clone(judge),
                PanelJudge::Registered(judge) => {
                    return Err(StudyError::Judges(JudgeError::EarlierJudge(judge.name().to_owned())));
                }
                PanelJudge::Computed(judge) => {
                    return Err(StudyError::Judges(JudgeError::EarlierJudge(judge.name().to_owned())));
                }
            })
        };
        self.members.iter().filter(asked).map(connect).collect()
    }
}

/// Returns the judges of a ledger, in order of registration. Rerankers that an earlier version recorded for several
/// rubrics are in the order of the number of their answers, since one of them counts.
///
/// # Errors
/// Returns an error if the ledger cannot be read.
pub(crate) fn recorded_judges(ledger: &dyn LedgerReader) -> Result<Vec<LedgerJudge>, StoreError> {
    let mut judges = ledger.judges()?;
    let has_rubric =
        |spec: &JudgeSpec| spec.options.contains_key(SCORES) && spec.rubric_hash != Hash([0; 32]);
    let earlier: Vec<JudgeId> =
        judges.iter().filter(|judge| has_rubric(&judge.spec)).map(|judge| judge.id).collect();
    if earlier.len() > 1 {
        let mut answers: BTreeMap<JudgeId, u64> = BTreeMap::new();
        ledger.scan(Some(&earlier), Detail::Facts, &mut |judge, attempt| {
            *answers.entry(judge).or_default() += u64::from(attempt.is_answered());
            Ok(())
        })?;
        judges.sort_by_key(|judge| answers.get(&judge.id).copied());
    }
    Ok(judges)
}

/// An annotator who grades under a study's rubric, under the name of this judge in the study.
pub(super) struct PanelAnnotator {
    name: String,
    judge: AnnotatorJudge,
}

impl PanelAnnotator {
    pub(super) fn new(name: &str, annotator: &str, rubric: &Rubric) -> Self {
        Self { name: name.to_owned(), judge: AnnotatorJudge::new(annotator, rubric.hash, rubric.scale) }
    }
}

impl JudgeIdentity for PanelAnnotator {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        self.judge.spec()
    }

    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey {
        self.judge.key(case, sample)
    }

    fn needs_text(&self) -> bool {
        false
    }

    /// Annotators get no repeated questions and no changed documents.
    fn in_process(&self) -> bool {
        true
    }

    fn is_asked(&self) -> bool {
        false
    }
}

impl Judge for PanelAnnotator {
    fn concurrency(&self) -> usize {
        1
    }

    fn ask<'a>(&'a self, _case: Case<'a>, _sample: u32) -> Pin<Box<dyn Future<Output = Answer> + Send + 'a>> {
        let why = "a person answers in a review, not in a run";
        let failure = Failure::new(FailureKind::Unauthorized, why);
        Box::pin(async move { Answer::from(failure) })
    }
}

/// A judge that computes its answers from those of others. They are never recorded: they follow from the others'
/// answers in the ledger.
pub(crate) struct TreeIdentity {
    name: String,
    spec: JudgeSpec,
}

impl TreeIdentity {
    /// Creates the judge with these settings; `hash` is that of the trained tree.
    pub(crate) fn new(settings: &JudgeSettings, hash: Hash, scale: Scale) -> Self {
        let spec = JudgeSpec {
            paradigm: Paradigm::Pairwise,
            model: settings.model.clone(),
            prompt: String::new(),
            prompt_hash: hash,
            rubric_hash: Hash([0; 32]),
            scale,
            sampling: None,
            options: Default::default(),
        };
        Self { name: settings.name.clone(), spec }
    }
}

impl JudgeIdentity for TreeIdentity {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn key(&self, case: &Case<'_>, _sample: u32) -> TaskKey {
        let key = KeyBuilder::new("llull tree v1").text("query", &case.topic.id);
        case.document_ids().fold(key, |key, id| key.text("document", id)).finish()
    }

    fn in_process(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Attempt, Outcome, Reason, Sampling, Unusable};
    use llull_store::{LedgerWriter as _, MemoryLedger};

    use super::*;

    #[test]
    fn of_earlier_rerankers_the_one_with_the_most_answers_comes_last() {
        let spec = |rubric: u8, scores: Option<&str>| JudgeSpec {
            paradigm: Paradigm::Listwise,
            model: "endpoint".to_owned(),
            prompt: String::new(),
            prompt_hash: Hash([1; 32]),
            rubric_hash: Hash([rubric; 32]),
            scale: Scale::default(),
            sampling: scores.is_none().then(Sampling::default),
            options: scores.iter().map(|form| (SCORES.to_owned(), (*form).to_owned())).collect(),
        };
        let specs = [spec(1, Some("tei")), spec(2, Some("tei")), spec(1, None), spec(0, Some("tei"))];
        let mut ledger = MemoryLedger::default();
        let ids = specs.each_ref().map(|spec| ledger.register("m", spec).unwrap());
        let mut answer = |judge: usize, answers: u8| {
            let unusable = || Unusable { reason: Reason::Malformed, detail: String::new() };
            let attempt = |n: u8| Attempt::new(Hash([n; 32]), Outcome::Unusable(unusable()));
            let attempts: Vec<_> = (0..answers).map(|n| (ids[judge], attempt(n))).collect();
            ledger.append(&attempts).unwrap();
        };
        answer(0, 5);
        answer(1, 2);
        answer(2, 9);
        let found: Vec<_> = recorded_judges(&ledger).unwrap().into_iter().map(|judge| judge.spec).collect();
        let at = |spec: &JudgeSpec| found.iter().position(|known| known == spec);
        assert!(at(&specs[1]) < at(&specs[0]), "{found:?}");
        assert_eq!(found.len(), 4);
    }
}
