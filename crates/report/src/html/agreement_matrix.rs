//! The agreement of every two judges of a panel, as a table that is a heat map.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::panel::{JudgesTogether, PanelSection};
use crate::text::{brief_figure, brief_percent, counted};

/// The most judges in the table.
const JUDGES: usize = 20;

/// Every two judges once: a row for each judge but the first, a column for each but the last.
#[derive(Serialize)]
pub(super) struct AgreementMatrix<'a> {
    columns: Vec<&'a str>,
    rows: Vec<MatrixRow<'a>>,
    /// How many judges are left out.
    left_out: usize,
}

#[derive(Serialize)]
struct MatrixRow<'a> {
    judge: &'a str,
    cells: Vec<Option<MatrixCell>>,
}

#[derive(Serialize)]
struct MatrixCell {
    kappa: String,
    /// From 0, for no better than chance, to 5 for perfect agreement.
    level: u32,
    details: Vec<String>,
}

/// Returns the table of a panel; `None` without two judges that graded the same pairs.
pub(super) fn agreement_matrix(panel: &PanelSection) -> Option<AgreementMatrix<'_>> {
    let mut judges: Vec<&str> = Vec::new();
    let mut found: BTreeMap<(&str, &str), &JudgesTogether> = BTreeMap::new();
    for together in &panel.agreement {
        for judge in [together.judge.as_str(), together.other.as_str()] {
            if !judges.contains(&judge) {
                judges.push(judge);
            }
        }
        found.insert((&together.judge, &together.other), together);
        found.insert((&together.other, &together.judge), together);
    }
    let all = judges.len();
    judges.truncate(JUDGES);
    let (_, columns) = judges.split_last()?;
    let is_preference = panel.votes.is_some();
    let cells = |at: usize, judge: &str| {
        let cell = |other: &&str| found.get(&(judge, *other)).map(|found| cell(found, is_preference));
        columns.iter().take(at).map(cell).collect()
    };
    let rows = judges.iter().enumerate().skip(1);
    Some(AgreementMatrix {
        rows: rows.map(|(at, judge)| MatrixRow { judge, cells: cells(at, judge) }).collect(),
        columns: columns.to_vec(),
        left_out: all - judges.len(),
    })
}

fn cell(found: &JudgesTogether, is_preference: bool) -> MatrixCell {
    let same = if is_preference { "same preference" } else { "same grade" };
    let quadratic = found.quadratic.map(|value| format!("quadratic {}", brief_figure(value)));
    let exact = format!("{} {same}", brief_percent(found.exact));
    MatrixCell {
        kappa: brief_figure(found.kappa),
        level: found.kappa.map_or(0, |kappa| (kappa.clamp(0.0, 1.0) * 5.0).ceil() as u32),
        details: quadratic.into_iter().chain([exact, counted(found.n, "pair")]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::panel::AmbiguousPairs;

    fn panel(agreement: &[(&str, &str, Option<f64>)]) -> PanelSection {
        let together = |(judge, other, kappa): &(&str, &str, Option<f64>)| JudgesTogether {
            judge: (*judge).to_owned(),
            other: (*other).to_owned(),
            n: 60,
            exact: Some(0.5),
            kappa: *kappa,
            quadratic: None,
        };
        PanelSection {
            pairs: 60,
            method: None,
            votes: None,
            alpha: None,
            agreement: agreement.iter().map(together).collect(),
            without: Vec::new(),
            ambiguous: AmbiguousPairs::default(),
        }
    }

    #[test]
    fn every_two_judges_have_one_cell() {
        let panel = panel(&[("a", "b", Some(0.41)), ("a", "c", Some(-0.3)), ("b", "c", None)]);
        let found = agreement_matrix(&panel).unwrap();
        assert_eq!((found.columns, found.left_out), (vec!["a", "b"], 0));
        let cells = |row: &MatrixRow<'_>| {
            row.cells.iter().flatten().map(|cell| (cell.kappa.clone(), cell.level)).collect::<Vec<_>>()
        };
        assert_eq!((found.rows[0].judge, cells(&found.rows[0])), ("b", vec![("0.41".to_owned(), 3)]));
        assert_eq!(cells(&found.rows[1]), [("-0.30".to_owned(), 0), ("n/a".to_owned(), 0)]);
        assert_eq!(found.rows[1].cells[0].as_ref().unwrap().details, ["50% same grade", "60 pairs"]);
    }

    #[test]
    fn nothing_to_compare_has_no_table() {
        assert!(agreement_matrix(&panel(&[])).is_none());
    }
}
