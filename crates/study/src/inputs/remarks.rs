//! Notes about a study before anything is judged.

use llull_config::{Settings, relevant_level};
use llull_judge::Rubric;
use llull_label::TierScheme;
use llull_metrics::{Measure, WrittenMeasure};

/// A measure that reads further down than the pool reaches meets documents without a judgment.
pub(super) fn beyond_the_pool(settings: &Settings) -> Option<String> {
    let depth = settings.pool_depth;
    let looks = |measure: &&Measure| measure.cutoff().is_some_and(|cutoff| cutoff.rank() as usize > depth);
    let measure = settings.measures.iter().find(looks)?;
    Some(format!(
        "the pool is {depth} deep and {measure} looks further down, where documents are judged only if another \
         system has \
         them in its top {depth}; those that are not count as not relevant. Set depth in [pool], or a smaller cutoff"
    ))
}

/// A measure with another lowest relevant grade than the rubric's cutoff counts other documents as relevant.
pub(super) fn against_the_cutoff(settings: &Settings, rubric: &Rubric) -> Option<String> {
    let cutoff = settings.relevant_from(rubric.cutoff)?;
    let here = relevant_level(Some(cutoff)).grade();
    let others: Vec<String> = settings
        .measures
        .iter()
        .filter(|measure| measure.relevant().is_some_and(|relevant| relevant.grade() != here))
        .map(|measure| WrittenMeasure::from(*measure).to_string())
        .collect();
    let first = settings.measures.iter().find_map(|measure| {
        measure.relevant().map(|relevant| relevant.grade()).filter(|relevant| *relevant != here)
    })?;
    let one = others.len() == 1;
    Some(format!(
        "{} {} documents of grade {first} and above for relevant, and the rubric those of grade {here} and above \
         (cutoff = {cutoff}). Leave out rel= to measure by the rubric, or set its cutoff",
        others.join(", "),
        if one { "takes" } else { "take" },
    ))
}

/// A measure whose highest grade is below that of the rubric counts higher grades as its highest.
pub(super) fn beyond_the_highest(settings: &Settings, rubric: &Rubric) -> impl Iterator<Item = String> {
    let top = rubric.scale.high();
    let on_scale = settings.lowest(rubric.scale) == rubric.scale.low();
    let below = settings.measures.iter().filter(move |_| on_scale);
    below.filter_map(move |measure| {
        let highest = measure.highest_grade().filter(|highest| *highest < top)?;
        Some(format!(
            "{measure} counts grades above {highest} as {highest}, and the rubric's go to {top}. Use \
             {}(max_rel={top}), or a lower scale",
            measure.family()
        ))
    })
}

/// Under labels that only order documents, a measure that names no relevant grade takes one by convention.
pub(super) fn no_relevant_grade(settings: &Settings, rubric: &Rubric) -> Option<String> {
    let labels = settings.tournament.as_ref()?.labels;
    if labels.relevant_from(rubric.cutoff).is_some() {
        return None;
    }
    let counting = settings.measures.iter().filter(|measure| measure.relevant().is_some());
    let counting: Vec<String> = counting.map(|measure| WrittenMeasure::from(*measure).to_string()).collect();
    let (count, names) = match counting.len() {
        0 => return None,
        1 => ("counts", "its name"),
        _ => ("count", "their names"),
    };
    let cut = labels.measured_from(rubric.cutoff);
    let what = match labels {
        TierScheme::Rating => format!("a rating of {cut} or more"),
        _ => "every document above the last tier".to_owned(),
    };
    Some(format!(
        "{} {count} documents as relevant from the grade in {names} on, by default {cut} ({what}): {labels} labels \
         have no grade that means \"relevant\". Write rel= for another grade, or set labels = \"anchored\" in \
         [tournament]",
        counting.join(", "),
    ))
}
