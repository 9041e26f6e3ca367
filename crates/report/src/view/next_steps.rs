//! What to do next: queries, labels or judges that a verdict still needs.

use llull_core::Reason;

use crate::comparison::ComparisonFinding;
use crate::coverage::{Count, JudgeCoverage};
use crate::report::Report;
use crate::study::ReportJudgeKind;
use crate::study_verdict::{ProposedSample, StudyVerdict};
use crate::text::{brief_difference, capitalised, count, counted, estimate};

/// The most comparisons for which the number of queries is shown.
const COMPARISONS: usize = 3;

/// The step if no sample can be drawn.
const WITHOUT_SAMPLE: &str = "To check the judge, label pairs by hand: llull review --queue random.";

/// The same if nobody can read the documents.
const WITHOUT_TEXTS: &str = "To check the judge, name the corpus in llull.toml and label pairs by hand: llull review \
                             --queue random.";

/// Returns what to do next, a sentence each, the most urgent first.
pub(crate) fn next_steps<T>(report: &Report<T>) -> Vec<String> {
    let decision = &report.decision;
    let mut steps = Vec::new();
    if let StudyVerdict::UnreliableJudge { judges } = &decision.verdict {
        let of_file = |name: &String| {
            let judge = report.study.judges.iter().find(|judge| judge.name == *name);
            judge.is_some_and(|judge| judge.kind == ReportJudgeKind::ReplayedLabels)
        };
        let step = if judges.iter().all(of_file) {
            "Use other labels. If annotators made these, --ignore-checks shows the result."
        } else {
            "Use another judge, or fix the prompt; --ignore-checks shows the result anyway."
        };
        steps.push(step.to_owned());
    }
    for judge in &report.coverage.judges {
        steps.extend(missing_answers(judge));
    }
    if let StudyVerdict::UnreliableJudge { .. } = decision.verdict {
        return steps;
    }
    let unclear = decision.decisive().filter(|found| found.decision == ComparisonFinding::Inconclusive);
    let needed = unclear.filter_map(|found| Some((found, found.queries_needed?)));
    steps.extend(needed.take(COMPARISONS).map(|(found, needed)| {
        format!(
            "{} queries in total ({} now) would have an 80% chance to show that {} and {} differ, if the true \
             difference is {}.",
            capitalised(&estimate(needed)),
            count(found.n),
            found.system,
            found.baseline,
            found.mean_difference.map_or_else(String::new, not_zero)
        )
    }));
    match decision.sample {
        Some(sample) if sample.labelled < sample.pairs => steps.push(format!(
            "{} of the sample without a human label: llull review, or llull sample --read FILE",
            counted(sample.pairs - sample.labelled, "pair")
        )),
        None if report.reference.is_none() && report.coverage.labelled > 0 => {
            let has_texts = report.texts_left_out || !report.provenance.texts.is_empty();
            let without_sample = if has_texts { WITHOUT_SAMPLE } else { WITHOUT_TEXTS };
            let sample = decision.proposed_sample.as_ref();
            steps.push(sample.map_or_else(|| without_sample.to_owned(), proposed));
        }
        Some(_) | None => {}
    }
    steps
}

/// How many pairs to label, and what they give.
fn proposed(sample: &ProposedSample) -> String {
    let ProposedSample { measure, pairs, half_width } = sample;
    let about = if half_width.is_some() { "about " } else { "" };
    let worth = half_width.map_or_else(String::new, |half_width| {
        format!(" If the judge is good, they give each difference in {measure} to within {half_width:.2}.")
    });
    format!(
        "To check the judge, label {about}{} by hand: llull sample -n {pairs} -o sheet.csv.{worth}",
        counted(*pairs, "pair")
    )
}

/// The steps for the answers that a judge did not give.
fn missing_answers(judge: &JudgeCoverage) -> Vec<String> {
    let lost = |counts: &[Count]| counts.iter().map(|count| count.count).sum::<u64>();
    let absent = judge.unusable.iter().filter(|count| count.what == Reason::NotInFile.name());
    let absent: u64 = absent.map(|count| count.count).sum();
    let open = judge.open();
    let steps = [
        (open.for_annotator, "pair", "not labelled yet: llull review"),
        (
            open.for_run,
            "request",
            "without an answer. Repeat llull run with the same flags; llull doctor shows what stops it.",
        ),
        (
            open.for_recording,
            "request",
            "without a recorded answer. Name a recording that has them, or another judge.",
        ),
        (absent, "pair", "without a label in its file. Are the identifiers those of the results?"),
        (
            lost(&judge.unusable) + lost(&judge.refused) - absent,
            "reply",
            "unparsable, refused or missing; llull ledger status counts them by reason.",
        ),
        (judge.without_text, "pair", "without a document text: no judge can answer. Add it to the corpus."),
    ];
    let steps = steps.into_iter().filter(|(number, ..)| *number > 0);
    steps.map(|(number, noun, step)| format!("{}: {} {step}", judge.judge, counted(number, noun))).collect()
}

/// A difference with two decimals, or as many as it takes to show that it is not 0.
fn not_zero(value: f64) -> String {
    let shows = |text: &String| text.contains(|digit| matches!(digit, '1'..='9'));
    let more = (3..=12).map(|decimals| format!("{value:+.decimals$}"));
    std::iter::once(brief_difference(value))
        .chain(more)
        .find(shows)
        .unwrap_or_else(|| brief_difference(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_difference_is_not_shown_as_none() {
        assert_eq!([0.304, -0.0049, 0.0021].map(not_zero), ["+0.30", "-0.005", "+0.002"]);
    }

    #[test]
    fn without_a_proposal_there_is_a_number_too() {
        let sample = ProposedSample { measure: "nDCG@10".into(), pairs: 100, half_width: None };
        let command = "To check the judge, label 100 pairs by hand: llull sample -n 100 -o sheet.csv.";
        assert_eq!(proposed(&sample), command);
    }

    #[test]
    fn a_sample_is_proposed_with_its_command_and_its_worth() {
        let sample = ProposedSample { measure: "nDCG@10".into(), pairs: 120, half_width: Some(0.1286) };
        assert_eq!(
            proposed(&sample),
            "To check the judge, label about 120 pairs by hand: llull sample -n 120 -o sheet.csv. If the judge is \
             good, they give each difference in nDCG@10 to within 0.13."
        );
    }
}
