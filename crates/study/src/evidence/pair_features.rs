//! Judges' answers about pairs as features, one column per form.
//!
//! Each judge has a column for each form in which it judged.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use llull_core::{Attempt, Ballot, ComparedVerdict, Hash, Item, PairChoice, Paradigm, order_in_groups};
use llull_learner::PairFeature;
use llull_store::{JudgeId, LedgerJudge, LedgerReader};

use super::ballots::{Votes, votes};
use super::ledger_ballots::{LatestComparisons, comparing, latest_comparisons};
use crate::error::StudyError;
use crate::evidence::error::LedgerError;

/// Two documents of a query, the one with the lesser identifier first.
pub(crate) type ComparedPair = (String, String, String);

/// A feature's answers by pair: the pair's first document is the left-hand side.
pub(crate) type PairAnswers = IndexMap<String, (PairFeature, BTreeMap<ComparedPair, PairChoice>)>;

/// Reads the answers about pairs of every comparing judge of a ledger.
///
/// A judge of pairs is a feature by its name: its answer to the order that it saw first. If it saw both orders, a
/// second feature, `NAME@2`, is the document that both answers name. For a judge that orders lists, the feature is the
/// document that more of its lists have ahead. If several judges have had one name (under another rubric or prompt), it
/// belongs to the one whose fingerprint is in `asked`; the others' names end in the beginning of their fingerprints.
///
/// # Errors
/// Returns an error if the ledger cannot be read, or no judge has compared anything.
pub(crate) fn pair_answers(ledger: &dyn LedgerReader, asked: &[Hash]) -> Result<PairAnswers, StudyError> {
    let judges = comparing(ledger.judges()?, &[])?;
    let LatestComparisons { latest, .. } = latest_comparisons(ledger, &judges)?;
    let mut by_judge: BTreeMap<JudgeId, Vec<(Attempt, ComparedVerdict)>> = BTreeMap::new();
    for ((judge, _), answer) in latest {
        by_judge.entry(judge).or_default().push(answer);
    }
    let mut features = PairAnswers::new();
    for judge in &judges {
        let answers = by_judge.remove(&judge.id).unwrap_or_default();
        let name = feature_name(judge, &judges, asked);
        let columns = match judge.spec.paradigm {
            Paradigm::Pairwise => of_pairs(&answers),
            Paradigm::Listwise => [of_lists(&answers), BTreeMap::new()],
            Paradigm::Graded => continue,
        };
        for (column, calls) in columns.into_iter().zip(1..) {
            let name = if calls == 1 { name.clone() } else { format!("{name}@{calls}") };
            if !column.is_empty() {
                features.insert(name.clone(), (PairFeature { name, calls }, column));
            }
        }
    }
    if features.is_empty() {
        return Err(StudyError::Ledger(LedgerError::Problem(
            "the ledger has no comparison to learn from: llull run asks the judges of a study with paradigm = \
             \"pairwise\" or \"listwise\""
                .to_owned(),
        )));
    }
    Ok(features)
}

fn feature_name(judge: &LedgerJudge, judges: &[LedgerJudge], asked: &[Hash]) -> String {
    let fingerprint = judge.spec.fingerprint();
    let alone = judges.iter().filter(|other| other.name == judge.name).count() == 1;
    match alone || asked.contains(&fingerprint) {
        true => judge.name.clone(),
        false => format!("{}#{:.8}", judge.name, fingerprint.to_string()),
    }
}

/// The pair of two documents, and whether the first of them is its first.
fn pair(topic: &str, first: &str, second: &str) -> (ComparedPair, bool) {
    let ahead = first <= second;
    let (low, high) = if ahead { (first, second) } else { (second, first) };
    ((topic.to_owned(), low.to_owned(), high.to_owned()), ahead)
}

/// The answers in the order that was shown first, and those that hold in both orders.
fn of_pairs(answers: &[(Attempt, ComparedVerdict)]) -> [BTreeMap<ComparedPair, PairChoice>; 2] {
    let mut asked: IndexMap<ComparedPair, Vec<(bool, &ComparedVerdict)>> = IndexMap::new();
    for (attempt, verdict) in answers {
        if let [first, second] = attempt.documents.as_slice() {
            let (pair, ahead) = pair(&attempt.topic, first, second);
            asked.entry(pair).or_default().push((ahead, verdict));
        }
    }
    let (mut single, mut double) = (BTreeMap::new(), BTreeMap::new());
    for (pair, verdicts) in asked {
        let order = |ahead: bool| if ahead { vec![Item(0), Item(1)] } else { vec![Item(1), Item(0)] };
        let rule = |double_check| Votes { paradigm: Paradigm::Pairwise, double_check };
        if let Some((ahead, verdict)) = verdicts.first() {
            single.insert(pair.clone(), choice(&votes(rule(false), &[order(*ahead)], &[Some(verdict)])));
        }
        let in_order = |wanted: bool| verdicts.iter().find(|(ahead, _)| *ahead == wanted);
        if let (Some((_, one)), Some((_, other))) = (in_order(true), in_order(false)) {
            let both = votes(rule(true), &[order(true), order(false)], &[Some(one), Some(other)]);
            double.insert(pair, choice(&both));
        }
    }
    [single, double]
}

/// The document of each pair that more lists have ahead.
fn of_lists(answers: &[(Attempt, ComparedVerdict)]) -> BTreeMap<ComparedPair, PairChoice> {
    let rule = Votes { paradigm: Paradigm::Listwise, double_check: false };
    let mut leads: BTreeMap<ComparedPair, i64> = BTreeMap::new();
    for (attempt, verdict) in answers {
        let shown: Vec<Item> = (0..attempt.documents.len()).map(Item::at).collect();
        for ballot in votes(rule, std::slice::from_ref(&shown), &[Some(verdict)]) {
            let documents = || shown.iter().zip(&attempt.documents);
            for (place, document) in documents() {
                for (other_place, other) in documents().skip(place.index() + 1) {
                    // Documents that a list leaves unordered at its end are not equal.
                    let Some(order) = order_in_groups(&ballot.groups, place, other_place) else { continue };
                    let (pair, ahead) = pair(&attempt.topic, document, other);
                    *leads.entry(pair).or_default() += if ahead { -(order as i64) } else { order as i64 };
                }
            }
        }
    }
    leads.into_iter().map(|(pair, lead)| (pair, PairChoice::of_score(lead as f64, 0.0))).collect()
}

/// The choice of votes on a pair: the side, or Neither, with the most weight; Neither if two have the most.
pub(crate) fn choice(ballots: &[Ballot]) -> PairChoice {
    let mut weights = BTreeMap::from([(PairChoice::Neither, 0.0)]);
    for ballot in ballots {
        let said = match ballot.groups.as_slice() {
            [group, ..] if *group == [Item(0)] => PairChoice::Lhs,
            [group, ..] if *group == [Item(1)] => PairChoice::Rhs,
            _ => PairChoice::Neither,
        };
        *weights.entry(said).or_default() += ballot.weight;
    }
    let most = weights.values().fold(0.0_f64, |most, weight| most.max(*weight));
    let named: BTreeSet<PairChoice> =
        weights.into_iter().filter(|(_, weight)| *weight == most).map(|(said, _)| said).collect();
    match named.len() {
        1 => named.into_iter().next().unwrap_or(PairChoice::Neither),
        _ => PairChoice::Neither,
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Outcome, Verdict};
    use llull_store::{LedgerWriter, MemoryLedger};
    use llull_testkit::attempts::{attempt, order, spec};

    use super::*;

    fn sure(first: f64, second: f64, places: &[&[u16]]) -> Outcome {
        let order = places.iter().map(|group| group.to_vec()).collect();
        let verdict = ComparedVerdict { order, probabilities: vec![first, second], ..Default::default() };
        Outcome::Judged { verdict: Verdict::Compared(verdict) }
    }

    fn column(features: &PairAnswers, name: &str) -> Vec<(String, PairChoice)> {
        let of_pair =
            |((_, one, other), said): (&ComparedPair, &PairChoice)| (format!("{one}{other}"), *said);
        features[name].1.iter().map(of_pair).collect()
    }

    #[test]
    fn a_judge_is_a_feature_in_one_order_and_in_both() {
        let mut ledger = MemoryLedger::default();
        let pairs = ledger.register("pairs", &spec(Paradigm::Pairwise, "a")).unwrap();
        ledger
            .append(&[
                (pairs, attempt("ba", &["b", "a"], order(&[&[1], &[0]]))),
                (pairs, attempt("ab", &["a", "b"], order(&[&[0], &[1]]))),
                (pairs, attempt("bc", &["b", "c"], order(&[&[0], &[1]]))),
                (pairs, attempt("cb", &["c", "b"], order(&[&[0], &[1]]))),
                (pairs, attempt("dc", &["d", "c"], sure(0.3, 0.6, &[&[1], &[0]]))),
                (pairs, attempt("ad", &["a", "d"], sure(0.4, 0.1, &[&[0, 1]]))),
            ])
            .unwrap();
        let features = pair_answers(&ledger, &[]).unwrap();
        let said = |pair: &str, said| (pair.to_owned(), said);
        assert_eq!(
            column(&features, "pairs"),
            [
                said("ab", PairChoice::Lhs),
                said("ad", PairChoice::Neither),
                said("bc", PairChoice::Lhs),
                said("cd", PairChoice::Lhs)
            ]
        );
        assert_eq!(
            column(&features, "pairs@2"),
            [said("ab", PairChoice::Lhs), said("bc", PairChoice::Neither)]
        );
        assert_eq!((features["pairs"].0.calls, features["pairs@2"].0.calls), (1, 2));
    }

    #[test]
    fn judges_of_one_name_are_told_apart_and_lists_are_their_pairs() {
        let mut ledger = MemoryLedger::default();
        let (old, new) = (spec(Paradigm::Listwise, "a"), spec(Paradigm::Listwise, "b"));
        let ids = [&old, &new].map(|spec| ledger.register("lists", spec).unwrap());
        ledger
            .append(&[
                (ids[0], attempt("ab", &["a", "b"], order(&[&[1], &[0]]))),
                (ids[1], attempt("cab", &["c", "a", "b", "d"], order(&[&[2], &[0]]))),
                (ids[1], attempt("cb", &["c", "b"], order(&[&[0], &[1]]))),
            ])
            .unwrap();
        let features = pair_answers(&ledger, &[new.fingerprint()]).unwrap();
        let names: Vec<&str> = features.keys().map(String::as_str).collect();
        let before = format!("lists#{:.8}", old.fingerprint().to_string());
        assert_eq!(names, [before.as_str(), "lists"]);
        let said = |pair: &str, said| (pair.to_owned(), said);
        assert_eq!(
            column(&features, "lists"),
            [
                said("ab", PairChoice::Rhs),
                said("ac", PairChoice::Rhs),
                said("bc", PairChoice::Neither),
                said("bd", PairChoice::Lhs),
                said("cd", PairChoice::Lhs),
            ]
        );
    }
}
