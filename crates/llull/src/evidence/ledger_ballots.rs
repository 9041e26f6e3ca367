//! The comparisons that a ledger holds, as ballots.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use llull_core::{
    Attempt, Ballot, Ballots, ComparedVerdict, Item, Outcome, Paradigm, TaskKey, TopicBallots, Verdict,
};
use llull_store::{JudgeId, JudgmentStore, LedgerJudge};

use crate::{Study, StudyError};

/// The comparisons of a ledger.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerBallots {
    /// One ballot for each question that a judge has answered, by topic; of several answers the latest.
    pub ballots: Ballots,
    /// The names of the judges by position, as the ballots have them. Judges that were configured anew under an old
    /// name are different judges.
    pub judges: Vec<String>,
}

impl Study {
    /// The comparisons in this study's ledger: of every judge that compares, or of those with one of these names.
    ///
    /// A judge's ballots weigh what the study's judge of that name does, or else 1.
    ///
    /// The ledger tells a question by its texts. Documents with equal texts were asked about once, and are found here under
    /// the identifiers under which they were asked about.
    ///
    /// # Errors
    /// When there is no ledger, it cannot be read, or no judge that compares has one of the names.
    pub fn ballots(&self, names: &[String]) -> Result<LedgerBallots, StudyError> {
        let weights = self.settings().judges.iter().map(|judge| (judge.name.clone(), judge.weight)).collect();
        ballots_of(&self.ledger()?, names, &weights)
    }
}

/// The comparisons in a ledger: of every judge that compares, or of those with one of these names. The weights are those
/// of judges by name, where they are not 1.
///
/// # Errors
/// When the ledger cannot be read, no judge that compares has one of the names, or an answer names a document that was
/// not shown.
pub fn ballots_of(
    ledger: &dyn JudgmentStore,
    names: &[String],
    weights: &BTreeMap<String, f64>,
) -> Result<LedgerBallots, StudyError> {
    let judges = comparing(ledger.judges()?, names)?;
    let position: BTreeMap<JudgeId, u32> = judges.iter().map(|judge| judge.id).zip(0..).collect();
    let mut latest: IndexMap<(JudgeId, TaskKey), (Attempt, ComparedVerdict)> = IndexMap::new();
    ledger.for_each(&mut |judge, mut attempt| {
        if position.contains_key(&judge)
            && let Outcome::Judged { verdict: Verdict::Compared(verdict) } = &mut attempt.outcome
        {
            let verdict = std::mem::take(verdict);
            attempt.reply = None;
            latest.insert((judge, attempt.key), (attempt, verdict));
        }
        Ok(())
    })?;
    let called: Vec<String> = judges.into_iter().map(|judge| judge.name).collect();
    let mut ballots = Ballots::default();
    for ((judge, _), (attempt, verdict)) in &latest {
        let judge = position.get(judge).copied().unwrap_or_default();
        let weight = called.get(judge as usize).and_then(|name| weights.get(name)).copied().unwrap_or(1.0);
        let topic = ballots.topic(Some(&attempt.topic));
        let ballot = ballot(topic, attempt, verdict)?;
        topic.ballots.push(Ballot { judge, weight, ..ballot });
    }
    Ok(LedgerBallots { ballots, judges: called })
}

fn comparing(judges: Vec<LedgerJudge>, names: &[String]) -> Result<Vec<LedgerJudge>, StudyError> {
    let compares = |judge: &LedgerJudge| match judge.spec.paradigm {
        Paradigm::Pairwise | Paradigm::Listwise => true,
        Paradigm::Graded => false,
    };
    let all: Vec<LedgerJudge> = judges.into_iter().filter(compares).collect();
    if let Some(unknown) = names.iter().find(|name| all.iter().all(|judge| judge.name != **name)) {
        let known: Vec<&str> = all.iter().map(|judge| judge.name.as_str()).collect();
        return Err(StudyError::Unfit(match known.as_slice() {
            [] => format!("no judge {unknown:?} compares documents in this ledger, and no other one does"),
            known => {
                format!(
                    "no judge {unknown:?} compares documents in this ledger; there are {}",
                    known.join(", ")
                )
            }
        }));
    }
    Ok(all.into_iter().filter(|judge| names.is_empty() || names.contains(&judge.name)).collect())
}

/// The answer by the names of the documents.
fn ballot(
    topic: &mut TopicBallots,
    attempt: &Attempt,
    verdict: &ComparedVerdict,
) -> Result<Ballot, StudyError> {
    let shown: Vec<Item> = attempt.documents.iter().map(|document| topic.item(document)).collect();
    let mut behind = vec![true; shown.len()];
    let mut groups = Vec::with_capacity(verdict.order.len());
    for group in &verdict.order {
        let mut items = Vec::with_capacity(group.len());
        for position in group {
            let at = usize::from(*position);
            let (Some(item), Some(behind)) = (shown.get(at), behind.get_mut(at)) else {
                return Err(StudyError::Unfit(format!(
                    "the ledger's answer {} about query {:?} places a document that was not shown (position {at} of {}); \
                     the ledger is damaged",
                    attempt.key,
                    attempt.topic,
                    shown.len()
                )));
            };
            *behind = false;
            items.push(*item);
        }
        groups.push(items);
    }
    let rest = shown.iter().zip(behind).filter(|(_, behind)| *behind).map(|(item, _)| *item).collect();
    Ok(Ballot { rest, ..Ballot::new(groups) })
}

#[cfg(test)]
mod tests {
    use llull_core::{GradedVerdict, Reason, Unusable};
    use llull_store::MemoryLedger;

    use super::*;
    use crate::attempts::{attempt, order, spec};

    fn ledger() -> MemoryLedger {
        let mut ledger = MemoryLedger::default();
        let graded = ledger.register("grader", &spec(Paradigm::Graded, "a")).unwrap();
        let pairs = ledger.register("pairs", &spec(Paradigm::Pairwise, "b")).unwrap();
        let lists = ledger.register("lists", &spec(Paradigm::Listwise, "c")).unwrap();
        let grade = Verdict::Graded(GradedVerdict { grade: 2, ..Default::default() });
        let unusable = Unusable { reason: Reason::NotAnOrder, detail: String::new() };
        ledger
            .append(&[
                (graded, attempt("grade", &[], Outcome::Judged { verdict: grade })),
                (pairs, attempt("ab", &["a", "b"], order(&[&[0], &[1]]))),
                (lists, attempt("cab", &["c", "a", "b"], order(&[&[2], &[0]]))),
                (lists, attempt("abd", &["a", "b", "d"], Outcome::Unusable(unusable.clone()))),
                (pairs, attempt("ab", &["a", "b"], order(&[&[1], &[0]]))),
                (pairs, attempt("ab", &["a", "b"], Outcome::Unusable(unusable))),
            ])
            .unwrap();
        ledger
    }

    #[test]
    fn the_latest_answer_to_a_question_is_the_judge_s_ballot() {
        let weights = BTreeMap::from([("lists".to_owned(), 0.5)]);
        let read = ballots_of(&ledger(), &[], &weights).unwrap();
        assert_eq!(read.judges, ["pairs", "lists"]);
        let topic = read.ballots.get(Some("q1")).unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|id| topic.find(id).unwrap());
        let list = Ballot { rest: vec![a], judge: 1, weight: 0.5, ..Ballot::strict([b, c]) };
        assert_eq!(topic.ballots, [Ballot::strict([b, a]), list]);
    }

    #[test]
    fn judges_are_chosen_by_name_and_those_that_grade_do_not_compare() {
        let read = ballots_of(&ledger(), &["lists".into()], &BTreeMap::new()).unwrap();
        assert_eq!((read.judges.len(), read.ballots.get(Some("q1")).unwrap().ballots.len()), (1, 1));
        let error = ballots_of(&ledger(), &["grader".into()], &BTreeMap::new()).unwrap_err().to_string();
        assert!(error.contains("no judge \"grader\" compares") && error.contains("pairs, lists"), "{error}");
    }

    #[test]
    fn an_answer_about_a_document_that_was_not_shown_is_an_error() {
        let mut ledger = ledger();
        let pairs = ledger.judges().unwrap().remove(1).id;
        ledger.append(&[(pairs, attempt("xy", &["x", "y"], order(&[&[2], &[0]])))]).unwrap();
        let error = ballots_of(&ledger, &[], &BTreeMap::new()).unwrap_err().to_string();
        assert!(error.contains("was not shown"), "{error}");
    }
}
