//! Describes the agreement of labels in sentences, without a judgement of quality.

use super::report::{AgreementReport, OtherLabels};
use crate::text::{counted, difference, difference_interval, percent};

/// How many labels are alike, and which side grades higher.
pub(super) fn sentences(report: &AgreementReport, other: &OtherLabels) -> Vec<String> {
    let agreement = &other.agreement;
    let figures = &agreement.figures;
    let mut sentences = Vec::new();
    if figures.exact == Some(1.0) {
        sentences.push(format!(
            "{} and {} give the same grade to every one of {}.",
            other.name,
            report.truth_name,
            counted(agreement.n, "pair")
        ));
    } else if let (Some(exact), Some(near)) = (figures.exact, figures.within_one) {
        sentences.push(format!(
            "{} gives the grade of {} to {} of {}, and one at most 1 apart to {}.",
            other.name,
            report.truth_name,
            percent(exact),
            counted(agreement.n, "pair"),
            percent(near)
        ));
    }
    if let Some(reason) = &other.kappa_undefined {
        sentences.push(format!("Kappa, alpha, pi and AC are undefined: {reason}."));
    }
    if figures.exact == Some(1.0) {
        return sentences;
    }
    let Some(bias) = figures.bias else { return sentences };
    let interval = agreement.ci.as_ref().and_then(|ci| ci.labels.bias);
    let bias = difference(bias);
    sentences.push(match interval {
        None => format!("On average its grades differ by {bias}; how sure that is is not known."),
        Some([low, high]) => {
            let what = match (low, high) {
                _ if low > 0.0 => "It grades higher on average",
                _ if high < 0.0 => "It grades lower on average",
                _ => "It is not clear whether it grades higher or lower on average",
            };
            format!("{what}: {bias} {}.", difference_interval(Some(low), Some(high)))
        }
    });
    sentences
}
