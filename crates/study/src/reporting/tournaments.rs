//! The section of a report on tournaments.

use llull_config::Settings;
use llull_core::{Item, Label};
use llull_label::{Contradiction, TierScheme};
use llull_rank::PanelCycles;
use llull_report::{
    JudgeTriangles, PanelTriangles, TopicTournament, TournamentSection, TournamentSetup, TournamentTotals,
};
use llull_runner::TopicIndex;

use super::escalation::cycles;
use super::judge_record::JudgeRecord;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;
use crate::preferences::human_preferences_of;

/// Returns the rules and results of comparisons; `None` if documents were graded.
///
/// # Errors
/// Returns an error if the confidence of intervals is invalid.
pub(super) fn tournaments(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    records: &[JudgeRecord<'_>],
) -> Result<Option<TournamentSection>, StudyError> {
    let Some((tournament, compared)) = settings.tournament.as_ref().zip(evidence.compared()) else {
        return Ok(None);
    };
    let topics: Vec<TopicTournament> = (0u32..)
        .map(TopicIndex)
        .take(compared.len())
        .filter_map(|at| query_tournament(evidence, at))
        .collect();
    // Queries share their waves.
    let waves = compared.iter().map(|query| query.outcome.waves).max().unwrap_or(0);
    let mut contradiction = Contradiction::default();
    evidence.anchored().iter().for_each(|fit| contradiction += fit.contradiction);
    let anchors = (tournament.labels == TierScheme::Anchored).then_some(contradiction);
    let longest = compared.iter().map(|query| query.documents.len()).max().unwrap_or(0);
    Ok(Some(TournamentSection {
        people: human_preferences_of(evidence, settings.compare.confidence)?,
        setup: TournamentSetup {
            paradigm: tournament.paradigm,
            window: tournament.window,
            top: (tournament.top < longest).then_some(tournament.top),
            schedule: tournament.schedule_name().to_owned(),
            labels: tournament.labels.to_string(),
            meaning: tournament.labels.meaning(),
            relevant_from: settings.relevant_from(inputs.rubric.cutoff),
            measured_from: Some(settings.measured_from(inputs.rubric.cutoff)),
        },
        totals: TournamentTotals::of(&topics, waves, anchors),
        cycles: cycles(evidence, records),
    }))
}

/// Returns a query's tournament; `None` where documents were graded, or none took part.
pub(super) fn query_tournament(evidence: &StudyEvidence, at: TopicIndex) -> Option<TopicTournament> {
    let query = evidence.compared()?.get(at.get()).filter(|query| !query.documents.is_empty())?;
    let name = evidence.pooled.topic(query.topic).map_or("", |topic| topic.id.as_str());
    let id = |item: Item| {
        let document = query.documents.get(item.index());
        let document = document.and_then(|at| evidence.pooled.document(*at));
        document.map_or_else(String::new, |document| document.id().to_owned())
    };
    let labels: Vec<Option<Label>> =
        Item::first(query.documents.len()).map(|item| evidence.labels.get(name, &id(item))).collect();
    let found = TopicTournament::new(&query.outcome, id, &labels, evidence.anchored().get(at.get()))
        .with_votes(&query.outcome, &query.votes);
    let panel = query.panel.as_ref().map(|panel| triangles(evidence, panel.cycles()));
    Some(TopicTournament { partial: query.partial, panel, ..found })
}

/// A panel's cycles with the names of its judges.
fn triangles(evidence: &StudyEvidence, panel: &PanelCycles) -> PanelTriangles {
    let own = evidence.judges.judges().iter().zip(&panel.judges);
    let own = own.map(|(judge, cycles)| JudgeTriangles {
        judge: judge.name().to_owned(),
        triangles: cycles.triangles,
        cyclic_triangles: cycles.cyclic,
    });
    PanelTriangles {
        judges: own.collect(),
        triangles: panel.majority.triangles,
        cyclic_triangles: panel.majority.cyclic,
        of_no_judge: panel.of_no_judge,
    }
}
