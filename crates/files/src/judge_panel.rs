//! The labels of several judges, lined up pair by pair.

use llull_core::{Grade, Qrels};
use llull_label::GradeMap;
use llull_report::agreement::{NamedLabels, main_range};

/// The labels of one judge, and its scale if it is declared.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelMember {
    /// Its labels under a name.
    pub labels: NamedLabels,
    /// Its scale, and the map of its grades to that of the labels; inferred from its labels if `None`.
    pub scale: Option<GradeMap>,
}

/// Several judges' labels, each on its own scale.
///
/// Identifiers are stored once for all judges: a judge whose labels are added takes 8 bytes for each.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JudgePanel {
    judges: Vec<PanelJudge>,
    /// Every pair that a judge has labelled.
    pairs: Qrels,
}

/// A judge of a panel.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelJudge {
    /// Its name.
    pub name: String,
    /// The source of its labels: a file as typed, or the name.
    pub source: String,
    /// Its declared scale.
    pub scale: Option<GradeMap>,
    /// Its grades by query, in the order of the panel's pairs. Pairs that later judges add are absent at the end.
    given: Vec<Vec<Option<Grade>>>,
}

impl JudgePanel {
    /// Adds a judge.
    pub fn add(&mut self, member: PanelMember) {
        let PanelMember { labels: NamedLabels { name, source, qrels, .. }, scale } = member;
        let mut given = Vec::with_capacity(self.pairs.len());
        for (query, documents) in qrels.into_topics() {
            let (place, pairs) = self.pairs.topic_mut(&query);
            given.resize_with(given.len().max(place + 1), Vec::new);
            let Some(own) = given.get_mut(place) else { continue };
            if pairs.is_empty() {
                own.extend(documents.values().copied().map(Some));
                *pairs = documents;
                continue;
            }
            own.resize(pairs.len(), None);
            for (document, grade) in &documents {
                let (place, _) = pairs.insert_at(document, *grade);
                own.resize(own.len().max(place + 1), None);
                if let Some(own) = own.get_mut(place) {
                    *own = Some(*grade);
                }
            }
        }
        self.judges.push(PanelJudge { name, source, scale, given });
    }

    /// Returns the number of judges.
    pub fn len(&self) -> usize {
        self.judges.len()
    }

    /// Returns whether there are no judges.
    pub fn is_empty(&self) -> bool {
        self.judges.is_empty()
    }

    /// Returns the judges, in the order in which they were added.
    pub fn judges(&self) -> &[PanelJudge] {
        &self.judges
    }

    /// Returns the names of the judges.
    pub fn names(&self) -> Vec<String> {
        self.judges.iter().map(|judge| judge.name.clone()).collect()
    }

    /// Every pair that a judge has labelled, query by query in the order of the judges' labels.
    pub(crate) fn pairs(&self) -> &Qrels {
        &self.pairs
    }

    /// The same without the judges' grades.
    pub(crate) fn into_pairs(self) -> Qrels {
        self.pairs
    }

    /// Passes each pair to `visit`: the place of its query, its document, and the grade of each judge on its own scale.
    pub(crate) fn for_each_pair<'a>(
        &'a self,
        mut visit: impl FnMut(usize, (&'a str, &'a str), &[Option<Grade>]),
    ) {
        let mut row = vec![None; self.judges.len()];
        for (query, (name, documents)) in self.pairs.iter().enumerate() {
            for (at, document) in documents.keys().enumerate() {
                for (grade, judge) in row.iter_mut().zip(&self.judges) {
                    *grade = judge.given.get(query).and_then(|given| given.get(at)).copied().flatten();
                }
                visit(query, (name, document), &row);
            }
        }
    }

    /// The labels of one judge under its name.
    fn labels_of(&self, judge: usize) -> NamedLabels {
        let mut qrels = Qrels::default();
        self.for_each_pair(|_, (query, document), given| {
            if let Some(grade) = given.get(judge).copied().flatten() {
                qrels.insert(query, document, grade);
            }
        });
        let (name, source) =
            self.judges.get(judge).map(|judge| (&*judge.name, &*judge.source)).unwrap_or_default();
        NamedLabels::from_file(name, source, qrels)
    }

    /// Explains why the first judge shares no pair with these labels.
    pub(crate) fn nothing_in_common(&self, labels: &NamedLabels) -> String {
        self.labels_of(0).nothing_in_common(labels)
    }

    /// Returns a judge that has no pair in common with any other, in words.
    pub(crate) fn alone(&self) -> Option<String> {
        let mut alone = vec![self.judges.len() > 1; self.judges.len()];
        self.for_each_pair(|_, _, given| {
            if given.iter().flatten().count() > 1 {
                alone.iter_mut().zip(given).for_each(|(alone, given)| *alone &= given.is_none());
            }
        });
        let judge = alone.into_iter().position(|alone| alone)?;
        Some(self.labels_of(judge).nothing_in_common(&self.labels_of(usize::from(judge == 0))))
    }
}

impl FromIterator<PanelMember> for JudgePanel {
    fn from_iter<T: IntoIterator<Item = PanelMember>>(members: T) -> Self {
        let mut panel = Self::default();
        members.into_iter().for_each(|member| panel.add(member));
        panel
    }
}

impl PanelJudge {
    /// Returns its declared scale, or else the inferred one.
    pub(crate) fn scale(&self) -> GradeMap {
        self.scale.clone().unwrap_or_else(|| {
            let (low, high) = scale_of(self.given.iter().flatten().copied().flatten());
            GradeMap::identity(llull_core::Scale::new(low, high).unwrap_or_default())
        })
    }
}

/// Infers the scale of labels: from 0, or the lowest grade below it, to the highest grade, without rare ones beyond a
/// gap.
pub fn inferred_scale(labels: &Qrels) -> (Grade, Grade) {
    scale_of(labels.grades())
}

fn scale_of(grades: impl Iterator<Item = Grade>) -> (Grade, Grade) {
    let (low, high) = main_range(grades).unwrap_or((0, 1));
    (low.min(0), high.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, pairs: &[(&str, &str, Grade)]) -> PanelMember {
        let mut qrels = Qrels::default();
        pairs.iter().for_each(|(query, document, grade)| {
            qrels.insert(query, document, *grade);
        });
        PanelMember { labels: NamedLabels::new(name, qrels), scale: None }
    }

    #[test]
    fn judges_in_other_orders_are_lined_up() {
        let judges = [
            member("a", &[("q1", "x", 1), ("q1", "y", 2), ("q2", "x", 3)]),
            member("b", &[("q3", "w", 0), ("q1", "z", 1), ("q1", "y", 0)]),
            member("c", &[("q2", "v", 2), ("q2", "x", 1)]),
        ];
        let panel: JudgePanel = judges.into_iter().collect();
        let mut rows = Vec::new();
        panel.for_each_pair(|query, (name, document), given| {
            rows.push((query, name, document, given.to_vec()));
        });
        let expected = [
            (0, "q1", "x", vec![Some(1), None, None]),
            (0, "q1", "y", vec![Some(2), Some(0), None]),
            (0, "q1", "z", vec![None, Some(1), None]),
            (1, "q2", "x", vec![Some(3), None, Some(1)]),
            (1, "q2", "v", vec![None, None, Some(2)]),
            (2, "q3", "w", vec![None, Some(0), None]),
        ];
        assert_eq!(rows, expected);
        assert_eq!(panel.alone(), None);
        assert_eq!(panel.labels_of(1), member("b", &[("q3", "w", 0), ("q1", "z", 1), ("q1", "y", 0)]).labels);
    }
}
