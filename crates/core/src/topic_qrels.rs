//! The labels of one query.

use crate::identifier_table::IdentifierTable;
use crate::{GRADE_PARTS, Grade};

/// The labels of one query: document to grade, in the order of the file.
///
/// The identifiers lie end to end in one string: the labels of a query take four allocations, however many there are.
#[derive(Debug, Clone, Default)]
pub struct TopicQrels {
    ids: String,
    ends: Vec<usize>,
    grades: Vec<Grade>,
    /// The means of judges' grades in [`GRADE_PARTS`], in the same order; empty without any.
    means: Vec<Grade>,
    table: IdentifierTable,
}

impl TopicQrels {
    /// Creates labels with memory for `documents` of them, whose identifiers have `bytes` bytes together.
    pub fn with_capacity(documents: usize, bytes: usize) -> Self {
        Self {
            ids: String::with_capacity(bytes),
            ends: Vec::with_capacity(documents),
            grades: Vec::with_capacity(documents),
            means: Vec::new(),
            table: IdentifierTable::with_room_for(documents),
        }
    }

    /// Sets the grade of a document. Returns the previous grade, if any.
    pub fn insert(&mut self, document: &str, grade: Grade) -> Option<Grade> {
        self.insert_at(document, grade).1
    }

    /// Sets the grade of a document, which loses a mean. Returns its place in the order of [`iter`](Self::iter), from
    /// 0, and the previous grade, if any.
    pub fn insert_at(&mut self, document: &str, grade: Grade) -> (usize, Option<Grade>) {
        let Self { ids, ends, grades, means, table } = self;
        let next = ends.len();
        table.reserve(next + 1, next, |at| id(ids, ends, at));
        if let Some(known) = table.insert(document, next, |at| id(ids, ends, at)) {
            means.get_mut(known).into_iter().for_each(|mean| *mean = in_parts(grade));
            return (known, grades.get_mut(known).map(|known| std::mem::replace(known, grade)));
        }
        if !means.is_empty() {
            means.push(in_parts(grade));
        }
        ids.push_str(document);
        ends.push(ids.len());
        grades.push(grade);
        (next, None)
    }

    /// Returns the grade of a document, or `None` if it is unjudged.
    #[inline]
    pub fn get(&self, document: &str) -> Option<&Grade> {
        self.grades.get(self.place(document)?)
    }

    /// Returns the place of a document in the order of [`iter`](Self::iter), from 0; `None` if it is unjudged.
    #[inline]
    pub fn place(&self, document: &str) -> Option<usize> {
        self.table.find(document, |at| id(&self.ids, &self.ends, at))
    }

    /// Sets the mean of several judges' grades of a document, in [`GRADE_PARTS`], which measures read in place of the
    /// grade.
    pub fn set_mean(&mut self, place: usize, mean: Grade) {
        if self.means.is_empty() {
            self.means = self.grades.iter().copied().map(in_parts).collect();
        }
        self.means.get_mut(place).into_iter().for_each(|known| *known = mean);
    }

    /// Returns the means of judges' grades in [`GRADE_PARTS`], in the order of the file: a grade where a document has
    /// none, and nothing without any.
    pub fn means(&self) -> &[Grade] {
        &self.means
    }

    /// Returns the mean of judges' grades of a document; `None` without any mean.
    pub fn mean(&self, document: &str) -> Option<Grade> {
        self.means.get(self.place(document)?).copied()
    }

    /// Returns the same labels with the means as grades.
    pub(crate) fn in_parts(&self) -> Self {
        let grades = match self.means.is_empty() {
            true => self.grades.iter().copied().map(in_parts).collect(),
            false => self.means.clone(),
        };
        Self { grades, means: Vec::new(), ..self.clone() }
    }

    /// Returns the documents with their grades, in the order of the file.
    pub fn iter(&self) -> TopicLabels<'_> {
        TopicLabels { labels: self, at: 0 }
    }

    /// Returns the documents, in the order of the file.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &str> {
        self.iter().map(|(document, _)| document)
    }

    /// Returns the grades as a slice, in the order of the file.
    pub fn grades(&self) -> &[Grade] {
        &self.grades
    }

    /// Returns the grades, in the order of the file.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &Grade> {
        self.grades.iter()
    }

    /// Returns the grades to change, in the order of the file.
    pub(crate) fn values_mut(&mut self) -> impl ExactSizeIterator<Item = &mut Grade> {
        self.grades.iter_mut()
    }

    /// Returns whether the document has a label.
    pub fn contains_key(&self, document: &str) -> bool {
        self.get(document).is_some()
    }

    /// Returns the number of labels.
    pub fn len(&self) -> usize {
        self.grades.len()
    }

    /// Returns whether there are no labels.
    pub fn is_empty(&self) -> bool {
        self.grades.is_empty()
    }
}

fn in_parts(grade: Grade) -> Grade {
    grade.saturating_mul(GRADE_PARTS)
}

#[inline]
fn id<'a>(ids: &'a str, ends: &[usize], at: usize) -> &'a str {
    let start = at.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    ends.get(at).and_then(|end| ids.get(start..*end)).unwrap_or_default()
}

/// The labels of a query, one by one; see [`TopicQrels::iter`].
#[derive(Debug, Clone)]
pub struct TopicLabels<'a> {
    labels: &'a TopicQrels,
    at: usize,
}

impl<'a> Iterator for TopicLabels<'a> {
    type Item = (&'a str, &'a Grade);

    fn next(&mut self) -> Option<Self::Item> {
        let grade = self.labels.grades.get(self.at)?;
        let document = id(&self.labels.ids, &self.labels.ends, self.at);
        self.at += 1;
        Some((document, grade))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.labels.len() - self.at;
        (left, Some(left))
    }
}

impl ExactSizeIterator for TopicLabels<'_> {}

impl<'a> IntoIterator for &'a TopicQrels {
    type Item = (&'a str, &'a Grade);
    type IntoIter = TopicLabels<'a>;

    fn into_iter(self) -> TopicLabels<'a> {
        self.iter()
    }
}

impl<D: AsRef<str>> FromIterator<(D, Grade)> for TopicQrels {
    /// Of several grades of a document the last counts.
    fn from_iter<T: IntoIterator<Item = (D, Grade)>>(labels: T) -> Self {
        let mut topic = Self::default();
        for (document, grade) in labels {
            topic.insert(document.as_ref(), grade);
        }
        topic
    }
}

/// Whatever their order.
impl PartialEq for TopicQrels {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.iter().all(|(document, grade)| other.get(document) == Some(grade))
            && self.keys().all(|document| self.mean(document) == other.mean(document))
    }
}

impl Eq for TopicQrels {}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against an [`IndexMap`].
        #[test]
        fn labels_are_a_map_in_the_order_of_insertion(
            labels in proptest::collection::vec(("[a-cé]{0,4}", -1i32..4), 0..300),
            sought in proptest::collection::vec("[a-dé]{0,4}", 0..40),
            room in 0usize..40,
        ) {
            let mut expected: IndexMap<&str, Grade> = IndexMap::new();
            let mut topic = TopicQrels::with_capacity(room, room);
            for (document, grade) in &labels {
                let (place, previous) = topic.insert_at(document, *grade);
                prop_assert_eq!(previous, expected.insert(document, *grade));
                prop_assert_eq!(Some(place), expected.get_index_of(document.as_str()));
            }
            let listed: Vec<(&str, Grade)> = topic.iter().map(|(document, grade)| (document, *grade)).collect();
            prop_assert_eq!(&listed, &expected.iter().map(|(document, grade)| (*document, *grade)).collect::<Vec<_>>());
            prop_assert_eq!(topic.iter().len(), topic.len());
            for document in &sought {
                prop_assert_eq!(topic.get(document), expected.get(document.as_str()));
                prop_assert_eq!(topic.place(document), expected.get_index_of(document.as_str()));
            }
            let turned: TopicQrels = listed.into_iter().rev().collect();
            prop_assert_eq!(&turned, &topic);
            let mut other = topic.clone();
            other.insert("new", 7);
            prop_assert!(other != topic);
        }
    }

    #[test]
    fn a_mean_is_of_the_grade_that_it_was_set_for() {
        let mut topic: TopicQrels = [("a", 1), ("b", 2)].into_iter().collect();
        assert_eq!((topic.means(), topic.mean("a")), (&[][..], None));
        topic.set_mean(0, GRADE_PARTS / 3);
        topic.insert("c", 3);
        assert_eq!(topic.means(), [GRADE_PARTS / 3, 2 * GRADE_PARTS, 3 * GRADE_PARTS]);
        assert_eq!(topic.in_parts().iter().map(|(_, grade)| *grade).collect::<Vec<_>>(), topic.means());
        let by_grades: TopicQrels = [("a", 1), ("b", 2), ("c", 3)].into_iter().collect();
        assert_ne!(topic, by_grades);
        topic.insert("a", 1);
        assert_eq!(topic.mean("a"), Some(GRADE_PARTS));
    }

    #[test]
    fn no_labels_hold_nothing() {
        let empty = TopicQrels::default();
        assert!(empty.is_empty() && empty.get("d1").is_none() && empty.get("").is_none());
        assert_eq!(TopicQrels::with_capacity(9, 99), empty);
    }
}
