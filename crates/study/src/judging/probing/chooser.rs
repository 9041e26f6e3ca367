//! Chooses the documents to change.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use llull_config::Settings;
use llull_core::{
    CHANGED, Document, FIRST_RECHECK, Grade, LabelSet, RESHUFFLED, Seed, Status, TaskKey, Topic,
};
use llull_judge::{fit, fit_together};
use llull_runner::{
    Case, DocumentIndex, DocumentSet, Evidence, JudgeEvidence, JudgeIdentity, Pair, PooledDocument, Question,
    TopicIndex, Workload,
};
use rustc_hash::FxHashSet;

use crate::error::StudyError;
use crate::evidence::ProbedQuestion;
use crate::inputs::{Inputs, differ, human_grades_on};
use crate::judging::plan::LEAST_RECHECKS;
use crate::probes::{ChangedDocument, Instruction, JudgeProbe, Swaps};

/// The judges and the questions about changed documents, or about examples in another order.
pub(crate) struct Probing {
    pub(crate) workload: Arc<Workload>,
    /// The change of each question of the workload.
    pub(crate) questions: Vec<ProbedQuestion>,
    /// The positions of the judges.
    pub(crate) judges: Vec<usize>,
}

/// The number of questions with changed words: agreement with annotators varies more than grades do.
const DISGUISED: usize = 100;

/// The parts of a study that probes depend on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProbedStudy<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) inputs: &'a Inputs,
    /// The human labels of the study's sample, if they are the reference.
    pub(crate) reviewers: Option<&'a LabelSet>,
    /// The lowest grade that counts as relevant, and the highest.
    pub(crate) cutoff: Grade,
    pub(crate) highest: Grade,
    pub(crate) pooled: &'a Workload,
}

/// Chooses the documents to change, among those of questions that every judge has answered.
///
/// The choice depends on the seed and on the question, not on the order of requests, so a continued run chooses the
/// same. Documents that were changed earlier, when there were fewer questions, stay.
pub(crate) struct ProbeChooser<'a> {
    study: ProbedStudy<'a>,
    judges: Vec<ProbedJudge<'a>>,
    /// The questions whose answers are votes.
    questions: Vec<Question<'a>>,
    /// Questions in random order, and in that of repeated ones.
    lots: Vec<(u64, usize)>,
    recheck_lots: Vec<(u64, usize)>,
    /// The shortest part of a document that any language model among the judges sees; `None` without one.
    document_tokens: Option<u32>,
    swaps: OnceCell<Swaps>,
}

struct ProbedJudge<'a> {
    /// Its position in the study.
    place: usize,
    identity: &'a dyn JudgeIdentity,
    votes: &'a JudgeEvidence,
    /// Whether its prompts can show worked examples in another order.
    orders_examples: bool,
}

/// A question with one of its documents changed.
struct ChangedQuestion {
    of: ProbedQuestion,
    sample: u32,
    topic: TopicIndex,
    /// The shown documents, in the order of the question.
    documents: Vec<PooledDocument>,
}

impl<'a> ProbeChooser<'a> {
    /// Reads the votes of judges, `identities` in their order; `examples` are the places of those whose prompts can
    /// show worked examples in another order. Judges that compute their answers are left out: they follow a formula,
    /// and no instructions.
    pub(crate) fn new(
        study: ProbedStudy<'a>,
        votes: &'a Evidence,
        identities: &'a [Arc<dyn JudgeIdentity>],
        examples: &[usize],
    ) -> Self {
        let judges = identities.iter().zip(votes.judges()).enumerate();
        let judges = judges.filter(|(_, (judge, _))| !judge.in_process() && judge.needs_text());
        let judges = judges.map(|(place, (judge, votes))| ProbedJudge {
            place,
            identity: &**judge,
            votes,
            orders_examples: examples.contains(&place),
        });
        let judges = judges.collect();
        let prompted = study.settings.judges.iter().filter_map(|judge| judge.kind.document_tokens());
        let document_tokens = prompted.min();
        let (lots, recheck_lots, swaps) = (Vec::new(), Vec::new(), OnceCell::new());
        let questions = votes.questions().collect();
        let mut chooser = Self { study, judges, questions, lots, recheck_lots, document_tokens, swaps };
        chooser.lots = chooser.drawn("probe");
        chooser.recheck_lots = chooser.drawn("recheck");
        chooser
    }

    /// Chooses as many documents as each probe needs. Questions with a sample index of their own are separate.
    ///
    /// # Errors
    /// Returns an error if a question is not of the pool.
    pub(crate) fn choose(&self, probes: &[JudgeProbe]) -> Result<Vec<Probing>, StudyError> {
        let plain = probes.iter().map(|probe| self.candidates(*probe).take(least(*probe)));
        let plain: Vec<ChangedQuestion> = plain.flatten().collect();
        if self.answered(&plain).len() >= self.probed() {
            return self.probings(plain);
        }
        let mut chosen = Vec::with_capacity(plain.len());
        for probe in probes {
            let (known, open): (Vec<_>, Vec<_>) =
                self.candidates(*probe).partition(|question| self.is_known(question));
            let more = least(*probe).saturating_sub(known.len());
            chosen.extend(known.into_iter().chain(open.into_iter().take(more)));
        }
        self.probings(chosen)
    }

    /// Returns those with an attempt in the ledger, in the same form.
    ///
    /// # Errors
    /// Returns an error if a question is not of the pool.
    pub(crate) fn known(&self) -> Result<Vec<Probing>, StudyError> {
        let all = self.probed();
        let mut known = Vec::new();
        for probe in JudgeProbe::ALL {
            if self.answered(&known).len() < all {
                let plain = self.candidates(probe).take(least(probe));
                known.extend(plain.filter(|question| self.is_known(question)));
            }
        }
        if self.answered(&known).len() < all {
            let candidates = JudgeProbe::ALL.into_iter().flat_map(|probe| self.candidates(probe));
            known = candidates.filter(|question| self.is_known(question)).collect();
        }
        self.probings(known)
    }

    /// The number of these judges' tasks about changed documents in the ledger.
    fn probed(&self) -> usize {
        self.judges.iter().map(|judge| judge.votes.probed()).sum()
    }

    /// The questions that every judge has answered, in random order. The order of repeated ones is that of
    /// `plan/rechecks.rs`, so that their answers can be used here, too.
    fn drawn(&self, what_for: &str) -> Vec<(u64, usize)> {
        let seed = Seed(self.study.settings.seed);
        let answered = |at: usize| self.judges.iter().all(|judge| judge.votes.status(at).is_judged());
        let mut lots = Vec::new();
        for (at, question) in self.questions.iter().enumerate() {
            let Some(topic) = self.study.pooled.topic(question.topic) else { continue };
            if self.judges.is_empty() || !answered(at) {
                continue;
            }
            let mut purpose = format!("{what_for} {}:{}", topic.id.len(), topic.id);
            for document in question.documents {
                let id = self.study.pooled.document(*document).map_or("", PooledDocument::id);
                match question.documents {
                    [_] if what_for == "probe" => purpose.push_str(&format!(" {id}")),
                    _ => purpose.push_str(&format!(" {}:{id}", id.len())),
                }
            }
            lots.push((seed.stream(&purpose), at));
        }
        lots.sort_unstable();
        lots
    }

    /// The questions that a probe can change, in random order.
    fn candidates(&self, probe: JudgeProbe) -> impl Iterator<Item = ChangedQuestion> {
        let lots = match probe {
            JudgeProbe::Anchors if self.study.settings.tournament.is_some() => Cow::Borrowed(&[][..]),
            JudgeProbe::Anchors => Cow::Borrowed(self.recheck_lots.as_slice()),
            JudgeProbe::Contamination => Cow::Owned(self.beside_people()),
            _ => Cow::Borrowed(self.lots.as_slice()),
        };
        (0..lots.len()).filter_map(move |place| {
            let (lot, at) = *lots.get(place)?;
            match probe {
                JudgeProbe::Anchors => self.beside_examples(at, RESHUFFLED),
                JudgeProbe::Contamination => self.disguised(at),
                _ => self.changed(probe, lot, at),
            }
        })
    }

    /// The questions with human preferences, in random order; if documents are graded, relevant and other ones take
    /// turns.
    fn beside_people(&self) -> Vec<(u64, usize)> {
        let mut kinds = [Vec::new(), Vec::new()];
        for (lot, at) in &self.lots {
            let question = self.questions.get(*at).copied();
            let topic = question.and_then(|question| self.study.pooled.topic(question.topic));
            let Some((question, topic)) = question.zip(topic) else { continue };
            let paraphrases = self.study.inputs.paraphrases.as_ref();
            if paraphrases.is_some_and(|paraphrases| paraphrases.get(&topic.id).is_none()) {
                continue;
            }
            let grades =
                human_grades_on(self.study.inputs, self.study.reviewers, self.study.pooled, question);
            let kind = match (self.study.settings.tournament.is_some(), grades.as_slice()) {
                (false, [Some(grade)]) => usize::from(*grade >= self.study.cutoff),
                (true, grades) if differ(grades) => 1,
                _ => continue,
            };
            if let Some(kind) = kinds.get_mut(kind) {
                kind.push((*lot, *at));
            }
        }
        let [others, relevant] = kinds.map(|kind| kind.into_iter().enumerate());
        let mut turns: Vec<_> = others.chain(relevant).collect();
        turns.sort_by_key(|(turn, _)| *turn);
        turns.into_iter().map(|(_, drawn)| drawn).collect()
    }

    /// A question with masked words in all its documents, and with a paraphrased query if there is one.
    fn disguised(&self, at: usize) -> Option<ChangedQuestion> {
        let pooled = self.study.pooled;
        let question = self.questions.get(at)?;
        let topic = pooled.topic(question.topic)?;
        let masked = |document: &DocumentIndex| {
            let document = pooled.document(*document)?.document()?;
            let text = self.swaps().masked(&topic.text, &document.shown())?;
            Some(PooledDocument::Found(Document { id: document.id.clone(), title: String::new(), text }))
        };
        let documents = question.documents.iter().map(masked).collect::<Option<_>>()?;
        let of = ProbedQuestion { probe: JudgeProbe::Contamination, vote: at, place: 0, repeated: false };
        Some(ChangedQuestion { of, sample: CHANGED, topic: question.topic, documents })
    }

    /// The query in the form of a probe.
    fn shown_topic(&self, probe: JudgeProbe, topic: &'a Topic) -> &'a Topic {
        let paraphrases = self.study.inputs.paraphrases.as_ref();
        let paraphrases = paraphrases.filter(|_| probe == JudgeProbe::Contamination);
        paraphrases.and_then(|paraphrases| paraphrases.get(&topic.id)).unwrap_or(topic)
    }

    /// An unchanged question, under a sample index of its own; `None` if no prompt shows examples.
    fn beside_examples(&self, at: usize, sample: u32) -> Option<ChangedQuestion> {
        if !self.judges.iter().any(|judge| judge.orders_examples) {
            return None;
        }
        let question = self.questions.get(at)?;
        let document = self.study.pooled.document(*question.documents.first()?)?;
        let repeated = sample == FIRST_RECHECK;
        let of = ProbedQuestion { probe: JudgeProbe::Anchors, vote: at, place: 0, repeated };
        Some(ChangedQuestion { of, sample, topic: question.topic, documents: vec![document.clone()] })
    }

    fn changed(&self, probe: JudgeProbe, lot: u64, at: usize) -> Option<ChangedQuestion> {
        let pooled = self.study.pooled;
        let question = self.questions.get(at)?;
        let topic = pooled.topic(question.topic)?;
        let shown: Vec<&PooledDocument> =
            question.documents.iter().map(|document| pooled.document(*document)).collect::<Option<_>>()?;
        let place = match probe.ought_to_fall() {
            true => self.good(at, shown.len())?,
            // The seed chooses any of them: a document that lost before could only win.
            false => (lot % shown.len() as u64) as usize,
        };
        let document = shown.get(place)?.document()?;
        let text = document.shown();
        let changing = ChangedDocument { topic: question.topic, query: &topic.text, text: &text };
        let changed = |probe: JudgeProbe| probe.text(&changing, self.instruction(), || self.swaps());
        let fits = |text: &str| self.is_shown_whole(text, &shown, place);
        let whole = match probe.ought_to_fall() {
            true => true,
            // All of these change the same documents, so that they can be compared. Only padding doubles them: what
            // then no longer fits is left out of that probe alone.
            false => JudgeProbe::ALL
                .into_iter()
                .filter(|probe| probe.ought_not_to_rise() && *probe != JudgeProbe::Padded)
                .all(|probe| changed(probe).is_some_and(|text| fits(&text))),
        };
        let text = changed(probe).filter(|text| whole && fits(text))?;
        let (id, title) = (document.id.clone(), String::new());
        let mut documents: Vec<PooledDocument> = shown.into_iter().cloned().collect();
        *documents.get_mut(place)? = PooledDocument::Found(Document { id, title, text });
        let of = ProbedQuestion { probe, vote: at, place, repeated: false };
        Some(ChangedQuestion { of, sample: CHANGED, topic: question.topic, documents })
    }

    /// The place of the document that every judge finds relevant, or better than the others of its set.
    fn good(&self, at: usize, shown: usize) -> Option<usize> {
        let mut places = self.judges.iter().map(|judge| match judge.votes.status(at) {
            status if shown == 1 => (status.grade()? >= self.study.cutoff).then_some(0),
            status => match status.order()?.order.first()?.as_slice() {
                [best] => Some(usize::from(*best)),
                _ => None,
            },
        });
        let first = places.next()??;
        places.all(|place| place == Some(first)).then_some(first)
    }

    fn instruction(&self) -> Instruction {
        match self.study.settings.tournament {
            Some(_) => Instruction::Prefer,
            None => Instruction::Rate(self.study.highest),
        }
    }

    fn swaps(&self) -> &Swaps {
        self.swaps.get_or_init(|| Swaps::new(self.study.pooled, Seed(self.study.settings.seed)))
    }

    /// Whether judges see the whole text at this place of a set.
    fn is_shown_whole(&self, text: &str, shown: &[&PooledDocument], place: usize) -> bool {
        let Some(budget) = self.document_tokens else { return true };
        let Some(tournament) = &self.study.settings.tournament else {
            return fit(text, budget).tokens_cut == 0;
        };
        let texts: Vec<_> = shown.iter().map(|document| document.text()).collect();
        let mut texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
        if let Some(changed) = texts.get_mut(place) {
            *changed = text;
        }
        let fitted = fit_together(&texts, budget, tournament.window_tokens);
        fitted.get(place).is_some_and(|fitted| fitted.tokens_cut == 0)
    }

    /// Whether the ledger has an attempt at it.
    fn is_known(&self, question: &ChangedQuestion) -> bool {
        !self.answered(std::slice::from_ref(question)).is_empty()
    }

    /// The tasks of these questions in the ledger, by judge.
    fn answered(&self, questions: &[ChangedQuestion]) -> FxHashSet<(usize, TaskKey)> {
        let mut answered = FxHashSet::default();
        for question in questions {
            let places: Vec<DocumentIndex> =
                (0u32..).map(DocumentIndex).take(question.documents.len()).collect();
            let Some(topic) = self.study.pooled.topic(question.topic) else { continue };
            let topic = self.shown_topic(question.of.probe, topic);
            let Some(case) = Case::new(topic, &places, &question.documents) else { continue };
            for judge in self.asked(question.sample) {
                let key = judge.identity.key(&case, question.sample);
                if judge.votes.recorded(&key) != &Status::NotAsked {
                    answered.insert((judge.place, key));
                }
            }
        }
        answered
    }

    /// The judges of questions with a sample index.
    fn asked(&self, sample: u32) -> impl Iterator<Item = &ProbedJudge<'a>> {
        self.judges.iter().filter(move |judge| sample == CHANGED || judge.orders_examples)
    }

    /// Returns the questions: about changed documents, about examples in another order, and repetitions of the
    /// originals, which measure the noise of the same documents' grades.
    fn probings(&self, chosen: Vec<ChangedQuestion>) -> Result<Vec<Probing>, StudyError> {
        let (changed, reordered): (Vec<_>, Vec<_>) =
            chosen.into_iter().partition(|question| question.sample == CHANGED);
        let (disguised, changed): (Vec<_>, Vec<_>) =
            changed.into_iter().partition(|question| question.of.probe == JudgeProbe::Contamination);
        let repeated =
            reordered.iter().filter_map(|asked| self.beside_examples(asked.of.vote, FIRST_RECHECK));
        let repeated: Vec<ChangedQuestion> = repeated.collect();
        let groups =
            [(CHANGED, changed), (CHANGED, disguised), (RESHUFFLED, reordered), (FIRST_RECHECK, repeated)];
        let groups = groups.into_iter().filter(|(_, questions)| !questions.is_empty());
        groups.map(|(sample, questions)| self.probing(sample, questions)).collect()
    }

    fn probing(&self, sample: u32, chosen: Vec<ChangedQuestion>) -> Result<Probing, StudyError> {
        let (mut documents, mut sets, mut questions) = (Vec::new(), Vec::new(), Vec::new());
        let disguised = chosen.iter().any(|question| question.of.probe == JudgeProbe::Contamination);
        let probe = if disguised { JudgeProbe::Contamination } else { JudgeProbe::Stuffed };
        let topics = self.study.pooled.topics().iter().map(|topic| self.shown_topic(probe, topic).clone());
        let topics = topics.collect();
        for changed in chosen {
            let first = documents.len() as u32;
            let shown = (first..).map(DocumentIndex).take(changed.documents.len()).collect();
            sets.push(DocumentSet { topic: changed.topic, documents: shown });
            documents.extend(changed.documents);
            questions.push(changed.of);
        }
        let workload = Workload::new(topics, documents, Vec::new())?;
        let workload = match self.study.settings.tournament {
            Some(_) => workload.comparing(sets)?,
            None => {
                let pair =
                    |set: DocumentSet| Some(Pair { topic: set.topic, document: *set.documents.first()? });
                workload.grading(sets.into_iter().filter_map(pair).collect())?
            }
        };
        let judges = self.asked(sample).map(|judge| judge.place).collect();
        Ok(Probing { workload: Arc::new(workload.numbered_from(sample)), questions, judges })
    }
}

/// The number of questions that suffice.
fn least(probe: JudgeProbe) -> usize {
    match probe {
        JudgeProbe::Contamination => DISGUISED,
        _ => LEAST_RECHECKS,
    }
}
