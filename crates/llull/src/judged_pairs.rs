//! The labels of several judges, pair by pair.

use indexmap::IndexMap;
use llull_core::{Grade, Qrels, Scale};
use llull_label::panel::PanelGrades;

/// What each judge of a panel says of every pair that one of them has labelled.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedPairs {
    /// Query and document of every pair.
    pub pairs: Vec<(String, String)>,
    /// The grades, in the same order.
    pub grades: PanelGrades,
    /// By judge, how many labels are not on the scale and count as missing.
    pub off_scale: Vec<usize>,
}

impl JudgedPairs {
    /// Lines up the labels of judges that all grade on this scale.
    pub fn new(scale: Scale, judges: &[&Qrels]) -> Self {
        let mut rows: IndexMap<(&str, &str), Vec<(usize, Grade)>> = IndexMap::new();
        let mut off_scale = vec![0; judges.len()];
        for (judge, labels) in judges.iter().enumerate() {
            for (query, documents) in labels.iter() {
                for (document, grade) in documents {
                    let row = rows.entry((query, document)).or_default();
                    if (scale.low()..=scale.high()).contains(grade) {
                        row.push((judge, *grade));
                    } else if let Some(count) = off_scale.get_mut(judge) {
                        *count += 1;
                    }
                }
            }
        }
        let mut queries: IndexMap<&str, usize> = IndexMap::new();
        let mut pairs = Vec::with_capacity(rows.len());
        let mut grades = PanelGrades::new(scale, judges.len());
        for ((query, document), row) in &rows {
            let next = queries.len();
            let number = *queries.entry(query).or_insert(next);
            // Every grade was held against the scale above, so that none is refused.
            if grades.push(number, row.iter().copied()).is_ok() {
                pairs.push(((*query).to_owned(), (*document).to_owned()));
            }
        }
        Self { pairs, grades, off_scale }
    }

    /// Returns what people say of each pair, where they do.
    pub fn truth(&self, people: &Qrels) -> Vec<Option<Grade>> {
        self.pairs
            .iter()
            .map(|(query, document)| people.topic(query)?.get(document.as_str()).copied())
            .collect()
    }
}
