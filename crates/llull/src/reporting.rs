//! From labels to figures and from figures to the report.

use std::path::{Path, PathBuf};

use llull_core::{Qrels, Seed};
use llull_data::{create, write_qrels};
use llull_metrics::{Scores, evaluate_all};
use llull_report::text::shorten;
use llull_report::{
    CostSection, CoverageSection, CoverageTally, DecisionSection, DocumentDetail, Dollars, Fingerprint,
    Input, JudgeCost, JudgeCoverage, LatencyPercentiles, MarkdownLimits, ProvenanceSection, ReferenceSection,
    Report, Setting, Streamed, Tokens, TopicDetail, TopicIndex, compare, figures, honesty, is_comparable,
    markdown, reference_agreement, reference_systems, sort_documents, topic_note, write_json,
};
use llull_runner::Case;
use llull_stats::BootstrapOptions;
use llull_store::{SqliteLedger, Totals};

use crate::compared::ComparedTopic;
use crate::config::{FILE_NAME, JudgeKind};
use crate::records::{Record, records};
use crate::{Judged, Prepared, Study, StudyError};

/// How many disagreements between judges a report lists.
const DISAGREEMENTS: usize = 50;

/// The files that a study's report consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFiles {
    /// For people.
    pub markdown: PathBuf,
    /// For programs.
    pub json: PathBuf,
    /// The labels, as qrels.
    pub labels: PathBuf,
    /// What the configuration came to.
    pub resolved: PathBuf,
}

/// A report without its topics.
pub type Summary = Report<()>;

impl Study {
    /// Every system under the study's labels, in the order of the configuration.
    pub fn measure(&self, prepared: &Prepared, judged: &Judged) -> Vec<Scores> {
        evaluate_all(&self.settings().measures, &judged.labels.qrels(), &prepared.runs)
    }

    /// Writes `report.md`, `report.json` and `labels.qrels` into the study's folder, and what the configuration came to
    /// beside the ledger. Returns where, and the report without its topics.
    ///
    /// # Errors
    /// When the ledger or the reference cannot be read, or a file cannot be written.
    pub fn report(&self, prepared: &Prepared, judged: &Judged) -> Result<(ReportFiles, Summary), StudyError> {
        let ledger = SqliteLedger::open_read_only(self.ledger_path())?;
        let scores = self.measure(prepared, judged);
        let qrels = judged.labels.qrels();
        let reference = self.reference(prepared, &qrels, &scores)?;
        let records = records(self, judged, &ledger)?;
        let summary = self.summary(prepared, judged, &scores, &records, reference)?;
        let documents = Drilldown { study: self, prepared, judged, scores: &scores, records: &records };
        let report = Report {
            version: summary.version,
            study: summary.study.clone(),
            decision: summary.decision.clone(),
            systems: summary.systems.clone(),
            reference: summary.reference.clone(),
            coverage: summary.coverage.clone(),
            tournaments: summary.tournaments.clone(),
            cost: summary.cost.clone(),
            topics: Streamed(|| documents.topics()),
            provenance: summary.provenance.clone(),
        };
        let files = ReportFiles {
            markdown: self.path(Path::new("report.md")),
            json: self.path(Path::new("report.json")),
            labels: self.path(Path::new("labels.qrels")),
            resolved: self.private_dir().join("resolved.toml"),
        };
        let mut json = create(&files.json)?;
        write_json(&report, &mut json)?;
        json.finish()?;
        write(&files.markdown, markdown(&report, &MarkdownLimits::default())?.as_bytes())?;
        let mut labels = create(&files.labels)?;
        write_qrels(&qrels, &mut labels)?;
        labels.finish()?;
        write(&files.resolved, self.resolved(prepared)?.as_bytes())?;
        Ok((files, summary))
    }

    /// The resolved configuration as TOML, with the hash of everything that was read.
    ///
    /// # Errors
    /// When it cannot be written as TOML, which no configuration should cause.
    pub fn resolved(&self, prepared: &Prepared) -> Result<String, StudyError> {
        #[derive(serde::Serialize)]
        struct Resolved<'a> {
            llull: &'a str,
            #[serde(flatten)]
            settings: &'a crate::config::Settings,
            inputs: &'a [crate::HashedInput],
        }
        let resolved = Resolved {
            llull: env!("CARGO_PKG_VERSION"),
            settings: self.settings(),
            inputs: &prepared.inputs,
        };
        let text = toml::to_string(&resolved).map_err(|error| StudyError::Unfit(error.to_string()))?;
        Ok(format!(
            "# What llull made of {FILE_NAME}, the environment and the command line; hashes are blake3.\n{text}"
        ))
    }

    /// How intervals are made, as the configuration says.
    pub fn bootstrap(&self) -> BootstrapOptions {
        BootstrapOptions {
            resamples: self.settings().compare.resamples,
            confidence: self.settings().compare.confidence,
            seed: Seed(self.settings().seed),
        }
    }

    fn reference(
        &self,
        prepared: &Prepared,
        qrels: &Qrels,
        scores: &[Scores],
    ) -> Result<Option<ReferenceSection>, StudyError> {
        let (Some(path), Some(others)) = (&self.settings().reference, &prepared.reference) else {
            return Ok(None);
        };
        let there = evaluate_all(&self.settings().measures, others, &prepared.runs);
        Ok(Some(ReferenceSection {
            name: path.display().to_string(),
            agreement: reference_agreement(qrels, others)?,
            systems: reference_systems(scores, &there, 0)?,
        }))
    }

    fn summary(
        &self,
        prepared: &Prepared,
        judged: &Judged,
        scores: &[Scores],
        records: &[Record<'_>],
        reference: Option<ReferenceSection>,
    ) -> Result<Summary, StudyError> {
        let settings = self.settings();
        let options = self.bootstrap();
        let systems = figures(scores, &options)?;
        let coverage = coverage(judged, records);
        let tournaments = self.tournaments(prepared, judged);
        let mut comparisons = Vec::new();
        let comparable = |at: &usize| settings.measures.get(*at).is_some_and(is_comparable);
        for measure in (0..settings.measures.len()).filter(comparable) {
            comparisons.extend(compare(scores, measure, &settings.compare.baseline, &options)?);
        }
        let primary = settings.measures.first().map(ToString::to_string).unwrap_or_default();
        let baseline = (settings.systems.len() > 1).then(|| settings.compare.baseline.clone());
        Ok(Report {
            version: llull_report::version(tournaments.as_ref()),
            study: self.about(prepared, records),
            decision: DecisionSection::new(primary, baseline, comparisons, Vec::new(), &systems, &coverage),
            systems,
            reference,
            coverage,
            tournaments,
            cost: CostSection {
                judges: records.iter().map(|record| cost(&record.outcome.name, &record.totals)).collect(),
            },
            topics: (),
            provenance: self.provenance(prepared, judged, records)?,
        })
    }

    fn about(&self, prepared: &Prepared, records: &[Record<'_>]) -> llull_report::StudySection {
        let judge = |record: &Record<'_>| llull_report::ReportJudge {
            name: record.settings.name.clone(),
            model: record.settings.model.clone(),
            prompt: matches!(record.settings.kind, JudgeKind::Prompted { .. })
                .then(|| record.judge.spec().prompt.clone()),
            kind: match record.settings.kind {
                JudgeKind::Prompted { .. } => llull_report::ReportJudgeKind::LanguageModel,
                JudgeKind::Replay { .. } => llull_report::ReportJudgeKind::ReplayedLabels,
                JudgeKind::Similarity {} => llull_report::ReportJudgeKind::SimilarityBaseline,
            },
            paradigm: record.judge.spec().paradigm,
        };
        let judges: Vec<llull_report::ReportJudge> = records.iter().map(judge).collect();
        let rubric = &prepared.rubric;
        llull_report::StudySection {
            name: self.settings().name.clone(),
            seed: self.settings().seed,
            rubric: llull_report::ReportRubric {
                name: rubric.name.clone(),
                low: rubric.scale.low(),
                high: rubric.scale.high(),
                cutoff: rubric.cutoff,
            },
            aggregation: self.aggregation(),
            honesty: honesty(&judges),
            judges,
        }
    }

    fn aggregation(&self) -> String {
        let judges = self.settings().judges.len();
        match (&self.settings().tournament, judges) {
            (Some(tournament), 1) => format!("tiers of the judge's comparisons, {}", tournament.labels),
            (Some(tournament), n) => format!("tiers of {n} judges' added votes, {}", tournament.labels),
            (None, 1) => "the judge's grade".into(),
            (None, n) => format!(
                "the median of {n} judges' grades; of an even number the lower of the two in the middle"
            ),
        }
    }

    fn provenance(
        &self,
        prepared: &Prepared,
        judged: &Judged,
        records: &[Record<'_>],
    ) -> Result<ProvenanceSection, StudyError> {
        let mut inputs: Vec<Input> = prepared
            .inputs
            .iter()
            .map(|input| Input {
                role: input.role.clone(),
                name: input.name.clone(),
                hash: input.hash.to_string(),
            })
            .collect();
        inputs.push(Input {
            role: "pooled texts".into(),
            name: self
                .settings()
                .corpus
                .as_ref()
                .map_or_else(|| "none".into(), |path| path.display().to_string()),
            hash: texts_hash(judged),
        });
        let setting = |name: &str, value: String| Setting { name: name.into(), value };
        let compare = &self.settings().compare;
        Ok(ProvenanceSection {
            llull: env!("CARGO_PKG_VERSION").into(),
            pool_depth: Some(self.settings().pool_depth),
            inputs,
            judges: records
                .iter()
                .map(|record| Fingerprint {
                    judge: record.judge.name().into(),
                    fingerprint: record.judge.spec().fingerprint().to_string(),
                    prompt: record.judge.spec().prompt_hash.to_string(),
                    rubric: record.judge.spec().rubric_hash.to_string(),
                })
                .collect(),
            settings: vec![
                setting("seed", self.settings().seed.to_string()),
                setting("confidence", compare.confidence.to_string()),
                setting("resamples", compare.resamples.to_string()),
                setting("queries without a label", "left out of every mean".into()),
                setting("queries that a system does not answer", "count as 0".into()),
                setting("documents without a label", "count as not relevant".into()),
                setting("ties in a run", "score descending, then document id descending".into()),
            ],
        })
    }
}

fn coverage(judged: &Judged, records: &[Record<'_>]) -> CoverageSection {
    let judges = records.iter().map(|record| {
        let mut tally = CoverageTally::default();
        record.fates.iter().for_each(|fate| tally.record(*fate, 0));
        JudgeCoverage {
            documents_cut: record.totals.documents_cut,
            tokens_cut: record.totals.tokens_cut,
            ..tally.finish(&record.outcome.name)
        }
    });
    CoverageSection::new(&judged.labels, judges.collect(), DISAGREEMENTS)
}

fn cost(judge: &str, totals: &Totals) -> JudgeCost {
    let answered = totals.judged + totals.unusable_attempts();
    let tokens = |sum: &llull_store::Sum| Tokens {
        known: (sum.unknown < answered).then_some(sum.total),
        unknown: sum.unknown,
    };
    JudgeCost {
        judge: judge.into(),
        attempts: totals.attempts,
        prompt_tokens: tokens(&totals.prompt_tokens),
        completion_tokens: tokens(&totals.completion_tokens),
        cost_usd: Dollars { known: totals.cost_usd, unknown: totals.cost_unknown },
        latency_ms: totals
            .latency
            .as_ref()
            .map(|latency| LatencyPercentiles { p50: latency.p50_ms, p95: latency.p95_ms }),
    }
}

fn texts_hash(judged: &Judged) -> String {
    let mut key = llull_core::KeyBuilder::new("llull pooled texts v1");
    for document in judged.pooled.documents() {
        key = key.text("id", document.id());
        if let Some(document) = document.document() {
            key = key.text("title", &document.title).text("text", &document.text);
        }
    }
    key.finish().to_string()
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), StudyError> {
    use std::io::Write as _;
    let mut file = create(path)?;
    file.write_all(bytes)?;
    Ok(file.finish()?)
}

/// The queries one by one, so that no more than one is held.
struct Drilldown<'a> {
    study: &'a Study,
    prepared: &'a Prepared,
    judged: &'a Judged,
    scores: &'a [Scores],
    records: &'a [Record<'a>],
}

impl<'a> Drilldown<'a> {
    fn topics(&self) -> impl Iterator<Item = TopicDetail> {
        let measured = TopicIndex::new(self.scores);
        let cutoff = self.study.relevant_from(self.prepared);
        let mut pair = 0;
        let topics = (0u32..).zip(&self.prepared.pool.topics).zip(self.prepared.topics.iter());
        topics.map(move |((place, pooled), topic)| {
            let compared = self.judged.comparison.as_ref().and_then(|found| found.topics.get(place as usize));
            let tiers = compared.map(ComparedTopic::tiers).unwrap_or_default();
            let mut documents: Vec<DocumentDetail> = Vec::with_capacity(pooled.documents.len());
            for document in &pooled.documents {
                let mut detail = self.document(place, &topic.id, document, pair);
                let at = self.judged.pooled.question(pair).and_then(|question| question.documents.first());
                detail.tier = at.and_then(|at| tiers.get(at)).map(|tier| *tier as u32 + 1);
                documents.push(detail);
                pair += 1;
            }
            sort_documents(&mut documents);
            let labelled = documents.iter().filter(|document| document.grade.is_some()).count();
            let reaches = |cutoff: i32| {
                let reached =
                    |document: &&DocumentDetail| document.grade.is_some_and(|grade| grade >= cutoff);
                documents.iter().filter(reached).count()
            };
            let relevant = cutoff.map(reaches);
            TopicDetail {
                id: topic.id.clone(),
                text: topic.text.clone(),
                pooled: documents.len(),
                labelled,
                relevant,
                note: topic_note(documents.len(), labelled, relevant.unwrap_or(0), cutoff),
                systems: measured.systems(&topic.id),
                tournament: self.judged.topic_tournament(place as usize),
                documents,
            }
        })
    }

    fn document(
        &self,
        place: u32,
        topic: &str,
        pooled: &llull_candidates::Pooled,
        pair: usize,
    ) -> DocumentDetail {
        let case = self.judged.pooled.case_at(pair);
        let at = self.judged.pooled.question(pair).and_then(|question| question.documents.first().copied());
        let answer = |record: &Record<'_>| record.answer(pair, place, at.unwrap_or(u32::MAX));
        let title = case
            .and_then(Case::document)
            .map_or("", |document| if document.title.is_empty() { &document.text } else { &document.title });
        let mut ranks = vec![None; self.study.settings().systems.len()];
        for found in &pooled.found {
            if let Some(rank) = ranks.get_mut(usize::from(found.run)) {
                *rank = Some(found.rank);
            }
        }
        DocumentDetail {
            id: pooled.id.to_string(),
            title: shorten(title, 100),
            grade: self.judged.labels.get(topic, &pooled.id).map(|label| label.grade),
            tier: None,
            answers: self.records.iter().map(answer).collect(),
            ranks,
        }
    }
}
