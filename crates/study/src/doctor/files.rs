//! Checks the files that the configuration names.

use llull_config::{Folder, JudgeKind, Settings, Source, SystemSource};

use super::findings::Findings;
use crate::part::{InPart, Part};

impl Findings {
    /// Whether all files exist that the configuration names; all missing ones are found at once.
    pub(super) fn files(&mut self, settings: &Settings, folder: &Folder) -> bool {
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
