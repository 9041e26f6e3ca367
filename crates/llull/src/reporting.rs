//! From labels to figures and from figures to the report.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use llull_core::{Qrels, Seed, TaskKey, Verdict};
use llull_data::{create, write_qrels};
use llull_metrics::{Scores, evaluate_all};
use llull_report::{
    Cost, Coverage, CoverageTally, Decision, DocumentDetail, Dollars, Fate, Fingerprint, Input, JudgeAnswer,
    JudgeCost, JudgeCoverage, Latency, MarkdownLimits, Provenance, Reference, Report, Setting, Streamed,
    Tokens, TopicDetail, TopicIndex, agreement, compare, figures, honesty, markdown, reference_systems,
    shorten, sort_documents, topic_note, write_json,
};
use llull_runner::Ended;
use llull_stats::BootstrapOptions;
use llull_store::{JudgmentStore, Known, SqliteLedger, Totals};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::config::{FILE_NAME, JudgeKind};
use crate::{Judged, Prepared, Study, StudyError};

/// How many disagreements between judges a report lists.
const DISAGREEMENTS: usize = 50;

/// How long a rationale may be in a report, in characters.
const RATIONALE: usize = 300;

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
        let keys = keys(judged);
        let totals = totals(judged, &keys, &ledger)?;
        let rationales = self.rationales(judged, &keys, &ledger)?;
        let fates = fates(judged, &keys, &ledger)?;
        let summary = self.summary(prepared, judged, &scores, &totals, &fates, reference)?;
        let documents = Drilldown {
            study: self,
            prepared,
            judged,
            scores: &scores,
            keys: &keys,
            rationales: &rationales,
            fates: &fates,
        };
        let report = Report {
            version: summary.version,
            study: summary.study.clone(),
            decision: summary.decision.clone(),
            systems: summary.systems.clone(),
            reference: summary.reference.clone(),
            coverage: summary.coverage.clone(),
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
    ) -> Result<Option<Reference>, StudyError> {
        let (Some(path), Some(others)) = (&self.settings().reference, &prepared.reference) else {
            return Ok(None);
        };
        let there = evaluate_all(&self.settings().measures, others, &prepared.runs);
        Ok(Some(Reference {
            name: path.display().to_string(),
            agreement: agreement(qrels, others),
            systems: reference_systems(scores, &there, 0)?,
        }))
    }

    /// Explanations, of the judges that give any.
    fn rationales(
        &self,
        judged: &Judged,
        keys: &[Vec<TaskKey>],
        ledger: &SqliteLedger,
    ) -> Result<Rationales, StudyError> {
        let mut all = Vec::new();
        for ((judge, keys), outcome) in self.settings().judges.iter().zip(keys).zip(&judged.outcome.judges) {
            all.push(match judge.kind {
                JudgeKind::Prompted { .. } => ledger.verdicts(outcome.id, &keys.iter().copied().collect())?,
                JudgeKind::Replay { .. } | JudgeKind::Similarity {} => FxHashMap::default(),
            });
        }
        Ok(all)
    }

    fn summary(
        &self,
        prepared: &Prepared,
        judged: &Judged,
        scores: &[Scores],
        totals: &[Totals],
        fates: &[Vec<Fate>],
        reference: Option<Reference>,
    ) -> Result<Summary, StudyError> {
        let settings = self.settings();
        let options = self.bootstrap();
        let systems = figures(scores, &options)?;
        let coverage = coverage(judged, totals, fates);
        let mut comparisons = Vec::new();
        for measure in 0..settings.measures.len() {
            comparisons.extend(compare(scores, measure, &settings.compare.baseline, &options)?);
        }
        let primary = settings.measures.first().map(ToString::to_string).unwrap_or_default();
        let baseline = (settings.systems.len() > 1).then(|| settings.compare.baseline.clone());
        Ok(Report {
            version: llull_report::VERSION,
            study: self.about(prepared, judged),
            decision: Decision::new(primary, baseline, comparisons, Vec::new(), &systems, &coverage),
            systems,
            reference,
            coverage,
            cost: Cost {
                judges: judged
                    .outcome
                    .judges
                    .iter()
                    .zip(totals)
                    .map(|(judge, totals)| cost(&judge.name, totals))
                    .collect(),
            },
            topics: (),
            provenance: self.provenance(prepared, judged)?,
        })
    }

    fn about(&self, prepared: &Prepared, judged: &Judged) -> llull_report::Study {
        let judges: Vec<llull_report::Judge> = self
            .settings()
            .judges
            .iter()
            .zip(&judged.judges)
            .map(|(settings, judge)| llull_report::Judge {
                name: settings.name.clone(),
                model: settings.model.clone(),
                prompt: matches!(settings.kind, JudgeKind::Prompted { .. })
                    .then(|| judge.spec().prompt.clone()),
                kind: match settings.kind {
                    JudgeKind::Prompted { .. } => llull_report::JudgeKind::LanguageModel,
                    JudgeKind::Replay { .. } => llull_report::JudgeKind::ReplayedLabels,
                    JudgeKind::Similarity {} => llull_report::JudgeKind::SimilarityBaseline,
                },
            })
            .collect();
        let rubric = &prepared.rubric;
        llull_report::Study {
            name: self.settings().name.clone(),
            seed: self.settings().seed,
            rubric: llull_report::Rubric {
                name: rubric.name.clone(),
                low: rubric.scale.low(),
                high: rubric.scale.high(),
                cutoff: rubric.cutoff,
            },
            aggregation: match judges.len() {
                1 => "the judge's grade".into(),
                n => format!(
                    "the median of {n} judges' grades; of an even number the lower of the two in the middle"
                ),
            },
            honesty: honesty(&judges),
            judges,
        }
    }

    fn provenance(&self, prepared: &Prepared, judged: &Judged) -> Result<Provenance, StudyError> {
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
        Ok(Provenance {
            llull: env!("CARGO_PKG_VERSION").into(),
            pool_depth: Some(self.settings().pool_depth),
            inputs,
            judges: judged
                .judges
                .iter()
                .map(|judge| Fingerprint {
                    judge: judge.name().into(),
                    fingerprint: judge.spec().fingerprint().to_string(),
                    prompt: judge.spec().prompt_hash.to_string(),
                    rubric: judge.spec().rubric_hash.to_string(),
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

/// The key of every pair, a list a judge. Only the first sample's: that is the one whose explanation is shown.
fn keys(judged: &Judged) -> Vec<Vec<TaskKey>> {
    let workload = &judged.workload;
    let of_judge = |judge: &std::sync::Arc<dyn llull_runner::Judge>| {
        let cases = workload.pairs().iter().filter_map(|pair| workload.case(*pair));
        cases.map(|case| judge.key(&case, 0)).collect()
    };
    judged.judges.iter().map(of_judge).collect()
}

/// A verdict for each key, a map a judge.
type Rationales = Vec<FxHashMap<TaskKey, Verdict>>;

fn totals(judged: &Judged, keys: &[Vec<TaskKey>], ledger: &SqliteLedger) -> Result<Vec<Totals>, StudyError> {
    let pairs = judged.outcome.judges.iter().zip(keys);
    let of_judge = |(judge, keys): (&llull_runner::JudgeOutcome, &Vec<TaskKey>)| {
        let only: FxHashSet<TaskKey> = keys.iter().copied().collect();
        Ok(ledger.totals(Some(judge.id), Some(&only))?)
    };
    pairs.map(of_judge).collect()
}

/// What became of every pair, a list a judge, in the order of the workload. What has no answer is told by the ledger, so that
/// a report says the same whether its own run or an earlier one met the failures.
fn fates(
    judged: &Judged,
    keys: &[Vec<TaskKey>],
    ledger: &SqliteLedger,
) -> Result<Vec<Vec<Fate>>, StudyError> {
    let of_judge = |(judge, keys): (&llull_runner::JudgeOutcome, &Vec<TaskKey>)| {
        let failures = ledger.failures(judge.id)?;
        let unanswered = |key: &TaskKey| failures.get(key).map_or(Fate::NotAsked, |kind| Fate::Failed(*kind));
        let fate = |(ends, key): (&[Ended], &TaskKey)| match ends.first().and_then(|ended| ended.known()) {
            Some(Known::Grade(_)) => Fate::Judged,
            Some(Known::Unusable { reason, .. }) => Fate::Unusable(reason),
            None => unanswered(key),
        };
        Ok(judge.pairs().zip(keys).map(fate).collect())
    };
    judged.outcome.judges.iter().zip(keys).map(of_judge).collect()
}

fn coverage(judged: &Judged, totals: &[Totals], fates: &[Vec<Fate>]) -> Coverage {
    let judges = judged.outcome.judges.iter().zip(totals).zip(fates).map(|((judge, totals), fates)| {
        let mut tally = CoverageTally::default();
        fates.iter().for_each(|fate| tally.record(*fate, 0));
        JudgeCoverage {
            documents_cut: totals.documents_cut,
            tokens_cut: totals.tokens_cut,
            ..tally.finish(&judge.name)
        }
    });
    Coverage::new(&judged.labels, judges.collect(), DISAGREEMENTS)
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
            .map(|latency| Latency { p50: latency.p50_ms, p95: latency.p95_ms }),
    }
}

fn texts_hash(judged: &Judged) -> String {
    let mut key = llull_core::KeyBuilder::new("llull pooled texts v1");
    for document in judged.workload.documents() {
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
    keys: &'a [Vec<TaskKey>],
    rationales: &'a Rationales,
    fates: &'a [Vec<Fate>],
}

impl<'a> Drilldown<'a> {
    fn topics(&self) -> impl Iterator<Item = TopicDetail> {
        let measured = TopicIndex::new(self.scores);
        let ends: RefCell<Vec<_>> =
            RefCell::new(self.judged.outcome.judges.iter().map(|judge| judge.pairs()).collect());
        let mut pair = 0;
        self.prepared.pool.topics.iter().zip(self.prepared.topics.iter()).map(move |(pooled, topic)| {
            let mut documents: Vec<DocumentDetail> = Vec::with_capacity(pooled.documents.len());
            for document in &pooled.documents {
                let ends: Vec<&[Ended]> =
                    ends.borrow_mut().iter_mut().map(|ends| ends.next().unwrap_or_default()).collect();
                documents.push(self.document(&topic.id, document, pair, &ends));
                pair += 1;
            }
            sort_documents(&mut documents);
            let labelled = documents.iter().filter(|document| document.grade.is_some()).count();
            let cutoff = self.prepared.rubric.cutoff;
            let relevant = documents
                .iter()
                .filter(|document| document.grade.is_some_and(|grade| grade >= cutoff))
                .count();
            TopicDetail {
                id: topic.id.clone(),
                text: topic.text.clone(),
                pooled: documents.len(),
                labelled,
                relevant,
                note: topic_note(documents.len(), labelled, relevant, cutoff),
                systems: measured.systems(&topic.id),
                documents,
            }
        })
    }

    fn document(
        &self,
        topic: &str,
        pooled: &llull_candidates::Pooled,
        pair: usize,
        ends: &[&[Ended]],
    ) -> DocumentDetail {
        let answers = ends.iter().enumerate().map(|(judge, ends)| self.answer(judge, pair, ends)).collect();
        let text = self.judged.workload.pairs().get(pair).and_then(|pair| self.judged.workload.case(*pair));
        let document = text.and_then(|case| case.document);
        let title = document
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
            answers,
            ranks,
        }
    }

    fn answer(&self, judge: usize, pair: usize, ends: &[Ended]) -> JudgeAnswer {
        let Some(ended) = ends.first() else { return JudgeAnswer::default() };
        let fate = self.fates.get(judge).and_then(|fates| fates.get(pair));
        let verdict = self
            .keys
            .get(judge)
            .and_then(|keys| keys.get(pair))
            .and_then(|key| self.rationales.get(judge)?.get(key));
        let rationale = verdict.map(|Verdict::Graded(verdict)| shorten(&verdict.rationale, RATIONALE));
        JudgeAnswer {
            grade: match ended.known() {
                Some(Known::Grade(grade)) => Some(grade),
                _ => None,
            },
            missing: fate.and_then(|fate| fate.missing()).map(str::to_owned),
            rationale: rationale.filter(|text| !text.is_empty()),
        }
    }
}
