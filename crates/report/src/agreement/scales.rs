//! Whether two label sets seem to be on different scales.

use llull_stats::Agreement;

use super::binary_cuts::{BinaryCuts, Side};
use super::named_labels::NamedLabels;
use super::strays::StrayLabels;
use super::used_grades::UsedGrades;

/// A remark if the lowest or the highest grade over the common pairs differs: perhaps the scales do.
pub(super) fn scale_note(
    truth: &NamedLabels,
    other: &NamedLabels,
    agreement: &Agreement,
    strays: Option<&StrayLabels>,
    binary: Option<&BinaryCuts>,
) -> Option<String> {
    if let Some(strays) = strays {
        return Some(strays.note(&truth.name, &other.name));
    }
    let (there, here) = (UsedGrades::of_truth(agreement), UsedGrades::of_other(agreement));
    if let Some(binary) = binary {
        let (two, many) = match binary.side {
            Side::Truth => ((truth, &there), (other, &here)),
            Side::Other => ((other, &here), (truth, &there)),
        };
        let ((low, high), (from, to)) = (two.1.range()?, many.1.range()?);
        return Some(format!(
            "{} has two grades, {low} and {high}, and those of {} go from {from} to {to}: figures of the whole scale \
             (kappa, alpha, pi, AC, exact, bias) compare unlike things; look at its {high} against each cut",
            two.0.name, many.0.name
        ));
    }
    let ((from, to), (low, high)) = (there.range()?, here.range()?);
    if (from, to) == (low, high) {
        return None;
    }
    let name = (&truth.name, &other.name);
    Some(if from <= low && high <= to {
        format!(
            "on the common pairs the grades of {} go from {from} to {to}, and {} gives none but {low} to {high}. If \
             that is its scale, figures of the whole scale compare unlike things: look at those from a cut on. If \
             both have one scale, they stand",
            name.0, name.1
        )
    } else {
        format!(
            "on the common pairs the grades of {} go from {from} to {to}, those of {} from {low} to {high}. If these \
             are two scales, figures of the whole scale (kappa, alpha, pi, AC, exact, bias) compare unlike things: \
             look at those from a cut on",
            name.0, name.1
        )
    })
}

#[cfg(test)]
mod tests {
    use llull_core::{Grade, Qrels};
    use llull_stats::{AgreementOptions, label_agreement};

    use super::*;

    fn noted(there: &[Grade], here: &[Grade]) -> Option<String> {
        let of = |name, grades: &[Grade]| {
            let mut qrels = Qrels::default();
            for (at, grade) in grades.iter().enumerate() {
                qrels.insert("q", format!("d{at}").as_str(), *grade);
            }
            NamedLabels::new(name, qrels)
        };
        let (truth, other) = (of("human", there), of("judge", here));
        let options = AgreementOptions::default();
        let agreement = label_agreement(&truth.qrels, &other.qrels, &options).unwrap();
        let strays = StrayLabels::find(&truth, &other, &agreement, &options).unwrap();
        let binary = BinaryCuts::of(&truth, &other, &agreement, &options).unwrap();
        scale_note(&truth, &other, &agreement, strays.as_ref(), binary.as_ref())
    }

    /// A judge that simply gives no 3 was advised to clamp everything to 0..2.
    #[test]
    fn a_clamp_is_advised_for_stray_labels_alone() {
        assert_eq!(noted(&[0, 1, 2, 3], &[3, 0, 1, 0]), None);
        assert_eq!(noted(&[], &[]), None);
        let binary = noted(&[0, 1, 2, 3], &[0, 0, 1, 1]).unwrap();
        assert!(
            binary.starts_with("judge has two grades, 0 and 1,") && !binary.contains("clamp"),
            "{binary}"
        );
        let no_three = noted(&[0, 1, 2, 3], &[0, 1, 2, 2]).unwrap();
        assert!(no_three.contains("gives none but 0 to 2") && !no_three.contains("clamp"), "{no_three}");
        let hundred = [0, 1, 2, 3].repeat(25);
        let one_beyond: Vec<i32> = [5].iter().chain(&hundred[1..]).copied().collect();
        let stray = noted(&hundred, &one_beyond).unwrap();
        assert!(
            stray.starts_with("1 label is above 3 (of judge)") && stray.contains("--clamp 0..3"),
            "{stray}"
        );
        let apart = noted(&[0, 0, 1, 1], &[2, 3, 2, 3]).unwrap();
        assert!(!apart.contains("clamp"), "{apart}");
    }
}
