//! Reads the comparisons of a ledger as ballots.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use llull_core::{
    Attempt, Ballot, Ballots, ComparedVerdict, Hash, Item, Outcome, Paradigm, TaskKey, Verdict,
};
use llull_rank::TieRule;
use llull_runner::{AnnotatorJudge, Rereader};
use llull_store::{Detail, JudgeId, LedgerJudge, LedgerReader};

use super::ballots::{Votes, votes};
use crate::error::StudyError;
use crate::evidence::error::LedgerError;

/// The comparisons of a ledger.
#[derive(Debug, Clone, PartialEq)]
pub struct LedgerBallots {
    /// The votes of each question that a judge has answered, by topic; the latest of several answers counts.
    pub ballots: Ballots,
    /// The names of the judges by their number in the ballots. Judges with a new configuration under an old name are
    /// different judges.
    pub judges: Vec<String>,
    /// The number of answers that changed when current rules reread their replies. Only replies to built-in prompts are
    /// reread: for others the ledger does not have the expected form.
    pub reread: usize,
    /// The meaning of a tie in the tiers of a study with these judges. If one of them orders lists, both are on one
    /// level. If all compare pairs, the order is open, since a tie means "not sure".
    pub ties: TieRule,
    /// The names of comparing judges without a vote here, because their fingerprints are not the wanted ones.
    pub left_out: Vec<String>,
}

/// The options of converting a ledger's answers to votes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BallotOptions {
    /// The names of the judges; empty for all.
    pub names: Vec<String>,
    /// Only judges with one of these fingerprints, if the ledger has one of them.
    pub fingerprints: Vec<Hash>,
    /// The weights of judges' votes, by name, if they are not 1.
    pub weights: BTreeMap<String, f64>,
    /// Whether a preference of a pair counts only if it holds in both orders.
    pub double_check: bool,
}

/// Returns the comparisons in a ledger, by the rules of a study's tournaments. Verdicts with probabilities are split by
/// them. With a double check a preference counts only if it holds in both orders.
///
/// The ledger identifies a question by its texts. Documents with equal texts share one question, and have the
/// identifiers of that question here.
///
/// # Errors
/// Returns an error if the ledger cannot be read, or no judge that compares has one of the names.
pub fn ledger_ballots(
    ledger: &dyn LedgerReader,
    options: &BallotOptions,
) -> Result<LedgerBallots, StudyError> {
    let (judges, others) = as_asked(comparing(ledger.judges()?, &options.names)?, &options.fingerprints);
    let LatestComparisons { latest, reread } = latest_comparisons(ledger, &judges)?;
    let by_order: BTreeMap<(JudgeId, &str, &[String]), &ComparedVerdict> = latest
        .iter()
        .map(|((judge, _), (attempt, verdict))| {
            ((*judge, attempt.topic.as_str(), attempt.documents.as_slice()), verdict)
        })
        .collect();
    let mut ballots = Ballots::default();
    let mut checked = BTreeSet::new();
    for ((id, _), (attempt, verdict)) in &latest {
        let Some((at, judge)) = judges.iter().enumerate().find(|(_, judge)| judge.id == *id) else {
            continue;
        };
        let paradigm = judge.spec.paradigm;
        let rule = Votes { paradigm, double_check: options.double_check && paradigm == Paradigm::Pairwise };
        let topic = ballots.topic(Some(&attempt.topic));
        let shown: Vec<Item> = attempt.documents.iter().map(|document| topic.item(document)).collect();
        let cast = if rule.double_check {
            let mut pair = shown.clone();
            pair.sort_unstable();
            if !checked.insert((*id, attempt.topic.as_str(), pair)) {
                continue;
            }
            let swapped: Vec<Item> = shown.iter().rev().copied().collect();
            let reversed: Vec<String> = attempt.documents.iter().rev().cloned().collect();
            let other = by_order.get(&(*id, attempt.topic.as_str(), reversed.as_slice()));
            votes(rule, &[shown, swapped], &[Some(verdict), other.copied()])
        } else {
            votes(rule, &[shown], &[Some(verdict)])
        };
        let weight = options.weights.get(&judge.name).copied().unwrap_or(1.0);
        topic.ballots.extend(cast.into_iter().map(|ballot| Ballot {
            judge: at as u32,
            weight: weight * ballot.weight,
            ..ballot
        }));
    }
    let orders_lists = judges.iter().any(|judge| judge.spec.paradigm == Paradigm::Listwise);
    Ok(LedgerBallots {
        ballots,
        judges: judges.into_iter().map(|judge| judge.name).collect(),
        reread,
        left_out: others.into_iter().map(|judge| judge.name).collect(),
        ties: if orders_lists { TieRule::Equal } else { TieRule::Open },
    })
}

/// The latest answer of each judge to each of its questions, in the order in which they were first answered.
pub(super) struct LatestComparisons {
    pub(super) latest: IndexMap<(JudgeId, TaskKey), (Attempt, ComparedVerdict)>,
    /// The number of replies with a changed reading.
    reread: usize,
}

/// Reads the answers of these judges that compare documents and are votes.
///
/// # Errors
/// Returns an error if the ledger cannot be read.
pub(super) fn latest_comparisons(
    ledger: &dyn LedgerReader,
    judges: &[LedgerJudge],
) -> Result<LatestComparisons, StudyError> {
    let ids: Vec<JudgeId> = judges.iter().map(|judge| judge.id).collect();
    let readers: BTreeMap<JudgeId, Option<Rereader>> =
        judges.iter().map(|judge| (judge.id, Rereader::of_spec(&judge.spec))).collect();
    let annotators: BTreeSet<JudgeId> = judges
        .iter()
        .filter(|judge| AnnotatorJudge::annotator(&judge.spec).is_some())
        .map(|judge| judge.id)
        .collect();
    let mut reread = BTreeSet::new();
    let mut latest: IndexMap<(JudgeId, TaskKey), (Attempt, ComparedVerdict)> = IndexMap::new();
    let mut sides = SidesShown::default();
    ledger.scan(Some(&ids), Detail::Replies, &mut |judge, mut attempt| {
        if !attempt.is_vote() {
            return Ok(());
        }
        let now = readers.get(&judge).copied().flatten().and_then(|reader| reader.outcome(&attempt));
        if let Some(now) = now {
            reread.insert((judge, attempt.key));
            attempt.answer.outcome = now;
        }
        if annotators.contains(&judge)
            && let Some(before) = sides.replaced(judge, &attempt)
        {
            latest.shift_remove(&(judge, before));
        }
        if let Outcome::Judged { verdict: Verdict::Compared(verdict) } = &mut attempt.answer.outcome {
            let verdict = std::mem::take(verdict);
            latest.insert((judge, attempt.key), (attempt, verdict));
        } else if annotators.contains(&judge) {
            // The annotator took the previous answer back.
            latest.shift_remove(&(judge, attempt.key));
        }
        Ok(())
    })?;
    Ok(LatestComparisons { latest, reread: reread.len() })
}

/// The question of annotators' latest answers about two documents. Another seed may swap the sides of the two: the
/// later answer corrects the earlier one, or takes it back.
#[derive(Default)]
struct SidesShown(BTreeMap<(JudgeId, String, Vec<String>), TaskKey>);

impl SidesShown {
    /// Notes an answer, and returns the question of the answer that it replaces, if that is another.
    fn replaced(&mut self, annotator: JudgeId, attempt: &Attempt) -> Option<TaskKey> {
        let mut documents = attempt.documents.clone();
        documents.sort_unstable();
        let before = self.0.insert((annotator, attempt.topic.clone(), documents), attempt.key);
        before.filter(|key| *key != attempt.key)
    }
}

/// Divides judges into those with one of these fingerprints and others; if none has one, all are in the first group.
fn as_asked(judges: Vec<LedgerJudge>, fingerprints: &[Hash]) -> (Vec<LedgerJudge>, Vec<LedgerJudge>) {
    let asked = |judge: &LedgerJudge| fingerprints.contains(&judge.spec.fingerprint());
    match judges.iter().any(asked) {
        true => judges.into_iter().partition(asked),
        false => (judges, Vec::new()),
    }
}

/// The comparing judges with one of these names. Without names these are all except annotators, whose comparisons are
/// compared with judges' and are never votes.
pub(super) fn comparing(judges: Vec<LedgerJudge>, names: &[String]) -> Result<Vec<LedgerJudge>, StudyError> {
    let compares = |judge: &LedgerJudge| match judge.spec.paradigm {
        Paradigm::Pairwise | Paradigm::Listwise => true,
        Paradigm::Graded => false,
    };
    let all: Vec<LedgerJudge> = judges.into_iter().filter(compares).collect();
    if let Some(unknown) = names.iter().find(|name| all.iter().all(|judge| judge.name != **name)) {
        let known = all.into_iter().map(|judge| judge.name).collect();
        return Err(StudyError::Ledger(LedgerError::NotComparing { judge: unknown.clone(), known }));
    }
    let chosen = |judge: &LedgerJudge| match names {
        [] => AnnotatorJudge::annotator(&judge.spec).is_none(),
        names => names.contains(&judge.name),
    };
    Ok(all.into_iter().filter(chosen).collect())
}

#[cfg(test)]
mod tests {
    use llull_core::{GradedVerdict, Reason, Unusable};
    use llull_store::{LedgerWriter, MemoryLedger};

    use super::*;
    use llull_testkit::attempts::{attempt, order, spec};

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
        let read = ledger_ballots(&ledger(), &BallotOptions { weights, ..Default::default() }).unwrap();
        assert_eq!(read.judges, ["pairs", "lists"]);
        let topic = read.ballots.get(Some("q1")).unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|id| topic.find(id).unwrap());
        let list = Ballot { rest: vec![a], judge: 1, weight: 0.5, ..Ballot::strict([b, c]) };
        assert_eq!(topic.ballots, [Ballot::strict([b, a]), list]);
    }

    #[test]
    fn judges_are_chosen_by_name_and_those_that_grade_do_not_compare() {
        let read = ledger_ballots(&ledger(), &named("lists")).unwrap();
        assert_eq!((read.judges.len(), read.ballots.get(Some("q1")).unwrap().ballots.len()), (1, 1));
        let error = ledger_ballots(&ledger(), &named("grader")).unwrap_err().to_string();
        assert!(error.contains("no judge \"grader\" compares") && error.contains("pairs, lists"), "{error}");
    }

    #[test]
    fn people_vote_only_where_they_are_named() {
        let mut ledger = MemoryLedger::default();
        let pairs = ledger.register("pairs", &spec(Paradigm::Pairwise, "b")).unwrap();
        let anna = AnnotatorJudge::comparing("anna", Hash([7; 32]), llull_core::Scale::default());
        let anna = ledger.register("anna", llull_runner::JudgeIdentity::spec(&anna)).unwrap();
        let taken_back = Unusable { reason: Reason::NoAnswer, detail: String::new() };
        ledger
            .append(&[
                (pairs, attempt("ab", &["a", "b"], order(&[&[0], &[1]]))),
                (anna, attempt("ab", &["a", "b"], order(&[&[1], &[0]]))),
                (anna, attempt("bc", &["b", "c"], order(&[&[1], &[0]]))),
                (anna, attempt("bc", &["b", "c"], Outcome::Unusable(taken_back))),
            ])
            .unwrap();
        let votes = |options: &BallotOptions| {
            let read = ledger_ballots(&ledger, options).unwrap();
            (read.judges, read.ballots.get(Some("q1")).unwrap().ballots.len())
        };
        assert_eq!(votes(&BallotOptions::default()), (vec!["pairs".to_owned()], 1));
        assert_eq!(votes(&named("anna")), (vec!["anna".to_owned()], 1), "what was taken back is no vote");
    }

    /// Before, a person whose sides another seed had turned voted twice.
    #[test]
    fn a_person_says_one_thing_of_two_documents_on_whichever_sides() {
        let mut ledger = MemoryLedger::default();
        let anna = AnnotatorJudge::comparing("anna", Hash([7; 32]), llull_core::Scale::default());
        let anna = ledger.register("anna", llull_runner::JudgeIdentity::spec(&anna)).unwrap();
        let mut add = |attempt: Attempt| -> Vec<String> {
            ledger.append(&[(anna, attempt)]).unwrap();
            let read = ledger_ballots(&ledger, &named("anna")).unwrap();
            let Some(topic) = read.ballots.get(Some("q1")) else { return Vec::new() };
            topic.ballots.iter().map(|cast| topic.items[cast.groups[0][0].index()].to_string()).collect()
        };
        assert_eq!(add(attempt("ab", &["a", "b"], order(&[&[0], &[1]]))), ["a"]);
        assert_eq!(add(attempt("ba", &["b", "a"], order(&[&[0], &[1]]))), ["b"]);
        let taken_back = Unusable { reason: Reason::NoAnswer, detail: String::new() };
        assert!(add(attempt("ab", &["a", "b"], Outcome::Unusable(taken_back))).is_empty());
        assert_eq!(add(attempt("ba", &["b", "a"], order(&[&[1], &[0]]))), ["a"]);
    }

    fn named(judge: &str) -> BallotOptions {
        BallotOptions { names: vec![judge.to_owned()], ..BallotOptions::default() }
    }

    /// Before, `llull rank` counted a preference that the swap had overturned, and a judge that was half sure as sure.
    #[test]
    fn pairs_vote_by_the_rules_of_the_study() {
        let mut ledger = MemoryLedger::default();
        let pairs = ledger.register("pairs", &spec(Paradigm::Pairwise, "b")).unwrap();
        let sure = ComparedVerdict {
            order: vec![vec![0], vec![1]],
            probabilities: vec![0.75, 0.25],
            ..Default::default()
        };
        let half_sure = Outcome::Judged { verdict: Verdict::Compared(sure) };
        ledger
            .append(&[
                (pairs, attempt("ab", &["a", "b"], order(&[&[0], &[1]]))),
                (pairs, attempt("ba", &["b", "a"], order(&[&[0], &[1]]))),
                (pairs, attempt("cd", &["c", "d"], order(&[&[0], &[1]]))),
                (pairs, attempt("dc", &["d", "c"], order(&[&[1], &[0]]))),
                (pairs, attempt("ac", &["a", "c"], half_sure)),
            ])
            .unwrap();
        let options = BallotOptions { double_check: true, ..BallotOptions::default() };
        let read = ledger_ballots(&ledger, &options).unwrap();
        let topic = read.ballots.get(Some("q1")).unwrap();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|id| Item::at(topic.items.get_index_of(id).unwrap()));
        assert_eq!(topic.ballots, [Ballot::new(vec![vec![a, b]]), Ballot::new(vec![vec![c], vec![d]])]);
        let read = ledger_ballots(&ledger, &BallotOptions::default()).unwrap();
        let weights: Vec<f64> =
            read.ballots.get(Some("q1")).unwrap().ballots.iter().map(|b| b.weight).collect();
        assert_eq!(weights, [1.0, 1.0, 1.0, 1.0, 0.75, 0.25]);
    }
}
