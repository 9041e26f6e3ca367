//! Chooses repeated questions, to measure how consistent judges are.
//!
//! They measure how often an answer changes when the order is reversed, and how often when nothing changes.

use std::sync::Arc;

use llull_audit::AskedAs;
use llull_config::Settings;
use llull_core::{FIRST_RECHECK, Seed, TaskKey};
use llull_runner::{
    Case, DocumentIndex, DocumentSet, Evidence, JudgeEvidence, JudgeIdentity, Pair, Question, TopicIndex,
    Workload,
};
use rustc_hash::FxHashSet;

use crate::error::StudyError;
use crate::evidence::RecheckedQuestion;

/// The fewest questions that are repeated in reverse order, or all there are. This number detects a judge that always
/// takes the first document. It distinguishes one that flips a fifth of its answers from chance in 94 cases of 100.
pub const LEAST_RECHECKS: usize = 30;

/// The rule for the number of repeated questions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RecheckRule {
    share: f64,
    /// Whether the share is the default.
    by_default: bool,
    compares: bool,
    /// Whether each set of documents is shown in both orders anyway, so that votes show the effect of reversing.
    both_orders: bool,
}

impl RecheckRule {
    pub(crate) fn of(settings: &Settings) -> Self {
        let tournament = settings.tournament.as_ref();
        Self {
            share: settings.recheck,
            by_default: settings.recheck_by_default,
            compares: tournament.is_some(),
            both_orders: tournament.is_some_and(|found| found.both_orders()),
        }
    }

    /// The numbers of questions repeated in another order and in the same order.
    ///
    /// If judges compare, the second is half of the first, which suffices to separate noise from position at a lower
    /// price. If they grade, fewer than the least show nothing, so none are repeated by default.
    pub(crate) fn wanted(self, questions: usize) -> [usize; 2] {
        let shows_nothing = self.by_default && !self.compares && questions < LEAST_RECHECKS;
        if self.share <= 0.0 || shows_nothing {
            return [0, 0];
        }
        let share = (self.share * questions as f64).ceil() as usize;
        let wanted = share.max(LEAST_RECHECKS).min(questions);
        let reordered = if self.reorders() { wanted } else { 0 };
        let repeated = if self.compares { wanted.div_ceil(2) } else { wanted };
        [reordered, repeated]
    }

    /// Whether questions are repeated in another order.
    fn reorders(self) -> bool {
        self.compares && !self.both_orders
    }

    /// The number of requests to each judge, for this number of questions.
    pub(crate) fn calls(self, questions: usize) -> usize {
        self.wanted(questions).iter().sum()
    }
}

/// The judges and the questions to repeat.
pub(crate) struct Rechecking {
    pub(crate) workload: Arc<Workload>,
    /// The question that each question of the workload repeats.
    pub(crate) questions: Vec<RecheckedQuestion>,
    /// The positions of the judges.
    pub(crate) judges: Vec<usize>,
}

/// Chooses the repeated questions among those that every judge has answered.
///
/// The choice depends on the seed and on their content, not on the order of requests, so a continued run chooses the
/// same. Questions that were repeated earlier, when there were fewer questions, stay.
struct RecheckChooser<'a> {
    rule: RecheckRule,
    seed: Seed,
    /// The judges of repeated questions, with their votes.
    judges: Vec<RecheckedJudge<'a>>,
    /// The questions whose answers are votes.
    questions: Vec<Question<'a>>,
    pooled: &'a Workload,
}

struct RecheckedJudge<'a> {
    /// Its position in the study.
    place: usize,
    identity: &'a dyn JudgeIdentity,
    votes: &'a JudgeEvidence,
}

/// Returns the judges and the questions to repeat, or `None` without any. `identities` are the judges in the order of
/// the votes.
///
/// # Errors
/// Returns an error if a question is not of the pool.
pub(crate) fn rechecking(
    settings: &Settings,
    pooled: &Workload,
    votes: &Evidence,
    identities: &[Arc<dyn JudgeIdentity>],
) -> Result<Option<Rechecking>, StudyError> {
    let rule = RecheckRule::of(settings);
    if rule.share <= 0.0 && votes.judges().iter().all(|judge| judge.rechecked() == 0) {
        return Ok(None);
    }
    let judges = rechecked_judges(votes, identities);
    if judges.is_empty() {
        return Ok(None);
    }
    let questions = votes.questions().collect();
    RecheckChooser { rule, seed: Seed(settings.seed), judges, questions, pooled }.choose()
}

/// The judges whose answers to a repeated question can differ. Answers of a judge that computes them cannot; and if a
/// judge's keys are equal for all samples, the ledger would answer.
fn rechecked_judges<'a>(
    votes: &'a Evidence,
    identities: &'a [Arc<dyn JudgeIdentity>],
) -> Vec<RecheckedJudge<'a>> {
    let Some(case) = votes.cases().next() else { return Vec::new() };
    let judges = identities.iter().zip(votes.judges()).enumerate();
    let judges = judges.map(|(place, (judge, votes))| RecheckedJudge { place, identity: &**judge, votes });
    judges
        .filter(|judge| {
            let key = |sample| judge.identity.key(&case, sample);
            !judge.identity.in_process() && key(0) != key(FIRST_RECHECK)
        })
        .collect()
}

impl RecheckChooser<'_> {
    fn choose(&self) -> Result<Option<Rechecking>, StudyError> {
        let questions = self.chosen(&self.candidates());
        if questions.is_empty() {
            return Ok(None);
        }
        let sets = questions.iter().filter_map(|rechecked| self.shown(*rechecked));
        let workload = match self.rule.compares {
            true => self.pooled.comparing(sets.collect())?,
            false => {
                let pair =
                    |set: DocumentSet| Some(Pair { topic: set.topic, document: *set.documents.first()? });
                self.pooled.grading(sets.filter_map(pair).collect())?
            }
        };
        let workload = Arc::new(workload.numbered_from(FIRST_RECHECK));
        let judges = self.judges.iter().map(|judge| judge.place).collect();
        Ok(Some(Rechecking { workload, questions, judges }))
    }

    /// The questions that every one of the judges has answered, in random order.
    fn candidates(&self) -> Vec<usize> {
        let answered = |at: usize| self.judges.iter().all(|judge| judge.votes.status(at).is_judged());
        let questions = self.questions.iter().enumerate().filter(|(at, _)| answered(*at));
        let mut lots: Vec<(u64, usize)> = questions
            .filter_map(|(at, question)| {
                Some((self.lot(&self.case(question.topic, question.documents)?), at))
            })
            .collect();
        lots.sort_unstable();
        lots.into_iter().map(|(_, at)| at).collect()
    }

    fn lot(&self, case: &Case<'_>) -> u64 {
        // With lengths, no two questions give the same text.
        let mut purpose = format!("recheck {}:{}", case.topic.id.len(), case.topic.id);
        for id in case.document_ids() {
            purpose.push_str(&format!(" {}:{id}", id.len()));
        }
        self.seed.stream(&purpose)
    }

    fn case<'b>(&'b self, topic: TopicIndex, documents: &'b [DocumentIndex]) -> Option<Case<'b>> {
        Case::new(self.pooled.topic(topic)?, documents, self.pooled.documents())
    }

    /// The first candidates, up to the wanted number; those with a repetition in the ledger come first.
    fn chosen(&self, candidates: &[usize]) -> Vec<RecheckedQuestion> {
        let [reordered, repeated] = self.rule.wanted(candidates.len());
        let ways = [(true, reordered), (false, repeated)];
        let again = |reorder: bool| {
            move |vote: &usize| {
                let asked_as = if reorder { self.other_order(*vote) } else { AskedAs::Repeated };
                RecheckedQuestion { vote: *vote, asked_as }
            }
        };
        let plain: Vec<RecheckedQuestion> =
            ways.iter().flat_map(|(way, wanted)| candidates.iter().take(*wanted).map(again(*way))).collect();
        if !self.holds_others(&plain) {
            return plain;
        }
        // If none are wanted, only those that need no further answer.
        let enough = if self.rule.share > 0.0 { 1 } else { self.judges.len() };
        let mut chosen = Vec::with_capacity(plain.len());
        for (reorder, wanted) in ways {
            if reorder && !self.rule.reorders() {
                continue;
            }
            let all = candidates.iter().map(again(reorder));
            let (known, open): (Vec<_>, Vec<_>) =
                all.partition(|question| self.answered(*question).len() >= enough);
            let more = wanted.saturating_sub(known.len());
            chosen.extend(known.into_iter().chain(open.into_iter().take(more)));
        }
        chosen
    }

    /// How a question is shown in another order. Reversing a list leaves its middle in place, so half of the lists are
    /// rotated.
    fn other_order(&self, vote: usize) -> AskedAs {
        let question = self.questions.get(vote).filter(|question| question.documents.len() > 2);
        let case = question.and_then(|question| self.case(question.topic, question.documents));
        if case.is_none_or(|case| self.lot(&case).is_multiple_of(2)) {
            return AskedAs::Reversed;
        }
        // Lists that were reversed before lists were rotated stay.
        let is_known = |asked_as| !self.answered(RecheckedQuestion { vote, asked_as }).is_empty();
        if is_known(AskedAs::Reversed) && !is_known(AskedAs::Rotated) {
            AskedAs::Reversed
        } else {
            AskedAs::Rotated
        }
    }

    /// Whether the ledger holds answers to repeated questions that are not among these.
    fn holds_others(&self, chosen: &[RecheckedQuestion]) -> bool {
        let found: FxHashSet<(usize, TaskKey)> =
            chosen.iter().flat_map(|question| self.answered(*question)).collect();
        found.len() < self.judges.iter().map(|judge| judge.votes.rechecked()).sum()
    }

    /// The judges that have answered a repeated question, with its key.
    fn answered(&self, question: RecheckedQuestion) -> Vec<(usize, TaskKey)> {
        let Some(set) = self.shown(question) else { return Vec::new() };
        let Some(case) = self.case(set.topic, &set.documents) else { return Vec::new() };
        let judges = self.judges.iter().map(|judge| (judge, judge.identity.key(&case, FIRST_RECHECK)));
        let answered = judges.filter(|(judge, key)| judge.votes.recorded(key).is_judged());
        answered.map(|(judge, key)| (judge.place, key)).collect()
    }

    /// The documents of a repeated question.
    fn shown(&self, rechecked: RecheckedQuestion) -> Option<DocumentSet> {
        let Question { topic, documents } = *self.questions.get(rechecked.vote)?;
        let mut documents: Vec<DocumentIndex> = documents.to_vec();
        match rechecked.asked_as {
            AskedAs::Reversed => documents.reverse(),
            AskedAs::Rotated => {
                let half = documents.len() / 2;
                documents.rotate_left(half);
            }
            AskedAs::Vote | AskedAs::Repeated => {}
        }
        Some(DocumentSet { topic, documents })
    }
}
