//! Annotators' side-by-side comparisons, from the ledger.

use std::collections::BTreeMap;
use std::fmt;

use llull_core::{Attempt, Ballot, Ballots, Grade, Outcome, PairChoice, TopicBallots, Verdict};
use llull_judge::Rubric;
use llull_runner::{
    AnnotatorJudge, Case, DocumentIndex, JudgeIdentity as _, PooledDocument, TopicIndex, Workload,
};
use llull_store::{Detail, JudgeId, LedgerReader};
use rustc_hash::FxHashMap;

use super::answer_record::{AnswerKind, AnswerRecord};
use crate::error::StudyError;

/// Annotators' side-by-side comparisons. Judges are compared with them; they are no votes in a tournament.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HumanComparisons {
    /// Their answers about randomly drawn pairs of all that judges judged; for a settled pair, only the adjudicator's.
    pub drawn: Ballots,
    /// Their answers about pairs of other queues, such as those on which judges disagree; they do not represent the
    /// rest.
    pub chosen: Ballots,
    /// The annotators who compared, with their numbers of pairs; in order of name.
    pub annotators: Vec<(String, usize)>,
    /// The annotators who settled pairs on which others disagree, with their numbers of pairs; in order of name.
    pub adjudicators: Vec<(String, usize)>,
    /// The number of answers about documents that left the pool, or whose text has changed.
    pub outdated: usize,
    /// The annotator of each number that ballots have as their judge.
    pub numbered: Vec<String>,
}

impl HumanComparisons {
    /// Returns the answers of the annotators whose names pass `is_meant`.
    #[must_use]
    pub fn only(&self, is_meant: &dyn Fn(&str) -> bool) -> Self {
        let mut kept = Self { drawn: Ballots::default(), chosen: Ballots::default(), ..self.clone() };
        kept.annotators.retain(|(name, _)| is_meant(name));
        let meant = |judge: u32| self.numbered.get(judge as usize).is_some_and(|name| is_meant(name));
        for (all, some) in [(&self.drawn, &mut kept.drawn), (&self.chosen, &mut kept.chosen)] {
            for (topic, of_topic) in all.iter() {
                let ballots = of_topic.ballots.iter().filter(|ballot| meant(ballot.judge));
                let ballots: Vec<Ballot> = ballots.cloned().collect();
                if !ballots.is_empty() {
                    let items = of_topic.items.clone();
                    *some.topic(topic) = TopicBallots { items, ballots };
                }
            }
        }
        kept
    }
}

/// An annotator's answer about a pair of documents in one kind of queue.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Answered {
    annotator: usize,
    kind: AnswerKind,
    pair: ComparedPair,
}

/// Two documents of a query.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ComparedPair {
    topic: String,
    /// In the order of their identifiers, whichever side they were on.
    documents: [String; 2],
}

impl ComparedPair {
    /// Adds an annotator's answer about it.
    fn cast(self, annotator: usize, choice: PairChoice, ballots: &mut Ballots) {
        let of_topic = ballots.topic(Some(&self.topic));
        let [first, second] = self.documents.map(|id| of_topic.item(&id));
        let cast = match choice {
            PairChoice::Lhs => Ballot::strict([first, second]),
            PairChoice::Rhs => Ballot::strict([second, first]),
            PairChoice::Neither | PairChoice::Missing => Ballot::new(vec![vec![first, second]]),
        };
        of_topic.ballots.push(Ballot { judge: annotator as u32, ..cast });
    }
}

/// Reads annotators' side-by-side comparisons under the study's rubric. The latest of several answers of one annotator
/// to one pair counts: it corrects the earlier ones, or takes them back.
///
/// # Errors
/// Returns an error if the ledger cannot be read.
pub(crate) fn human_comparisons(
    rubric: &Rubric,
    pooled: &Workload,
    ledger: &dyn LedgerReader,
) -> Result<HumanComparisons, StudyError> {
    let mut judges: Vec<(JudgeId, AnnotatorJudge)> = Vec::new();
    for judge in ledger.judges()? {
        let Some(annotator) = AnnotatorJudge::annotator(&judge.spec) else { continue };
        let human = AnnotatorJudge::comparing(annotator, rubric.hash, rubric.scale);
        if human.spec().fingerprint() == judge.spec.fingerprint() {
            judges.push((judge.id, human));
        }
    }
    if judges.is_empty() {
        return Ok(HumanComparisons::default());
    }
    let ids: Vec<JudgeId> = judges.iter().map(|(id, _)| *id).collect();
    let places = Places::of(pooled);
    let mut latest: BTreeMap<Answered, Option<PairChoice>> = BTreeMap::new();
    // The latest of several adjudicators counts.
    let mut settled: BTreeMap<ComparedPair, Vec<(usize, PairChoice)>> = BTreeMap::new();
    let mut outdated = 0;
    ledger.scan(Some(&ids), Detail::Replies, &mut |id, attempt| {
        let annotator = judges.iter().position(|(known, _)| *known == id);
        let Some((annotator, (_, judge))) = annotator.and_then(|at| Some((at, judges.get(at)?))) else {
            return Ok(());
        };
        if matches!(attempt.answer.outcome, Outcome::Failed(_)) || !attempt.is_vote() {
            return Ok(());
        }
        if !places.holds(judge, &attempt) {
            outdated += 1;
            return Ok(());
        }
        match answered(annotator, &attempt) {
            Some((Answered { kind: AnswerKind::Settling, pair, .. }, choice)) => {
                let said = settled.entry(pair).or_default();
                said.retain(|(before, _)| *before != annotator);
                said.extend(choice.map(|choice| (annotator, choice)));
            }
            Some((answered, choice)) => {
                latest.insert(answered, choice);
            }
            None => {}
        }
        Ok(())
    })?;
    settled.retain(|_, said| !said.is_empty());
    let (mut compared, mut settling) = (vec![0; judges.len()], vec![0; judges.len()]);
    let numbered = judges.iter().map(|(_, judge)| judge.name().to_owned()).collect();
    let mut found = HumanComparisons { outdated, numbered, ..HumanComparisons::default() };
    for (Answered { annotator, kind, pair }, choice) in latest {
        let Some(choice) = choice else { continue };
        compared[annotator] += 1;
        match kind {
            AnswerKind::Sampled if settled.contains_key(&pair) => {}
            AnswerKind::Sampled => pair.cast(annotator, choice, &mut found.drawn),
            AnswerKind::Settling | AnswerKind::Picked => pair.cast(annotator, choice, &mut found.chosen),
        }
    }
    for (pair, said) in settled {
        let Some((annotator, choice)) = said.last() else { continue };
        settling[*annotator] += 1;
        pair.cast(*annotator, *choice, &mut found.drawn);
    }
    let named = |pairs: Vec<usize>| {
        let names = judges.iter().map(|(_, judge)| judge.name().to_owned());
        let mut annotators: Vec<(String, usize)> = names.zip(pairs).filter(|(_, pairs)| *pairs > 0).collect();
        annotators.sort();
        annotators
    };
    (found.annotators, found.adjudicators) = (named(compared), named(settling));
    Ok(found)
}

fn answered(annotator: usize, attempt: &Attempt) -> Option<(Answered, Option<PairChoice>)> {
    let [left, right] = <[String; 2]>::try_from(attempt.documents.clone()).ok()?;
    let kind = AnswerRecord::read(attempt.answer.reply.as_deref())
        .map_or(AnswerKind::Picked, |record| record.kind());
    let choice = AnnotatorAnswer::of(&attempt.answer.outcome).and_then(AnnotatorAnswer::choice);
    let turned = right < left;
    let documents = if turned { [right, left] } else { [left, right] };
    let choice = choice.map(|choice| if turned { choice.mirrored() } else { choice });
    let pair = ComparedPair { topic: attempt.topic.clone(), documents };
    Some((Answered { annotator, kind, pair }, choice))
}

/// The pool's places by identifier.
struct Places<'a> {
    pooled: &'a Workload,
    topics: FxHashMap<&'a str, TopicIndex>,
    documents: FxHashMap<&'a str, DocumentIndex>,
}

impl<'a> Places<'a> {
    fn of(pooled: &'a Workload) -> Self {
        let topics = pooled.topics().iter().map(|topic| topic.id.as_str());
        let documents = pooled.documents().iter().map(PooledDocument::id);
        Self {
            pooled,
            topics: topics.zip((0..).map(TopicIndex)).collect(),
            documents: documents.zip((0..).map(DocumentIndex)).collect(),
        }
    }

    /// Whether the pool has the documents of an attempt, with the texts that the annotator saw.
    fn holds(&self, judge: &AnnotatorJudge, attempt: &Attempt) -> bool {
        let topic = self.topics.get(attempt.topic.as_str()).and_then(|at| self.pooled.topic(*at));
        let documents = attempt.documents.iter().map(|id| self.documents.get(id.as_str()).copied());
        let Some((topic, documents)) = topic.zip(documents.collect::<Option<Vec<_>>>()) else { return false };
        Case::new(topic, &documents, self.pooled.documents())
            .is_some_and(|case| judge.key(&case, attempt.sample) == attempt.key)
    }
}

/// An annotator's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnnotatorAnswer {
    /// The document's grade.
    Grade(Grade),
    /// The better of two documents, by its side.
    Choice(PairChoice),
}

impl AnnotatorAnswer {
    /// Returns the grade, if a document is graded.
    pub fn grade(self) -> Option<Grade> {
        match self {
            Self::Grade(grade) => Some(grade),
            Self::Choice(_) => None,
        }
    }

    /// Returns the choice, if two documents are compared.
    pub fn choice(self) -> Option<PairChoice> {
        match self {
            Self::Grade(_) => None,
            Self::Choice(choice) => Some(choice),
        }
    }

    /// The same answer with the two documents on swapped sides.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Grade(_) => self,
            Self::Choice(choice) => Self::Choice(choice.mirrored()),
        }
    }

    /// The answer in an outcome of the ledger; `None` if it was taken back.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        match outcome {
            Outcome::Judged { verdict: Verdict::Graded(verdict) } => Some(Self::Grade(verdict.grade)),
            Outcome::Judged { verdict: Verdict::Compared(verdict) } => {
                Some(Self::Choice(match verdict.order.first().map(Vec::as_slice) {
                    Some([0]) => PairChoice::Lhs,
                    Some([1]) => PairChoice::Rhs,
                    _ => PairChoice::Neither,
                }))
            }
            Outcome::Unusable(_) | Outcome::Failed(_) => None,
        }
    }
}

impl fmt::Display for AnnotatorAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grade(grade) => write!(f, "grade {grade}"),
            Self::Choice(PairChoice::Lhs) => f.write_str("left"),
            Self::Choice(PairChoice::Rhs) => f.write_str("right"),
            Self::Choice(PairChoice::Neither | PairChoice::Missing) => f.write_str("neither"),
        }
    }
}
