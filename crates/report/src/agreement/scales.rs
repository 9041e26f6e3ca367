//! Whether two label sets seem to be on different scales.

use llull_core::Grade;
use llull_stats::Agreement;

use super::named_labels::NamedLabels;

/// A remark if the lowest or the highest grade over the common pairs differs: perhaps the scales do.
pub fn scale_note(truth: &NamedLabels, other: &NamedLabels, agreement: &Agreement) -> Option<String> {
    let used = |side: &dyn Fn(usize) -> u64| -> Option<(Grade, Grade)> {
        let mut grades = agreement.grades.iter().enumerate().filter(|(at, _)| side(*at) > 0);
        let (_, low) = grades.next()?;
        Some((*low, grades.next_back().map_or(*low, |(_, high)| *high)))
    };
    let row = |at: usize| agreement.confusion.get(at).map_or(0, |row| row.iter().sum());
    let column = |at: usize| agreement.confusion.iter().filter_map(|row| row.get(at)).sum();
    let (there, here) = (used(&row)?, used(&column)?);
    if there == here {
        return None;
    }
    let (low, high) = (there.0.max(here.0), there.1.min(here.1));
    let clamp = if low < high {
        format!(", or bring both onto one scale with --clamp {low}..{high}")
    } else {
        String::new()
    };
    Some(format!(
        "on the common pairs the grades of {} go from {} to {}, those of {} from {} to {}. If these are two \
         scales, figures of the whole scale (kappa, alpha, pi, AC, exact, bias) compare unlike things: look at \
         those from a cut on{clamp}",
        truth.name, there.0, there.1, other.name, here.0, here.1
    ))
}

#[cfg(test)]
mod tests {
    use llull_core::Qrels;
    use llull_stats::{AgreementOptions, label_agreement};

    use super::*;

    fn noted(there: &[Grade], here: &[Grade]) -> Option<String> {
        let of = |name, grades: &[Grade]| {
            let mut qrels = Qrels::default();
            for (document, grade) in ["a", "b", "c", "d"].into_iter().zip(grades) {
                qrels.insert("q", document, *grade);
            }
            NamedLabels::new(name, qrels)
        };
        let (truth, other) = (of("human", there), of("judge", here));
        let agreement = label_agreement(&truth.qrels, &other.qrels, &AgreementOptions::default()).unwrap();
        scale_note(&truth, &other, &agreement)
    }

    #[test]
    fn scales_that_differ_are_noted_with_a_way_out() {
        assert_eq!(noted(&[0, 1, 2, 3], &[3, 0, 0, 0]), None);
        assert_eq!(noted(&[], &[]), None);
        let binary = noted(&[0, 1, 2, 3], &[0, 0, 1, 1]).unwrap();
        assert!(binary.contains("from 0 to 3") && binary.contains("--clamp 0..1"), "{binary}");
        let stray = noted(&[0, 1, 2, 3], &[0, 5, 2, 3]).unwrap();
        assert!(stray.contains("from 0 to 5") && stray.contains("--clamp 0..3"), "{stray}");
        let apart = noted(&[0, 0, 1, 1], &[2, 3, 2, 3]).unwrap();
        assert!(!apart.contains("--clamp"), "{apart}");
    }
}
