//! Finds the answers behind a judge check.
//!
//! A check is one figure of many answers. Some checks have answers of their own: unparsable ones, changed ones, or the
//! grade of nearly all. In an association (with length, for example), these are the answers that contribute to it. A
//! grade contributes by the distance of feature and grade from the query's means; a comparison by the difference of the
//! feature between winner and loser.

use std::collections::{BTreeMap, BTreeSet};

use llull_audit::{
    AskedAs, AuditedCollection, AuditedJudge, CheckKind, HumanPreference, JudgeCheck, ShownDocument,
};
use llull_core::{Item, order_in_groups};

/// Documents of a query behind a check: one that was graded, or two that were compared, in their order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CheckExamples {
    pub(super) query: usize,
    pub(super) documents: Vec<Item>,
    /// Its part in the check, above 0.
    pub(super) weight: f64,
}

/// Returns the answers behind a judge's check, in no order; `None` if the check is about all answers.
pub(super) fn check_examples(
    check: &JudgeCheck,
    judge: &AuditedJudge,
    judges: &[AuditedJudge],
    collection: &AuditedCollection,
) -> Option<Vec<CheckExamples>> {
    let sign = (check.value? - check.chance.unwrap_or(0.0)).signum();
    let answers = Answers { judge, collection };
    let feature = |of: &dyn Fn(&ShownDocument) -> Option<f64>| answers.associated(of, sign);
    Some(match check.kind {
        CheckKind::Unusable => answers.unusable(),
        CheckKind::OneGrade => answers.of_one_grade(),
        CheckKind::MiddleOfScale => answers.in_the_middle(),
        CheckKind::RepeatFlip => answers.changed(&[AskedAs::Repeated]),
        CheckKind::PositionFlip | CheckKind::Position => {
            answers.changed(&[AskedAs::Reversed, AskedAs::Rotated])
        }
        CheckKind::FirstSide | CheckKind::ChosenRank => answers.won_by_the_earlier(),
        CheckKind::Cycles => answers.in_cycles(),
        CheckKind::Kappa => answers.unlike(judges),
        CheckKind::Length => feature(&|document| Some(document.characters? as f64)),
        CheckKind::Overlap => feature(&|document| document.overlap),
        CheckKind::FusedRank => feature(&|document| Some(document.fused_rank? as f64)),
        CheckKind::NearCopies => answers.copies_apart(),
        CheckKind::Verbosity if !judge.graded.is_empty() => answers.wordy(sign),
        CheckKind::Verbosity
        | CheckKind::CutPrompts
        | CheckKind::AnchorOrder
        | CheckKind::LengthControlled
        | CheckKind::SameFamily
        | CheckKind::FavouredSystem
        | CheckKind::MiddlePlaces
        | CheckKind::IndependentVotes
        | CheckKind::Stuffed
        | CheckKind::Padded
        | CheckKind::Injected
        | CheckKind::Truncated
        | CheckKind::Anchors
        | CheckKind::Swapped
        | CheckKind::Contamination => return None,
    })
}

/// A judge's answers, and the properties of documents.
struct Answers<'a> {
    judge: &'a AuditedJudge,
    collection: &'a AuditedCollection,
}

/// Answers about two documents: above 0 the first is ahead, below it the second.
type Leads = BTreeMap<(usize, Item, Item), Vec<f64>>;

impl<'a> Answers<'a> {
    /// The votes that are grades, with place and rationale.
    fn grades(
        &self,
        asked_as: AskedAs,
    ) -> impl Iterator<Item = ((usize, Item), f64, Option<usize>)> + use<'a> {
        let asked = self.judge.graded.iter().filter(move |answer| answer.asked_as == asked_as);
        asked.map(|answer| ((answer.query, answer.document), answer.grade, answer.rationale))
    }

    fn one((query, document): (usize, Item), weight: f64) -> CheckExamples {
        CheckExamples { query, documents: vec![document], weight }
    }

    /// The comparisons of every two documents that were shown together. The document shown first is the first with
    /// `by_place`, otherwise the one with the lesser number.
    fn leads(judge: &AuditedJudge, asked_as: &[AskedAs], by_place: bool) -> Leads {
        let mut leads = Leads::new();
        for answer in judge.compared.iter().filter(|answer| asked_as.contains(&answer.asked_as)) {
            for (at, first) in answer.shown.iter().enumerate() {
                for second in answer.shown.iter().skip(at + 1) {
                    let Some(order) = order_in_groups(&answer.groups, first, second) else { continue };
                    let lead = f64::from(order.reverse() as i8);
                    let turned = !by_place && second < first;
                    let (key, lead) = match turned {
                        true => ((answer.query, *second, *first), -lead),
                        false => ((answer.query, *first, *second), lead),
                    };
                    leads.entry(key).or_default().push(lead);
                }
            }
        }
        leads
    }

    /// Two documents, the lesser first.
    fn two(query: usize, one: Item, other: Item, weight: f64) -> CheckExamples {
        CheckExamples { query, documents: vec![one.min(other), one.max(other)], weight }
    }

    fn unusable(&self) -> Vec<CheckExamples> {
        let mut found = Vec::new();
        for answer in &self.judge.unusable {
            match answer.shown.as_slice() {
                [document] => found.push(Self::one((answer.query, *document), 1.0)),
                shown => {
                    for (at, one) in shown.iter().enumerate() {
                        found.extend(
                            shown.iter().skip(at + 1).map(|other| Self::two(answer.query, *one, *other, 1.0)),
                        );
                    }
                }
            }
        }
        found
    }

    fn copies_apart(&self) -> Vec<CheckExamples> {
        let grades: BTreeMap<(usize, Item), f64> =
            self.grades(AskedAs::Vote).map(|(place, grade, _)| (place, grade)).collect();
        let apart = grades.iter().filter_map(|(&(query, item), grade)| {
            let copied = self.collection.documents.get(query)?.get(item.index())?.copy_of?;
            let weight = (grade - grades.get(&(query, copied))?).abs();
            (weight > 0.0).then(|| Self::two(query, copied, item, weight))
        });
        apart.collect()
    }

    fn of_one_grade(&self) -> Vec<CheckExamples> {
        let mut counts: Vec<(f64, usize)> = Vec::new();
        for (_, grade, _) in self.grades(AskedAs::Vote) {
            match counts.iter_mut().find(|(known, _)| *known == grade) {
                Some((_, count)) => *count += 1,
                None => counts.push((grade, 1)),
            }
        }
        // The lowest of several, as in the check.
        let most =
            counts.into_iter().min_by(|one, other| other.1.cmp(&one.1).then(one.0.total_cmp(&other.0)));
        let Some((mode, _)) = most else { return Vec::new() };
        let same = self.grades(AskedAs::Vote).filter(|(_, grade, _)| *grade == mode);
        same.map(|(place, ..)| Self::one(place, 1.0)).collect()
    }

    fn in_the_middle(&self) -> Vec<CheckExamples> {
        let scale = &self.collection.grades;
        let Some((low, high)) = scale.first().zip(scale.last()) else { return Vec::new() };
        let inside = self.grades(AskedAs::Vote).filter(|(_, grade, _)| grade > low && grade < high);
        inside.map(|(place, ..)| Self::one(place, 1.0)).collect()
    }

    /// Answers that changed when the question was repeated, or in the other order if both orders are votes.
    fn changed(&self, again: &[AskedAs]) -> Vec<CheckExamples> {
        let votes: BTreeMap<_, f64> =
            self.grades(AskedAs::Vote).map(|(place, grade, _)| (place, grade)).collect();
        let graded = again.iter().flat_map(|again| self.grades(*again));
        let graded = graded.filter_map(|(place, grade, _)| {
            let apart = (grade - votes.get(&place)?).abs();
            (apart > 0.0).then(|| Self::one(place, apart))
        });
        let compared = Self::leads(self.judge, &[&[AskedAs::Vote], again].concat(), false);
        let compared = compared.into_iter().filter_map(|((query, one, other), leads)| {
            let (low, high) = ends(&leads)?;
            (high > low).then(|| Self::two(query, one, other, high - low))
        });
        graded.chain(compared).collect()
    }

    fn won_by_the_earlier(&self) -> Vec<CheckExamples> {
        let leads = Self::leads(self.judge, &[AskedAs::Vote], true);
        let won = leads.into_iter().filter(|(_, leads)| leads.iter().any(|lead| *lead > 0.0));
        won.map(|((query, one, other), _)| Self::two(query, one, other, 1.0)).collect()
    }

    /// The pairs in cycles of three.
    fn in_cycles(&self) -> Vec<CheckExamples> {
        let mut ahead: BTreeMap<usize, BTreeSet<(Item, Item)>> = BTreeMap::new();
        for ((query, one, other), leads) in Self::leads(self.judge, &[AskedAs::Vote], false) {
            let lead: f64 = leads.iter().sum();
            if lead != 0.0 {
                let edge = if lead > 0.0 { (one, other) } else { (other, one) };
                ahead.entry(query).or_default().insert(edge);
            }
        }
        let mut found = Vec::new();
        for (query, edges) in &ahead {
            let from = |item: Item| edges.range((item, Item(0))..=(item, Item(u32::MAX)));
            // A pair counts once for each cycle through it.
            for (one, other) in edges {
                let cycles = from(*other).filter(|(_, third)| edges.contains(&(*third, *one))).count();
                if cycles > 0 {
                    found.push(Self::two(*query, *one, *other, cycles as f64));
                }
            }
        }
        found
    }

    /// Answers that differ from human ones, or from those of other judges without any human answer.
    fn unlike(&self, judges: &[AuditedJudge]) -> Vec<CheckExamples> {
        let others = || judges.iter().filter(|other| other.judge != self.judge.judge);
        let mut grades: BTreeMap<(usize, Item), Vec<f64>> = BTreeMap::new();
        let mut leads = Leads::new();
        for other in others() {
            for (place, grade, _) in (Answers { judge: other, ..*self }).grades(AskedAs::Vote) {
                grades.entry(place).or_default().push(grade);
            }
            for (pair, said) in Self::leads(other, &[AskedAs::Vote], false) {
                leads.entry(pair).or_default().extend(said);
            }
        }
        let mut preferred: BTreeMap<(usize, Item, Item), f64> = BTreeMap::new();
        for &HumanPreference { query, better, worse } in &self.collection.preferences {
            preferred.insert((query, better, worse), 1.0);
            preferred.insert((query, worse, better), -1.0);
        }
        let human_labels = |(query, item): (usize, Item)| self.document(query, item)?.human_grade;
        let expected = |place| human_labels(place).or_else(|| mean(grades.get(&place)?));
        let graded = self.grades(AskedAs::Vote).filter_map(|(place, grade, _)| {
            let apart = (grade - expected(place)?).abs();
            (apart > 0.0).then(|| Self::one(place, apart))
        });
        let compared =
            Self::leads(self.judge, &[AskedAs::Vote], false).into_iter().filter_map(|(pair, said)| {
                let (query, one, other) = pair;
                let of_people = human_labels((query, one)).zip(human_labels((query, other)));
                let graded = of_people.map(|(a, b)| if a == b { 0.0 } else { (a - b).signum() });
                let expected = preferred.get(&pair).copied().or(graded);
                let apart = (mean(&said)? - expected.or_else(|| mean(leads.get(&pair)?))?).abs();
                (apart > 0.0).then(|| Self::two(query, one, other, apart))
            });
        graded.chain(compared).collect()
    }

    fn document(&self, query: usize, item: Item) -> Option<&'a ShownDocument> {
        self.collection.documents.get(query)?.get(item.index())
    }

    /// Answers associated with a feature of documents: with more of it for a `sign` of 1, with less for -1.
    fn associated(&self, feature: &dyn Fn(&ShownDocument) -> Option<f64>, sign: f64) -> Vec<CheckExamples> {
        let of = |query, item| feature(self.document(query, item)?);
        let grades = self.grades(AskedAs::Vote);
        let graded = grades.filter_map(|(place, grade, _)| Some((place, of(place.0, place.1)?, grade)));
        let mut found = together(graded, sign);
        for ((query, one, other), said) in Self::leads(self.judge, &[AskedAs::Vote], false) {
            let more = of(query, one).zip(of(query, other)).map(|(one, other)| one - other);
            let weight = mean(&said).zip(more).map_or(0.0, |(lead, more)| sign * lead * more);
            if weight > 0.0 {
                found.push(Self::two(query, one, other, weight));
            }
        }
        found
    }

    /// Grades associated with the length of their rationales.
    fn wordy(&self, sign: f64) -> Vec<CheckExamples> {
        let grades = self.grades(AskedAs::Vote);
        together(grades.filter_map(|(place, grade, words)| Some((place, words? as f64, grade))), sign)
    }
}

/// A place, with the two values that are compared: a feature and a grade.
type Valued = ((usize, Item), f64, f64);

/// The places whose two values deviate from their query's means in the same direction, or in opposite ones for a `sign`
/// of -1.
fn together(values: impl Iterator<Item = Valued>, sign: f64) -> Vec<CheckExamples> {
    let mut queries: BTreeMap<usize, Vec<Valued>> = BTreeMap::new();
    for value in values {
        queries.entry(value.0.0).or_default().push(value);
    }
    let mut found = Vec::new();
    for of_query in queries.values() {
        let n = of_query.len() as f64;
        let feature = of_query.iter().map(|value| value.1).sum::<f64>() / n;
        let grade = of_query.iter().map(|value| value.2).sum::<f64>() / n;
        for (place, of_place, graded) in of_query {
            let weight = sign * (of_place - feature) * (graded - grade);
            if weight > 0.0 {
                found.push(Answers::one(*place, weight));
            }
        }
    }
    found
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn ends(values: &[f64]) -> Option<(f64, f64)> {
    let low = values.iter().copied().min_by(f64::total_cmp)?;
    Some((low, values.iter().copied().max_by(f64::total_cmp)?))
}

#[cfg(test)]
mod tests {
    use llull_audit::{CheckOutcome, ComparedAnswer, GradedAnswer, UnusableAnswer};

    use super::*;

    fn check(kind: CheckKind, value: f64) -> JudgeCheck {
        JudgeCheck {
            judge: "mini".into(),
            kind,
            outcome: CheckOutcome::Warning,
            n: 30,
            value: Some(value),
            low: None,
            high: None,
            chance: Some(0.0),
            finding: String::new(),
            remedy: String::new(),
        }
    }

    fn grade(document: u32, grade: f64, asked_as: AskedAs) -> GradedAnswer {
        GradedAnswer {
            query: 0,
            document: Item(document),
            grade,
            asked_as,
            rationale: Some(10 * document as usize),
        }
    }

    fn order(shown: [u32; 2], asked_as: AskedAs) -> ComparedAnswer {
        let shown = shown.map(Item).to_vec();
        let groups = shown.iter().map(|item| vec![*item]).collect();
        ComparedAnswer { query: 0, groups, shown, asked_as, rationale: None }
    }

    /// Documents of 100, 200, 300 and 400 characters.
    fn collection() -> AuditedCollection {
        let document = |n: usize| ShownDocument {
            characters: Some(100 * n),
            overlap: Some(1.0 / n as f64),
            fused_rank: Some(n),
            human_grade: None,
            copy_of: None,
        };
        let documents = vec![(1..=4).map(document).collect()];
        AuditedCollection { documents, grades: vec![0.0, 1.0, 2.0, 3.0], ..AuditedCollection::default() }
    }

    fn pointed(kind: CheckKind, value: f64, judge: &AuditedJudge) -> Vec<Vec<u32>> {
        let mut found =
            check_examples(&check(kind, value), judge, std::slice::from_ref(judge), &collection()).unwrap();
        found.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        assert!(found.iter().all(|pair| pair.weight > 0.0));
        found.into_iter().map(|pair| pair.documents.into_iter().map(|item| item.0).collect()).collect()
    }

    #[test]
    fn grades_that_a_check_points_at() {
        let vote = |document, of| grade(document, of, AskedAs::Vote);
        let judge = AuditedJudge {
            judge: "mini".into(),
            graded: vec![
                vote(0, 0.0),
                vote(1, 1.0),
                vote(2, 0.0),
                vote(3, 3.0),
                grade(1, 3.0, AskedAs::Repeated),
            ],
            unusable: vec![UnusableAnswer { query: 0, shown: vec![Item(2)] }],
            ..AuditedJudge::default()
        };
        assert_eq!(pointed(CheckKind::Unusable, 0.2, &judge), [[2]]);
        assert_eq!(pointed(CheckKind::RepeatFlip, 0.5, &judge), [[1]]);
        assert_eq!(pointed(CheckKind::OneGrade, 0.9, &judge), [[0], [2]]);
        assert_eq!(pointed(CheckKind::MiddleOfScale, 0.9, &judge), [[1]]);
        // Means are 250 characters and grade 1: 3 is long and high, 0 is short and low, 1 is at the mean.
        assert_eq!(pointed(CheckKind::Length, 0.6, &judge), [[3], [0]]);
        assert_eq!(pointed(CheckKind::Length, -0.6, &judge), [[2]], "long and low");
        assert_eq!(pointed(CheckKind::Verbosity, 0.6, &judge), [[3], [0]]);
        let whole = check_examples(&check(CheckKind::SameFamily, 0.6), &judge, &[], &collection());
        assert_eq!(whole, None, "this one is about answers as a whole");
    }

    #[test]
    fn comparisons_that_a_check_points_at() {
        let judge = AuditedJudge {
            judge: "mini".into(),
            compared: vec![
                order([0, 1], AskedAs::Vote),
                order([1, 2], AskedAs::Vote),
                order([2, 0], AskedAs::Vote),
                order([3, 0], AskedAs::Vote),
                order([0, 3], AskedAs::Reversed),
                order([1, 0], AskedAs::Repeated),
            ],
            ..AuditedJudge::default()
        };
        assert_eq!(pointed(CheckKind::PositionFlip, 0.5, &judge), [[0, 3]]);
        assert_eq!(pointed(CheckKind::RepeatFlip, 0.5, &judge), [[0, 1]]);
        let mut cycle = pointed(CheckKind::Cycles, 0.5, &judge);
        cycle.sort();
        assert_eq!(cycle, [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(pointed(CheckKind::FirstSide, 0.9, &judge).len(), 4, "all that it chose stood first");
        assert_eq!(
            pointed(CheckKind::Length, 0.6, &judge),
            [[0, 3], [0, 2]],
            "the longer one won, by far first"
        );
    }

    #[test]
    fn answers_unlike_those_of_others() {
        let judge = |name: &str, grades: [f64; 3]| AuditedJudge {
            judge: name.into(),
            graded: (0..).zip(grades).map(|(document, of)| grade(document, of, AskedAs::Vote)).collect(),
            ..AuditedJudge::default()
        };
        let judges = [judge("mini", [0.0, 1.0, 3.0]), judge("other", [0.0, 2.0, 0.0])];
        let mut found =
            check_examples(&check(CheckKind::Kappa, 0.0), &judges[0], &judges, &collection()).unwrap();
        found.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        let items: Vec<u32> = found.iter().map(|pair| pair.documents[0].0).collect();
        assert_eq!(items, [2, 1]);
    }
}
