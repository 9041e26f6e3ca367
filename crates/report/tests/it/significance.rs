//! Tests significance: figures of other tools, edge cases, and formats.

use llull_core::Seed;
use llull_metrics::Scores;
use llull_report::{
    ComparisonFinding, ComparisonView, Exporter, Family, Latex, LettersWithheld, Markdown, ReportError,
    SignificanceOptions, SignificanceTable, escape_latex, gates, significance, significance_legend,
};
use llull_stats::{BootstrapOptions, Correction, Gate, PairTest};
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::scores::measured;

const A: [f64; 10] = [0.31, 0.52, 0.44, 0.20, 0.67, 0.38, 0.55, 0.41, 0.29, 0.60];
const B: [f64; 10] = [0.42, 0.60, 0.43, 0.35, 0.71, 0.52, 0.61, 0.55, 0.33, 0.66];
const C: [f64; 10] = [0.35, 0.50, 0.49, 0.22, 0.64, 0.41, 0.58, 0.40, 0.33, 0.61];

fn scores(systems: &[(&str, &[f64])]) -> Vec<Scores> {
    measured("nDCG@10", systems)
}

fn three() -> Vec<Scores> {
    scores(&[("a", &A), ("b", &B), ("c", &C)])
}

fn options() -> SignificanceOptions {
    SignificanceOptions::new(BootstrapOptions { resamples: 500, ..BootstrapOptions::new(Seed(7)) })
}

fn table(scores: &[Scores], baseline: &str, options: &SignificanceOptions) -> SignificanceTable {
    significance(scores, 0, baseline, options).unwrap()
}

#[track_caller]
fn near(found: Option<f64>, expected: f64) {
    assert!(found.is_some_and(|found| (found - expected).abs() < 1e-9), "{found:?} instead of {expected}");
}

/// p from scipy 1.17.1 (`ttest_rel`; of differences rounded to ten digits `wilcoxon(method=PermutationMethod())`
/// and `permutation_test`, both with all resamples), corrected by statsmodels 0.15.0 (`multipletests`, `holm` and
/// `fdr_bh`).
#[test]
fn p_and_their_corrections_are_those_of_scipy_and_statsmodels() {
    let expected = [
        (
            PairTest::T,
            [0.000906729543865021, 0.09964906679741897],
            [0.0027201886315950633, 0.09964906679741897],
        ),
        (PairTest::Wilcoxon, [0.00390625, 0.103515625], [0.01171875, 0.103515625]),
        (PairTest::Permutation, [0.00390625, 0.125], [0.01171875, 0.125]),
    ];
    for (test, p, holm) in expected {
        let table = table(&three(), "a", &SignificanceOptions { test, ..options() });
        for (place, tested) in table.comparisons.iter().enumerate() {
            near(tested.test.p, p[place]);
            near(tested.test.p_adjusted, holm[place]);
            assert_eq!(tested.test.significant, place == 0);
            near(table.pairs[place].p_adjusted, holm[place]);
        }
        assert_eq!((table.tests.pairs, table.tests.tested, table.pairs.len()), (3, 3, 3));
    }
    let bh =
        SignificanceOptions { test: PairTest::T, correction: Correction::BenjaminiHochberg, ..options() };
    near(table(&three(), "a", &bh).pairs[2].p_adjusted, 0.015050249374617082);
}

/// b is significantly better than a and c (p 0.0117 and 0.03125 after Holm, by scipy and statsmodels), c not than a.
#[test]
fn letters_name_the_systems_that_a_figure_is_better_than() {
    let all = table(&three(), "c", &options());
    let written: Vec<_> =
        all.systems.iter().map(|row| (row.letter.as_deref(), row.letters.as_str())).collect();
    assert_eq!(written, [(Some("a"), ""), (Some("b"), "ac"), (Some("c"), "")]);
    assert_eq!(all.systems[1].better_than, ["a", "c"]);
    // The baseline is c, so the sentences are about a and b.
    let compared: Vec<_> = all.comparisons.iter().map(|tested| tested.comparison.system.as_str()).collect();
    assert_eq!(compared, ["a", "b"]);
    near(all.comparisons[1].test.p_adjusted, 0.03125);
}

#[test]
fn a_pair_without_a_verdict_has_no_letter() {
    let mut all = table(&three(), "c", &options());
    let whole = all.clone();
    all.withhold_letters(LettersWithheld::MissingLabels, |better, _| better == "a");
    assert_eq!(all, whole, "a is significantly better than none");
    all.withhold_letters(LettersWithheld::MissingLabels, |better, worse| (better, worse) == ("b", "a"));
    assert_eq!(
        (all.systems[1].letters.as_str(), all.systems[1].better_than.as_slice()),
        ("c", &["c".to_owned()][..])
    );
    let legend = significance_legend(std::slice::from_ref(&all)).join(" ");
    assert!(legend.contains("A pair that missing labels could reverse has no letter."), "{legend}");
    let mut with = table(&three(), "a", &SignificanceOptions { family: Family::Baseline, ..options() });
    with.withhold_letters(LettersWithheld::JudgeFailed, |_, _| true);
    assert!(with.systems.iter().all(|row| row.letters.is_empty() && row.better_than.is_empty()));
}

/// Two comparisons are corrected for instead of three: 0.0078125 by statsmodels.
#[test]
fn a_baseline_leaves_fewer_pairs_to_correct_for() {
    let with = table(&three(), "a", &SignificanceOptions { family: Family::Baseline, ..options() });
    near(with.comparisons[0].test.p_adjusted, 0.0078125);
    assert_eq!((with.tests.pairs, with.pairs.len()), (2, 0));
    let written: Vec<_> =
        with.systems.iter().map(|row| (row.letter.as_deref(), row.letters.as_str())).collect();
    assert_eq!(written, [(Some("a"), ""), (None, "a"), (None, "")]);
    // b is significantly better than c, too, but that was not tested, and c has no letter
    let of_b = SignificanceOptions { family: Family::Baseline, ..options() };
    let of_b = table(&three(), "b", &of_b);
    assert!(of_b.systems.iter().all(|row| row.letters.is_empty()) && of_b.comparisons[0].test.significant);
}

/// statsmodels 0.15.0: `TTestPower().solve_power` for c - a gives 25.29 topics, and 0.0274579 as the difference that
/// 10 show.
#[test]
fn more_topics_are_asked_for_where_these_do_not_tell() {
    let table = table(&three(), "a", &options());
    let [b, c] = &table.comparisons[..] else { panic!("{table:?}") };
    assert_eq!(c.power.topics_needed, Some(26));
    assert!(c.power.detectable.is_some_and(|detectable| (detectable - 0.0274579).abs() < 1e-6));
    assert!(c.comparison.sentence.contains(
        "If the true difference were the one seen here, about 26 queries would show it 80% of the time (paired t test \
         at 0.05, one comparison); these 10 would show one of 0.0275 as often."
    ));
    assert!(
        b.comparison.decision == ComparisonFinding::Better && !b.comparison.sentence.contains("would show")
    );
}

/// statsmodels 0.15.0: `ttost_paired(c, a, -0.05, 0.05)` and for b, corrected by `multipletests(method='holm')`.
#[test]
fn equivalence_is_tested_where_it_is_asked_for() {
    let table = table(&three(), "a", &SignificanceOptions { margin: Some(0.05), ..options() });
    let of = |place: usize| table.comparisons[place].equivalence.clone().unwrap();
    near(of(0).p, 0.9518378803818032);
    near(of(1).p, 0.0018095197515358558);
    near(of(1).p_adjusted, 0.0036190395030717116);
    assert_eq!((of(0).equivalent, of(1).equivalent), (Some(false), Some(true)));
    let sentence = &table.comparisons[1].comparison.sentence;
    assert!(sentence.ends_with(
        "They are equivalent within ±0.05 (two one-sided t tests, p = 0.0036 corrected for 2 comparisons)."
    ));
}

#[test]
fn tukeys_test_corrects_by_itself() {
    let table = table(&three(), "a", &SignificanceOptions { test: PairTest::Tukey, ..options() });
    assert_eq!(table.tests.correction, Correction::None);
    assert!(table.comparisons.iter().all(|tested| tested.test.p == tested.test.p_adjusted));
    assert!(significance_legend(std::slice::from_ref(&table))[0].contains("p hold for all systems together"));
}

#[test]
fn what_does_not_exist_says_why() {
    let raised: Vec<f64> = A.iter().map(|value| value + 0.125).collect();
    let systems = scores(&[("a", &A), ("same", &A), ("raised", &raised)]);
    for test in [PairTest::Permutation, PairTest::Sign, PairTest::Tukey] {
        let table = table(&systems, "a", &SignificanceOptions { test, ..options() });
        let same = &table.comparisons[0];
        assert_eq!(same.test.reason.as_deref(), Some("the two have the same value on every query"), "{test}");
        assert!(same.comparison.sentence.starts_with("same and a have the same "), "{test}");
        assert_eq!(table.comparisons[1].test.reason, None, "{test}");
    }
    for test in [PairTest::T, PairTest::Bootstrap] {
        let by_t = table(&systems, "a", &SignificanceOptions { test, ..options() });
        let reasons: Vec<_> =
            by_t.comparisons.iter().map(|tested| tested.test.reason.clone().unwrap()).collect();
        assert_eq!(
            reasons,
            [
                "the two have the same value on every query",
                "there is no spread to compare the difference with"
            ]
        );
        assert!(by_t.comparisons.iter().all(|tested| tested.test.p.is_none() && !tested.test.significant));
        assert_eq!((by_t.tests.pairs, by_t.tests.tested), (3, 0));
        assert_eq!(by_t.comparisons[0].effect.dz.value, None);
        assert_eq!(by_t.comparisons[1].effect.cliff_delta.value, Some(1.0));
    }
}

#[test]
fn one_topic_and_none() {
    let one = scores(&[("a", &A[..1]), ("b", &B[..1])]);
    let by_t = table(&one, "a", &SignificanceOptions { test: PairTest::T, ..options() });
    assert_eq!(
        by_t.comparisons[0].test.reason.as_deref(),
        Some("there are too few values (1; at least 2 are needed)")
    );
    let none = table(&scores(&[("a", &[]), ("b", &[])]), "a", &options());
    assert_eq!((none.n, none.comparisons[0].test.p, none.tests.tested), (0, None, 0));
    assert_eq!(none.comparisons[0].test.reason.as_deref(), Some("there are no queries"));
    assert!(Latex.to_text(&ComparisonView::new(&[none], &[])).unwrap().contains("n/a"));
}

/// b is a little better on all topics but one, and far worse there. By counting all ways: of 10 topics 22 of 2^10
/// have as few losses or wins; of 12 topics 140 of 2^12 have a rank sum of 12 or less, or of 66 or more.
#[test]
fn a_letter_goes_to_the_one_that_the_test_favours() {
    let won = |topics: usize| -> Vec<f64> {
        let by = |topic: usize| if topic == 0 { -0.3 } else { 0.001 * (topic + 1) as f64 };
        (0..topics).map(|topic| 0.5 + by(topic)).collect()
    };
    for (test, topics, p, words) in [
        (PairTest::Sign, 10, 22.0 / 1024.0, "its wins against its losses"),
        (PairTest::Wilcoxon, 12, 140.0 / 4096.0, "the ranks of its wins against those of its losses"),
    ] {
        let (even, b) = (vec![0.5; topics], won(topics));
        let systems = scores(&[("a", &even), ("b", &b)]);
        for baseline in ["a", "b"] {
            let table = table(&systems, baseline, &SignificanceOptions { test, ..options() });
            let [tested] = &table.comparisons[..] else { panic!("{table:?}") };
            near(tested.test.p, p);
            let letters: Vec<_> = table.systems.iter().map(|row| row.letters.as_str()).collect();
            assert_eq!(letters, ["", "a"], "b is the better one by {test}");
            let (found, mean) =
                if baseline == "a" { ("b is better", "lower") } else { ("a is worse", "higher") };
            let sentence =
                format!(". By {words}, which are what is tested, {found}, though its mean is {mean}.");
            assert!(tested.comparison.sentence.contains(&sentence), "{}", tested.comparison.sentence);
        }
    }
    let agrees = table(&three(), "a", &SignificanceOptions { test: PairTest::Sign, ..options() });
    assert!(!agrees.comparisons[0].comparison.sentence.contains("though its mean"));
}

/// Holm's least p is 3 times that of the test: 2^(1 - n) for sign flips of n topics, so 3 / 32 of 6, 3 / 64 of 7.
#[test]
fn too_few_topics_are_told_before_they_disappoint() {
    let of = |topics: usize| {
        let few = scores(&[("a", &A[..topics]), ("b", &B[..topics]), ("c", &C[..topics])]);
        table(&few, "a", &options())
    };
    assert_eq!(
        of(6).notes,
        ["none of the 3 pairs can be significant at 0.05 after Holm's correction, whatever the figures: 6 \
          queries are too few for the permutation test. It takes at least 7, or fewer pairs: fewer systems, or each \
          with the baseline only; or the correction bh"]
    );
    assert_eq!((of(6).tests.topics_needed, of(7).tests.topics_needed), (Some(7), None));
    assert!(of(7).notes.is_empty());
}

/// 40 topics are too many to count all flips. The least p of k draws is 1 / (1 + k), times 3 pairs: 60 draws.
#[test]
fn too_few_draws_are_told_and_the_usual_number_is_enough() {
    let long = |values: &[f64], by: f64| -> Vec<f64> {
        (0..40).map(|topic| values[topic % 10] + by + 0.001 * topic as f64).collect()
    };
    let (a, b, c) = (long(&A, 0.0), long(&B, 0.1), long(&C, 0.2));
    let systems = scores(&[("a", &a), ("b", &b), ("c", &c)]);
    let drawn = |draws| table(&systems, "a", &SignificanceOptions { draws, ..options() });
    let few = drawn(Some(30));
    assert_eq!(few.tests.draws_needed, Some(60));
    assert!(
        few.notes[0].contains("30 draws of the permutation test are too few. It takes at least 60, or fewer")
    );
    assert!(few.pairs.iter().all(|pair| !pair.significant));
    let usual = drawn(None);
    assert_eq!((usual.tests.draws, usual.tests.draws_needed, usual.tests.exact), (Some(10_000), None, 0));
    let strict = SignificanceOptions { significance: 0.001, correction: Correction::None, ..options() };
    let strict = table(&systems, "a", &SignificanceOptions { draws: Some(500), ..strict });
    assert_eq!(strict.tests.draws_needed, Some(1_000));
    // 666 pairs need 13,320
    let names: Vec<String> = (0..37).map(|system| format!("s{system}")).collect();
    let many: Vec<(&str, &[f64])> =
        names.iter().map(|name| (name.as_str(), if name.len() > 2 { &a[..] } else { &b[..] })).collect();
    let many = table(&scores(&many), "s0", &options());
    assert_eq!((many.tests.pairs, many.tests.draws), (666, Some(133_200)));
}

/// One identical pair has an exact p, which does not depend on the draws of the others.
#[test]
fn identical_systems_do_not_hide_that_draws_or_topics_are_too_few() {
    let long = |by: f64| -> Vec<f64> { (0..40).map(|topic| by + 0.001 * f64::from(topic)).collect() };
    let (a, b) = (long(0.1), long(0.2));
    let systems = scores(&[("a", &a), ("b", &b), ("twin", &a)]);
    let of = |draws, correction| {
        table(&systems, "a", &SignificanceOptions { draws: Some(draws), correction, ..options() }).tests
    };
    assert_eq!(of(30, Correction::Holm).draws_needed, Some(60));
    assert_eq!(of(10, Correction::None).draws_needed, Some(20));
    assert_eq!(of(60, Correction::Holm).draws_needed, None);
    // Two systems that differ on 4 of 10 topics: 2 / 2^4.
    let few: Vec<f64> = A.iter().enumerate().map(|(at, a)| if at < 4 { a + 0.1 } else { *a }).collect();
    let few = table(&scores(&[("a", &A), ("b", &few)]), "a", &options());
    assert_eq!((few.tests.topics_needed, few.tests.most_differing), (Some(6), 4));
    assert_eq!(
        few.notes,
        [
            "the one pair cannot be significant at 0.05, whatever the figures: no two systems differ on more than 4 \
             queries of 10, too few for the permutation test. They must differ on at least 6"
        ]
    );
}

#[test]
fn a_margin_or_a_level_that_cannot_be_is_refused() {
    for refused in [
        SignificanceOptions { significance: 0.0, ..options() },
        SignificanceOptions { significance: 1.5, ..options() },
        SignificanceOptions { margin: Some(-0.1), ..options() },
        SignificanceOptions { draws: Some(0), ..options() },
    ] {
        let error = significance(&three(), 0, "a", &refused).unwrap_err();
        assert!(matches!(&error, ReportError::Test { measure, .. } if measure == "nDCG@10"), "{error}");
    }
}

#[test]
fn one_system_has_nobody_to_be_tested_against() {
    let alone = scores(&[("a", &A)]);
    let of_one = table(&alone, "a", &options());
    assert_eq!((of_one.comparisons.len(), of_one.tests.pairs, of_one.systems.len()), (0, 0, 1));
    let unknown = significance(&alone, 5, "a", &options());
    assert!(matches!(unknown, Err(ReportError::UnknownMeasure { measure: 5, .. })));
}

#[test]
fn what_is_no_mean_is_refused_in_gates_too() {
    let reasons = [
        ("GMAP", "geometric mean"),
        ("NumRet", "count over all queries"),
        ("NumQ", "count over all queries"),
    ];
    for (measure, reason) in reasons {
        let scores = measured(measure, &[("a", &A), ("b", &B)]);
        let gate: Gate = format!("{measure} >= 0").parse().unwrap();
        let compared = significance(&scores, 0, "a", &options()).unwrap_err();
        let gated = gates(&[gate], &scores, "a", &options().bootstrap).unwrap_err();
        assert!(compared.to_string().contains(reason), "{compared}");
        assert_eq!(compared.to_string(), gated.to_string());
    }
}

const HOSTILE: [&str; 3] =
    ["a|b <i>_x_\n[l](u)", r"[50%] & {c} \input{x} ~^ #$ a--b", "*`code`* \"q\" \u{202e}b"];

fn hostile() -> Vec<SignificanceTable> {
    let systems = scores(&[(HOSTILE[0], &A), (HOSTILE[1], &B), (HOSTILE[2], &C)]);
    vec![table(&systems, HOSTILE[0], &SignificanceOptions { margin: Some(0.05), ..options() })]
}

#[test]
fn hostile_names_in_markdown_and_latex() {
    insta::assert_snapshot!(
        "hostile_markdown",
        Markdown::default().to_text(&ComparisonView::new(&hostile(), &[])).unwrap()
    );
    insta::assert_snapshot!("hostile_latex", Latex.to_text(&ComparisonView::new(&hostile(), &[])).unwrap());
}

/// Two tables, of 3 rows with 4 cells and of 2 rows with 11, whatever the names are.
#[test]
fn markdown_stays_two_tables() {
    let text = Markdown::default().to_text(&ComparisonView::new(&hostile(), &[])).unwrap();
    let (mut tables, mut rows, mut cells, mut open) = (0, 0, 0, Vec::new());
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES | Options::ENABLE_GFM) {
        match event {
            Event::Start(Tag::Table(_)) => tables += 1,
            Event::Start(Tag::TableRow) => rows += 1,
            Event::Start(Tag::TableCell) => cells += 1,
            Event::InlineHtml(html) => open.push(html.into_string()),
            Event::Start(Tag::Link { .. } | Tag::Emphasis | Tag::Image { .. }) | Event::Code(_) => {
                panic!("{event:?}")
            }
            Event::End(TagEnd::Table) | Event::Text(_) => {}
            _ => {}
        }
    }
    assert_eq!((tables, rows, cells), (2, 5, 4 * 4 + 3 * 11), "{text}");
    assert!(open.iter().all(|html| html == "<sup>" || html == "</sup>"), "{open:?}");
}

proptest! {
    /// Nothing that LaTeX acts on is left by itself, groups close, and no line ends.
    #[test]
    fn escaped_latex_is_text(text in "[-\\\\{}$&#^_~%<>|`\"'\\[\\]*,?! \\n\\ta-c0-9é\u{202e}]{0,30}") {
        let escaped = escape_latex(&text);
        prop_assert!(!escaped.contains('\n'));
        let mut depth = 0;
        let mut chars = escaped.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\\' => {
                    let next = chars.peek().copied().unwrap_or(' ');
                    prop_assert!("{}$&#_%".contains(next) || next.is_ascii_lowercase(), "{}", escaped);
                    if !next.is_ascii_lowercase() {
                        chars.next();
                    }
                }
                '{' => depth += 1,
                '}' => depth -= 1,
                c => prop_assert!(!"$&#^_~%<>|`\"".contains(c), "{}", escaped),
            }
            prop_assert!(depth >= 0, "{}", escaped);
        }
        prop_assert_eq!(depth, 0);
        prop_assert!(!escaped.contains("--") && !escaped.contains("''") && !escaped.starts_with(['[', '*']));
    }
}
