//! Agreement of pairwise answers, computed by hand, and properties that hold for any answers.

use llull_stats::{
    Choice, JudgedPair, Mode, PreferenceAgreement, Proportion, StatsError, Votes, preference_agreement,
};
use proptest::prelude::*;

const FIRST: Option<Choice> = Some(Choice::First);
const SECOND: Option<Choice> = Some(Choice::Second);
const NEITHER: Option<Choice> = Some(Choice::Neither);

/// statsmodels 0.15.0: `proportion_confint(count, n, alpha=1 - confidence, method="wilson")`
#[test]
fn intervals_are_statsmodels() {
    for (count, n, confidence, low, high) in [
        (75, 100, 0.95, 0.656955364519384, 0.8245478863771232),
        (0, 7, 0.95, 0.0, 0.3543304350666875),
        (7, 7, 0.95, 0.6456695649333125, 1.0),
        (1, 1, 0.95, 0.2065493143772374, 1.0),
        (3, 11, 0.9, 0.11469412885053898, 0.5204899835674237),
        (912, 1000, 0.99, 0.8861251050892783, 0.9324437750303144),
        (6000, 150_000, 0.95, 0.039020050850971384, 0.04100350949308825),
    ] {
        let proportion = Proportion::new(count, n, confidence).unwrap();
        assert_eq!(proportion.share, Some(count as f64 / n as f64));
        assert!((proportion.low.unwrap() - low).abs() < 1e-14, "{proportion:?}");
        assert!((proportion.high.unwrap() - high).abs() < 1e-14, "{proportion:?}");
    }
}

#[test]
fn shares_that_cannot_be() {
    let none = Proportion::new(0, 0, 0.95).unwrap();
    assert_eq!((none.share, none.low, none.high), (None, None, None));
    assert_eq!(Proportion::new(3, 2, 0.95), Err(StatsError::Share { count: 3, n: 2 }));
    assert_eq!(Proportion::new(1, 2, 1.0), Err(StatsError::Confidence(1.0)));
    assert!(Proportion::new(1, 2, f64::NAN).is_err());
}

fn pair(truth: Choice, shown: &[Option<Choice>], swapped: &[Option<Choice>]) -> JudgedPair {
    let mut pair = JudgedPair::new(truth);
    shown.iter().for_each(|answer| pair.shown.add(*answer));
    swapped.iter().for_each(|answer| pair.swapped.add(*answer));
    pair
}

fn agreement(pairs: &[JudgedPair]) -> PreferenceAgreement {
    preference_agreement(pairs, 0.95).unwrap()
}

/// The count and the total of a share.
fn of(proportion: Proportion) -> (u64, u64) {
    (proportion.count, proportion.n)
}

/// Eight pairs that the reference decides and two that it does not.
fn ten() -> Vec<JudgedPair> {
    vec![
        pair(Choice::First, &[FIRST], &[FIRST]),   // right, twice
        pair(Choice::First, &[FIRST], &[SECOND]),  // what stands on the left
        pair(Choice::Second, &[FIRST], &[SECOND]), // what stands on the left
        pair(Choice::Second, &[SECOND], &[FIRST]), // what stands on the right
        pair(Choice::First, &[SECOND], &[SECOND]), // wrong, twice
        pair(Choice::First, &[FIRST], &[NEITHER]), // not sure when swapped
        pair(Choice::First, &[None], &[FIRST]),    // not readable
        pair(Choice::Second, &[SECOND], &[]),      // asked in one order
        pair(Choice::Neither, &[NEITHER], &[NEITHER]),
        pair(Choice::Neither, &[FIRST], &[FIRST]),
    ]
}

#[test]
fn ten_pairs_by_hand() {
    let PreferenceAgreement { modes, tied, swap } = agreement(&ten());
    let [shown, swapped, both] = modes.as_slice() else { panic!("{modes:?}") };

    assert_eq!((shown.mode, shown.n, shown.calls), (Mode::Shown, 8, 8));
    assert_eq!((of(shown.coverage), of(shown.precision), of(shown.recall)), ((7, 8), (5, 7), (5, 8)));
    assert_eq!((shown.neither, shown.unusable, shown.calls_per_pair), (0, 1, Some(1.0)));

    assert_eq!((swapped.mode, swapped.n, swapped.calls), (Mode::Swapped, 7, 7));
    assert_eq!((of(swapped.coverage), of(swapped.precision), of(swapped.recall)), ((6, 7), (3, 6), (3, 7)));
    assert_eq!((swapped.neither, swapped.unusable), (1, 0));

    assert_eq!((both.mode, both.n, both.calls), (Mode::DoubleCheck, 7, 14));
    assert_eq!((of(both.coverage), of(both.precision), of(both.recall)), ((2, 7), (1, 2), (1, 7)));
    assert_eq!((both.neither, both.unusable, both.calls_per_pair), (4, 1, Some(2.0)));

    assert_eq!(of(tied), (1, 2));
    let swap = swap.unwrap();
    // the first and fifth pair and the two ties, of the eight with two answers
    assert_eq!(of(swap.consistency), (4, 8));
    assert_eq!(of(swap.first_position), (2, 3));
    // scikit-learn 1.9.1: cohen_kappa_score([1,1,1,2,2,1,0,1], [1,2,2,1,2,0,0,1])
    assert!((swap.kappa.unwrap() - 0.2195121951219512).abs() < 1e-12, "{:?}", swap.kappa);
}

#[test]
fn several_answers_in_one_order_are_votes() {
    let verdict = |answers: &[Option<Choice>]| pair(Choice::First, answers, &[]).shown.verdict();
    assert_eq!(verdict(&[FIRST, SECOND, FIRST]), FIRST);
    assert_eq!(verdict(&[FIRST, SECOND]), NEITHER);
    assert_eq!(verdict(&[SECOND, NEITHER, NEITHER]), SECOND);
    assert_eq!(verdict(&[None, NEITHER]), NEITHER);
    assert_eq!(verdict(&[None]), None);
    assert_eq!(Votes::default().verdict(), None);
    let voted = agreement(&[pair(Choice::First, &[FIRST, SECOND, FIRST, None], &[])]);
    assert_eq!((voted.modes[0].n, voted.modes[0].calls), (1, 4));
}

#[test]
fn one_order_alone_says_nothing_about_the_other() {
    let one = agreement(&[pair(Choice::First, &[FIRST], &[]), pair(Choice::Second, &[SECOND], &[])]);
    assert_eq!(one.modes.len(), 1);
    assert_eq!(one.swap, None);
    let nothing = agreement(&[]);
    assert_eq!((nothing.modes.len(), nothing.tied.n, nothing.swap), (0, 0, None));
}

fn answers() -> impl Strategy<Value = Vec<Option<Choice>>> {
    let answer = prop_oneof![3 => Just(FIRST), 3 => Just(SECOND), 1 => Just(NEITHER), 1 => Just(None)];
    proptest::collection::vec(answer, 0..3)
}

fn pairs() -> impl Strategy<Value = Vec<JudgedPair>> {
    let truth = prop_oneof![Just(Choice::First), Just(Choice::Second), Just(Choice::Neither)];
    let one = (truth, answers(), answers()).prop_map(|(truth, shown, swapped)| pair(truth, &shown, &swapped));
    proptest::collection::vec(one, 0..40)
}

/// The same pair with its items named the other way round.
fn renamed(pair: &JudgedPair) -> JudgedPair {
    let other = |choice: Choice| match choice {
        Choice::First => Choice::Second,
        Choice::Second => Choice::First,
        Choice::Neither => Choice::Neither,
    };
    let votes = |votes: Votes| Votes { first: votes.second, second: votes.first, ..votes };
    JudgedPair { truth: other(pair.truth), shown: votes(pair.swapped), swapped: votes(pair.shown) }
}

proptest! {
    #[test]
    fn the_figures_fit_together(pairs in pairs()) {
        let agreement = agreement(&pairs);
        for mode in &agreement.modes {
            prop_assert_eq!(mode.coverage.n, mode.n);
            prop_assert_eq!(mode.precision.n, mode.coverage.count);
            prop_assert_eq!(mode.recall.count, mode.precision.count);
            prop_assert_eq!(mode.coverage.count + mode.neither + mode.unusable, mode.n);
            prop_assert!(mode.calls >= mode.n);
        }
        // The verdict of both orders is that of each.
        if let [shown, swapped, both] = agreement.modes.as_slice() {
            prop_assert!(both.coverage.count <= shown.coverage.count.min(swapped.coverage.count));
            prop_assert!(both.recall.count <= shown.recall.count.min(swapped.recall.count));
        }
    }

    /// If the two items of each pair exchange names, every order becomes the other one.
    #[test]
    fn the_names_of_the_items_do_not_matter(pairs in pairs()) {
        let (before, after) = (agreement(&pairs), agreement(&pairs.iter().map(renamed).collect::<Vec<_>>()));
        let mode = |agreement: &PreferenceAgreement, mode: Mode| {
            let figures = agreement.modes.iter().find(|figures| figures.mode == mode);
            figures.map(|f| (f.n, f.coverage, f.precision, f.recall, f.calls))
        };
        prop_assert_eq!(mode(&before, Mode::Shown), mode(&after, Mode::Swapped));
        prop_assert_eq!(mode(&before, Mode::DoubleCheck), mode(&after, Mode::DoubleCheck));
        prop_assert_eq!(before.tied.n, after.tied.n);
        let swap = |agreement: &PreferenceAgreement| agreement.swap.map(|swap| (swap.consistency, swap.first_position));
        prop_assert_eq!(swap(&before), swap(&after));
    }

    #[test]
    fn the_order_of_the_pairs_does_not_matter(mut pairs in pairs()) {
        let before = agreement(&pairs);
        pairs.reverse();
        prop_assert_eq!(before, agreement(&pairs));
    }
}
