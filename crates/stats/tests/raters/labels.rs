//! Two label sets.

use std::collections::BTreeMap;

use llull_core::{Grade, Qrels};
use llull_stats::{
    Agreement, AgreementError, AgreementOptions, Clamp, ClampError, ConfusionMatrix, DisagreementWeights,
    cohen_kappa, label_agreement,
};
use proptest::prelude::*;

use super::{close, golden, grades};

/// Pairs of grades dealt to queries of seven documents.
pub(crate) fn qrels(pairs: &[(Grade, Grade)]) -> (Qrels, Qrels) {
    let (mut truth, mut other) = (Qrels::default(), Qrels::default());
    for (index, (a, b)) in pairs.iter().enumerate() {
        let (query, document) = (format!("q{}", index / 7), format!("d{index}"));
        truth.insert(&query, &document, *a);
        other.insert(&query, &document, *b);
    }
    (truth, other)
}

fn agreement(pairs: &[(Grade, Grade)]) -> Agreement {
    let (truth, other) = qrels(pairs);
    label_agreement(&truth, &other, &AgreementOptions::default()).unwrap()
}

#[test]
fn figures_are_other_tools() {
    for case in golden::TWO {
        let pairs: Vec<(Grade, Grade)> = grades(case.truth).into_iter().zip(grades(case.other)).collect();
        let figures = agreement(&pairs).figures;
        let matrix: ConfusionMatrix = pairs.iter().copied().collect();
        let kappas = [
            (figures.kappa.plain, DisagreementWeights::None),
            (figures.kappa.linear, DisagreementWeights::Linear),
            (figures.kappa.quadratic, DisagreementWeights::Quadratic),
        ];
        for ((kappa, weights), expected) in kappas.into_iter().zip(case.kappa) {
            assert_eq!(kappa, cohen_kappa(&matrix, weights));
            if let Some(expected) = expected {
                close(kappa, expected);
            }
        }
        let at = |figures: &BTreeMap<Grade, Option<f64>>, expected: &[(Grade, f64)]| {
            assert_eq!(figures.len(), expected.len());
            for (cut, expected) in expected {
                close(figures[cut], *expected);
            }
        };
        at(&figures.kappa_at, case.kappa_at);
        at(&figures.precision_at, case.precision_at);
        at(&figures.recall_at, case.recall_at);
        at(&figures.f1_at, case.f1_at);
        let alphas = [figures.alpha.nominal, figures.alpha.ordinal, figures.alpha.interval];
        alphas.into_iter().zip(case.alpha).for_each(|(alpha, expected)| close(alpha, expected));
        let gwet = [figures.ac1, figures.ac2.linear, figures.ac2.quadratic];
        gwet.into_iter().zip(case.gwet).for_each(|(ac, expected)| close(ac, expected));
        close(figures.pi, case.pi);
    }
}

/// Every figure of a small table, by hand: truth 2 2 1 1 0 0, other 2 1 1 0 0 2.
#[test]
fn figures_by_hand() {
    let agreement = agreement(&[(2, 2), (2, 1), (1, 1), (1, 0), (0, 0), (0, 2)]);
    assert_eq!(agreement.grades, [0, 1, 2]);
    assert_eq!(agreement.confusion, [[1, 0, 1], [1, 1, 0], [0, 1, 1]]);
    let figures = agreement.figures;
    assert_eq!((figures.exact, figures.within_one, figures.bias), (Some(0.5), Some(5.0 / 6.0), Some(0.0)));
    // Three of six apart where chance has four of six.
    close(figures.kappa.plain, 0.25);
    // Distances 1 + 1 + 2 of an expected 6 * (4 * 1 + 2 * 2) / 9; squares 1 + 1 + 4 of 6 * (4 * 1 + 2 * 4) / 9.
    close(figures.kappa.linear, 1.0 - 4.0 / (48.0 / 9.0));
    close(figures.kappa.quadratic, 1.0 - 6.0 / 8.0);
    assert_eq!(figures.precision_at, BTreeMap::from([(1, Some(0.75)), (2, Some(0.5))]));
    assert_eq!(figures.recall_at, BTreeMap::from([(1, Some(0.75)), (2, Some(0.5))]));
}

#[test]
fn pairs_in_one_file_are_counted_and_grades_clamped() {
    let (mut truth, mut other) = (Qrels::default(), Qrels::default());
    for (query, document, grade) in [("q1", "a", 3), ("q1", "b", 0), ("q2", "a", 1), ("q3", "a", 1)] {
        truth.insert(query, document, grade);
    }
    for (query, document, grade) in
        [("q1", "a", 5), ("q1", "c", 0), ("q2", "a", -1), ("q4", "a", 9), ("q4", "b", 9)]
    {
        other.insert(query, document, grade);
    }
    let plain = label_agreement(&truth, &other, &AgreementOptions::default()).unwrap();
    assert_eq!((plain.n, plain.queries, plain.only_truth, plain.only_other), (2, 2, 2, 3));
    assert_eq!((plain.grades, plain.figures.exact), (vec![-1, 1, 3, 5], Some(0.0)));
    let options = AgreementOptions { clamp: Some("0..3".parse().unwrap()), bootstrap: None };
    let clamped = label_agreement(&truth, &other, &options).unwrap();
    assert_eq!((clamped.clamped_truth, clamped.clamped_other), (0, 2));
    assert_eq!((clamped.grades, clamped.figures.exact), (vec![0, 1, 3], Some(0.5)));
}

#[test]
fn a_clamp_is_read_and_written() {
    assert_eq!("-1..3".parse::<Clamp>().unwrap().to_string(), "-1..3");
    assert_eq!("2..1".parse::<Clamp>(), Err(ClampError::Empty { low: 2, high: 1 }));
    for wrong in ["", "..", "0..", "..3", "0-3", "a..b", "0..3..4", "0.5..1", "0..99999999999"] {
        assert_eq!(wrong.parse::<Clamp>(), Err(ClampError::Syntax(wrong.to_owned())));
    }
}

#[test]
fn without_a_common_pair_nothing_is_defined() {
    let (truth, _) = qrels(&[(1, 1), (0, 1)]);
    let none = label_agreement(&truth, &Qrels::default(), &AgreementOptions::default()).unwrap();
    assert_eq!((none.n, none.queries, none.only_truth, none.only_other), (0, 0, 2, 0));
    assert_eq!((none.figures.exact, none.figures.kappa.plain, none.figures.ac1), (None, None, None));
    assert!(none.figures.kappa_at.is_empty() && none.confusion.is_empty());
}

#[test]
fn what_chance_alone_explains_is_undefined() {
    let figures = agreement(&[(2, 2), (2, 2), (2, 2)]).figures;
    assert_eq!(figures.exact, Some(1.0));
    assert_eq!(
        (figures.kappa.plain, figures.alpha.ordinal, figures.pi, figures.ac1),
        (None, None, None, None)
    );
    // The other never gives a 3 (as the judge of NISTRetrieval's sets): nothing to be precise about, and chance
    // agreement.
    let never = agreement(&[(3, 2), (2, 2), (0, 0), (1, 1)]).figures;
    assert_eq!((never.precision_at[&3], never.recall_at[&3], never.f1_at[&3]), (None, Some(0.0), Some(0.0)));
    assert_eq!(never.kappa_at[&3], Some(0.0));
}

#[test]
fn scores_are_not_grades() {
    let scores: Vec<(Grade, Grade)> = (0..300).map(|score| (score, score)).collect();
    let (truth, other) = qrels(&scores);
    let error = label_agreement(&truth, &other, &AgreementOptions::default()).unwrap_err();
    assert_eq!(error, AgreementError::TooManyGrades { found: 300, most: 256 });
    let extremes = agreement(&[(Grade::MIN, Grade::MAX), (Grade::MAX, Grade::MIN), (0, 0)]).figures;
    assert!(extremes.kappa.quadratic.is_some_and(|kappa| kappa < -0.4));
}

proptest! {
    #[test]
    fn copies_agree_wholly(grades in proptest::collection::vec(0i32..4, 2..60)) {
        prop_assume!(grades.iter().any(|grade| *grade != grades[0]));
        let pairs: Vec<_> = grades.iter().map(|grade| (*grade, *grade)).collect();
        let figures = agreement(&pairs).figures;
        for figure in [
            figures.kappa.plain, figures.kappa.linear, figures.kappa.quadratic, figures.alpha.nominal,
            figures.alpha.ordinal, figures.alpha.interval, figures.pi, figures.ac1, figures.ac2.linear,
            figures.ac2.quadratic, figures.exact, figures.within_one,
        ] {
            prop_assert_eq!(figure, Some(1.0));
        }
        prop_assert_eq!(figures.bias, Some(0.0));
        for figure in figures.kappa_at.values().chain(figures.f1_at.values()) {
            prop_assert_eq!(*figure, Some(1.0));
        }
    }

    /// Symmetric figures do not change if the sides are exchanged; precision and recall exchange, and the bias turns
    /// its sign.
    #[test]
    fn sides_may_be_exchanged(pairs in proptest::collection::vec((0i32..4, 0i32..4), 1..60)) {
        let back: Vec<_> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
        let (forth, back) = (agreement(&pairs).figures, agreement(&back).figures);
        let same = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-12,
            (a, b) => a == b,
        };
        prop_assert!(same(forth.kappa.quadratic, back.kappa.quadratic));
        prop_assert!(same(forth.alpha.ordinal, back.alpha.ordinal));
        prop_assert!(same(forth.ac2.linear, back.ac2.linear));
        prop_assert!(same(forth.bias, back.bias.map(|bias| -bias)));
        prop_assert_eq!(&forth.precision_at, &back.recall_at);
        prop_assert_eq!(&forth.f1_at, &back.f1_at);
        for figure in [forth.kappa.plain, forth.alpha.interval, forth.pi, forth.ac1].into_iter().flatten() {
            prop_assert!(figure <= 1.0);
        }
    }
}
