//! Checks where the chosen document was in its list.

use crate::clustered_ratio::Clustered;
use crate::finding::Finding;
use crate::reversals::{Reversal, reversals};
use crate::{AskedAs, AuditOptions, AuditedJudge, CheckKind, ComparedAnswer};

/// Decent judges stay within this distance of the middle, as for the first side of pairs.
const DECENT: f64 = 0.05;

/// Beyond this distance places decide.
const SEVERE: f64 = 0.2;

/// Returns the mean place of the chosen document in lists of three or more: 0 is the first place, 1 the last. Lists
/// without a single best document are left out.
pub(crate) fn chosen_rank(judge: &AuditedJudge, options: &AuditOptions) -> Option<Finding> {
    let lists = |answer: &&ComparedAnswer| answer.shown.len() > 2;
    judge.compared.iter().find(lists)?;
    let answers: Vec<&ComparedAnswer> = if judge.order_randomised {
        judge.compared.iter().filter(|answer| answer.asked_as == AskedAs::Vote).filter(lists).collect()
    } else {
        let both = reversals(judge).into_iter().flat_map(|Reversal { answer, reversed }| [answer, reversed]);
        both.filter(lists).collect()
    };
    let unit = |answer: &&ComparedAnswer| {
        Some((answer.query, answer.chosen_place()? as f64 / (answer.shown.len() - 1) as f64, 1.0))
    };
    let units: Vec<(usize, f64, f64)> = answers.iter().filter_map(unit).collect();
    let Some(place) = Clustered::ratio(&units) else {
        let why = "No list with a single best document was shown in random order or in both orders, so its place \
                   is no evidence.";
        return Some(Finding::of_figures(CheckKind::ChosenRank, why));
    };
    let figures = format!(
        "On average the best document was {:.0}% of the way from the first place to the last, in {} lists \
         (chance: 50%).",
        100.0 * place.value,
        units.len()
    );
    Some(Finding {
        n: units.len(),
        value: Some(place.value),
        interval: place.interval(options.confidence, (0.0, 1.0)),
        chance: Some(0.5),
        p: Some(place.p_beyond(0.5, DECENT)),
        severe: (place.value - 0.5).abs() > SEVERE,
        conclusion: format!(
            "The judge favours {} places: on average its best document is {:.0}% of the way down, in {} lists (good \
             judges: 45% to 55%).",
            if place.value < 0.5 { "early" } else { "late" },
            100.0 * place.value,
            units.len()
        ),
        remedy: "Use shorter lists, each in both orders, or use another judge.",
        ..Finding::of_figures(CheckKind::ChosenRank, figures)
    })
}
