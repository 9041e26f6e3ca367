//! LLMBar: answers of three models to pairs in both orders.
//!
//! The figures are the authors' (Zeng et al., Evaluating large language models at evaluating instruction following,
//! ICLR 2024, arXiv 2310.07641).

use std::collections::BTreeMap;
use std::io::Read as _;

use llull::stats::{
    Choice, ConfusionMatrix, DisagreementWeights, JudgedPair, Mode, PreferenceAgreement, cohen_kappa,
    preference_agreement,
};
use llull_conformance::{data, read_to_string};

/// Returns the chosen item, independent of its place: LLMBar writes the winner as the dataset's output 1 or 2 in both
/// orders.
fn choice(text: &str) -> Option<Choice> {
    match text {
        "1" => Some(Choice::First),
        "2" => Some(Choice::Second),
        "None" => None,
        other => panic!("{other:?} is no verdict"),
    }
}

/// The answers, by dataset, evaluator and prompt.
fn judged() -> BTreeMap<[String; 3], Vec<JudgedPair>> {
    let mut text = String::new();
    llull::data::open(data("llmbar-swap/verdicts.tsv.gz")).unwrap().read_to_string(&mut text).unwrap();
    let mut judges: BTreeMap<[String; 3], Vec<JudgedPair>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let [dataset, _, gold, evaluator, prompt, shown, swapped] = columns(line);
        let mut pair = JudgedPair::new(choice(gold).unwrap());
        pair.shown.add(choice(shown));
        pair.swapped.add(choice(swapped));
        judges.entry([dataset, evaluator, prompt].map(str::to_owned)).or_default().push(pair);
    }
    judges
}

fn columns<const N: usize>(line: &str) -> [&str; N] {
    line.split('\t').collect::<Vec<_>>().try_into().unwrap()
}

/// Writes `28 / 92 = 30.434782608695656%` with Python's arithmetic and shortest digits.
fn share(count: u64, n: u64) -> String {
    format!("{count} / {n} = {}", percent(count as f64 / n as f64 * 100.0))
}

fn percent(value: f64) -> String {
    format!("{value:?}%")
}

/// Returns the number of equal answers in both orders. As in LLMBar, two unreadable answers are equal.
fn equal(pairs: &[JudgedPair], agreement: &PreferenceAgreement) -> u64 {
    let unread = |pair: &&JudgedPair| pair.shown.verdict().is_none() && pair.swapped.verdict().is_none();
    agreement.swap.unwrap().consistency.count + pairs.iter().filter(unread).count() as u64
}

/// Returns Cohen's kappa as LLMBar's evaluate.py computes it: "chose output 1" against everything else, so that an
/// unreadable answer counts as output 2.
fn kappa(pairs: &[JudgedPair]) -> f64 {
    let first = |verdict: Option<Choice>| i32::from(verdict == Some(Choice::First));
    let table: ConfusionMatrix =
        pairs.iter().map(|pair| (first(pair.shown.verdict()), first(pair.swapped.verdict()))).collect();
    cohen_kappa(&table, DisagreementWeights::None).unwrap()
}

#[test]
fn every_published_row() {
    let judges = judged();
    let published = read_to_string("llmbar-swap/published.tsv");
    let (mut rows, mut whole) = (0, 0);
    for line in published.lines().skip(1) {
        let [dataset, evaluator, prompt, n, shown, swapped, average, both, same, chance] = columns(line);
        let row = [dataset, evaluator, prompt].map(str::to_owned);
        let pairs = &judges[&row];
        let n: u64 = n.parse().unwrap();
        let agreement = preference_agreement(pairs, 0.95).unwrap();
        let right = |mode: Mode| {
            let figures = agreement.modes.iter().find(|figures| figures.mode == mode).unwrap();
            assert_eq!(figures.n, n, "{row:?}");
            figures.recall.count
        };
        assert_eq!(share(right(Mode::Shown), n), shown, "{row:?}");
        assert_eq!(share(right(Mode::Swapped), n), swapped, "{row:?}");
        let mean = (right(Mode::Shown) + right(Mode::Swapped)) as f64 / 2.0 / n as f64;
        assert_eq!(percent(mean * 100.0), average, "{row:?}");
        assert_eq!(share(right(Mode::DoubleCheck), n), both, "{row:?}");
        assert_eq!(share(equal(pairs, &agreement), n), same, "{row:?}");
        let chance: f64 = chance.parse().unwrap();
        assert!((kappa(pairs) - chance).abs() < 1e-15, "{row:?}: {} instead of {chance}", kappa(pairs));
        // If every answer is readable, the published kappa equals llull's.
        let swap = agreement.swap.unwrap();
        if swap.consistency.n == n {
            assert!((swap.kappa.unwrap() - chance).abs() < 1e-15, "{row:?}: {swap:?}");
            whole += 1;
        }
        rows += 1;
    }
    assert_eq!((rows, judges.len()), (138, 138));
    assert_eq!(whole, 138 - judges.values().filter(|pairs| pairs.iter().any(unread)).count());
    assert!(whole > 100, "{whole}");
}

fn unread(pair: &JudgedPair) -> bool {
    pair.shown.verdict().is_none() || pair.swapped.verdict().is_none()
}
