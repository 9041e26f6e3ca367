//! Resolves `escalate`: a stronger judge for the hard pairs.

use llull_core::Paradigm;
use llull_label::TierScheme;
use llull_label::cascade::{EscalationRule, MarginRule, UnknownEscalation};
use serde::Serialize;

use crate::{
    error::ConfigError,
    file::{EscalateTable, StudyFile},
    judges::{JudgeKind, JudgeSettings, written},
    overrides::Overrides,
    place::Place,
    ranges,
    spanned::Spanned,
    tournament::TournamentSettings,
};

/// The escalation to a stronger judge. The stronger judge's settings are those of the one grader.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EscalateSettings {
    /// The judge.
    pub to: String,
    /// The rule that selects its pairs.
    pub when: EscalationRule,
    /// The highest share of wrong labels about relevance among those that the panel decides, above 0 and below 1.
    ///
    /// If it is set, human labels choose the margin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disagreement: Option<f64>,
    /// The confidence of that bound.
    pub confidence: f64,
}

/// `escalate`, resolved.
#[derive(Default)]
pub(crate) struct Escalate {
    pub(crate) settings: Option<EscalateSettings>,
    pub(crate) strong: Option<JudgeSettings>,
    pub(crate) note: Option<String>,
}

/// Takes the stronger judge out of the panel, if there is one.
pub(crate) fn escalate(
    file: &StudyFile,
    tournament: Option<&TournamentSettings>,
    overrides: &Overrides,
    judges: &mut Vec<JudgeSettings>,
    at: &Place<'_>,
) -> Result<Escalate, ConfigError> {
    let Some(table) = &file.escalate else { return Ok(Escalate::default()) };
    let settings = settings(table, tournament, at)?;
    let paradigm = tournament.map_or(Paradigm::Graded, |tournament| tournament.paradigm);
    let known = written(&file.judges, paradigm, overrides, at)?;
    let Some(strong) = known.iter().find(|judge| judge.name == settings.to) else {
        let names: Vec<&str> = known.iter().map(|judge| judge.name.as_str()).collect();
        let (to, names) = (&settings.to, names.join(", "));
        return Err(
            at.wrong(table, format!("escalate.to = {to:?} is no judge of [[judges]]; there are {names}"))
        );
    };
    if matches!(strong.kind, JudgeKind::Similarity {}) {
        return Err(at.wrong(table, "escalate.to is the similarity baseline, which is no stronger judge"));
    }
    if !overrides.judges.is_empty() && judges.iter().all(|judge| judge.name != settings.to) {
        let note = format!("escalate has no effect: --judge leaves out {}", settings.to);
        return Ok(Escalate { note: Some(note), ..Escalate::default() });
    }
    let others = judges.iter().filter(|judge| judge.name != settings.to).count();
    let student = |judge: &JudgeSettings| matches!(judge.kind, JudgeKind::Student { .. });
    let says_how_sure = judges.iter().filter(|judge| judge.name != settings.to).all(student)
        && (settings.when.unsure || settings.when.margin.is_some());
    let least = if settings.when.cycle || says_how_sure { 1 } else { 2 };
    if others < least && overrides.judges.is_empty() {
        let why = match least {
            1 => {
                "escalate asks {} where the others contradict themselves: name at least one other in [[judges]]"
            }
            _ => {
                "escalate asks {} where the other judges are not sure, and one judge that grades does not state how \
                 sure it is: name at least two others in [[judges]], or a student alone with when = \"unsure\" or a \
                 margin"
            }
        };
        return Err(at.wrong(table, why.replacen("{}", &settings.to, 1)));
    }
    if others < least {
        let few = if least == 1 { "no judge" } else { "fewer than two judges" };
        let note = format!("escalate has no effect: beside {} the study has {few}", settings.to);
        return Ok(Escalate { note: Some(note), ..Escalate::default() });
    }
    judges.retain(|judge| judge.name != settings.to);
    Ok(Escalate { strong: Some(strong.clone()), settings: Some(settings), note: None })
}

fn settings(
    written: &Spanned<EscalateTable>,
    tournament: Option<&TournamentSettings>,
    at: &Place<'_>,
) -> Result<EscalateSettings, ConfigError> {
    let table = written.get_ref();
    let wrong = |message: String| at.wrong(written, message);
    let when: EscalationRule =
        table.when.parse().map_err(|error: UnknownEscalation| wrong(format!("escalate.when: {error}")))?;
    if let Some(tournament) = tournament {
        return of_cycles(table, when, tournament).map_err(wrong);
    }
    if when.cycle {
        return Err(wrong(
            "escalate.when: grades make no cycle; write split, unsure or margin < 0.2 where judges grade"
                .into(),
        ));
    }
    let chosen = when.margin == Some(MarginRule::Chosen);
    match table.disagreement {
        Some(share) if !(share > 0.0 && share < 1.0) => {
            return Err(wrong(format!("escalate.disagreement = {share} is not above 0 and below 1")));
        }
        Some(_) if !chosen => {
            return Err(wrong(
                "escalate.disagreement has human labels choose the margin, and `when` leaves none to choose: write \
                 margin alone"
                    .into(),
            ));
        }
        None if chosen => {
            return Err(wrong(
                "escalate.when: margin alone has human labels choose the threshold; set how much disagreement is \
                 allowed, disagreement = 0.1, or write margin < 0.2"
                    .into(),
            ));
        }
        _ => {}
    }
    let confidence = table.confidence.unwrap_or(0.95);
    let checked = ranges::confidence(confidence).ok().filter(|share| *share > 0.5);
    let confidence = checked.ok_or_else(|| {
        wrong(format!("escalate.confidence = {confidence} is not above 0.5 and below 1; 0.95 is usual"))
    })?;
    Ok(EscalateSettings { to: table.to.clone(), when, disagreement: table.disagreement, confidence })
}

/// The escalation where judges compare: tiers whose documents form a cycle.
fn of_cycles(
    table: &EscalateTable,
    when: EscalationRule,
    tournament: &TournamentSettings,
) -> Result<EscalateSettings, String> {
    if when != (EscalationRule { cycle: true, ..EscalationRule::default() }) {
        return Err(format!(
            "escalate.when = \"{when}\": where judges compare, which pairs come up depends on every answer, and only \
             cycles are known to be hard; write when = \"cycle\", or paradigm = \"graded\" for split, unsure and margin"
        ));
    }
    if tournament.labels == TierScheme::Anchored {
        return Err(
            "escalate.when = \"cycle\" and labels = \"anchored\" exclude each other: [[graders]] grade documents of \
             the tiers, and the stronger judge changes the tiers; leave one of them out"
                .into(),
        );
    }
    if table.disagreement.is_some() || table.confidence.is_some() {
        return Err(
            "escalate.disagreement and escalate.confidence are about the margin of grades; leave them out where judges \
             compare"
                .into(),
        );
    }
    Ok(EscalateSettings { to: table.to.clone(), when, disagreement: None, confidence: 0.95 })
}
