//! Checks the inputs of judging: rubric, topics, systems, the pool.

use llull_config::{JudgeKind, Source, SystemSource};
use llull_core::Ranking;
use llull_report::text::{count, counted};

use super::findings::{Findings, Severity};
use crate::inputs::Inputs;
use crate::part::{InPart, Part};
use crate::study_config::StudyConfig;

impl Findings {
    pub(super) fn inputs(&mut self, inputs: &Inputs) {
        let (rubric, scale) = (&inputs.rubric, inputs.rubric.scale);
        self.fine(
            &Part::Rubric,
            format!(
                "{:?}, grades {} to {}, relevant from {}",
                rubric.name,
                scale.low(),
                scale.high(),
                rubric.cutoff
            ),
        );
        self.fine(&Part::Topics, counted(inputs.topics.len(), "query"));
        for (run, contribution) in inputs.runs.iter().zip(inputs.pool.contributions()) {
            let unanswered = inputs
                .topics
                .iter()
                .filter(|topic| run.ranking(&topic.id).is_none_or(Ranking::is_empty))
                .count();
            let text = format!(
                "{} answered, {} in the pool",
                counted(run.len(), "query"),
                counted(contribution.pairs, "pair")
            );
            let part = Part::System(run.name.clone());
            match unanswered {
                0 => self.fine(&part, text),
                1 => self.add(
                    Severity::Warning,
                    &part,
                    format!("{text}; 1 query is not answered and counts as 0"),
                ),
                n => self.add(
                    Severity::Warning,
                    &part,
                    format!("{text}; {} queries are not answered and count as 0", count(n)),
                ),
            }
        }
        self.fine(&Part::Pool, format!("{} {}", counted(inputs.pool.pairs(), "pair"), inputs.pooled()));
        self.notes(&inputs.notes);
        if let Some(base) = &inputs.base {
            self.fine(&Part::Base, base.to_string());
        }
        if let Some(labels) = &inputs.reference {
            self.fine(&Part::Reference, counted(labels.pairs(), "label"));
        }
    }
}

impl Findings {
    /// Whether all files exist that the configuration names; all missing ones are found at once.
    pub(super) fn files(&mut self, StudyConfig { settings, folder }: StudyConfig<'_>) -> bool {
        let named = [
            (Part::Topics, "topics", settings.topics.path()),
            (Part::Corpus, "corpus", settings.corpus.as_ref().and_then(Source::path)),
            (Part::Rubric, "rubric", settings.rubric.as_ref().and_then(Source::path)),
            (Part::Base, "base", settings.base.as_ref().and_then(|base| base.labels.path())),
            (Part::Reference, "reference", settings.reference.as_ref().and_then(Source::path)),
        ];
        let of_system = settings.systems.iter().filter_map(|system| match &system.source {
            SystemSource::Run { run, .. } => Some((Part::System(system.name.clone()), "run", run.path()?)),
            SystemSource::Retriever { .. }
            | SystemSource::Dense { .. }
            | SystemSource::Hybrid { .. }
            | SystemSource::Live(_)
            | SystemSource::Custom(_) => None,
        });
        let asked = settings.judges.iter().chain(&settings.graders);
        let of_judge = asked.filter_map(|judge| match &judge.kind {
            JudgeKind::Replay { labels, .. } => {
                Some((Part::Judge(judge.name.clone()), "labels", labels.path()?))
            }
            JudgeKind::Recorded { recording, .. } => {
                Some((Part::Judge(judge.name.clone()), "recording", recording.as_path()))
            }
            JudgeKind::Prompted { .. }
            | JudgeKind::Similarity {}
            | JudgeKind::Student { .. }
            | JudgeKind::Tree { .. }
            | JudgeKind::Annotator { .. }
            | JudgeKind::Own(_)
            | JudgeKind::Custom { .. } => None,
        });
        let named = named.into_iter().filter_map(|(part, key, path)| Some((part, key, path?)));
        let mut all = true;
        for (part, key, path) in named.chain(of_system).chain(of_judge) {
            all &= self.take(folder.existing(path, key).in_part(|| part)).is_some();
        }
        all
    }
}
