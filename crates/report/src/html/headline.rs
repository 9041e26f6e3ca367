//! The decision in plain words, for a reader without statistics.

use crate::comparison::{BaselineComparison, ComparisonFinding};
use crate::study_verdict::{DecisionSection, StudyVerdict};
use crate::text::{counted, shorten};
use crate::view::{best_first, decisive_figures};

/// The most characters of a system's name.
const NAME: usize = 60;

/// The decision in a sentence or two, the best system first.
pub fn headline(decision: &DecisionSection) -> String {
    match &decision.verdict {
        StudyVerdict::Compared => compared(decision),
        StudyVerdict::UnreliableJudge { .. } => "No verdict: the judge failed a check.".to_owned(),
        StudyVerdict::Incomplete { .. } => {
            "No verdict yet: labels are missing that could change the result.".to_owned()
        }
        StudyVerdict::OneSystem { .. } => "There is one system, and nothing to compare it with.".to_owned(),
        StudyVerdict::NoPairs | StudyVerdict::NoLabels { .. } => {
            "No verdict: nothing is labelled.".to_owned()
        }
        StudyVerdict::OneGrade { .. } => "No verdict: all labels have one grade.".to_owned(),
        StudyVerdict::NoSystem | StudyVerdict::NotCompared => {
            "No verdict: no two systems are compared.".to_owned()
        }
    }
}

/// The comparisons with a verdict, the best system first.
pub(super) fn ranked(decision: &DecisionSection) -> Vec<&BaselineComparison> {
    let has_verdict = |found: &&BaselineComparison| match found.decision {
        ComparisonFinding::Better
        | ComparisonFinding::Worse
        | ComparisonFinding::Inconclusive
        | ComparisonFinding::Identical => true,
        ComparisonFinding::Unmeasured
        | ComparisonFinding::NotTrusted
        | ComparisonFinding::Incomplete { .. } => false,
    };
    best_first(decision.decisive().filter(has_verdict).collect(), |found| decisive_figures(found).0)
}

fn compared(decision: &DecisionSection) -> String {
    let baseline = shorten(decision.baseline.as_deref().unwrap_or("the baseline"), NAME);
    let ranked = ranked(decision);
    let open = decision.decisive().count() - ranked.len();
    let Some(best) = ranked.first() else {
        return "No verdict: no comparison has one.".to_owned();
    };
    let name = |found: &BaselineComparison| shorten(&found.system, NAME);
    let system = name(best);
    let several = ranked.len() > 1 && open == 0;
    let above = decisive_figures(best).0.is_some_and(|value| value > 0.0);
    let better = ranked.iter().find(|found| found.decision == ComparisonFinding::Better);
    let sentence = match (best.decision, better) {
        (ComparisonFinding::Better, _) if several => {
            format!("{system} scores highest and is better than {baseline}.")
        }
        (ComparisonFinding::Better, _) => format!("{system} is better than {baseline}."),
        (ComparisonFinding::Worse, _) if several => {
            let all = ranked.iter().all(|found| found.decision == ComparisonFinding::Worse);
            let others = if all { "all others" } else { &system };
            format!("{baseline} scores highest and is better than {others}.")
        }
        (ComparisonFinding::Worse, _) => format!("{baseline} is better than {system}."),
        (ComparisonFinding::Identical, _) => format!("{system} and {baseline} have the same results."),
        (_, Some(better)) => {
            format!("{} is better than {baseline}; {system} scores higher, but not clearly.", name(better))
        }
        (_, None) if several && above => {
            format!("No clear difference: {system} scores highest, but not clearly above {baseline}.")
        }
        (_, None) if several => {
            format!("{baseline} scores highest, but not clearly above {system}.")
        }
        (_, None) => format!("No clear difference between {system} and {baseline}."),
    };
    match open {
        0 => sentence,
        1 => format!("{sentence} 1 system has no verdict."),
        open => format!("{sentence} {} have no verdict.", counted(open, "system")),
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Qrels, Ranking, Run, Seed};
    use llull_metrics::evaluate_all;
    use llull_stats::BootstrapOptions;

    use super::*;
    use crate::compare;

    type Found<'a> = (&'a str, f64, ComparisonFinding);

    /// A decision between a baseline and systems with these mean differences and findings.
    fn decided(systems: &[Found<'_>]) -> DecisionSection {
        let mut qrels = Qrels::default();
        let mut runs = [Run::new("base"), Run::new("other")];
        for topic in ["q1", "q2"] {
            qrels.insert(topic, "d", 1);
            for run in &mut runs {
                run.insert(topic, Ranking::from_ordered([("d", 1.0)]));
            }
        }
        let scores = evaluate_all(&["RR".parse().unwrap()], &qrels, &runs);
        let found = compare(&scores, 0, "base", &BootstrapOptions::new(Seed(1))).unwrap().remove(0);
        let comparisons = systems.iter().map(|(name, mean, decision)| BaselineComparison {
            system: (*name).to_owned(),
            mean_difference: Some(*mean),
            decision: *decision,
            ..found.clone()
        });
        DecisionSection {
            primary: "RR".into(),
            baseline: Some("base".into()),
            comparisons: comparisons.collect(),
            check_gates: Vec::new(),
            system_gates: Vec::new(),
            unreliable_judges: Vec::new(),
            checks_ignored: false,
            verdict: StudyVerdict::Compared,
            base_alone: None,
            run_command: None,
            summary: Vec::new(),
            interval_covers: None,
            without: None,
            sample: None,
            proposed_sample: None,
            notes: Vec::new(),
        }
    }

    #[test]
    fn the_best_system_comes_first() {
        use ComparisonFinding::{Better, Identical, Inconclusive, NotTrusted, Worse};
        let cases: [(&[Found<'_>], &str); 12] = [
            (&[("a", 0.1, Better)], "a is better than base."),
            (
                &[("a", 0.1, Better), ("b", 0.2, Better), ("c", -0.2, Worse)],
                "b scores highest and is better than base.",
            ),
            (&[("a", -0.1, Worse)], "base is better than a."),
            (&[("a", -0.1, Worse), ("b", -0.2, Worse)], "base scores highest and is better than all others."),
            (&[("a", -0.1, Worse), ("b", -0.2, Inconclusive)], "base scores highest and is better than a."),
            (&[("a", 0.1, Inconclusive)], "No clear difference between a and base."),
            (
                &[("a", 0.1, Inconclusive), ("b", 0.2, Inconclusive)],
                "No clear difference: b scores highest, but not clearly above base.",
            ),
            (
                &[("a", -0.1, Inconclusive), ("b", -0.2, Worse)],
                "base scores highest, but not clearly above a.",
            ),
            (
                &[("a", 0.1, Better), ("b", 0.2, Inconclusive)],
                "a is better than base; b scores higher, but not clearly.",
            ),
            (&[("a", 0.0, Identical)], "a and base have the same results."),
            (
                &[("a", 0.1, Better), ("b", 0.2, NotTrusted)],
                "a is better than base. 1 system has no verdict.",
            ),
            (&[("a", 0.1, NotTrusted)], "No verdict: no comparison has one."),
        ];
        for (systems, wanted) in cases {
            assert_eq!(headline(&decided(systems)), wanted, "{systems:?}");
        }
    }
}
