//! The labels of several judges, pair by pair.

use indexmap::IndexMap;
use llull_core::{Grade, LabelSet, Qrels, Scale};
use llull_label::panel::PanelGrades;
use llull_label::{GradeMap, LowerMiddle, label_among, median};
use llull_report::text::{count, figure};

/// The grades of a panel's judges for every pair that one of them has labelled.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedPairs {
    /// Query and document of every pair.
    pub pairs: Vec<(String, String)>,
    /// The grades, in the same order.
    pub grades: PanelGrades,
    /// By judge, the number of labels that are off the scale and count as missing.
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
            // Every grade was compared with the scale above, so none is refused.
            if grades.push(number, row.iter().copied()).is_ok() {
                pairs.push(((*query).to_owned(), (*document).to_owned()));
            }
        }
        Self { pairs, grades, off_scale }
    }

    /// Lines up the labels of these judges on the scale that all of theirs are mapped to. Returns each judge's mapped
    /// labels, too.
    pub(crate) fn on_scales<'a>(
        judges: impl Iterator<Item = &'a Qrels>,
        scales: &[GradeMap],
    ) -> (Self, Vec<Qrels>) {
        let applied = judges.zip(scales).map(|(labels, scale)| scale.applied(labels));
        let (mapped, off_scale): (Vec<Qrels>, Vec<usize>) = applied.unzip();
        let (low, high) = scales.first().map_or((0, 1), GradeMap::ends);
        let scale = Scale::new(low, high).unwrap_or_default();
        let judged = Self::new(scale, &mapped.iter().collect::<Vec<_>>());
        (Self { off_scale, ..judged }, mapped)
    }

    pub(crate) fn given(&self, pair: usize) -> Vec<Grade> {
        self.grades.of_pair(pair).map(|given| given.1).collect()
    }

    /// Returns a label for each pair: the grade of `grade_of` for its place and its grades, with their range.
    pub(crate) fn labels(&self, grade_of: impl Fn(usize, &[Grade]) -> Option<Grade>) -> LabelSet {
        let mut labels = LabelSet::default();
        for (at, (query, document)) in self.pairs.iter().enumerate() {
            let given = self.given(at);
            labels.record(query, document, grade_of(at, &given).and_then(|grade| label_among(grade, &given)));
        }
        labels
    }

    /// Returns the median of each pair's grades as its label.
    pub(crate) fn medians(&self) -> LabelSet {
        self.labels(|_, given| median(given).map(|label| label.grade))
    }

    /// Returns how far the labels of [`JudgedPairs::medians`] are lowered by the rule that the lower middle grade
    /// counts.
    pub(crate) fn lower_middle(&self) -> LowerMiddle {
        LowerMiddle::of((0..self.pairs.len()).map(|pair| self.given(pair)))
    }

    /// Returns the human grade of each pair; `None` without one.
    pub fn truth(&self, human_labels: &Qrels) -> Vec<Option<Grade>> {
        self.pairs
            .iter()
            .map(|(query, document)| human_labels.topic(query)?.get(document.as_str()).copied())
            .collect()
    }
}

/// Describes the effect of taking the lower of two middle grades; `None` if there is no effect.
pub fn lower_middle_in_words(middle: &LowerMiddle) -> Option<String> {
    (middle.pairs > 0).then(|| {
        format!(
            "of two grades in the middle the lower is the label: on {} of {} pairs the two differ, and by their mean \
             the labels would be {} higher on average",
            count(middle.pairs),
            count(middle.of),
            figure(Some(middle.bias))
        )
    })
}
