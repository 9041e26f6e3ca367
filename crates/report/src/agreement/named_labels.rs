//! Labels with a name, their grades and their scales.

use llull_core::{FewShared, Grade, Identifiers, Qrels};
use llull_stats::{Agreement, Clamp};

use super::relevance_cuts::{BinaryCuts, Side};
use super::strays::StrayLabels;

/// Labels with their source and their name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedLabels {
    /// The name in tables and sentences: a file's name, or a judge's.
    pub name: String,
    /// The source in JSON: a file as typed, or the name.
    pub source: String,
    /// The labels.
    pub qrels: Qrels,
    /// Whether only the order of the grades means something: they are the places of fractions.
    pub order_only: bool,
}

impl NamedLabels {
    /// The labels under this name.
    pub fn new(name: impl Into<String>, qrels: Qrels) -> Self {
        let name = name.into();
        Self { source: name.clone(), name, qrels, order_only: false }
    }

    /// The labels of a file, which JSON calls by its path.
    pub fn from_file(name: impl Into<String>, path: impl Into<String>, qrels: Qrels) -> Self {
        Self { name: name.into(), source: path.into(), qrels, order_only: false }
    }

    /// The same labels, of which only the order of the grades means something if `order_only`.
    #[must_use]
    pub fn in_order(self, order_only: bool) -> Self {
        Self { order_only, ..self }
    }

    /// Whether both have a label of some pair of query and document.
    pub fn has_pairs_of(&self, other: &Self) -> bool {
        self.qrels.iter().any(|(query, documents)| {
            let others = other.qrels.topic(query);
            others.is_some_and(|others| documents.keys().any(|document| others.contains_key(document)))
        })
    }

    /// Explains why these labels share no pair of query and document with others, with a hint where to look.
    pub fn nothing_in_common(&self, other: &Self) -> String {
        match self.check_overlap(other) {
            Err(reason) => reason,
            Ok(_) => format!("{} and {} have no pair of query and document in common", self.name, other.name),
        }
    }

    /// Checks that these labels and others share queries and documents; returns a warning if they share few.
    pub(crate) fn check_overlap(&self, other: &Self) -> Result<Option<FewShared>, String> {
        let [ours, theirs] = [self, other].map(|side| Identifiers::of_labels(&side.name, &side.qrels));
        ours.check_overlap(&theirs).map_err(|nothing| nothing.to_string())
    }
}

/// The same labels, grades beyond the ends of the clamp moved to the ends.
pub fn clamped(labels: &Qrels, clamp: Clamp) -> Qrels {
    clamp.apply_to(labels).0
}

/// The grades that one side gives, ascending, with how often it does, over the common pairs.
pub(super) struct UsedGrades(pub(super) Vec<(Grade, u64)>);

impl UsedGrades {
    pub(super) fn of_truth(agreement: &Agreement) -> Self {
        let row = |at: usize| agreement.confusion.get(at).map_or(0, |row| row.iter().sum());
        Self::of(agreement, row)
    }

    pub(super) fn of_other(agreement: &Agreement) -> Self {
        let column = |at: usize| agreement.confusion.iter().filter_map(|row| row.get(at)).sum();
        Self::of(agreement, column)
    }

    fn of(agreement: &Agreement, count: impl Fn(usize) -> u64) -> Self {
        let counted = agreement.grades.iter().enumerate().map(|(at, grade)| (*grade, count(at)));
        Self(counted.filter(|(_, count)| *count > 0).collect())
    }

    /// The lowest and the highest grade.
    pub(super) fn range(&self) -> Option<(Grade, Grade)> {
        Some((self.0.first()?.0, self.0.last()?.0))
    }

    /// How many labels are below and above a range.
    pub(super) fn beyond(&self, low: Grade, high: Grade) -> (u64, u64) {
        let count = |beyond: &dyn Fn(Grade) -> bool| {
            self.0.iter().filter(|(grade, _)| beyond(*grade)).map(|(_, count)| count).sum()
        };
        (count(&|grade| grade < low), count(&|grade| grade > high))
    }
}

/// A remark if the lowest or the highest grade over the common pairs differs: perhaps the scales do.
pub(super) fn scale_note(
    truth: &NamedLabels,
    other: &NamedLabels,
    agreement: &Agreement,
    strays: Option<&StrayLabels>,
    binary: Option<&BinaryCuts>,
) -> Option<String> {
    if let Some(strays) = strays {
        return Some(strays.note(&truth.name, &other.name));
    }
    let (there, here) = (UsedGrades::of_truth(agreement), UsedGrades::of_other(agreement));
    if let Some(binary) = binary {
        let (two, many) = match binary.side {
            Side::Truth => ((truth, &there), (other, &here)),
            Side::Other => ((other, &here), (truth, &there)),
        };
        let ((low, high), (from, to)) = (two.1.range()?, many.1.range()?);
        return Some(format!(
            "{} has two grades, {low} and {high}, and those of {} go from {from} to {to}: figures of the whole scale \
             (kappa, alpha, pi, AC, exact, bias) compare unlike things; look at its {high} against each cut",
            two.0.name, many.0.name
        ));
    }
    let ((from, to), (low, high)) = (there.range()?, here.range()?);
    if (from, to) == (low, high) {
        return None;
    }
    let name = (&truth.name, &other.name);
    Some(if from <= low && high <= to {
        format!(
            "on the common pairs the grades of {} go from {from} to {to}, and {} gives none but {low} to {high}. If \
             that is its scale, figures of the whole scale compare unlike things: look at those from a cut on. If \
             both have one scale, they stand",
            name.0, name.1
        )
    } else {
        format!(
            "on the common pairs the grades of {} go from {from} to {to}, those of {} from {low} to {high}. If these \
             are two scales, figures of the whole scale (kappa, alpha, pi, AC, exact, bias) compare unlike things: \
             look at those from a cut on",
            name.0, name.1
        )
    })
}

#[cfg(test)]
mod tests {
    use llull_core::GRADE_PARTS;
    use llull_stats::{AgreementOptions, label_agreement};

    use super::*;

    fn labels(name: &str, pairs: &[(&str, &str, Grade)]) -> NamedLabels {
        let mut qrels = Qrels::default();
        for (query, document, grade) in pairs {
            qrels.insert(query, document, *grade);
        }
        NamedLabels::new(name, qrels)
    }

    #[test]
    fn labels_without_a_common_pair_are_told_by_their_identifiers() {
        let human = labels("human", &[("q1", "d1", 1), ("q2", "d1", 0)]);
        for (other, what) in [
            (("Q1", "d1"), "no query in common. human has \"q1\", judge has \"Q1\""),
            (("q1", "D1"), "no document of their queries in common. human has \"d1\", judge has \"D1\""),
        ] {
            let judge = labels("judge", &[(other.0, other.1, 1)]);
            assert!(!human.has_pairs_of(&judge) && human.has_pairs_of(&human));
            let why = human.nothing_in_common(&judge);
            assert!(why.contains(what) && why.contains("upper and lower case"), "{why}");
        }
    }

    #[test]
    fn clamping_keeps_every_pair() {
        let labels = labels("judge", &[("q1", "a", -1), ("q1", "b", 2), ("q2", "c", 5)]).qrels;
        let onto = clamped(&labels, Clamp::new(0, 3).unwrap());
        let grades: Vec<_> = [("q1", "a"), ("q1", "b"), ("q2", "c")].map(|(q, d)| onto.grade(q, d)).into();
        assert_eq!((onto.pairs(), grades), (3, vec![Some(0), Some(2), Some(3)]));
    }

    #[test]
    fn clamping_keeps_the_means_of_grades_within_the_ends() {
        let mut labels = labels("panel", &[("q1", "a", 2), ("q1", "b", 5)]).qrels;
        labels.set_mean("q1", "a", 5 * GRADE_PARTS / 3);
        labels.set_mean("q1", "b", 14 * GRADE_PARTS / 3);
        let onto = clamped(&labels, Clamp::new(0, 3).unwrap());
        assert_eq!(onto.topic("q1").unwrap().means(), [5 * GRADE_PARTS / 3, 3 * GRADE_PARTS]);
        assert_eq!(clamped(&labels, Clamp::new(0, 5).unwrap()), labels);
    }

    fn noted(there: &[Grade], here: &[Grade]) -> Option<String> {
        let of = |name, grades: &[Grade]| {
            let mut qrels = Qrels::default();
            for (at, grade) in grades.iter().enumerate() {
                qrels.insert("q", format!("d{at}").as_str(), *grade);
            }
            NamedLabels::new(name, qrels)
        };
        let (truth, other) = (of("human", there), of("judge", here));
        let options = AgreementOptions::default();
        let agreement = label_agreement(&truth.qrels, &other.qrels, &options).unwrap();
        let strays = StrayLabels::find(&truth, &other, &agreement, &options).unwrap();
        let binary = BinaryCuts::of(&truth, &other, &agreement, &options).unwrap();
        scale_note(&truth, &other, &agreement, strays.as_ref(), binary.as_ref())
    }

    /// A judge that simply gives no 3 was advised to clamp everything to 0..2.
    #[test]
    fn a_clamp_is_advised_for_stray_labels_alone() {
        assert_eq!(noted(&[0, 1, 2, 3], &[3, 0, 1, 0]), None);
        assert_eq!(noted(&[], &[]), None);
        let binary = noted(&[0, 1, 2, 3], &[0, 0, 1, 1]).unwrap();
        assert!(
            binary.starts_with("judge has two grades, 0 and 1,") && !binary.contains("clamp"),
            "{binary}"
        );
        let no_three = noted(&[0, 1, 2, 3], &[0, 1, 2, 2]).unwrap();
        assert!(no_three.contains("gives none but 0 to 2") && !no_three.contains("clamp"), "{no_three}");
        let hundred = [0, 1, 2, 3].repeat(25);
        let one_beyond: Vec<i32> = [5].iter().chain(&hundred[1..]).copied().collect();
        let stray = noted(&hundred, &one_beyond).unwrap();
        assert!(
            stray.starts_with("1 label is above 3 (of judge)") && stray.contains("--clamp 0..3"),
            "{stray}"
        );
        let apart = noted(&[0, 0, 1, 1], &[2, 3, 2, 3]).unwrap();
        assert!(!apart.contains("clamp"), "{apart}");
    }
}
