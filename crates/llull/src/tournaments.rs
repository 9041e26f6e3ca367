//! What a report says about tournaments.

use llull_core::{Grade, Label};
use llull_label::{Contradiction, TierScheme};
use llull_report::{TopicTournament, TournamentSection, TournamentSetup, TournamentTotals};

use crate::{Judged, Prepared, Study};

impl Study {
    /// The lowest grade of the labels that says "relevant", if one does.
    pub(crate) fn relevant_from(&self, prepared: &Prepared) -> Option<Grade> {
        let cutoff = prepared.rubric.cutoff;
        self.settings().tournament.as_ref().map_or(Some(cutoff), |found| found.labels.relevant_from(cutoff))
    }

    /// How documents were compared and what came of it; `None` where they were graded.
    pub(crate) fn tournaments(&self, prepared: &Prepared, judged: &Judged) -> Option<TournamentSection> {
        let (settings, comparison) = (self.settings().tournament.as_ref()?, judged.comparison.as_ref()?);
        let topics: Vec<TopicTournament> =
            (0..comparison.topics.len()).filter_map(|place| judged.topic_tournament(place)).collect();
        // Queries share their waves.
        let waves = comparison.topics.iter().map(|topic| topic.outcome.waves).max().unwrap_or(0);
        let mut contradiction = Contradiction::default();
        comparison.anchored.iter().for_each(|fit| contradiction += fit.contradiction);
        let anchors = (settings.labels == TierScheme::Anchored).then_some(contradiction);
        let longest = comparison.topics.iter().map(|topic| topic.documents.len()).max().unwrap_or(0);
        Some(TournamentSection {
            setup: TournamentSetup {
                paradigm: settings.paradigm,
                window: settings.window,
                top: (settings.top < longest).then_some(settings.top),
                schedule: settings.schedule_name().to_owned(),
                labels: settings.labels.to_string(),
                meaning: settings.labels.meaning(),
                relevant_from: self.relevant_from(prepared),
            },
            totals: TournamentTotals::of(&topics, waves, anchors),
        })
    }
}

impl Judged {
    /// The tournament of the topic at this place; `None` where documents were graded, or none took part.
    pub(crate) fn topic_tournament(&self, place: usize) -> Option<TopicTournament> {
        let comparison = self.comparison.as_ref()?;
        let topic = comparison.topics.get(place).filter(|topic| !topic.documents.is_empty())?;
        let name = self.pooled.topics().get(topic.topic as usize).map_or("", |topic| topic.id.as_str());
        let id = |item: u32| {
            let document = topic.documents.get(item as usize);
            let document = document.and_then(|at| self.pooled.documents().get(*at as usize));
            document.map_or_else(String::new, |document| document.id().to_owned())
        };
        let labels: Vec<Option<Label>> =
            (0..topic.documents.len() as u32).map(|item| self.labels.get(name, &id(item))).collect();
        let found = TopicTournament::new(&topic.outcome, id, &labels, comparison.anchored.get(place));
        Some(TopicTournament { partial: topic.partial, ..found })
    }
}
