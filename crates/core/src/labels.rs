//! Labels: combined verdicts of several judges, always derived, never stored.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::{GRADE_PARTS, Grade, Qrels, TopicQrels};

/// The label of one pair, with the range of the judges' grades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The grade.
    pub grade: Grade,
    /// The lowest grade that a judge gave.
    pub low: Grade,
    /// The highest grade that a judge gave.
    pub high: Grade,
    /// The number of judges with a verdict on the pair; at least 1.
    pub judges: u16,
    /// The mean of the judges' grades in [`GRADE_PARTS`], if measures that compute with grades read it. The grade is
    /// shown, and decides whether a document is relevant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<Grade>,
}

impl Label {
    /// Returns the label of a pair with one grade.
    pub fn of_grade(grade: Grade) -> Self {
        Self { grade, low: grade, high: grade, judges: 1, mean: None }
    }

    /// Returns the same label with the mean of these grades, if there are several.
    #[must_use]
    pub fn with_mean(self, given: &[Grade]) -> Self {
        let (sum, parts) = (given.iter().copied().map(i64::from).sum::<i64>(), i64::from(GRADE_PARTS));
        let number = i64::try_from(given.len()).ok().filter(|number| *number > 1);
        let mean = number.map(|number| (2 * sum * parts + number).div_euclid(2 * number));
        Self { mean: mean.and_then(|mean| Grade::try_from(mean).ok()), ..self }
    }

    /// Returns the mean of the judges' grades, if measures read it.
    pub fn mean_grade(self) -> Option<f64> {
        self.mean.map(|parts| f64::from(parts) / f64::from(GRADE_PARTS))
    }

    /// Returns the difference between the highest and the lowest grade: 0 if all judges agree.
    pub fn spread(self) -> Grade {
        self.high.saturating_sub(self.low)
    }
}

/// The labels of a pool.
///
/// Pairs without a usable verdict have no label. They are counted as missing.
#[derive(Debug, Clone, Default)]
pub struct LabelSet {
    /// The grades; also queries without any label.
    grades: Qrels,
    /// The labels, in the order of the grades.
    labels: Vec<Vec<Label>>,
    /// The number of queries without any label.
    unlabelled: usize,
    asked: usize,
    /// The grades of the tiers behind the labels, if the labels are not these.
    tiers: Option<Qrels>,
    /// The grades of the queries that have a label, once a caller has needed them and some query has none.
    qrels: OnceLock<Qrels>,
}

impl PartialEq for LabelSet {
    fn eq(&self, other: &Self) -> bool {
        let alike = |topic, document, label| other.get(topic, document) == Some(label);
        (&self.grades, self.asked) == (&other.grades, other.asked)
            && self.iter().all(|(topic, mut labels)| labels.all(|(id, label)| alike(topic, id, label)))
    }
}

impl LabelSet {
    /// Gives each of these pairs a label, in their order. Grades of the pairs that are beyond the labels stay.
    pub fn of_pairs(mut pairs: Qrels, labels: impl IntoIterator<Item = Label>) -> Self {
        let mut labels = labels.into_iter();
        let of_query = |documents: &mut TopicQrels| {
            let with_label = |grade: &mut Grade| {
                let label = labels.next().unwrap_or_else(|| Label::of_grade(*grade));
                *grade = label.grade;
                label
            };
            let labels: Vec<Label> = documents.values_mut().map(with_label).collect();
            let means = labels.iter().enumerate().filter_map(|(at, label)| Some((at, label.mean?)));
            means.for_each(|(at, mean)| documents.set_mean(at, mean));
            labels
        };
        let labels: Vec<Vec<Label>> = pairs.topics_mut().map(of_query).collect();
        let unlabelled = labels.iter().filter(|labels| labels.is_empty()).count();
        Self { asked: pairs.pairs(), grades: pairs, labels, unlabelled, ..Self::default() }
    }

    /// Counts a pair that was to be judged, and stores its label if there is one. A query stays even if none of its
    /// pairs has a label.
    pub fn record(&mut self, topic: &str, document: &str, label: Option<Label>) {
        self.asked += 1;
        self.qrels.take();
        let (place, grades) = self.grades.topic_mut(topic);
        if self.labels.len() == place {
            self.labels.push(Vec::new());
            self.unlabelled += 1;
        }
        if let (Some(label), Some(labels)) = (label, self.labels.get_mut(place)) {
            self.unlabelled -= usize::from(labels.is_empty());
            let at = grades.insert_at(document, label.grade).0;
            label.mean.into_iter().for_each(|mean| grades.set_mean(at, mean));
            match labels.get_mut(at) {
                Some(known) => *known = label,
                None => labels.push(label),
            }
        }
    }

    /// Returns the label of a pair.
    pub fn get(&self, topic: &str, document: &str) -> Option<Label> {
        let (place, grades) = self.grades.topic_at(topic)?;
        self.labels.get(place)?.get(grades.place(document)?).copied()
    }

    /// Returns the queries, each with its labelled documents.
    pub fn iter(&self) -> impl Iterator<Item = (&str, impl Iterator<Item = (&str, Label)>)> {
        self.grades
            .iter()
            .zip(&self.labels)
            .map(|((topic, grades), labels)| (topic, grades.keys().zip(labels.iter().copied())))
    }

    /// Returns the number of pairs that were to be judged.
    pub fn asked(&self) -> usize {
        self.asked
    }

    /// Returns the number of pairs that have a label.
    pub fn labelled(&self) -> usize {
        self.grades.pairs()
    }

    /// Returns the share of pairs that have a label, from 0 to 1, or `None` if there are no pairs.
    pub fn coverage(&self) -> Option<f64> {
        (self.asked > 0).then(|| self.labelled() as f64 / self.asked as f64)
    }

    /// Adds the grades of the tiers behind labels that say more than the tiers.
    #[must_use]
    pub fn with_tiers(self, tiers: Qrels) -> Self {
        Self { tiers: Some(tiers), ..self }
    }

    /// Returns the grades of the tiers behind the labels; [`qrels`](Self::qrels) where the labels are the tiers'.
    pub fn tiers(&self) -> &Qrels {
        self.tiers.as_ref().unwrap_or_else(|| self.qrels())
    }

    /// Returns the grades with their means, as qrels. A query without any label is absent, since nothing can be
    /// measured on it.
    pub fn qrels(&self) -> &Qrels {
        match self.unlabelled {
            0 => &self.grades,
            _ => self.qrels.get_or_init(|| {
                let mut qrels = self.grades.clone();
                qrels.retain(|topic| self.grades.topic(topic).is_some_and(|labels| !labels.is_empty()));
                qrels
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panels_mean_goes_with_the_qrels() {
        let label = Label { high: 3, judges: 3, ..Label::of_grade(1) };
        assert_eq!(
            (label.with_mean(&[0, 1, 3]).mean, label.with_mean(&[1]).mean),
            (Some(4 * GRADE_PARTS / 3), None)
        );
        let mut labels = LabelSet::default();
        labels.record("q1", "a", Some(label.with_mean(&[0, 1, 3])));
        labels.record("q1", "b", Some(Label::of_grade(2)));
        labels.record("q2", "a", None);
        let parts = labels.qrels().in_parts().unwrap();
        assert_eq!(
            ["a", "b"].map(|id| parts.grade("q1", id)),
            [4 * GRADE_PARTS / 3, 2 * GRADE_PARTS].map(Some)
        );
        assert_eq!((labels.qrels().grade("q1", "a"), labels.qrels().len()), (Some(1), 1));
        labels.record("q1", "a", Some(label));
        assert_eq!(labels.qrels().in_parts().unwrap().grade("q1", "a"), Some(GRADE_PARTS));
    }

    #[test]
    fn labels_of_pairs_are_those_that_are_recorded() {
        let (mut recorded, mut pairs, mut labels) = (LabelSet::default(), Qrels::default(), Vec::new());
        for (query, document, grade) in [("q1", "a", 2), ("q2", "a", 0), ("q1", "b", 3), ("q2", "c", 1)] {
            let label = Label { high: 3, judges: 2, ..Label::of_grade(grade) };
            recorded.record(query, document, Some(label));
            pairs.insert(query, document, 9);
        }
        recorded.iter().for_each(|(_, found)| labels.extend(found.map(|(_, label)| label)));
        let found = LabelSet::of_pairs(pairs.clone(), labels);
        assert_eq!(found, recorded);
        assert_eq!((found.qrels(), found.asked()), (recorded.qrels(), 4));
        pairs.touch("q3");
        let found = LabelSet::of_pairs(pairs, [Label::of_grade(1)]);
        assert_eq!(
            (found.get("q1", "a").map(|label| label.grade), found.qrels().grade("q2", "c")),
            (Some(1), Some(9))
        );
        assert_eq!((found.qrels().len(), found.iter().count()), (2, 3));
    }
}
