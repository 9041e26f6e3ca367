//! Agreement of several label sets as one panel.

use llull_core::Qrels;
use llull_stats::{AgreementOptions, PanelAgreement, PanelRatings, panel_agreement};
use serde::Serialize;

use super::error::AgreementReportError;

/// How far several raters agree with each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Panel {
    /// How many raters.
    pub raters: usize,
    /// The figures, over every pair that has a label in at least one set; a pair without a label in a set is missing
    /// there.
    #[serde(flatten)]
    pub agreement: PanelAgreement,
}

/// The truth among the raters, and without it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Panels {
    /// The truth and all others, the truth being a rater like any other.
    pub with_truth: Panel,
    /// All others without the truth. Pairs that only the truth has labelled are left out, too.
    pub others_alone: Panel,
}

/// How far a panel agrees with itself, with the truth as one of its raters and without it.
///
/// # Errors
/// Returns an error if there are more than 256 different grades, or if the options of the bootstrap are invalid.
pub fn panels(
    truth: &Qrels,
    others: &[&Qrels],
    options: &AgreementOptions,
) -> Result<Panels, AgreementReportError> {
    let panel = |raters: &[&Qrels]| -> Result<Panel, AgreementReportError> {
        let ratings = PanelRatings::of_qrels(raters, options.clamp)?;
        let agreement = panel_agreement(&ratings, options.bootstrap.as_ref())?;
        Ok(Panel { raters: raters.len(), agreement })
    };
    let with_truth: Vec<&Qrels> = std::iter::once(truth).chain(others.iter().copied()).collect();
    Ok(Panels { with_truth: panel(&with_truth)?, others_alone: panel(others)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two judges agree and the truth differs: the panel without the truth agrees fully, the one with it does not.
    #[test]
    fn the_truth_is_a_rater_of_one_panel_alone() {
        let of = |grades: &[(&str, i32)]| {
            let mut qrels = Qrels::default();
            for (document, grade) in grades {
                qrels.insert("q", document, *grade);
            }
            qrels
        };
        let truth = of(&[("a", 1), ("b", 1), ("c", 0), ("e", 0)]);
        let judge = of(&[("a", 1), ("b", 0), ("c", 0), ("d", 1)]);
        let found = panels(&truth, &[&judge, &judge], &AgreementOptions::default()).unwrap();
        let alone = &found.others_alone;
        assert_eq!((alone.raters, alone.agreement.units, alone.agreement.ratings), (2, 4, 8));
        assert_eq!(alone.agreement.figures.alpha.nominal, Some(1.0));
        let with = &found.with_truth;
        assert_eq!((with.raters, with.agreement.units, with.agreement.paired), (3, 5, 4));
        // krippendorff 0.9.0, alpha([[1,1,0,nan,0],[1,0,0,1,nan],[1,0,0,1,nan]], level_of_measurement="nominal")
        let alpha = with.agreement.figures.alpha.nominal.unwrap();
        assert!((alpha - 2.0 / 3.0).abs() < 1e-12, "{alpha}");
    }
}
