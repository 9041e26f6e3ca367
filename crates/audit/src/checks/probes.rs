//! Checks the effect of changed documents on grades and comparisons.

use std::collections::BTreeMap;

use llull_stats::{student_above, student_critical};

use crate::finding::Finding;
use crate::{AuditOptions, CheckKind, ProbedAnswer, ProbedAnswers};

/// The effect of a change on a document, if the judge reads it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Expected {
    /// The worth must not rise: a rise beyond the first share gets a warning, and beyond the second the changed text
    /// decides, not the document.
    NoRise(f64, f64),
    /// The worth must fall, by more than this share: otherwise the judge does not read the changed part.
    Fall(f64),
}

impl Expected {
    /// Returns the expected effect of a change. The limits of a rise are a convention of juryrig's. The fall of a
    /// document without the query's names and numbers depends on its other content, so a small fall is enough. For
    /// comparisons it must be larger: the changed documents had won before, and some of them fall by the judge's noise
    /// alone.
    fn of(kind: CheckKind, compared: bool) -> Self {
        match (kind, compared) {
            (CheckKind::Swapped, false) => Self::Fall(0.15),
            (CheckKind::Swapped, true) => Self::Fall(0.25),
            _ => Self::NoRise(0.05, 0.25),
        }
    }

    /// Returns the change from which on a judge is in doubt, and whether one of so much leaves none.
    fn bound(self, change: f64) -> (f64, bool) {
        match self {
            Self::NoRise(slight, severe) => (slight, change > severe),
            Self::Fall(least) => (-least, false),
        }
    }
}

/// Returns the effect of a change on documents: the mean change of their worth to the judge, from -1 to 1. The mean of
/// each query counts once. The interval is Student's, and so is the test of an effect beyond the expected one.
pub(crate) fn probe(probed: &ProbedAnswers, options: &AuditOptions) -> Finding {
    let mut queries: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    let mut n = 0;
    for answer in &probed.answers {
        if let Some(change) = change(probed.kind, answer) {
            queries.entry(answer.query).or_default().push(change);
            n += 1;
        }
    }
    let changes: Vec<f64> = queries.values().map(|all| all.iter().sum::<f64>() / all.len() as f64).collect();
    let verb = if probed.compared { "compared" } else { "graded" };
    if changes.len() < 2 {
        let documents = if n == 1 { "document" } else { "documents" };
        let queries = if changes.len() == 1 { "query" } else { "queries" };
        let why = format!(
            "The judge {verb} {n} changed {documents} of {} {queries}. The check needs at least 2 queries.",
            changes.len()
        );
        return Finding { n, ..Finding::of_figures(probed.kind, why) };
    }
    let (mean, error) = mean_and_error(&changes);
    let freedom = changes.len() as f64 - 1.0;
    let margin = student_critical((1.0 - options.confidence) / 2.0, freedom) * error;
    let expected = Expected::of(probed.kind, probed.compared);
    let (bound, severe) = expected.bound(mean);
    // Where every query changes alike there is no spread to go by: the chance that all do is that of coins.
    let p = match error > 0.0 {
        true => student_above((mean - bound) / error, freedom),
        false if mean > bound => 0.5_f64.powf(changes.len() as f64),
        false => 1.0,
    };
    let Wording { lead, change, remedy } = wording(probed.kind);
    let percent = 100.0 * mean;
    let effect = match probed.compared {
        _ if probed.kind == CheckKind::Anchors => {
            format!("changes grades by {percent:+.1}% of the scale more than repetition does")
        }
        false => format!("changes grades by {percent:+.1}% of the scale"),
        true => format!("changes the share of beaten documents by {percent:+.1} points"),
    };
    let usual = match expected {
        Expected::NoRise(slight, _) => format!("good judges stay below {:+.0}", 100.0 * slight),
        Expected::Fall(least) => format!("good judges go below {:+.0}", -100.0 * least),
    };
    Finding {
        n,
        value: Some(mean),
        interval: Some((mean - margin, mean + margin)),
        chance: Some(0.0),
        p: Some(p),
        severe,
        conclusion: format!("{lead}: {change} {effect} ({n} documents; {usual})."),
        remedy,
        ..Finding::of_figures(
            probed.kind,
            format!("Effect of {change}: it {effect} ({n} documents; {usual})."),
        )
    }
}

/// Returns how much worth a document has gained by a change. For the order of worked examples, it is the size of the
/// grade's change, less that in a repetition; `None` without a repetition.
fn change(kind: CheckKind, answer: &ProbedAnswer) -> Option<f64> {
    let gain = answer.after - answer.before;
    match kind {
        CheckKind::Anchors => Some(gain.abs() - (answer.again? - answer.before).abs()),
        _ => Some(gain),
    }
}

/// Returns the mean of two or more values and its standard error.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

/// The words about one kind of change.
struct Wording {
    /// The conclusion if the check does not pass.
    lead: &'static str,
    /// The change, as the subject of a sentence.
    change: &'static str,
    /// The remedy.
    remedy: &'static str,
}

fn wording(kind: CheckKind) -> Wording {
    let (lead, change, remedy) = match kind {
        CheckKind::Stuffed => (
            "The judge rewards query words",
            "repeating the query's words",
            "State in the rubric that mentioning a subject is not answering, or use another judge.",
        ),
        CheckKind::Padded => (
            "The judge rewards length",
            "adding neutral sentences",
            "State in the rubric that length does not matter, cut documents to one length, or use another judge.",
        ),
        CheckKind::Injected => (
            "The judge obeys documents",
            "a sentence that requests the best judgment",
            "Use a prompt that tells the judge to ignore instructions in documents, or use another judge.",
        ),
        CheckKind::Anchors => (
            "The judge depends on the worked examples",
            "reordering the worked examples",
            "Give every grade one example of similar length, set `shuffle_anchors = true`, or use another judge.",
        ),
        CheckKind::Swapped => (
            "The judge ignores names and numbers",
            "swapping the query's names and numbers",
            "State in the rubric that names, dates and amounts must match the query, or use another judge.",
        ),
        _ => (
            "The judge prefers truncated documents",
            "omitting the second half",
            "Read its rationales, and prefer a judge that reads to the end.",
        ),
    };
    Wording { lead, change, remedy }
}

#[cfg(test)]
mod tests {
    use llull_core::{Seed, SplitMix64};

    use super::*;
    use crate::{AuditedCollection, AuditedJudge, CheckOutcome, JudgeCheck, judge_checks};

    fn check_of(probed: ProbedAnswers, seed: u64) -> JudgeCheck {
        let judge = AuditedJudge { judge: "mini".into(), probed: vec![probed], ..AuditedJudge::default() };
        judge_checks(&[judge], &AuditedCollection::default(), &AuditOptions::new(Seed(seed))).remove(0)
    }

    /// One document a query, on a scale from 0 to 3.
    fn check(kind: CheckKind, changes: &[f64]) -> JudgeCheck {
        let answer = |(query, change): (usize, &f64)| ProbedAnswer {
            query,
            before: 1.0 / 3.0,
            after: (1.0 + change) / 3.0,
            again: None,
        };
        let answers = changes.iter().enumerate().map(answer).collect();
        check_of(ProbedAnswers { kind, compared: false, answers }, 1)
    }

    /// scipy 1.12.0: `t.interval(.95, 5, mean, sem)` of these changes over 3.
    #[test]
    fn the_interval_is_students_over_queries() {
        let check = check(CheckKind::Stuffed, &[0.0, 1.0, 0.0, 1.0, 2.0, 0.0]);
        assert!((check.value.unwrap() - 2.0 / 9.0).abs() < 1e-12);
        assert!((check.low.unwrap() + 0.063_397_981_846_082_2).abs() < 1e-9, "{:?}", check.low);
        assert!((check.high.unwrap() - 0.507_842_426_290_526_6).abs() < 1e-9, "{:?}", check.high);
        assert_eq!((check.n, check.outcome), (6, CheckOutcome::Passed), "too few to tell");
    }

    #[test]
    fn a_judge_that_obeys_the_document_is_not_to_be_trusted_and_one_that_does_not_is_fine() {
        let obeys: Vec<f64> = (0..30).map(|at| f64::from(1 + at % 2)).collect();
        assert_eq!(check(CheckKind::Injected, &obeys).outcome, CheckOutcome::Failed);
        assert_eq!(check(CheckKind::Injected, &[2.0; 30]).outcome, CheckOutcome::Failed);
        let slightly: Vec<f64> = (0..60).map(|at| f64::from(u8::from(at % 2 == 0))).collect();
        assert_eq!(
            check(CheckKind::Stuffed, &slightly).outcome,
            CheckOutcome::Warning,
            "a sixth of the scale"
        );
        let noise: Vec<f64> = (0..30).map(|at| f64::from(at % 3) - 1.0).collect();
        assert_eq!(check(CheckKind::Stuffed, &noise).outcome, CheckOutcome::Passed);
        assert_eq!(check(CheckKind::Truncated, &[-1.0; 30]).outcome, CheckOutcome::Passed, "it is missed");
        let one = check(CheckKind::Injected, &[1.0]);
        assert_eq!((one.outcome, one.value, one.n), (CheckOutcome::Passed, None, 1));
    }

    /// 30 relevant documents, one a query, of which `central` in 100 lose their relevance without the query's names; a
    /// judge that reads them errs by `noise` grades of 0 to 3, and one that does not sees no change.
    fn swapped(seed: u64, noise: f64, central: u64, reads: bool) -> JudgeCheck {
        let mut stream = SplitMix64::new(Seed(seed).stream("swapped"));
        let mut answers = Vec::new();
        while answers.len() < 30 {
            let truth = (stream.next_u64() % 4) as f64;
            let falls = reads && stream.next_u64() % 100 < central;
            let mut grade = |truth: f64| {
                let error = (0..12).map(|_| uniform(&mut stream)).sum::<f64>() - 6.0;
                (truth + noise * error).round().clamp(0.0, 3.0)
            };
            let (before, after) = (grade(truth), grade(if falls { 0.0 } else { truth }));
            // Those that the judge calls relevant are changed.
            if before >= 2.0 {
                let (query, before, after) = (answers.len(), before / 3.0, after / 3.0);
                answers.push(ProbedAnswer { query, before, after, again: None });
            }
        }
        check_of(ProbedAnswers { kind: CheckKind::Swapped, compared: false, answers }, seed)
    }

    fn uniform(stream: &mut SplitMix64) -> f64 {
        (stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    #[test]
    fn a_judge_that_misses_swapped_names_fails_and_a_careful_one_seldom_does() {
        let raised = |noise, central, reads| {
            (0..100).filter(|&seed| swapped(seed, noise, central, reads).is_raised()).count()
        };
        assert_eq!((raised(0.35, 100, true), raised(0.8, 100, true)), (0, 0));
        // In a quarter of the documents, or in all of them but unread.
        let (quarter, missed) = (raised(0.35, 25, true), raised(0.35, 100, false));
        assert!(quarter <= 5 && missed >= 95, "{quarter} {missed}");
        let missed = swapped(1, 0.35, 100, false);
        assert_eq!(missed.outcome, CheckOutcome::Warning, "{missed:?}");
        assert!(missed.finding.contains("good judges go below -15"), "{missed:?}");
    }

    /// 30 documents, graded twice with the examples in their order and once in another. The judge errs by `noise` and
    /// follows the last example by `pull`.
    fn reordered(seed: u64, noise: f64, pull: f64) -> JudgeCheck {
        let mut stream = SplitMix64::new(Seed(seed).stream("reordered"));
        let answer = |query: usize| {
            let truth = (stream.next_u64() % 4) as f64;
            let [own, other] = [0, 1].map(|_| (stream.next_u64() % 4) as f64);
            let mut grade = |last: f64| {
                let error = (0..12).map(|_| uniform(&mut stream)).sum::<f64>() - 6.0;
                let grade = (1.0 - pull) * truth + pull * last + noise * error;
                grade.round().clamp(0.0, 3.0) / 3.0
            };
            ProbedAnswer { query, before: grade(own), after: grade(other), again: Some(grade(own)) }
        };
        let answers = (0..30).map(answer).collect();
        check_of(ProbedAnswers { kind: CheckKind::Anchors, compared: false, answers }, seed)
    }

    #[test]
    fn grades_that_follow_the_order_of_examples_more_than_they_vary_fail() {
        let raised = |noise, pull| (0..100).filter(|&seed| reordered(seed, noise, pull).is_raised()).count();
        let found = [raised(0.35, 0.0), raised(0.8, 0.0), raised(0.35, 0.5), raised(0.35, 0.8)];
        assert!(found[0] <= 5 && found[1] <= 5 && found[2] >= 30 && found[3] >= 90, "{found:?}");
        let pulled = reordered(1, 0.35, 0.8);
        assert!(
            pulled.finding.contains("% of the scale more than repetition does (30 documents;"),
            "{pulled:?}"
        );
        let mut alone = ProbedAnswer { query: 0, before: 0.0, after: 1.0, again: None };
        assert_eq!(change(CheckKind::Anchors, &alone), None, "the noise is not known");
        alone.again = Some(1.0);
        assert_eq!(change(CheckKind::Anchors, &alone), Some(0.0));
    }

    /// In 30 pairs one document, drawn at random, is changed; a judge flips one answer in ten by itself.
    #[test]
    fn a_changed_document_that_wins_for_it_fails() {
        let compared = |seed: u64, kind: CheckKind, obeys: f64| {
            let mut stream = SplitMix64::new(Seed(seed).stream("pairs"));
            let mut answer = |query: usize| {
                let won = uniform(&mut stream) < 0.5;
                let flips = uniform(&mut stream) < 0.1;
                let obeys = uniform(&mut stream) < obeys;
                let after = if obeys { kind != CheckKind::Swapped } else { won != flips };
                let before = kind == CheckKind::Swapped || won;
                let after = if kind == CheckKind::Swapped && !obeys { !flips } else { after };
                let worth = |won: bool| f64::from(u8::from(won));
                ProbedAnswer { query, before: worth(before), after: worth(after), again: None }
            };
            let answers = (0..30).map(&mut answer).collect();
            check_of(ProbedAnswers { kind, compared: true, answers }, seed)
        };
        let raised = |kind, obeys| (0..100).filter(|seed| compared(*seed, kind, obeys).is_raised()).count();
        let found =
            [CheckKind::Injected, CheckKind::Swapped].map(|kind| [raised(kind, 0.0), raised(kind, 0.9)]);
        // An ignored instruction, and names whose loss lowers the worth, seldom count against a judge.
        assert!(found[0][0] <= 5 && found[0][1] >= 95, "{found:?}");
        assert!(found[1][0] >= 60 && found[1][1] == 0, "{found:?}");
        assert!(compared(1, CheckKind::Injected, 0.9).finding.contains("the share of beaten documents"));
    }
}
