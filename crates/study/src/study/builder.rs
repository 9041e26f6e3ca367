//! Builds a study in memory.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use llull_candidates::Retriever;
use llull_config::{
    BaseSettings, BudgetSettings, CompareSettings, ConfigError, ContaminationSettings, CustomJudge,
    CustomModel, CustomRetriever, EscalateSettings, Folder, JudgeKind, JudgeSettings, LabelReading,
    PanelRule, QuerySettings, Settings, Source, SystemSettings, SystemSource, TournamentSettings,
    default_recheck, ranges,
};
use llull_core::{AskAgain, Document, Qrels, Run, Sampling, Topics};
use llull_data::{Columns, CorpusFields, RunOrder};
use llull_judge::{DEFAULT_DOCUMENT_TOKENS, Rubric};
use llull_label::GradeMap;
use llull_label::cascade::{EscalationRule, MarginRule};
use llull_llm::ChatModel;
use llull_metrics::WrittenMeasure;
use llull_runner::{AccountLimits, Judge};
use llull_store::{LedgerWriter, MemoryLedger};

use super::steps::Study;
use crate::error::StudyError;
use crate::inputs::InputError;
use crate::ledger::StudyLedger;

/// A study that is built in memory. Topics, a system and a judge are needed; the rest has defaults, which are those of
/// `llull.toml`.
///
/// ```
/// use llull_study::Study;
/// use llull_core::{Qrels, Ranking, Run, Topic, Topics};
/// use llull_store::MemoryLedger;
///
/// let mut run = Run::new("mine");
/// run.insert("q1", Ranking::from_scored([("d1", 2.0), ("d2", 1.0)]));
/// let mut grades = Qrels::default();
/// grades.insert("q1", "d1", 0);
/// grades.insert("q1", "d2", 3);
///
/// let topic = Topic { id: "q1".into(), text: "how do bloom filters work".into() };
/// let study = Study::builder()
///     .topics([topic].into_iter().collect::<Topics>())
///     .run(run)
///     .replay("old labels", grades)      // or .judge(..), .model(..), .similarity()
///     .ledger(MemoryLedger::default())
///     .measure("RR@10".parse()?)
///     .build()?;
/// let inputs = study.inputs()?;
/// let outcome = study.judge(&inputs).run()?;
/// let scores = study.measure(&inputs, &outcome.evidence.labels);
/// assert_eq!(scores[0].topics[0].cells[0].value, 0.5);
/// assert_eq!(study.evidence(&inputs)?.labels, outcome.evidence.labels);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub struct StudyBuilder {
    settings: Settings,
    baseline: Option<String>,
    recheck: Option<f64>,
    ledger: StudyLedger,
}

impl Study {
    /// Begins a study in memory.
    pub fn builder() -> StudyBuilder {
        StudyBuilder::default()
    }
}

impl Default for StudyBuilder {
    fn default() -> Self {
        let settings = Settings {
            name: "study".to_owned(),
            seed: 42,
            topics: Source::from(Topics::default()),
            queries: QuerySettings::default(),
            corpus: None,
            corpus_fields: CorpusFields::default(),
            columns: Columns::default(),
            rubric: None,
            base: None,
            reference: None,
            reference_people: false,
            reference_reading: LabelReading::default(),
            measures: Vec::new(),
            written_measures: Vec::new(),
            ledger: None,
            contamination: ContaminationSettings::default(),
            checks: Vec::new(),
            gates: Vec::new(),
            ignore_checks: false,
            pool_depth: 10,
            pool_of_reference: false,
            retrieve_depth: 100,
            compare: CompareSettings {
                baseline: String::new(),
                confidence: 0.95,
                resamples: 10_000,
                slices: Vec::new(),
            },
            budget: BudgetSettings::default(),
            run_limits: BudgetSettings::default(),
            ask_again: None,
            systems: Vec::new(),
            method: None,
            escalate: None,
            judges: Vec::new(),
            tournament: None,
            recheck: 0.0,
            recheck_by_default: false,
            graders: Vec::new(),
            notes: Vec::new(),
        };
        let ledger = StudyLedger::Custom(Arc::new(Mutex::new(MemoryLedger::default())));
        Self { settings, baseline: None, recheck: None, ledger }
    }
}

impl StudyBuilder {
    /// Sets the method that combines the grades of several judges, fractional by default, or their votes if they
    /// compare, the majority by default.
    pub fn panel_method(mut self, method: PanelRule) -> Self {
        self.settings.method = Some(method);
        self
    }

    /// Sets the study's name.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.settings.name = name.into();
        self
    }

    /// Sets the seed of all random numbers; 42 by default.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// Sets the topics: values, or a file.
    pub fn topics(mut self, topics: impl Into<Source<Topics>>) -> Self {
        self.settings.topics = topics.into();
        self
    }

    /// Adds a metadata field of the topics, for figures and verdicts on each of its values.
    pub fn slice(mut self, field: impl Into<String>) -> Self {
        self.settings.compare.slices.push(field.into());
        self
    }

    /// Chooses the queries that are judged and measured, all by default.
    pub fn queries(mut self, queries: QuerySettings) -> Self {
        self.settings.queries = queries;
        self
    }

    /// Sets the corpus: documents, or a file. Judges that read texts and retrievers need one.
    pub fn corpus(mut self, corpus: impl Into<Source<Vec<Document>>>) -> Self {
        self.settings.corpus = Some(corpus.into());
        self
    }

    /// Sets the rubric, which defines relevance; the built-in one by default.
    pub fn rubric(mut self, rubric: impl Into<Source<Rubric>>) -> Self {
        self.settings.rubric = Some(rubric.into());
        self
    }

    /// Sets existing labels: judges that grade fill their holes.
    pub fn base(mut self, base: BaseSettings) -> Self {
        self.settings.base = Some(base);
        self
    }

    /// Sets labels made elsewhere, to compare with.
    pub fn reference(mut self, labels: impl Into<Source<Qrels>>) -> Self {
        self.settings.reference = Some(labels.into());
        self
    }

    /// Sets the paraphrased queries, for the probe of [contamination](crate::JudgeProbe::Contamination).
    pub fn paraphrases(mut self, topics: impl Into<Source<Topics>>) -> Self {
        self.settings.contamination.paraphrases = Some(topics.into());
        self
    }

    /// Adds a system by its results. It has the name of its run.
    pub fn run(self, run: Run) -> Self {
        let name = run.name.clone();
        self.system(name, SystemSource::Run { run: run.into(), third: None, order: RunOrder::Score })
    }

    /// Adds a system by a retriever of the caller's own.
    pub fn retriever(self, retriever: impl Retriever + 'static) -> Self {
        let name = retriever.name().to_owned();
        self.system(name, SystemSource::Custom(CustomRetriever(Arc::new(retriever))))
    }

    /// Adds a system by the source of its results.
    pub fn system(mut self, name: impl Into<String>, source: SystemSource) -> Self {
        self.settings.systems.push(SystemSettings {
            name: name.into(),
            family: None,
            reranked_by: None,
            source,
            line: 0,
        });
        self
    }

    /// Sets the system that the others are compared with; the first by default.
    pub fn baseline(mut self, system: impl Into<String>) -> Self {
        self.baseline = Some(system.into());
        self
    }

    /// Adds a judge of the caller's own.
    pub fn judge(mut self, judge: impl Judge + 'static) -> Self {
        let judge: Arc<dyn Judge> = Arc::new(judge);
        let (name, model) = (judge.name().to_owned(), judge.spec().model.clone());
        let concurrency = judge.concurrency();
        let kind = JudgeKind::Custom { judge: CustomJudge(judge) };
        self.settings.judges.push(JudgeSettings { name, model, kind, concurrency, weight: 1.0 });
        self
    }

    /// Adds a judge by its settings: with a weight, a price, parameters of its own, or a model that llull connects to
    /// by name.
    pub fn judge_settings(mut self, judge: JudgeSettings) -> Self {
        self.settings.judges.push(judge);
        self
    }

    /// Adds a language model of the caller's own as a judge, with a built-in prompt or a template file.
    pub fn model(
        mut self,
        name: impl Into<String>,
        model: impl ChatModel + 'static,
        prompt: impl Into<String>,
    ) -> Self {
        let model: Arc<dyn ChatModel> = Arc::new(model);
        let called = model.name().to_owned();
        let kind = JudgeKind::Prompted {
            prompt: prompt.into(),
            sampling: Sampling::default(),
            document_tokens: DEFAULT_DOCUMENT_TOKENS,
            shuffle_anchors: false,
            logprobs: false,
            base_url: None,
            key: None,
            aws: None,
            ca_file: None,
            timeout: 120,
            price: None,
            extra: Box::default(),
            limits: AccountLimits::default(),
            attribute: None,
            client: Some(CustomModel(model)),
        };
        self.settings.judges.push(JudgeSettings {
            name: name.into(),
            model: called,
            kind,
            concurrency: 8,
            weight: 1.0,
        });
        self
    }

    /// Adds a judge that answers from labels made elsewhere.
    pub fn replay(self, name: impl Into<String>, labels: impl Into<Source<Qrels>>) -> Self {
        self.in_process(name.into(), "replay", replayed(labels.into(), None))
    }

    /// Adds a judge that answers from labels made elsewhere, on a scale of their own.
    pub fn replay_on(
        self,
        name: impl Into<String>,
        labels: impl Into<Source<Qrels>>,
        scale: GradeMap,
    ) -> Self {
        self.in_process(name.into(), "replay", replayed(labels.into(), Some(scale)))
    }

    /// Adds the lexical similarity baseline as a judge.
    pub fn similarity(self) -> Self {
        self.in_process("similarity".to_owned(), "similarity", JudgeKind::Similarity {})
    }

    fn in_process(mut self, name: String, model: &str, kind: JudgeKind) -> Self {
        let concurrency = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        let model = model.to_owned();
        self.settings.judges.push(JudgeSettings { name, model, kind, concurrency, weight: 1.0 });
        self
    }

    /// Sets the model family of the last added system, such as `gpt`, if its name does not show it.
    pub fn family(mut self, family: impl Into<String>) -> Self {
        if let Some(system) = self.settings.systems.last_mut() {
            system.family = Some(family.into());
        }
        self
    }

    /// Makes the judges compare instead of grading.
    pub fn tournament(mut self, tournament: TournamentSettings) -> Self {
        self.settings.tournament = Some(tournament);
        self
    }

    /// Sets the share of questions, from 0 to 1, that are repeated to measure how consistent judges are. The default is
    /// 0.05 if judges compare, and 0.01 if they grade, but none of fewer than 30 questions. See
    /// [`StudyEvidence::rechecks`](crate::StudyEvidence::rechecks).
    pub fn recheck(mut self, share: f64) -> Self {
        self.recheck = Some(share);
        self
    }

    /// Turns the judges so far into graders of a few documents of each tier, for anchored labels; judges that compare
    /// are added after this.
    pub fn graders(mut self) -> Self {
        self.settings.graders.append(&mut self.settings.judges);
        self
    }

    /// Makes the last added judge a stronger one, which judges only pairs that are hard for the others: cycles if they
    /// compare (`"cycle".parse()?`), other pairs if they grade.
    pub fn escalate(mut self, when: EscalationRule) -> Self {
        if let Some(strong) = self.settings.judges.pop() {
            let to = strong.name.clone();
            self.settings.graders.push(strong);
            self.settings.escalate =
                Some(EscalateSettings { to, when, disagreement: None, confidence: 0.95 });
        }
        self
    }

    /// Adds a measure; the first one gives the verdict. Without any, the rubric's cutoff suggests some. A
    /// [`WrittenMeasure`] such as `"RR@10".parse()?` may leave the relevant grades to the rubric's cutoff; one from a
    /// [`Measure`](llull_metrics::Measure) has its own.
    pub fn measure(mut self, measure: WrittenMeasure) -> Self {
        self.settings.written_measures.push(measure);
        self
    }

    /// Adds a condition for judges: `CheckCondition::parse("position_flip", "<= 0.2")?`. See
    /// [`CheckCondition`](llull_report::CheckCondition).
    pub fn check(mut self, condition: llull_report::CheckCondition) -> Self {
        self.settings.checks.push(condition);
        self
    }

    /// Adds a condition on systems: `"low(nDCG@10) >= -0.01".parse()?`. See [`Gate`](llull_stats::Gate).
    pub fn gate(mut self, gate: llull_stats::Gate) -> Self {
        self.settings.gates.push(gate);
        self
    }

    /// Shows a verdict although a judge check failed.
    pub fn ignore_checks(mut self) -> Self {
        self.settings.ignore_checks = true;
        self
    }

    /// Sets the number of each system's documents that are judged; 10 by default.
    pub fn pool_depth(mut self, depth: usize) -> Self {
        self.settings.pool_depth = depth;
        self
    }

    /// Judges the pairs of the reference, all of them and no others, in place of the documents that systems return.
    pub fn pool_of_reference(mut self) -> Self {
        self.settings.pool_of_reference = true;
        self
    }

    /// Sets the limits of each run, whatever the budget has left.
    pub fn run_limits(mut self, limits: BudgetSettings) -> Self {
        self.settings.run_limits = limits;
        self
    }

    /// Repeats the questions of these answers of earlier runs.
    pub fn ask_again(mut self, answers: Option<AskAgain>) -> Self {
        self.settings.ask_again = answers;
        self
    }

    /// Sets the limits of cost, for all requests that the ledger records.
    pub fn budget(mut self, budget: BudgetSettings) -> Self {
        self.settings.budget = budget;
        self
    }

    /// Sets the ledger; one in memory by default, which is gone with the study.
    pub fn ledger(mut self, ledger: impl LedgerWriter + 'static) -> Self {
        self.ledger = StudyLedger::Custom(Arc::new(Mutex::new(ledger)));
        self
    }

    /// Sets the ledger's file, which is made when judges first run. No other process writes to it meanwhile.
    pub fn ledger_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.ledger = StudyLedger::File(file.into());
        self
    }

    /// Shares a ledger that the caller continues to use.
    pub fn shared_ledger(mut self, ledger: Arc<Mutex<dyn LedgerWriter>>) -> Self {
        self.ledger = StudyLedger::Custom(ledger);
        self
    }

    /// Returns the study.
    ///
    /// # Errors
    /// Returns an error if there is no system, or the first measure cannot give a verdict. [`Study::inputs`] and
    /// [`Judging::run`](crate::Judging::run) find other errors, or before them [`Study::examine`].
    pub fn build(mut self) -> Result<Study, StudyError> {
        let first = self.settings.systems.first().ok_or(StudyError::Inputs(InputError::NoSystems))?;
        if self.settings.method == Some(PanelRule::JudgeAware) && self.settings.tournament.is_none() {
            let message =
                "method judge-aware counts votes, and here judges grade: set a tournament, or another method";
            return Err(ConfigError::Override(message.into()).into());
        }
        self.settings.compare.baseline = self.baseline.unwrap_or_else(|| first.name.clone());
        if let Some(escalate) = &self.settings.escalate
            && (escalate.when.cycle != self.settings.tournament.is_some()
                || escalate.when.margin == Some(MarginRule::Chosen))
        {
            let message = "escalate: cycle is what is hard where judges compare, and split, unsure or a margin below a \
                           number where they grade";
            return Err(ConfigError::Override(message.into()).into());
        }
        self.settings.recheck_by_default = self.recheck.is_none();
        let share = self.recheck.unwrap_or_else(|| default_recheck(self.settings.tournament.is_some()));
        self.settings.recheck =
            ranges::share(share).map_err(|range| ConfigError::Override(format!("recheck {range}")))?;
        Study::new(self.settings, Folder::of_memory(), self.ledger, None)
    }
}

/// A judge that answers from labels with one whole grade for each pair.
fn replayed(labels: Source<Qrels>, scale: Option<GradeMap>) -> JudgeKind {
    JudgeKind::Replay { labels, scale, reading: LabelReading::default(), by_judge: false }
}
