//! The change of figures since an earlier report, in parts that add up.

use serde::Serialize;

use crate::text::{ABSENT, Table, TableColumn, difference, figure, words};

/// The changes since an earlier report. Inputs are swapped one at a time, in the order of [`ChangeStep`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangeSplit {
    /// The earlier report.
    pub since: String,
    /// For each measure the systems, then their differences from the baseline.
    pub figures: Vec<SplitFigure>,
}

/// The change of a figure, or of a difference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SplitFigure {
    /// The system, or `system - baseline`.
    pub of: String,
    /// The system.
    pub system: String,
    /// Whether it is a difference from the baseline.
    pub is_difference: bool,
    /// The measure.
    pub measure: String,
    /// The figure after each swap; null if the parts cannot be separated.
    pub steps: Option<Steps>,
    /// Why the parts cannot be separated; null if they are.
    pub not_separable: Option<String>,
}

/// An input that is swapped, in the order of the swaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeStep {
    /// Queries that are no longer there leave the mean.
    QueriesGone,
    /// Grades by changed judges, of pairs that both pools have.
    Judge,
    /// Grades by the same judges or from files, of pairs that both pools have.
    Labels,
    /// Labels of pairs that only one of the pools has.
    Pool,
    /// The systems' lists.
    Runs,
    /// New queries join the mean.
    QueriesNew,
    /// Human labels correct the figure, or correct it by another amount.
    HumanLabels,
}

impl ChangeStep {
    /// Returns its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::QueriesGone => "queries gone",
            Self::Judge => "judge",
            Self::Labels => "labels",
            Self::Pool => "pool",
            Self::Runs => "runs",
            Self::QueriesNew => "new queries",
            Self::HumanLabels => "human labels",
        }
    }
}

/// A figure before the first swap and after each.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Steps {
    before: f64,
    parts: Vec<ChangePart>,
    now: f64,
}

/// The part of one input.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ChangePart {
    /// The input.
    pub of: ChangeStep,
    /// The change by its swap.
    pub change: f64,
    /// The figure after the swap.
    pub after: f64,
}

impl Steps {
    /// The figure before, and after each swap; `None` if it is undefined after one.
    pub fn new(before: Option<f64>, after: Vec<(ChangeStep, Option<f64>)>) -> Option<Self> {
        let first = before?;
        let mut last = first;
        let mut parts = Vec::with_capacity(after.len());
        for (of, after) in after {
            let after = after?;
            parts.push(ChangePart { of, change: after - last, after });
            last = after;
        }
        Some(Self { before: first, parts, now: last })
    }

    /// The difference from another system's figures, whose swaps are the same.
    #[must_use]
    pub fn less(&self, baseline: &Self) -> Self {
        let before = self.before - baseline.before;
        let pairs = self.parts.iter().zip(&baseline.parts);
        let parts = pairs.map(|(one, other)| ChangePart {
            of: one.of,
            change: one.change - other.change,
            after: one.after - other.after,
        });
        Self { before, parts: parts.collect(), now: self.now - baseline.now }
    }

    /// The figures as human labels correct them, by this much before and now: each has the old correction until the
    /// last step replaces it.
    #[must_use]
    pub fn corrected(mut self, before: f64, now: f64) -> Self {
        self.before += before;
        self.parts.iter_mut().for_each(|part| part.after += before);
        let after = self.now + now;
        self.parts.push(ChangePart { of: ChangeStep::HumanLabels, change: now - before, after });
        Self { now: after, ..self }
    }

    /// Returns the parts, in the order of the swaps.
    pub fn parts(&self) -> &[ChangePart] {
        &self.parts
    }

    /// Returns the figure before the first swap and after the last.
    pub fn ends(&self) -> (f64, f64) {
        (self.before, self.now)
    }
}

impl ChangeSplit {
    /// The changes of these systems alone.
    #[must_use]
    pub fn of_systems(mut self, systems: &[&String]) -> Self {
        self.figures.retain(|figure| systems.iter().any(|system| **system == figure.system));
        self
    }

    /// Returns a sentence on the order of the swaps.
    pub fn order(&self) -> String {
        let steps: Vec<&str> = self.steps().iter().map(|step| step.name()).collect();
        format!(
            "Change since {}, one input swapped at a time: {}. The parts add up; another order would give other parts.",
            self.since,
            if steps.is_empty() { "not separable".to_owned() } else { steps.join(", then ") }
        )
    }

    /// Returns a row for each figure.
    pub fn table(&self) -> Table {
        Table::new(self.columns(), self.rows())
    }

    fn steps(&self) -> Vec<ChangeStep> {
        let parts =
            self.figures.iter().filter_map(|figure| figure.steps.as_ref()).flat_map(|steps| &steps.parts);
        let mut steps: Vec<ChangeStep> = parts.map(|part| part.of).collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    fn columns(&self) -> Vec<TableColumn> {
        let steps = self.steps().into_iter().map(|step| step.name().into());
        let mut columns: Vec<TableColumn> = vec![words("system"), words("measure"), "then".into()];
        columns.extend(steps);
        columns.extend(["now".into(), words("not separable")]);
        if self.figures.iter().all(|figure| figure.not_separable.is_none()) {
            columns.pop();
        }
        columns
    }

    /// The parts are differences of the printed figures, so that those add up, too.
    fn rows(&self) -> Vec<Vec<String>> {
        let steps = self.steps();
        let with_reasons = self.figures.iter().any(|figure| figure.not_separable.is_some());
        let row = |found: &SplitFigure| {
            let mut row = vec![found.of.clone(), found.measure.clone()];
            let shown = |value: f64| if found.is_difference { difference(value) } else { figure(value) };
            match &found.steps {
                None => row.extend((0..steps.len() + 2).map(|_| ABSENT.to_owned())),
                Some(values) => {
                    row.push(shown(rounded(values.before)));
                    let mut last = rounded(values.before);
                    for part in &values.parts {
                        let after = rounded(part.after);
                        row.push(difference(after - last));
                        last = after;
                    }
                    row.push(shown(last));
                }
            }
            if with_reasons {
                row.push(found.not_separable.clone().unwrap_or_default());
            }
            row
        };
        self.figures.iter().map(row).collect()
    }
}

/// As printed.
fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn steps(values: &[f64]) -> Steps {
        let order = [ChangeStep::Judge, ChangeStep::Labels, ChangeStep::Pool, ChangeStep::Runs];
        let after = order.into_iter().zip(values[1..].iter().copied().map(Some)).collect();
        Steps::new(Some(values[0]), after).unwrap()
    }

    fn split(figures: Vec<(&str, Option<Steps>)>) -> ChangeSplit {
        let figures = figures.into_iter().map(|(of, steps)| SplitFigure {
            of: of.into(),
            system: of.into(),
            is_difference: of.contains(" - "),
            measure: "nDCG@10".into(),
            not_separable: steps.is_none().then(|| "the system is new".to_owned()),
            steps,
        });
        ChangeSplit { since: "report 0001".into(), figures: figures.collect() }
    }

    proptest! {
        #[test]
        fn the_parts_add_up_as_they_are_and_as_they_are_printed(
            one in prop::collection::vec(0.0_f64..1.0, 5), other in prop::collection::vec(0.0_f64..1.0, 5),
        ) {
            let (one, other) = (steps(&one), steps(&other));
            for found in [&one, &one.less(&other), &one.clone().corrected(0.02, -0.07)] {
                let parts: f64 = found.parts.iter().map(|part| part.change).sum();
                prop_assert!((found.before + parts - found.now).abs() < 1e-12);
                let row = split(vec![("a - b", Some(found.clone()))]).rows().remove(0);
                let printed: Vec<i64> =
                    row[2..].iter().map(|cell| (cell.parse::<f64>().unwrap() * 1e4).round() as i64).collect();
                let (now, rest) = printed.split_last().unwrap();
                prop_assert_eq!(rest.iter().sum::<i64>(), *now, "{:?}", row);
            }
        }
    }

    #[test]
    fn what_cannot_be_separated_has_its_reason() {
        let split = split(vec![("a", Some(steps(&[0.5, 0.5, 0.5, 0.6, 0.7]))), ("b", None)]);
        assert_eq!(
            split.table().text(),
            "system  measure    then   judge  labels     pool     runs     now  not separable\n\
             a       nDCG@10  0.5000  0.0000  0.0000  +0.1000  +0.1000  0.7000\n\
             b       nDCG@10     n/a     n/a     n/a      n/a      n/a     n/a  the system is new"
        );
        assert!(split.order().contains("judge, then labels, then pool, then runs"));
    }
}
