//! Tiers as graphs, in Graphviz' language.

use llull::report::{TopicDetail, TopicTournament, dot};

use super::ranking::{Ranked, RankingOutput};

/// A graph of the tiers for each query; empty for ratings.
pub(super) fn graphs(all: &[Ranked<'_>]) -> String {
    let mut text = String::new();
    for ranked in all {
        let RankingOutput::Tiers(outcome) = &ranked.made else { continue };
        let name = |item| ranked.topic.id(item).unwrap_or_default().to_owned();
        let tournament = Some(TopicTournament::new(outcome, name, &[], None));
        let id = ranked.query.unwrap_or_default().to_owned();
        text.push_str(&dot(&TopicDetail { id, tournament, ..Default::default() }));
    }
    text
}
