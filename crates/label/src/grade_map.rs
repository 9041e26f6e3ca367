//! Maps a judge's grades to the scale of the labels.

use std::fmt;
use std::str::FromStr;

use llull_core::{Grade, Qrels, Scale};
use serde::{Serialize, Serializer};

/// The grades of a judge, and the grade on the labels' scale for each: `0..3` for the same, `0..1 -> 0,3` for 0 and 3.
///
/// ```
/// use llull_label::GradeMap;
///
/// let binary: GradeMap = "0..1 -> 0,3".parse()?;
/// assert_eq!([0, 1, 2].map(|grade| binary.apply(grade)), [Some(0), Some(3), None]);
/// assert_eq!((binary.ends(), binary.to_string().as_str()), ((0, 3), "0..1 -> 0,3"));
/// let same: GradeMap = "0..3".parse()?;
/// assert!(same.is_identity() && same.apply(3) == Some(3) && same.apply(10).is_none());
/// # Ok::<(), llull_label::GradeMapError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradeMap {
    /// Each grade with its mapped grade, ascending.
    grades: Vec<(Grade, Grade)>,
}

/// Why a text is no scale.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GradeMapError(String);

impl GradeMap {
    /// The map that leaves each grade of a scale unchanged.
    pub fn identity(scale: Scale) -> Self {
        Self { grades: scale.grades().map(|grade| (grade, grade)).collect() }
    }

    /// Returns the mapped grade; `None` if the grade is not on the scale.
    pub fn apply(&self, grade: Grade) -> Option<Grade> {
        let place = self.grades.binary_search_by_key(&grade, |(from, _)| *from).ok()?;
        self.grades.get(place).map(|(_, to)| *to)
    }

    /// Returns the lowest and the highest mapped grade.
    pub fn ends(&self) -> (Grade, Grade) {
        let end = |pair: Option<&(Grade, Grade)>| pair.map_or(0, |(_, to)| *to);
        (end(self.grades.first()), end(self.grades.last()))
    }

    /// Returns whether the map leaves every grade unchanged.
    pub fn is_identity(&self) -> bool {
        self.grades.iter().all(|(from, to)| from == to)
    }

    /// Returns the labels on the scale that they are mapped to, and how many were not on the judge's scale and have no
    /// label therefore. Means are of one scale: they stay only if no grade moves.
    pub fn applied(&self, labels: &Qrels) -> (Qrels, usize) {
        let mut grades = labels.iter().flat_map(|(_, documents)| documents.values());
        let moves = grades.any(|grade| self.apply(*grade).is_some_and(|to| to != *grade));
        let (mut mapped, mut off) = (Qrels::default(), 0);
        for (query, documents) in labels.iter() {
            for (document, grade) in documents {
                match self.apply(*grade) {
                    Some(to) => {
                        mapped.insert(query, document, to);
                        if !moves && let Some(mean) = documents.mean(document) {
                            mapped.set_mean(query, document, mean);
                        }
                    }
                    None => off += 1,
                }
            }
        }
        (mapped.dropping_as(labels), off)
    }
}

impl FromStr for GradeMap {
    type Err = GradeMapError;

    fn from_str(text: &str) -> Result<Self, GradeMapError> {
        let syntax = || {
            GradeMapError(format!(
                "{text:?} is no scale: write its lowest and highest grade, 0..3, and where that is not the scale of \
                 the labels what each grade becomes, \"0..1 -> 0,3\""
            ))
        };
        let (from, to) = match text.split_once("->") {
            Some((from, to)) => (grades(from).ok_or_else(syntax)?, grades(to).ok_or_else(syntax)?),
            None => {
                let same = grades(text).ok_or_else(syntax)?;
                (same.clone(), same)
            }
        };
        if from.len() != to.len() {
            let (from, to) = (from.len(), to.len());
            return Err(GradeMapError(format!(
                "{text:?} maps {from} grades to {to}: write one grade behind the arrow for each before it"
            )));
        }
        if !from.is_sorted_by(|a, b| a < b) || !to.is_sorted() {
            return Err(GradeMapError(format!(
                "{text:?} turns a higher grade into a lower one: grades ascend on both sides of the arrow"
            )));
        }
        Ok(Self { grades: from.into_iter().zip(to).collect() })
    }
}

/// The grades of a range, `0..3`, or of a list, `0,1,3`: two at least.
fn grades(text: &str) -> Option<Vec<Grade>> {
    let number = |text: &str| text.trim().parse::<Grade>().ok();
    match text.split_once("..") {
        Some((low, high)) => Some(Scale::new(number(low)?, number(high)?).ok()?.grades().collect()),
        None => text.split(',').map(number).collect::<Option<Vec<_>>>().filter(|grades| grades.len() > 1),
    }
}

impl fmt::Display for GradeMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |grades: Vec<Grade>| grades.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let from: Vec<Grade> = self.grades.iter().map(|(from, _)| *from).collect();
        let is_range = from.is_sorted_by(|a, b| a.checked_add(1) == Some(*b));
        match (from.first(), from.last()) {
            (Some(low), Some(high)) if is_range => write!(f, "{low}..{high}")?,
            _ => f.write_str(&list(from))?,
        }
        if self.is_identity() {
            return Ok(());
        }
        write!(f, " -> {}", list(self.grades.iter().map(|(_, to)| *to).collect()))
    }
}

impl Serialize for GradeMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use llull_core::GRADE_PARTS;

    use super::*;

    #[test]
    fn a_scale_reads_as_it_prints() {
        for (text, printed) in [
            ("0..3", "0..3"),
            ("-1..2", "-1..2"),
            (" 0 .. 1->0 , 3", "0..1 -> 0,3"),
            ("0,1,5 -> 0,1,3", "0,1,5 -> 0,1,3"),
            ("0..5 -> 0,1,1,2,2,3", "0..5 -> 0,1,1,2,2,3"),
            ("0..1 -> 0..1", "0..1"),
        ] {
            let map: GradeMap = text.parse().unwrap();
            assert_eq!(map.to_string(), printed);
            assert_eq!(printed.parse(), Ok(map));
        }
        for wrong in
            ["", "3", "0..", "3..0", "0..1 ->", "0..1 -> 0", "0..1 -> 0,1,2", "0..1 -> 3,0", "1,0", "0..9999"]
        {
            assert!(wrong.parse::<GradeMap>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_not_on_the_scale_has_no_label_and_is_counted() {
        let mut labels = Qrels::default();
        for (document, grade) in [("a", 0), ("b", 1), ("c", 7)] {
            labels.insert("q", document, grade);
        }
        let (mapped, off) = "0..1 -> 0,3".parse::<GradeMap>().unwrap().applied(&labels);
        assert_eq!((mapped.grade("q", "b"), mapped.grade("q", "c"), off), (Some(3), None, 1));
    }

    #[test]
    fn means_stay_if_no_grade_moves() {
        let mut labels = Qrels::default();
        for (document, grade) in [("a", 0), ("b", 1)] {
            labels.insert("q", document, grade);
            labels.set_mean("q", document, GRADE_PARTS / 3);
        }
        let applied = |map: &str| map.parse::<GradeMap>().unwrap().applied(&labels);
        assert_eq!(applied("0..1"), (labels.clone(), 0));
        let moved = applied("0..1 -> 0,3").0;
        assert!(!moved.has_means());
    }
}
