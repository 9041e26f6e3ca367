//! One judge's part of a report.

use llull_config::{JudgeSettings, Settings};
use llull_report::JudgeAnswer;
use llull_report::text::shorten;
use llull_runner::{DocumentIndex, Evidence, JudgeEvidence, TopicIndex};
use llull_store::Totals;
use rustc_hash::FxHashMap;

use crate::evidence::StudyEvidence;

/// The maximum length of a rationale in a report, in characters.
const RATIONALE: usize = 300;

/// One judge's part of a report.
pub(super) struct JudgeRecord<'a> {
    pub(super) settings: &'a JudgeSettings,
    pub(super) evidence: &'a JudgeEvidence,
    /// Sums over all attempts at the judge's questions.
    pub(super) totals: Totals,
    places: Places,
}

/// The question about each document, for one judge.
enum Places {
    /// The questions are the pool's own.
    Pool,
    /// Each question is about several documents at once.
    Sets,
    /// The questions are about a part of the pool's documents.
    Some(FxHashMap<(TopicIndex, DocumentIndex), usize>),
}

/// Returns every judge's record: those of the study's labels, then the graders of a few documents of each tier.
pub(super) fn judge_records<'a>(settings: &'a Settings, evidence: &'a StudyEvidence) -> Vec<JudgeRecord<'a>> {
    let judges = settings.judges.iter().zip(evidence.judges.judges()).enumerate();
    let judges = judges.map(|(at, (settings, judge))| {
        let places = if evidence.compared().is_some() { Places::Sets } else { Places::Pool };
        // Repeated questions cost, too.
        let again = evidence.rechecked.as_ref().and_then(|rechecked| rechecked.of_judge(at));
        let totals = again.map_or_else(|| judge.totals(), |again| judge.totals_with(again));
        JudgeRecord { settings, evidence: judge, totals, places }
    });
    let graders = evidence.graders.iter().flat_map(|graders| {
        settings.graders.iter().zip(graders.judges()).map(|(settings, judge)| {
            let places = match evidence.cycles() {
                Some(_) => Places::Sets,
                None => Places::Some(places(graders)),
            };
            JudgeRecord { settings, evidence: judge, totals: judge.totals(), places }
        })
    });
    judges.chain(graders).collect()
}

fn places(evidence: &Evidence) -> FxHashMap<(TopicIndex, DocumentIndex), usize> {
    let questions = evidence.questions().enumerate();
    questions.filter_map(|(at, asked)| Some(((asked.topic, *asked.documents.first()?), at))).collect()
}

impl JudgeRecord<'_> {
    /// Returns the judge's answer about one document of the pool. It is empty if the judge compares, since its answers
    /// are about several at once. With `facets` it has the facets that the judge finds and misses, too.
    pub(super) fn answer(
        &self,
        pair: usize,
        (topic, document): (TopicIndex, Option<DocumentIndex>),
        facets: bool,
    ) -> JudgeAnswer {
        let question = match &self.places {
            Places::Pool => Some(pair),
            Places::Sets => None,
            Places::Some(places) => document.and_then(|document| places.get(&(topic, document)).copied()),
        };
        let Some(question) = question else { return JudgeAnswer::default() };
        let status = self.evidence.status(question);
        let rationale = self.evidence.rationale(question).map(|words| shorten(words, RATIONALE));
        let facets = self.evidence.facets(question).filter(|_| facets);
        let [covers, lacks] = facets.cloned().unwrap_or_default();
        JudgeAnswer {
            covers,
            lacks,
            grade: status.grade(),
            missing: status.missing().map(str::to_owned),
            rationale: rationale.filter(|text| !text.is_empty()),
        }
    }
}
