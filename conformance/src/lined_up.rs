//! The grades of several judges, pair by pair.

use std::collections::BTreeMap;

use llull::core::{Grade, Qrels, Scale};
use llull::label::panel::PanelGrades;

/// Query, document, and the grades of judges by their number.
type Row<'a> = (&'a str, &'a str, Vec<(usize, Grade)>);

/// The grades of judges, and the pairs that they are of.
#[derive(Debug)]
pub struct LinedUp {
    /// Query and document of each pair.
    pub pairs: Vec<(String, String)>,
    /// The grades, in the same order.
    pub grades: PanelGrades,
}

impl LinedUp {
    /// Lines up judges that all grade on this scale.
    ///
    /// # Panics
    /// Panics on a grade off the scale.
    #[must_use]
    pub fn new(scale: Scale, judges: &[Qrels]) -> Self {
        // In the order of first appearance, on which the split of queries into parts depends.
        let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let mut rows: Vec<Row<'_>> = Vec::new();
        for (judge, labels) in judges.iter().enumerate() {
            for (query, documents) in labels.iter() {
                for (document, grade) in documents {
                    let place = *places.entry((query, document)).or_insert(rows.len());
                    if place == rows.len() {
                        rows.push((query, document, Vec::new()));
                    }
                    if let Some(row) = rows.get_mut(place) {
                        row.2.push((judge, *grade));
                    }
                }
            }
        }
        let mut numbers = BTreeMap::new();
        let (mut pairs, mut grades) = (Vec::new(), PanelGrades::new(scale, judges.len()));
        for (query, document, given) in rows {
            let next = numbers.len();
            let number = *numbers.entry(query).or_insert(next);
            assert!(grades.push(number, given).is_ok(), "{query} {document}");
            pairs.push((query.to_owned(), document.to_owned()));
        }
        Self { pairs, grades }
    }

    /// Returns the grade of each pair in these labels.
    #[must_use]
    pub fn truth(&self, labels: &Qrels) -> Vec<Option<Grade>> {
        self.pairs.iter().map(|(query, document)| labels.grade(query, document)).collect()
    }
}
