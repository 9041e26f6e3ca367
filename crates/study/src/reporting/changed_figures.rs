//! Compares the figures of a new report with an earlier one.

use llull_core::{Paradigm, Qrels};
use llull_report::text::{count, counted, figure};
use llull_report::{ComparisonFinding, Condition, Figure, Fingerprint, Input};

use super::report_record::ReportRecord;

/// Describes the figures that changed since an earlier report, a line for each system, and then the reasons, a line
/// each. It is empty without any change.
pub(super) fn moved(
    before: &ReportRecord,
    before_labels: Option<&Qrels>,
    now: &ReportRecord,
    labels: &Qrels,
) -> Vec<String> {
    let mut lines = figures(before, now);
    lines.extend(decisions(before, now));
    if lines.is_empty() {
        return lines;
    }
    let of_labels = before_labels.and_then(|before| label_changes(before, labels));
    lines.extend(reasons(before, now, of_labels).into_iter().map(|reason| format!("because {reason}")));
    lines
}

/// Describes what changed between two reports, a clause each: judges, the pool, labels, inputs, settings.
pub(crate) fn reasons(before: &ReportRecord, now: &ReportRecord, of_labels: Option<String>) -> Vec<String> {
    let mut why: Vec<String> = judges(before, now).into_iter().map(|(_, reason)| reason).collect();
    why.extend(aggregation(before, now));
    why.extend(pool(before, now));
    why.extend(of_labels);
    why.extend(inputs(&before.provenance.inputs, &now.provenance.inputs));
    why.extend(settings(before, now));
    why
}

/// Describes a changed derivation of labels.
pub(super) fn aggregation(before: &ReportRecord, now: &ReportRecord) -> Option<String> {
    let (earlier, later) = (&before.study.aggregation, &now.study.aggregation);
    (earlier != later).then(|| format!("a label is now {later}; it was {earlier}"))
}

fn figures(before: &ReportRecord, now: &ReportRecord) -> Vec<String> {
    let shown = |found: &Figure| found.mean.map_or_else(|| "none".to_owned(), figure);
    let lines = now.systems.iter().filter_map(|system| {
        let earlier = before.systems.iter().find(|earlier| earlier.system == system.system)?;
        let moved = system.figures.iter().filter_map(|now| {
            let earlier = earlier.figures.iter().find(|earlier| earlier.measure == now.measure)?;
            let (earlier, later) = (shown(earlier), shown(now));
            (earlier != later).then(|| format!("{} {earlier} -> {later}", now.measure))
        });
        let moved: Vec<String> = moved.collect();
        (!moved.is_empty()).then(|| format!("{}: {}", system.system, moved.join(", ")))
    });
    lines.collect()
}

/// Describes the comparisons with another result, a line each.
pub(super) fn decisions(before: &ReportRecord, now: &ReportRecord) -> Vec<String> {
    let word = |finding: ComparisonFinding| match finding {
        ComparisonFinding::Better => "better",
        ComparisonFinding::Worse => "worse",
        ComparisonFinding::Inconclusive => "not decided",
        ComparisonFinding::Identical => "identical",
        ComparisonFinding::Unmeasured => "not measured",
        ComparisonFinding::NotTrusted => "no verdict, since a judge failed a check",
        ComparisonFinding::Incomplete { .. } => "incomplete",
    };
    let decided = now.decision.comparisons.iter().filter(|found| found.measure == now.decision.primary);
    let lines = decided.filter_map(|found| {
        let earlier = before.decision.comparisons.iter().find(|earlier| {
            earlier.measure == before.decision.primary
                && (&earlier.system, &earlier.baseline, &earlier.measure)
                    == (&found.system, &found.baseline, &found.measure)
        })?;
        (earlier.decision != found.decision).then(|| {
            format!(
                "{} against {} by {}: {} -> {}",
                found.system,
                found.baseline,
                found.measure,
                word(earlier.decision),
                word(found.decision)
            )
        })
    });
    lines.collect()
}

/// Describes the changes of judges, a line each, with the changed condition.
pub(super) fn judges(before: &ReportRecord, now: &ReportRecord) -> Vec<(Condition, String)> {
    let paradigms: Vec<Changed> = now
        .study
        .judges
        .iter()
        .filter_map(|judge| {
            let earlier = before.study.judges.iter().find(|earlier| earlier.name == judge.name)?;
            (earlier.paradigm != judge.paradigm).then(|| Changed {
                judge: &judge.name,
                before: earlier.paradigm,
                now: judge.paradigm,
            })
        })
        .collect();
    of_fingerprints(&before.provenance.judges, &now.provenance.judges, &paradigms)
}

/// A judge whose paradigm has changed.
pub(crate) struct Changed<'a> {
    judge: &'a str,
    before: Paradigm,
    now: Paradigm,
}

/// Describes the changes of judges with these fingerprints, a line each, with the changed condition.
pub(crate) fn of_fingerprints(
    before: &[Fingerprint],
    now: &[Fingerprint],
    paradigms: &[Changed<'_>],
) -> Vec<(Condition, String)> {
    let named = |all: &'_ [Fingerprint], name: &str| all.iter().find(|judge| judge.judge == name).cloned();
    let mut lines = Vec::new();
    for judge in now {
        let Some(earlier) = named(before, &judge.judge) else {
            lines.push((Condition::Judge, format!("judge {} is new", judge.judge)));
            continue;
        };
        if earlier.fingerprint == judge.fingerprint {
            continue;
        }
        // Each paradigm has its own prompts, so the prompt of such a judge always differs, too.
        if let Some(changed) = paradigms.iter().find(|changed| changed.judge == judge.judge) {
            let line = format!(
                "the paradigm of judge {} changed from {} to {}",
                judge.judge,
                changed.before.name(),
                changed.now.name()
            );
            lines.push((Condition::Judge, line));
            continue;
        }
        let same_judge = earlier.rubric != judge.rubric && earlier.prompt == judge.prompt;
        let of = if same_judge { Condition::Rubric } else { Condition::Judge };
        let line = match (earlier.rubric != judge.rubric, earlier.prompt != judge.prompt) {
            (true, true) => format!("the rubric and the prompt of judge {} changed", judge.judge),
            (true, false) => format!("the rubric of judge {} changed", judge.judge),
            (false, true) => {
                format!("the prompt of judge {} changed, or the file it answers from", judge.judge)
            }
            (false, false) => format!("the model or a setting of judge {} changed", judge.judge),
        };
        lines.push((of, line));
    }
    let gone = before.iter().filter(|judge| named(now, &judge.judge).is_none());
    lines.extend(gone.map(|judge| (Condition::Judge, format!("judge {} is no longer a judge", judge.judge))));
    lines
}

pub(super) fn pool(before: &ReportRecord, now: &ReportRecord) -> Option<String> {
    let (earlier, later) = (before.coverage.pairs, now.coverage.pairs);
    (earlier != later).then(|| {
        let verb = if later > earlier { "grew" } else { "shrank" };
        format!("the pool {verb} from {} to {}", count(earlier), counted(later, "pair"))
    })
}

pub(crate) fn label_changes(before: &Qrels, now: &Qrels) -> Option<String> {
    let (mut new, mut changed, mut kept) = (0_usize, 0_usize, 0_usize);
    for (query, documents) in now.iter() {
        for (document, grade) in documents {
            match before.grade(query, document) {
                None => new += 1,
                Some(earlier) => {
                    kept += 1;
                    changed += usize::from(earlier != *grade);
                }
            }
        }
    }
    let lost = before.pairs().saturating_sub(kept);
    let said = [(new, "new"), (changed, "changed"), (lost, "gone")];
    let said: Vec<String> =
        said.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", count(*n))).collect();
    (!said.is_empty()).then(|| format!("of the labels, {}", said.join(", ")))
}

pub(super) fn inputs(before: &[Input], now: &[Input]) -> Vec<String> {
    let named = |all: &'_ [Input], role: &str| all.iter().find(|input| input.role == role).cloned();
    let counts = |role: &str| role == "topics" || role.starts_with("run ");
    let mut lines = Vec::new();
    for input in now.iter().filter(|input| counts(&input.role)) {
        match named(before, &input.role) {
            None => lines.push(format!("{} is new ({})", input.role, input.name)),
            Some(earlier) if earlier.hash != input.hash => {
                lines.push(format!("{} changed ({})", input.role, input.name));
            }
            Some(_) => {}
        }
    }
    let gone = before.iter().filter(|input| counts(&input.role) && named(now, &input.role).is_none());
    lines.extend(gone.map(|input| format!("{} is gone ({})", input.role, input.name)));
    lines
}

pub(super) fn settings(before: &ReportRecord, now: &ReportRecord) -> Vec<String> {
    let (earlier, later) = (&before.provenance, &now.provenance);
    let mut lines = Vec::new();
    if earlier.pool_depth != later.pool_depth
        && let (Some(earlier), Some(later)) = (earlier.pool_depth, later.pool_depth)
    {
        lines.push(format!("the pool's depth is {later} instead of {earlier}"));
    }
    for setting in &later.settings {
        let other = earlier.settings.iter().find(|other| other.name == setting.name);
        if let Some(other) = other.filter(|other| other.value != setting.value) {
            lines.push(format!("{} is {} instead of {}", setting.name, setting.value, other.value));
        }
    }
    if earlier.llull != later.llull {
        lines.push(format!("llull {} wrote the earlier report, and this is {}", earlier.llull, later.llull));
    }
    lines
}
