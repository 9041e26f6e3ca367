//! Reads a judge's pairwise answers from the ledger.

use indexmap::IndexMap;
use llull_core::{Attempt, ComparedVerdict, Item, Outcome, Paradigm, TaskKey, Verdict};
use llull_files::preferences::{JudgeAnswers, PairAnswer};
use llull_runner::{AnnotatorJudge, Rereader};
use llull_stats::Choice;
use llull_store::{Detail, JudgeId, LedgerJudge, LedgerReader};

use crate::error::StudyError;
use crate::evidence::{LedgerError, ballot};

/// Returns the answers of every pairwise judge of a ledger except annotators, or of those with one of these names. The
/// latest of several answers to one question counts. An unusable answer counts as a call without an answer; a failed
/// call does not count.
///
/// # Errors
/// Returns an error if the ledger cannot be read, or if no pairwise judge has one of the names.
pub fn answers_of(ledger: &dyn LedgerReader, names: &[String]) -> Result<Vec<JudgeAnswers>, StudyError> {
    let judges = pairwise(ledger.judges()?, names)?;
    let mut answers: IndexMap<JudgeId, Questions> =
        judges.iter().map(|judge| (judge.id, Questions::default())).collect();
    let ids: Vec<JudgeId> = judges.iter().map(|judge| judge.id).collect();
    let readers: IndexMap<JudgeId, Option<Rereader>> =
        judges.iter().map(|judge| (judge.id, Rereader::of_spec(&judge.spec))).collect();
    ledger.scan(Some(&ids), Detail::Replies, &mut |judge, mut attempt| {
        if !attempt.is_vote() {
            return Ok(());
        }
        let now = readers.get(&judge).copied().flatten().and_then(|reader| reader.outcome(&attempt));
        attempt.answer.outcome = now.unwrap_or(attempt.answer.outcome);
        if let Some(questions) = answers.get_mut(&judge) {
            questions.add(attempt);
        }
        Ok(())
    })?;
    let names = judges.into_iter().map(|judge| judge.name);
    Ok(names
        .zip(answers.into_values())
        .map(|(judge, questions)| JudgeAnswers { judge, answers: questions.answers })
        .collect())
}

fn pairwise(judges: Vec<LedgerJudge>, names: &[String]) -> Result<Vec<LedgerJudge>, StudyError> {
    let all: Vec<LedgerJudge> =
        judges.into_iter().filter(|judge| judge.spec.paradigm == Paradigm::Pairwise).collect();
    let is_annotator = |judge: &LedgerJudge| AnnotatorJudge::annotator(&judge.spec).is_some();
    if all.iter().all(|judge| names.is_empty() && is_annotator(judge)) {
        return Err(StudyError::Ledger(LedgerError::NoPairwiseJudge));
    }
    if let Some(unknown) = names.iter().find(|name| all.iter().all(|judge| judge.name != **name)) {
        let known = all.into_iter().map(|judge| judge.name).collect();
        return Err(StudyError::Ledger(LedgerError::NotPairwise { judge: unknown.clone(), known }));
    }
    let chosen = |judge: &LedgerJudge| match names {
        [] => !is_annotator(judge),
        names => names.contains(&judge.name),
    };
    Ok(all.into_iter().filter(chosen).collect())
}

/// One judge's answers, in the order in which the questions were first answered.
#[derive(Default)]
struct Questions {
    answers: Vec<PairAnswer>,
    /// The place of the answer to each question.
    answered: IndexMap<TaskKey, usize>,
}

impl Questions {
    fn add(&mut self, attempt: Attempt) {
        let Attempt { key, topic, documents, answer, .. } = attempt;
        let Ok([first, second]) = <[String; 2]>::try_from(documents) else { return };
        let choice = match answer.outcome {
            Outcome::Judged { verdict: Verdict::Compared(verdict) } => Some(chosen(&verdict)),
            Outcome::Unusable(_) => None,
            Outcome::Judged { verdict: Verdict::Graded(_) } | Outcome::Failed(_) => return,
        };
        if choice.is_some() {
            let at = *self.answered.entry(key).or_insert(self.answers.len());
            if let Some(before) = self.answers.get_mut(at) {
                before.choice = choice;
                return;
            }
        }
        self.answers.push(PairAnswer { topic: Some(topic), first, second, sides: true, choice });
    }
}

/// The document that a verdict about two has ahead.
fn chosen(verdict: &ComparedVerdict) -> Choice {
    let shown = [Item(0), Item(1)];
    match ballot(&shown, verdict).groups.as_slice() {
        [group, ..] if group.len() == 1 && group.contains(&Item(0)) => Choice::First,
        [group, ..] if group.len() == 1 && group.contains(&Item(1)) => Choice::Second,
        _ => Choice::Neither,
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Failure, FailureKind, Reason, Unusable};
    use llull_store::{LedgerWriter, MemoryLedger};

    use super::*;
    use llull_testkit::attempts::{attempt, order, spec};

    #[test]
    fn what_each_pairwise_judge_answered_and_in_which_order_it_was_asked() {
        let mut ledger = MemoryLedger::default();
        let pairs = ledger.register("pairs", &spec(Paradigm::Pairwise, "a")).unwrap();
        let lists = ledger.register("lists", &spec(Paradigm::Listwise, "b")).unwrap();
        let cut = Unusable { reason: Reason::CutOff, detail: String::new() };
        let failed = Failure::new(FailureKind::Timeout, "late");
        ledger
            .append(&[
                (lists, attempt("list", &["a", "b", "c"], order(&[&[2], &[0], &[1]]))),
                (pairs, attempt("ba", &["b", "a"], Outcome::Failed(failed))),
                (pairs, attempt("ba", &["b", "a"], Outcome::Unusable(cut))),
                (pairs, attempt("ba", &["b", "a"], order(&[&[1], &[0]]))),
                (pairs, attempt("ab", &["a", "b"], order(&[&[1], &[0]]))),
                (pairs, attempt("ac", &["a", "c"], order(&[&[0, 1]]))),
                (pairs, attempt("ab", &["a", "b"], order(&[&[0]]))),
            ])
            .unwrap();
        let judges = answers_of(&ledger, &[]).unwrap();
        assert_eq!(judges.len(), 1);
        assert_eq!(judges[0].judge, "pairs");
        let answers: Vec<_> =
            judges[0].answers.iter().map(|answer| (&*answer.first, &*answer.second, answer.choice)).collect();
        assert_eq!(
            answers,
            [
                ("b", "a", None),
                ("b", "a", Some(Choice::Second)),
                ("a", "b", Some(Choice::First)),
                ("a", "c", Some(Choice::Neither)),
            ]
        );
        assert!(judges[0].answers.iter().all(|answer| answer.sides && answer.topic.as_deref() == Some("q1")));

        let error = answers_of(&ledger, &["lists".into()]).unwrap_err().to_string();
        assert!(
            error.contains("no judge \"lists\" has compared pairs") && error.contains("there are pairs"),
            "{error}"
        );
        let error = answers_of(&MemoryLedger::default(), &[]).unwrap_err().to_string();
        assert!(error.contains("no judge has compared pairs"), "{error}");
    }
}
