//! Figures corrected by human labels of a random sample.

use llull_stats::{Corrected, DivisorVariance, Estimand, PlainEstimate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{confidence, counted, percent};

/// An estimate with its interval, from labels of one kind alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EstimateInterval {
    /// The estimate.
    pub value: f64,
    /// The lower end of its interval; null if it has none.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

impl WidthParts {
    /// The same, widened by the worst case of drawn labels that are missing. More labels of other pairs, or more
    /// queries, do not reduce it.
    fn widened(self, by: f64) -> Self {
        Self {
            width: self.width + by,
            with_100_more_labels: self.with_100_more_labels.map(|width| width + by),
            with_100_more_queries: self.with_100_more_queries.map(|width| width + by),
            ..self
        }
    }
}

impl From<PlainEstimate> for EstimateInterval {
    fn from(estimate: PlainEstimate) -> Self {
        let end = |end: f64| Some(end).filter(|end| end.is_finite());
        Self { value: estimate.value, low: end(estimate.low), high: end(estimate.high) }
    }
}

/// The parts of an interval's width, and the effect of more labels or queries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WidthParts {
    /// From the lower to the upper end. If some drawn pairs have no label, it includes the worst case, as the interval
    /// does.
    pub width: f64,
    /// The share of the variance that only more queries would remove.
    pub queries_share: f64,
    /// The share of the variance that only more human labels would remove: the uncertainty about the judge.
    pub judge_share: f64,
    /// The share of the variance that the ideals of nDCG add, which are guessed where labels are missing; 0 if none is
    /// guessed.
    #[serde(default)]
    pub ideals_share: f64,
    /// The approximate width with a hundred more human labels; null if nothing is left to label.
    pub with_100_more_labels: Option<f64>,
    /// The approximate width with a hundred more queries that only the judge labels; null if the estimand is
    /// `these_queries`.
    pub with_100_more_queries: Option<f64>,
}

/// A figure, or a difference, by a judge's labels and corrected by human labels of a random sample.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CorrectedFigure {
    /// The estimate.
    pub value: f64,
    /// The lower end of its interval. If some drawn pairs have no label, it includes the worst case.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The interval's confidence, such as 0.95.
    pub confidence: f64,
    /// How many pairs that the figure reads have human labels.
    pub labels: usize,
    /// How much of the judge's figure is used, from 0 to 1; null if its grades are strata, which make it void.
    pub lambda: Option<f64>,
    /// The estimand: `these_queries`, the figure under complete human labels of the frame, or `queries_like_these`,
    /// the mean over all queries of which these are a sample.
    pub estimand: String,
    /// How the sample was drawn: `pairs`, `stratified`, `unequal`, `independent` or `queries`.
    pub design: String,
    /// The same from the sample alone, of pairs centred at their mean label.
    pub human_only: EstimateInterval,
    /// The share of that interval's width that the judge removes; negative if it adds width, null if there is none.
    #[serde(default)]
    pub judge_narrows: Option<f64>,
    /// The same by the judge's labels alone; its interval covers the choice of queries, not the judge's errors.
    pub judge_only: EstimateInterval,
    /// How many pairs that the figure reads, or queries, could be drawn.
    pub frame: usize,
    /// How many queries were labelled, if queries were drawn.
    pub sampled_queries: Option<usize>,
    /// How much was drawn and not labelled: pairs, or queries.
    pub nonresponse: usize,
    /// The interval if the missing labels are like the others; null if everything was labelled.
    pub if_alike: Option<EstimateInterval>,
    /// How many queries carry a difference, by the judge's figures; null of a figure of one system.
    pub effective_queries: Option<f64>,
    /// The parts of its width.
    pub width: WidthParts,
    /// Whether the interval holds at every look, however often a user looks.
    pub any_time: bool,
    /// Cautions for a reader who relies on it.
    pub cautions: Vec<String>,
}

/// The facts about a correction that its estimate does not hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CorrectionFacts {
    /// How the sample was drawn.
    pub design: String,
    /// The interval's confidence.
    pub confidence: f64,
    /// How many pairs that the figure reads have human labels.
    pub labels: usize,
    /// How many queries the figure is over.
    pub queries: usize,
    /// Whether queries were drawn, and not pairs.
    pub by_query: bool,
    /// How much was drawn and not labelled.
    pub nonresponse: usize,
    /// The ends of the interval in the worst case, if something was not labelled.
    pub worst: Option<(f64, f64)>,
    /// Whether it is a difference of two systems.
    pub difference: bool,
    /// How many queries carry a difference; `None` of a figure, or if the judge sees no difference.
    pub effective_queries: Option<f64>,
    /// Whether the interval holds at every look, however often a user looks.
    pub any_time: bool,
}

/// Below this number of queries that carry a difference, intervals can be too narrow: simulated with the TREC 2019 Deep
/// Learning runs, they hold from here on.
const ENOUGH_QUERIES: f64 = 7.0;

impl CorrectedFigure {
    /// Combines an estimate with its facts. The caller adds the judge's interval.
    pub fn new(corrected: &Corrected, facts: CorrectionFacts) -> Self {
        let (low, high) = facts.worst.unwrap_or((corrected.low, corrected.high));
        let (low, high) = (low.min(corrected.low), high.max(corrected.high));
        let alike =
            EstimateInterval { value: corrected.value, low: Some(corrected.low), high: Some(corrected.high) };
        Self {
            value: corrected.value,
            low,
            high,
            confidence: facts.confidence,
            labels: facts.labels,
            lambda: corrected.lambda,
            estimand: match corrected.estimand {
                Estimand::TheseQueries => "these_queries".to_owned(),
                Estimand::QueriesLikeThese => "queries_like_these".to_owned(),
            },
            human_only: corrected.human_only.into(),
            judge_narrows: judge_narrows(corrected),
            judge_only: EstimateInterval { value: corrected.judge_only, low: None, high: None },
            frame: corrected.frame,
            sampled_queries: facts.by_query.then_some(corrected.labels),
            nonresponse: facts.nonresponse,
            if_alike: (facts.nonresponse > 0).then_some(alike),
            effective_queries: facts.effective_queries,
            width: width(corrected, &facts).widened((high - low) - (corrected.high - corrected.low)),
            any_time: facts.any_time,
            cautions: cautions(corrected, &facts),
            design: facts.design,
        }
    }
}

fn judge_narrows(corrected: &Corrected) -> Option<f64> {
    let alone = corrected.human_only.high - corrected.human_only.low;
    let share = 1.0 - (corrected.high - corrected.low) / alone;
    (alone > 0.0 && alone.is_finite()).then_some(share)
}

/// Returns the approximate width of the interval, from its lower to its upper end, if `units` of the frame (pairs, or
/// queries) were labelled. `None` if nothing is left to label.
///
/// The judge's part of the variance is scaled with 1/labels − 1/frame, that of unknown divisors with the labels that
/// are still unknown, and the part of the queries alone stays. The degrees of freedom of Student's quantile are the
/// labels', or of `queries_like_these` by pairs the queries'.
pub fn expected_width(corrected: &Corrected, facts: &CorrectionFacts, units: f64) -> Option<f64> {
    let (n, frame) = (corrected.labels as f64, corrected.frame as f64);
    let units = units.min(frame);
    let judge = unlabelled(units, frame) / unlabelled(n, frame);
    let scaled = rescaled(corrected, (judge, 1.0), corrected.divisor_variance.with(units / n, 1.0))?;
    let by_queries = corrected.estimand == Estimand::QueriesLikeThese && !facts.by_query;
    Some(scaled * if by_queries { 1.0 } else { corrected.quantile_with(units - n, facts.confidence) })
}

/// The share of the variance that so many labels of a frame leave.
fn unlabelled(labels: f64, frame: f64) -> f64 {
    (1.0 / labels - 1.0 / frame).max(0.0)
}

/// The width if the judge's part of the variance, and the queries', are multiplied by these factors, and that of
/// unknown divisors becomes this one.
fn rescaled(
    corrected: &Corrected,
    (judge, queries): (f64, f64),
    of_divisors: DivisorVariance,
) -> Option<f64> {
    let now = corrected.variance_at(1.0, 1.0) + corrected.divisor_variance.sum();
    let then = corrected.variance_at(judge, queries) + of_divisors.sum();
    let known = now > 0.0 && unlabelled(corrected.labels as f64, corrected.frame as f64) > 0.0;
    known.then(|| (corrected.high - corrected.low) * (then / now).sqrt())
}

/// With more queries that only the judge labels, the queries' part is scaled with one over their number, the judge's
/// with the larger frame, and that of unknown divisors with both. The degrees of freedom of both parts stay.
fn width(corrected: &Corrected, facts: &CorrectionFacts) -> WidthParts {
    let (judge, queries) = (corrected.judge_variance, corrected.query_variance);
    let divisors = corrected.divisor_variance;
    let all = judge + queries + divisors.sum();
    let share = |part: f64| if all > 0.0 { part / all } else { 0.0 };
    let (n, frame) = (corrected.labels as f64, corrected.frame as f64);
    let per_unit = if facts.by_query { facts.labels as f64 / n } else { 1.0 };
    let by_queries = corrected.estimand == Estimand::QueriesLikeThese && !facts.by_query;
    let of_queries = |count: usize| (count + 100) as f64 / count as f64;
    let more_queries = corrected.estimand == Estimand::QueriesLikeThese && facts.queries > 0;
    let with_queries = || {
        let more = of_queries(facts.queries);
        let judge = unlabelled(n, frame * more) / unlabelled(n, frame);
        let quantile = if by_queries { corrected.quantile_with(100.0, facts.confidence) } else { 1.0 };
        Some(rescaled(corrected, (judge, 1.0 / more), divisors.with(1.0, more))? * quantile)
    };
    WidthParts {
        width: corrected.high - corrected.low,
        queries_share: share(queries),
        judge_share: share(judge),
        ideals_share: share(divisors.sum()),
        with_100_more_labels: expected_width(corrected, facts, n + 100.0 / per_unit.max(1.0)),
        with_100_more_queries: more_queries.then(with_queries).flatten(),
    }
}

fn cautions(corrected: &Corrected, facts: &CorrectionFacts) -> Vec<String> {
    let mut cautions = Vec::new();
    if let Some(few) = facts.effective_queries.filter(|effective| *effective < ENOUGH_QUERIES) {
        cautions.push(format!(
            "about {few:.1} queries carry this difference by the judge's labels; below {ENOUGH_QUERIES} the interval \
             can be too narrow"
        ));
    }
    if facts.by_query && facts.difference && facts.effective_queries.is_none() {
        cautions.push(
            "the judge sees no difference between the systems, so that how many queries carry one is not known: it is \
             by human labels alone"
                .to_owned(),
        );
    }
    if facts.nonresponse > 0 {
        let what = if facts.by_query { "query" } else { "pair" };
        cautions.push(format!(
            "{} drawn and not labelled: the interval allows for every possible label of theirs",
            counted(facts.nonresponse, what)
        ));
    }
    if !facts.by_query && corrected.labels < 50 {
        cautions.push(format!(
            "{}: below 50 the interval is wider than its {} needs",
            counted(corrected.labels, "human label"),
            confidence(facts.confidence)
        ));
    }
    if corrected.labels == corrected.frame && facts.nonresponse == 0 {
        cautions.push(format!("{} of the frame have a human label", percent(1.0)));
    }
    cautions
}

#[cfg(test)]
mod tests {
    use llull_stats::{
        DrawnPair, Looks, PairOfFrame, PairsOptions, QueriesOptions, correct_divided_pairs,
        correct_sampled_queries,
    };

    use super::*;

    /// 200 queries, every `step`-th labelled: human labels spread evenly about the judge's.
    fn labelled(step: usize) -> Corrected {
        let judged: Vec<f64> = (0..200_u32).map(|at| f64::from(at * 37 % 101) / 101.0).collect();
        let annotator = |at: usize| judged[at] + f64::from((at / step) as u32 % 4) / 10.0;
        let human: Vec<Option<f64>> = (0..200).map(|at| (at % step == 0).then(|| annotator(at))).collect();
        let options =
            QueriesOptions { estimand: Estimand::TheseQueries, confidence: 0.95, looks: Looks::Once };
        correct_sampled_queries(&judged, &human, &options).unwrap()
    }

    /// Five labelled queries have three degrees of freedom, whose quantile is 3.18; with a hundred it is 1.98. By the
    /// variance alone the width would be 2.4 times the true one.
    #[test]
    fn what_more_labels_would_give_is_what_they_give() {
        let facts = CorrectionFacts {
            design: "queries".into(),
            confidence: 0.95,
            labels: 5,
            queries: 200,
            by_query: true,
            ..CorrectionFacts::default()
        };
        let (few, more) = (labelled(40), labelled(2));
        assert_eq!((few.labels, more.labels), (5, 100));
        assert!(
            (few.quantile_with(95.0, 0.95) - 1.984_467 / 3.182_446).abs() < 1e-5,
            "scipy.stats.t.ppf(0.975, [3, 98])"
        );
        let predicted = width(&few, &facts).with_100_more_labels.unwrap();
        let became = more.high - more.low;
        // The spread of five is not that of a hundred.
        assert!(predicted > became && predicted < 1.6 * became, "{predicted} {became}");
    }

    // Golden values of numpy: the variance of labels .2028594388, of divisors .0730191594, of which .0165 in common.
    #[test]
    fn guessed_ideals_have_a_share_of_the_variance() {
        const GRADES: [i64; 12] = [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1];
        const WEIGHTS: [f64; 12] = [0.5, 0.3, 0.1, 0.2, -0.5, -0.2, -0.4, 0.4, 0.2, 0.6, -0.3, -0.6];
        const LABELS: [&str; 12] = ["0", "1", "", "", "0", "0", "", "1", "1", "", "1", "0"];
        const CHANCES: [f64; 4] = [0.5, 2.0 / 3.0, 2.0 / 3.0, 1.0];
        let frame: Vec<DrawnPair> = (0..12)
            .map(|at| {
                let (grade, weight) = (GRADES[at], WEIGHTS[at]);
                let human = LABELS[at].parse().ok();
                let probability = CHANCES[2 * grade as usize + usize::from(weight < 0.0)];
                let pair = PairOfFrame { query: at % 4, grade, weight, judged: grade as f64, human };
                DrawnPair { pair, probability, stratum: 0 }
            })
            .collect();
        let open = |query: usize| {
            let open = frame.iter().filter(|of| of.pair.query == query && of.pair.human.is_none());
            open.count() as f64 / 3.0
        };
        let of = |estimand| {
            let options = PairsOptions {
                queries: 4,
                largest_label: 1.0,
                estimand,
                confidence: 0.95,
                looks: Looks::Once,
            };
            let unlabelled: Vec<f64> = (0..4).map(open).collect();
            correct_divided_pairs(&frame, &unlabelled, &options).unwrap()
        };
        let facts = CorrectionFacts {
            design: "unequal".into(),
            confidence: 0.95,
            labels: 8,
            queries: 4,
            difference: true,
            ..CorrectionFacts::default()
        };
        let these = width(&of(Estimand::TheseQueries), &facts);
        let all = 0.202_859_438_8 + 0.073_019_159_4;
        assert!((these.judge_share - 0.202_859_438_8 / all).abs() < 1e-9, "{these:?}");
        assert!((these.ideals_share - 0.073_019_159_4 / all).abs() < 1e-9, "{these:?}");
        let divisors = of(Estimand::TheseQueries).divisor_variance;
        let labelled = (divisors.with(1.5, 1.0).sum() / all).sqrt() * these.width;
        let student = 2.228_138_852_0 / 2.446_911_851_1;
        assert!(
            (these.with_100_more_labels.unwrap() - labelled * student).abs() < 1e-8,
            "t.ppf(.975, [10, 6])"
        );
        let like = width(&of(Estimand::QueriesLikeThese), &facts);
        assert!((like.queries_share + like.judge_share + like.ideals_share - 1.0).abs() < 1e-12, "{like:?}");
        // The error that ideals have in common stays with any number of queries.
        let found = of(Estimand::QueriesLikeThese);
        let least = found.divisor_variance.common + found.judge_variance;
        let kept = like.with_100_more_queries.unwrap() / like.width / found.quantile_with(100.0, 0.95);
        let now = found.variance_at(1.0, 1.0) + found.divisor_variance.sum();
        assert!(kept.powi(2) * now > least && kept < 1.0, "{kept}");
    }

    /// The paragraph gave a width of 0.1111 for an interval from -0.1241 to +0.1401.
    #[test]
    fn the_width_is_that_of_the_interval_that_is_shown() {
        let found = labelled(2);
        let facts = |worst, nonresponse| CorrectionFacts {
            design: "queries".into(),
            confidence: 0.95,
            labels: 100,
            queries: 200,
            by_query: true,
            nonresponse,
            worst,
            ..CorrectionFacts::default()
        };
        let whole = CorrectedFigure::new(&found, facts(None, 0));
        let worst = Some((found.low - 0.05, found.high + 0.1));
        let open = CorrectedFigure::new(&found, facts(worst, 20));
        for figure in [&whole, &open] {
            assert!((figure.width.width - (figure.high - figure.low)).abs() < 1e-12);
        }
        let grown = |of: fn(&CorrectedFigure) -> f64| of(&open) - of(&whole);
        assert!((grown(|figure| figure.width.width) - 0.15).abs() < 1e-12);
        assert!((grown(|figure| figure.width.with_100_more_labels.unwrap_or(0.0)) - 0.15).abs() < 1e-12);
    }
}
