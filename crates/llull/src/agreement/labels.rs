//! Labels beside somebody else's, pair by pair.

use llull_core::{Grade, Qrels};
use llull_stats::{Agreement, AgreementOptions, Clamp, label_agreement};

use crate::StudyError;
use crate::files::Read;

/// Labels, and what they are called.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedLabels {
    /// A file's name, or a judge's.
    pub name: String,
    /// The labels.
    pub qrels: Qrels,
}

impl NamedLabels {
    /// These labels under this name.
    pub fn new(name: impl Into<String>, qrels: Qrels) -> Self {
        Self { name: name.into(), qrels }
    }

    fn first_pair(&self) -> Option<(&str, &str)> {
        let mut pairs =
            self.qrels.iter().filter_map(|(query, documents)| Some((query, &**documents.keys().next()?)));
        pairs.next()
    }
}

/// How far `other` agrees with `truth`: [`label_agreement`], with a remark where the two seem to grade on different scales. Without a
/// common pair every figure is `None`; [`nothing_in_common`](NamedLabels::nothing_in_common) says why that may be.
///
/// # Errors
/// As [`label_agreement`].
pub fn against(
    truth: &NamedLabels,
    other: &NamedLabels,
    options: &AgreementOptions,
) -> Result<Read<Agreement>, StudyError> {
    let agreement = label_agreement(&truth.qrels, &other.qrels, options)?;
    let notes = scales(truth, other, &agreement).into_iter().collect();
    Ok(Read { value: agreement, notes })
}

impl NamedLabels {
    /// Whether a pair of query and document has a label in both.
    pub fn has_pairs_of(&self, other: &Self) -> bool {
        self.qrels.iter().any(|(query, documents)| {
            let others = other.qrels.topic(query);
            others.is_some_and(|others| documents.keys().any(|document| others.contains_key(document)))
        })
    }

    /// Why these labels and others have no pair of query and document in common: what to look at.
    pub fn nothing_in_common(&self, other: &Self) -> String {
        let common = self.qrels.iter().filter(|(query, _)| other.qrels.topic(query).is_some()).count();
        let what = match common {
            0 => "no query in common".to_owned(),
            1 => "1 query in common, but no document of it".to_owned(),
            n => format!("{n} queries in common, but no document of theirs"),
        };
        let first = |labels: &Self| {
            let pair = labels.first_pair();
            pair.map_or_else(
                || "none".to_owned(),
                |(query, document)| format!("query {query} document {document}"),
            )
        };
        format!(
            "{} and {} have {what}, so nothing can be compared. The first pair of the one is {}, of the other {}: \
             are identifiers written alike in both, and are these labels of the same collection?",
            self.name,
            other.name,
            first(self),
            first(other)
        )
    }
}

/// The same labels with grades beyond the ends brought onto them.
pub fn clamped(labels: &Qrels, clamp: Clamp) -> Qrels {
    let mut onto = Qrels::default();
    for (query, documents) in labels.iter() {
        onto.touch(query);
        for (document, grade) in documents {
            onto.insert(query, document, clamp.apply(*grade));
        }
    }
    onto
}

/// The lowest and the highest grade of either side over the common pairs differ: perhaps the scales do.
fn scales(truth: &NamedLabels, other: &NamedLabels, agreement: &Agreement) -> Option<String> {
    let used = |side: &dyn Fn(usize) -> u64| -> Option<(Grade, Grade)> {
        let mut grades = agreement.grades.iter().enumerate().filter(|(at, _)| side(*at) > 0);
        let (_, low) = grades.next()?;
        Some((*low, grades.next_back().map_or(*low, |(_, high)| *high)))
    };
    let row = |at: usize| agreement.confusion.get(at).map_or(0, |row| row.iter().sum());
    let column = |at: usize| agreement.confusion.iter().filter_map(|row| row.get(at)).sum();
    let (there, here) = (used(&row)?, used(&column)?);
    if there == here {
        return None;
    }
    let (low, high) = (there.0.max(here.0), there.1.min(here.1));
    let clamp = if low < high {
        format!(", or bring both onto one scale with --clamp {low}..{high}")
    } else {
        String::new()
    };
    Some(format!(
        "on the common pairs the grades of {} go from {} to {}, those of {} from {} to {}. If these are two scales, figures of the \
         whole scale (kappa, alpha, pi, AC, exact, bias) compare unlike things: look at those from a cut on{clamp}",
        truth.name, there.0, there.1, other.name, here.0, here.1
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(name: &str, pairs: &[(&str, &str, Grade)]) -> NamedLabels {
        let mut qrels = Qrels::default();
        for (query, document, grade) in pairs {
            qrels.insert(query, document, *grade);
        }
        NamedLabels::new(name, qrels)
    }

    fn noted(there: &[Grade], here: &[Grade]) -> Option<String> {
        let ids = ["a", "b", "c", "d"];
        let of = |name, grades: &[Grade]| {
            let pairs: Vec<_> = ids.iter().zip(grades).map(|(id, grade)| ("q", *id, *grade)).collect();
            labels(name, &pairs)
        };
        let read = against(&of("human", there), &of("judge", here), &AgreementOptions::default()).unwrap();
        read.notes.into_iter().next()
    }

    #[test]
    fn scales_that_differ_are_noted_with_a_way_out() {
        assert_eq!(noted(&[0, 1, 2, 3], &[3, 0, 0, 0]), None);
        let binary = noted(&[0, 1, 2, 3], &[0, 0, 1, 1]).unwrap();
        assert!(binary.contains("from 0 to 3") && binary.contains("--clamp 0..1"), "{binary}");
        let stray = noted(&[0, 1, 2, 3], &[0, 5, 2, 3]).unwrap();
        assert!(stray.contains("from 0 to 5") && stray.contains("--clamp 0..3"), "{stray}");
        let apart = noted(&[0, 0, 1, 1], &[2, 3, 2, 3]).unwrap();
        assert!(!apart.contains("--clamp"), "{apart}");
    }

    #[test]
    fn what_has_nothing_in_common_is_told_by_its_first_pairs() {
        let human = labels("human", &[("q1", "d1", 1), ("q2", "d1", 0)]);
        for (other, what) in
            [(("Q1", "d1"), "no query"), (("q1", "D1"), "1 query in common, but no document")]
        {
            let judge = labels("judge", &[(other.0, other.1, 1)]);
            let read = against(&human, &judge, &AgreementOptions::default()).unwrap();
            assert_eq!((read.value.n, read.value.figures.exact), (0, None));
            assert!(!human.has_pairs_of(&judge) && human.has_pairs_of(&human));
            assert!(read.notes.is_empty());
            let why = human.nothing_in_common(&judge);
            assert!(why.contains(what) && why.contains("query q1 document d1"), "{why}");
        }
    }

    #[test]
    fn clamping_keeps_every_pair() {
        let labels = labels("judge", &[("q1", "a", -1), ("q1", "b", 2), ("q2", "c", 5)]).qrels;
        let onto = clamped(&labels, Clamp::new(0, 3).unwrap());
        let grades: Vec<_> = [("q1", "a"), ("q1", "b"), ("q2", "c")].map(|(q, d)| onto.grade(q, d)).into();
        assert_eq!((onto.pairs(), grades), (3, vec![Some(0), Some(2), Some(3)]));
    }
}
