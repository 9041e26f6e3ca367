//! Corrects a comparison, and a figure, by human labels (prediction-powered inference).

use llull_stats::Decision;

use crate::comparison::{BaselineComparison, ComparisonFinding};
use crate::corrected_figure::CorrectedFigure;
use crate::systems::Figure;
use crate::text::{confidence, counted, difference, difference_interval, figure, percent};

/// A judge that makes an interval narrower by less adds nothing.
const WORTH_A_WORD: f64 = 0.01;

impl Figure {
    /// Adds the figure corrected by human labels, with this one's interval as the judge's.
    pub fn correct(&mut self, mut corrected: CorrectedFigure) {
        corrected.judge_only.low = self.low;
        corrected.judge_only.high = self.high;
        self.ppi = Some(corrected);
    }

    /// Records why the figure is not corrected.
    pub fn leave_uncorrected(&mut self, reason: impl Into<String>) {
        self.ppi_refused = Some(reason.into());
    }
}

impl BaselineComparison {
    /// Decides by the corrected difference. Its sentence comes first, then that of the judge's labels alone.
    pub fn correct(&mut self, mut corrected: CorrectedFigure) {
        corrected.judge_only.low = self.low;
        corrected.judge_only.high = self.high;
        let by_judge = self.decision;
        self.decision = match Decision::of(corrected.low, corrected.high, None) {
            Decision::Better => ComparisonFinding::Better,
            Decision::Worse => ComparisonFinding::Worse,
            Decision::Inconclusive => ComparisonFinding::Inconclusive,
        };
        self.undecidable = None;
        // They were planned from the judge's labels alone.
        self.queries_needed = None;
        self.track_record = None;
        self.by_judges = None;
        let alone = std::mem::take(&mut self.sentence);
        self.sentence =
            format!("{} By the judge's labels alone: {alone}", finding(self, by_judge, &corrected));
        self.ppi = Some(corrected);
    }

    /// Records why the difference is not corrected; the decision by the judge's labels alone remains.
    pub fn leave_uncorrected(&mut self, reason: impl Into<String>) {
        let reason = reason.into();
        self.sentence = format!("{} Not corrected by human labels: {reason}.", self.sentence);
        self.ppi_refused = Some(reason);
    }
}

fn finding(
    comparison: &BaselineComparison,
    by_judge: ComparisonFinding,
    corrected: &CorrectedFigure,
) -> String {
    use ComparisonFinding::{Better, Worse};
    let BaselineComparison { system, baseline, measure, decision, .. } = comparison;
    let these = corrected.estimand == "these_queries";
    let here = if these { " on these queries" } else { "" };
    let finding = match decision {
        Better => format!("{system} is better than {baseline}{here}"),
        Worse => format!("{system} is worse than {baseline}{here}"),
        _ => format!("No clear difference between {system} and {baseline}{here}"),
    };
    let beside = match (decision, by_judge) {
        (decision, judge) if *decision == judge => ", also after correcting for the judge",
        (Better, Worse) | (Worse, Better) => {
            " after correcting for the judge, whose labels alone show the opposite"
        }
        (Better | Worse, _) => " after correcting for the judge, whose labels alone do not show it",
        (_, Better) => " after correcting for the judge, whose labels alone show it better",
        (_, Worse) => " after correcting for the judge, whose labels alone show it worse",
        _ => ", also after correcting for the judge",
    };
    let ends = difference_interval(Some(corrected.low), Some(corrected.high));
    let people = &corrected.human_only;
    let cautions: String = corrected.cautions.iter().map(|caution| format!("; {caution}")).collect();
    format!(
        "{finding}{beside}: {measure} {} {ends} ({}, {}; by these alone {} {}{cautions}). {}",
        difference(corrected.value),
        confidence(corrected.confidence),
        counted(corrected.labels, "human label"),
        difference(people.value),
        difference_interval(people.low, people.high),
        of_width(corrected),
    )
}

/// Describes the parts of the interval's width, and ways to narrow it.
fn of_width(corrected: &CorrectedFigure) -> String {
    let parts = corrected.width;
    let labels =
        parts.with_100_more_labels.map(|width| format!("with a hundred more labels {}", figure(width)));
    // The labels that there are would be a smaller part of more queries' pairs.
    let queries = parts.with_100_more_queries.map(|width| match width < parts.width {
        true => format!("with a hundred more queries {}", figure(width)),
        false => "more queries alone, without more human labels, would not narrow it".to_owned(),
    });
    let more: Vec<String> = [labels, queries].into_iter().flatten().collect();
    let with = if more.is_empty() { String::new() } else { format!("; {}", more.join(", ")) };
    let judge = match corrected.judge_narrows {
        Some(share) if share >= WORTH_A_WORD => {
            format!(", {} narrower than by the human labels alone", percent(share))
        }
        Some(_) => ", no narrower than by the human labels alone: this judge adds nothing".to_owned(),
        None => String::new(),
    };
    let ideals = match parts.ideals_share > 0.0 {
        true => format!(", {} that of guessed ideals", percent(parts.ideals_share)),
        false => String::new(),
    };
    format!(
        "It is {} wide{judge}{with}; {} of the variance is the queries', {} the judge's{ideals}.",
        figure(parts.width),
        percent(parts.queries_share),
        percent(parts.judge_share),
    )
}
