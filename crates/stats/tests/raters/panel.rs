//! Panels with gaps.

use llull_core::{Grade, Qrels};
use llull_stats::{
    AgreementOptions, DisagreementWeights, Level, PanelRatings, fleiss_kappa, gwet_ac, krippendorff_alpha,
    label_agreement, panel_agreement,
};
use proptest::prelude::*;

use super::labels::qrels;
use super::{close, golden, grades};

const LEVELS: [Level; 3] = [Level::Nominal, Level::Ordinal, Level::Interval];
const WEIGHTS: [DisagreementWeights; 3] =
    [DisagreementWeights::None, DisagreementWeights::Linear, DisagreementWeights::Quadratic];

fn one_query(units: Vec<Vec<Grade>>) -> PanelRatings {
    PanelRatings::new([units]).unwrap()
}

#[test]
fn figures_are_other_tools() {
    for case in golden::PANELS {
        let units: Vec<Vec<Grade>> = case.units.split('|').map(grades).collect();
        let ratings = one_query(units.clone());
        LEVELS
            .into_iter()
            .zip(case.alpha)
            .for_each(|(level, alpha)| close(krippendorff_alpha(&ratings, level), alpha));
        WEIGHTS.into_iter().zip(case.gwet).for_each(|(weights, ac)| close(gwet_ac(&ratings, weights), ac));
        close(fleiss_kappa(&ratings), case.fleiss);
        // The figures do not depend on the query that a unit belongs to.
        let spread = PanelRatings::new(units.chunks(4).map(<[Vec<Grade>]>::to_vec)).unwrap();
        let figures = panel_agreement(&spread, None).unwrap().figures;
        close(figures.alpha.ordinal, case.alpha[1]);
        close(figures.fleiss, case.fleiss);
        close(figures.ac2.quadratic, case.gwet[2]);
    }
}

/// Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011, example C, to the three decimals printed there.
#[test]
fn krippendorffs_own_example() {
    let ratings = one_query(golden::PANELS[0].units.split('|').map(grades).collect());
    assert_eq!((ratings.units(), ratings.paired(), ratings.ratings()), (12, 11, 41));
    for (level, printed) in LEVELS.into_iter().zip([0.743, 0.815, 0.849]) {
        assert!((krippendorff_alpha(&ratings, level).unwrap() - printed).abs() < 0.0005);
    }
}

/// The figures of Fleiss 1971 as in textbooks: 14 raters, 10 subjects, 5 categories, kappa .210.
#[test]
fn fleiss_table() {
    let table = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ];
    let unit = |row: &[usize; 5]| (0..5).flat_map(|grade| vec![grade as Grade; row[grade]]).collect();
    let ratings = one_query(table.iter().map(unit).collect());
    assert!((fleiss_kappa(&ratings).unwrap() - 0.210).abs() < 0.0005);
}

#[test]
fn label_sets_are_a_panel() {
    let (mut a, b) = qrels(&[(0, 1), (2, 2), (1, 1), (0, 0), (2, 1), (1, 0), (1, 1), (0, 0), (2, 2)]);
    let ratings = PanelRatings::of_qrels(&[&a, &b], None).unwrap();
    let two = label_agreement(&a, &b, &AgreementOptions::default()).unwrap().figures;
    close(krippendorff_alpha(&ratings, Level::Ordinal), two.alpha.ordinal.unwrap());
    close(fleiss_kappa(&ratings), two.pi.unwrap());
    close(gwet_ac(&ratings, DisagreementWeights::Linear), two.ac2.linear.unwrap());
    a.insert("elsewhere", "d", 7);
    let clamped =
        PanelRatings::of_qrels(&[&a, &b, &Qrels::default()], Some("0..2".parse().unwrap())).unwrap();
    assert_eq!((clamped.units(), clamped.paired(), clamped.grades()), (10, 9, &[0, 1, 2][..]));
    assert_eq!(krippendorff_alpha(&clamped, Level::Ordinal), krippendorff_alpha(&ratings, Level::Ordinal));
}

#[test]
fn too_little_says_nothing() {
    for units in [
        vec![],
        vec![vec![]],
        vec![vec![1], vec![2]],
        vec![vec![1, 1, 1], vec![1, 1]],
        vec![vec![1, 1], vec![2]],
    ] {
        let ratings = one_query(units.clone());
        assert!(LEVELS.into_iter().all(|level| krippendorff_alpha(&ratings, level).is_none()), "{units:?}");
    }
    let single = one_query(vec![vec![1], vec![2]]);
    assert_eq!((fleiss_kappa(&single), gwet_ac(&single, DisagreementWeights::None)), (None, None));
    let same = one_query(vec![vec![1, 1], vec![1, 1]]);
    assert_eq!((fleiss_kappa(&same), gwet_ac(&same, DisagreementWeights::Linear)), (None, None));
    assert!(PanelRatings::new([(0..257).map(|grade| vec![grade]).collect::<Vec<_>>()]).is_err());
}

/// Alpha straight from its definition: the mean disagreement within units, each pair of ratings by how many the unit
/// has, over that of all ratings dealt anew.
fn alpha_by_definition(units: &[Vec<Grade>], level: Level) -> Option<f64> {
    let units: Vec<&Vec<Grade>> = units.iter().filter(|unit| unit.len() > 1).collect();
    let all: Vec<Grade> = units.iter().flat_map(|unit| unit.iter().copied()).collect();
    let delta = |a: Grade, b: Grade| match level {
        Level::Nominal => f64::from(u8::from(a != b)),
        Level::Interval => f64::from(a - b).powi(2),
        Level::Ordinal => {
            let between = all.iter().filter(|grade| (a.min(b)..=a.max(b)).contains(grade)).count() as f64;
            let ends = all.iter().filter(|grade| [a, b].contains(grade)).count() as f64;
            if a == b { 0.0 } else { (between - ends / 2.0).powi(2) }
        }
    };
    let sum = |ratings: &[Grade]| -> f64 {
        ratings.iter().map(|a| ratings.iter().map(|b| delta(*a, *b)).sum::<f64>()).sum()
    };
    let observed: f64 = units.iter().map(|unit| sum(unit) / (unit.len() - 1) as f64).sum();
    let expected = sum(&all) / (all.len() as f64 - 1.0);
    (expected > 0.0).then(|| 1.0 - observed / expected)
}

proptest! {
    #[test]
    fn alpha_is_its_definition(units in proptest::collection::vec(proptest::collection::vec(-2i32..5, 0..5), 0..20)) {
        let ratings = one_query(units.clone());
        for level in LEVELS {
            match (krippendorff_alpha(&ratings, level), alpha_by_definition(&units, level)) {
                (Some(alpha), Some(expected)) => prop_assert!((alpha - expected).abs() < 1e-10, "{alpha} {expected}"),
                (alpha, expected) => prop_assert_eq!(alpha, expected),
            }
        }
    }

    #[test]
    fn copies_agree_wholly(grades in proptest::collection::vec(0i32..4, 2..20), raters in 2usize..6) {
        prop_assume!(grades.iter().any(|grade| *grade != grades[0]));
        let ratings = one_query(grades.iter().map(|grade| vec![*grade; raters]).collect());
        prop_assert!(LEVELS.into_iter().all(|level| krippendorff_alpha(&ratings, level) == Some(1.0)));
        prop_assert!(WEIGHTS.into_iter().all(|weights| gwet_ac(&ratings, weights) == Some(1.0)));
        prop_assert_eq!(fleiss_kappa(&ratings), Some(1.0));
    }

    #[test]
    fn grades_may_be_renamed_in_order(
        units in proptest::collection::vec(proptest::collection::vec(0i32..4, 2..5), 2..20),
    ) {
        let stretched = units.iter().map(|unit| unit.iter().map(|grade| grade * grade * 10 - 7).collect()).collect();
        let (before, after) = (one_query(units), one_query(stretched));
        for level in [Level::Nominal, Level::Ordinal] {
            prop_assert_eq!(krippendorff_alpha(&before, level), krippendorff_alpha(&after, level));
        }
    }
}

/// A truth that covers more pairs than the judges do, and all the others are 0: chance is to agree on 82%, and what
/// both rated they disagree on. irrCAC (PyPI; `CAC(...).fleiss()`) gives -4.55556, too. Alpha takes chance
/// from the units that were rated twice.
#[test]
fn kappa_may_be_far_below_minus_1_where_most_units_have_one_rating() {
    let both = [vec![0, 1], vec![1, 0]];
    let units: Vec<Vec<Grade>> = both.into_iter().chain(std::iter::repeat_n(vec![0], 8)).collect();
    let ratings = one_query(units);
    assert!((fleiss_kappa(&ratings).unwrap() + 4.55556).abs() < 5e-6);
    assert!(krippendorff_alpha(&ratings, Level::Nominal).unwrap() >= -1.0);
}
