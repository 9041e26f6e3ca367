//! Reads a judge's answers about pairs from the ledger, one by one or in lists.

use std::ops::Range;

use indexmap::IndexMap;
use llull_core::{Attempt, Item, Outcome, Paradigm, TaskKey, Verdict, order_in_groups};
use llull_files::preferences::{JudgeAnswers, PairAnswer};
use llull_runner::{AnnotatorJudge, Rereader};
use llull_stats::Choice;
use llull_store::{Detail, JudgeId, LedgerJudge, LedgerReader};

use crate::error::StudyError;
use crate::evidence::{LedgerError, ballot};

/// Returns the answers of every comparing judge of a ledger except annotators, or of those with one of these names. A
/// list is an answer about each pair of its documents, of which the one shown earlier is the first; of two that it does
/// not name it says nothing. The latest of several answers to one question counts. An unusable answer counts as a call
/// without an answer; a failed call does not count.
///
/// # Errors
/// Returns an error if the ledger cannot be read, or if no comparing judge has one of the names.
pub fn answers_of(ledger: &dyn LedgerReader, names: &[String]) -> Result<Vec<JudgeAnswers>, StudyError> {
    let judges = comparing(ledger.judges()?, names)?;
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
    let of_judge = |(judge, questions): (LedgerJudge, Questions)| JudgeAnswers {
        lists: judge.spec.paradigm == Paradigm::Listwise,
        judge: judge.name,
        answers: questions.answers,
    };
    Ok(judges.into_iter().zip(answers.into_values()).map(of_judge).collect())
}

fn comparing(judges: Vec<LedgerJudge>, names: &[String]) -> Result<Vec<LedgerJudge>, StudyError> {
    let all: Vec<LedgerJudge> =
        judges.into_iter().filter(|judge| judge.spec.paradigm != Paradigm::Graded).collect();
    let is_annotator = |judge: &LedgerJudge| AnnotatorJudge::annotator(&judge.spec).is_some();
    if all.iter().all(|judge| names.is_empty() && is_annotator(judge)) {
        return Err(StudyError::Ledger(LedgerError::Problem(
            "no judge has compared documents in this ledger. Give the study a judge with paradigm = \"pairwise\" and \
             run it, or name a file of answers: llull agree --preferences TRUTH ANSWERS"
                .to_owned(),
        )));
    }
    if let Some(unknown) = names.iter().find(|name| all.iter().all(|judge| judge.name != **name)) {
        let known = all.into_iter().map(|judge| judge.name).collect();
        return Err(StudyError::Ledger(LedgerError::NotComparing { judge: unknown.clone(), known }));
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
    /// The places of the answers to each question.
    answered: IndexMap<TaskKey, Range<usize>>,
}

impl Questions {
    fn add(&mut self, attempt: Attempt) {
        let Attempt { key, topic, documents, answer, .. } = attempt;
        let cast = match answer.outcome {
            Outcome::Judged { verdict: Verdict::Compared(verdict) } => {
                let shown: Vec<Item> = (0..documents.len()).map(Item::at).collect();
                Some(ballot(&shown, &verdict))
            }
            Outcome::Unusable(_) => None,
            Outcome::Judged { verdict: Verdict::Graded(_) } | Outcome::Failed(_) => return,
        };
        let mut answers = Vec::new();
        for (at, first) in documents.iter().enumerate() {
            for (after, second) in documents.iter().enumerate().skip(at + 1) {
                let order = cast.as_ref().map(|cast| {
                    let order = order_in_groups(&cast.groups, &Item::at(at), &Item::at(after));
                    order.map_or(Choice::Neither, Choice::from)
                });
                answers.push(PairAnswer {
                    topic: Some(topic.clone()),
                    first: first.clone(),
                    second: second.clone(),
                    sides: true,
                    choice: order,
                });
            }
        }
        let next = self.answers.len()..self.answers.len() + answers.len();
        let at = match cast {
            Some(_) => self.answered.entry(key).or_insert(next).clone(),
            None => next,
        };
        if at.start == self.answers.len() {
            self.answers.extend(answers);
        } else if let Some(before) = self.answers.get_mut(at) {
            before.iter_mut().zip(answers).for_each(|(before, now)| *before = now);
        }
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Failure, FailureKind, Reason, Unusable};
    use llull_store::{LedgerWriter, MemoryLedger};

    use super::*;
    use llull_testkit::attempts::{attempt, order, spec};

    #[test]
    fn what_each_judge_answered_and_in_which_order_it_was_asked() {
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
        assert_eq!(judges.len(), 2);
        assert!(judges[0].judge == "pairs" && !judges[0].lists);
        // c before a before b.
        let list: Vec<_> =
            judges[1].answers.iter().map(|answer| (&*answer.first, &*answer.second, answer.choice)).collect();
        let [first, second] = [Choice::First, Choice::Second].map(Some);
        assert_eq!(list, [("a", "b", first), ("a", "c", second), ("b", "c", second)]);
        assert!(judges[1].judge == "lists" && judges[1].lists);
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

        let error = answers_of(&ledger, &["other".into()]).unwrap_err().to_string();
        assert!(
            error.contains("no judge \"other\" compares documents")
                && error.contains("there are pairs, lists"),
            "{error}"
        );
        let error = answers_of(&MemoryLedger::default(), &[]).unwrap_err().to_string();
        assert!(error.contains("no judge has compared documents"), "{error}");
    }
}
