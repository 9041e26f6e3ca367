//! Runs a study's judges.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use llull_config::Environment;
use llull_llm::{RequestObserver, RetryPolicy, line_id};
use llull_runner::{
    AccountUse, Budget, Cancel, Driver, Event, Evidence, Exhaustive, Judge, JudgeFailure, JudgeIdentity,
    JudgeStop, Plan, Reporter, RunOptions, RunOutcome, Silent, StopReason, UnusableLimits, Workload,
    key_of_id, process_seed,
};
use llull_store::{BatchRecord, BatchState, Detail, LedgerReader, LedgerWriter};

use super::allowed_servers::AllowedServers;
use super::annotators::{add_annotators, sample_beside_base, sample_of_other_queries};
use super::batch_files::{BatchFiles, BatchResults, OpenRequests};
use super::batches::{Batches, in_batches};
use super::budget_tracker::{BudgetTracker, priced};
use super::build_evidence::some_of;
use super::error::JudgeError;
use super::estimate::estimates;
use super::evidence_source::{EvidenceSource, PanelRole};
use super::listed_pairs::{ListedPair, ListedPairsOutcome};
use super::outcome::{JudgeTally, JudgingOutcome};
use super::own_judges::JudgeFunction;
use super::panel::recorded_judges;
use super::probing::{ProbedSource, ProbingOutcome};
use super::reading::read_evidence;
use super::study_context::{Excerpt, StudyContext};
use crate::error::StudyError;
use crate::inputs::Inputs;
use crate::ledger::StudyLedger;
use crate::people::HumanLabels;
use crate::probes::JudgeProbe;
use crate::study_config::StudyConfig;

/// A session of judging, about to begin: it sends the questions that the ledger lacks.
#[derive(Clone)]
pub struct Judging<'a> {
    config: StudyConfig<'a>,
    ledger: &'a StudyLedger,
    inputs: &'a Inputs,
    environment: Environment<'a>,
    reporter: &'a dyn Reporter,
    cancel: Option<&'a Cancel>,
    keep_going: bool,
    accept_loss: bool,
    reach: &'a dyn AllowedServers,
    only: Option<&'a [usize]>,
    batches: Option<Batches>,
    in_batches: bool,
    functions: &'a [JudgeFunction],
    observer: Option<Arc<dyn RequestObserver>>,
}

/// The requests of a wave without an answer.
#[derive(Debug)]
pub struct BatchExport {
    /// Those to send.
    pub open: OpenRequests,
    /// The number of those that are in batches at a provider, by judge.
    pub at_providers: BTreeMap<String, usize>,
}

impl BatchExport {
    fn new(mut open: OpenRequests, elsewhere: &BTreeSet<String>) -> Self {
        let mut at_providers = BTreeMap::new();
        for (judge, lines) in &mut open {
            let all = lines.len();
            lines.retain(|line| !line_id(line).is_some_and(|id| elsewhere.contains(key_of_id(id))));
            if lines.len() < all {
                at_providers.insert(judge.clone(), all - lines.len());
            }
        }
        open.retain(|_, lines| !lines.is_empty());
        Self { open, at_providers }
    }
}

/// What an import of results has done.
#[derive(Debug)]
pub struct BatchImport {
    /// The state of the study now.
    pub outcome: JudgingOutcome,
    /// The number of results that were recorded.
    pub recorded: usize,
    /// The number of results whose requests were answered or imported before.
    pub already_there: usize,
    /// The number of lines that repeat the request of another one.
    pub duplicates: usize,
    /// The requests of this wave and the next that have no result, and are in no batch at a provider.
    pub open: OpenRequests,
}

impl<'a> Judging<'a> {
    pub(crate) fn new(
        config: StudyConfig<'a>,
        ledger: &'a StudyLedger,
        inputs: &'a Inputs,
        reach: &'a dyn AllowedServers,
    ) -> Self {
        let (environment, reporter): (Environment<'a>, &'a dyn Reporter) = (&|_| None, &Silent);
        let (cancel, keep_going, accept_loss) = (None, false, false);
        Self {
            config,
            ledger,
            inputs,
            environment,
            reporter,
            cancel,
            keep_going,
            accept_loss,
            reach,
            only: None,
            batches: None,
            in_batches: false,
            functions: &[],
            observer: None,
        }
    }

    /// Shows each request to a language model or a reranker to an observer.
    #[must_use]
    pub fn observer(self, observer: Option<Arc<dyn RequestObserver>>) -> Self {
        Self { observer, ..self }
    }

    /// Looks up keys and addresses of models in this environment; by default there are none.
    #[must_use]
    pub fn environment(self, environment: Environment<'a>) -> Self {
        Self { environment, ..self }
    }

    /// Reports all events to this reporter.
    #[must_use]
    pub fn reporter(self, reporter: &'a dyn Reporter) -> Self {
        Self { reporter, ..self }
    }

    /// Stops the session from outside.
    #[must_use]
    pub fn cancel(self, cancel: &'a Cancel) -> Self {
        Self { cancel: Some(cancel), ..self }
    }

    /// Does not stop a judge whose replies are unparsable.
    #[must_use]
    pub fn keep_going(self, keep_going: bool) -> Self {
        Self { keep_going, ..self }
    }

    /// Continues with a ledger that has lost attempts ([`LedgerLoss`](llull_store::LedgerLoss)): the lost questions are
    /// repeated.
    #[must_use]
    pub fn accept_loss(self, accept_loss: bool) -> Self {
        Self { accept_loss, ..self }
    }

    /// Gives the judges `function:NAME@VERSION` their functions; by default there are none.
    #[must_use]
    pub fn functions(self, functions: &'a [JudgeFunction]) -> Self {
        Self { functions, ..self }
    }

    /// Restricts judging to the pairs at these places of the pool, in a study whose judges grade.
    #[must_use]
    pub fn only(self, places: &'a [usize]) -> Self {
        Self { only: Some(places), ..self }
    }

    /// Sends each wave of requests to language models as a batch of their provider, and waits for it. The batches are
    /// in the ledger's file: a run that was stopped or killed continues with them.
    #[must_use]
    pub fn in_batches(self, in_batches: bool) -> Self {
        Self { in_batches, ..self }
    }

    /// Sends the judges the questions that the ledger lacks, and derives the labels.
    ///
    /// # Errors
    /// Returns an error if a judge uses a server without trust, the corpus lacks a document, a judge is invalid, or the
    /// ledger fails or has lost attempts. Failures of judges or their servers are no errors: they are in the outcome.
    pub fn run(self) -> Result<JudgingOutcome, StudyError> {
        let (folder, inputs) = (self.config.folder, self.inputs);
        self.ask(&mut |context, asking| {
            let mut evidence = context.build_evidence(asking)?;
            add_annotators(&mut evidence, folder, inputs, &*asking.ledger)?;
            evidence.notes.extend(sample_beside_base(folder, inputs)?);
            evidence.notes.extend(sample_of_other_queries(folder, inputs)?);
            let budget = asking.budget.ended(asking.stopped.as_ref());
            let spent = asking.budget.spent;
            Ok(JudgingOutcome {
                evidence,
                tallies: std::mem::take(&mut asking.tallies),
                rechecked: std::mem::take(&mut asking.rechecked),
                stopped: asking.stopped.take(),
                stopped_judges: std::mem::take(&mut asking.stopped_judges),
                unanswered: asking.unanswered.take().filter(|_| spent.answered == 0),
                budget,
                spent,
            })
        })
    }

    /// Returns the requests of the next wave that the ledger has no answer for, as lines of batch files, but for those
    /// that are in batches at a provider. Judges that are no language models answer now; no request is sent to a model,
    /// and no key is needed. A budget may leave out requests: the outcome names it.
    ///
    /// # Errors
    /// Returns those of [`run`](Self::run), and an error if a judge is a model of the caller's own.
    pub fn export_batch(self) -> Result<(JudgingOutcome, BatchExport), StudyError> {
        let elsewhere = at_providers(&self.ledger.batches()?);
        let (outcome, open) = self.exchange(BatchFiles::default())?;
        Ok((outcome, BatchExport::new(open, &elsewhere)))
    }

    fn exchange(mut self, files: BatchFiles) -> Result<(JudgingOutcome, OpenRequests), StudyError> {
        let files = Arc::new(files);
        self.batches = Some(Batches::Files(Arc::clone(&files)));
        let outcome = self.run()?;
        let open = std::mem::take(&mut *files.open());
        Ok((outcome, open))
    }

    /// Records results of batches, as if their requests had been answered now.
    ///
    /// # Errors
    /// Returns those of [`export_batch`](Self::export_batch), and an error if a result is for a request of another
    /// study; no result is recorded then. Judges that are no language models answer before, as in an export.
    pub fn import_batch(self, mut results: BatchResults) -> Result<BatchImport, StudyError> {
        let (_, open) = self.clone().exchange(BatchFiles::new(BatchResults::default()))?;
        let already_there = self
            .ledger
            .read(&mut |ledger| -> Result<_, StudyError> { Ok(results.without_recorded(&open, ledger)??) })?;
        let (recorded, duplicates) = (results.len(), results.duplicates());
        let elsewhere = at_providers(&self.ledger.batches()?);
        let (outcome, open) = self.exchange(BatchFiles::new(results))?;
        let open = BatchExport::new(open, &elsewhere).open;
        Ok(BatchImport { outcome, recorded, already_there, duplicates, open })
    }

    /// Sends the judges questions with changed documents: some of those that they have graded, or one in each of some
    /// sets that they have compared.
    ///
    /// The answers are in the ledger, and are no votes. The [checks](crate::Study::judge_checks) of evidence that is
    /// read later include their checks.
    ///
    /// # Errors
    /// Returns those of [`run`](Self::run).
    pub fn probe(self, probes: &[JudgeProbe]) -> Result<ProbingOutcome, StudyError> {
        self.ask(&mut |context, asking| {
            let without_documents = context.probe(asking, probes)?;
            let budget = asking.budget.ended(asking.stopped.as_ref());
            Ok(ProbingOutcome { without_documents, stopped: asking.stopped.take(), budget })
        })
    }

    /// Sends the judges, which compare, the questions about these pairs that the ledger lacks. The answers are votes in
    /// the ledger, which [`ballots`](crate::StudyAttempts::ballots) returns; a tournament reuses those that it
    /// asks for.
    ///
    /// # Errors
    /// Returns those of [`run`](Self::run), and an error if judges grade.
    pub fn pairs(self, pairs: &[ListedPair<'_>]) -> Result<ListedPairsOutcome, StudyError> {
        self.ask(&mut |context, asking| {
            let (mut plan, number, outside) = context.listed(pairs)?;
            asking.play(&mut plan, PanelRole::Judges)?;
            let budget = asking.budget.ended(asking.stopped.as_ref());
            let answered = asking.budget.spent.answered;
            Ok(ListedPairsOutcome {
                pairs: number,
                outside,
                tallies: std::mem::take(&mut asking.tallies),
                stopped: asking.stopped.take(),
                stopped_judges: std::mem::take(&mut asking.stopped_judges),
                unanswered: asking.unanswered.take().filter(|_| answered == 0),
                budget,
            })
        })
    }

    /// Returns the most tokens and US dollars that what is left to ask in batches costs, whatever the replies are, if
    /// one is limited: a batch is paid for before the first of its costs is known.
    ///
    /// # Errors
    /// Returns an error if that does not fit into the limits.
    fn fitting(&self, left: &Budget, ledger: &dyn LedgerReader) -> Result<(u64, f64), StudyError> {
        if left.usd.is_none() && left.tokens.is_none() {
            return Ok((0, 0.0));
        }
        let evidence = read_evidence(self.config, self.inputs, ledger)?;
        let estimates = estimates(self.config, self.inputs, &evidence)?;
        let estimates = in_batches(self.config.settings, self.environment, estimates)?;
        let of_models = || estimates.iter().filter(|estimate| estimate.reply_tokens_at_most > 0);
        let tokens: u64 = of_models().map(|found| found.prompt_tokens + found.reply_tokens_at_most).sum();
        let usd: f64 = of_models().filter_map(|found| found.usd_at_most).sum();
        let over = |limit: &'static str, needed: String, left: String| {
            Err(StudyError::Judges(JudgeError::Problem(format!(
                "a batch is paid for before its costs are known, and what is left to ask may need {needed}; the limit \
                 leaves {left}. Limit requests instead (--max-calls, or calls in [budget]), raise {limit}, or run \
                 without --batch"
            ))))
        };
        match (left.usd, left.tokens) {
            (Some(left), _) if usd > left => {
                let dollars = |usd: f64| format!("${}", llull_report::text::dollars(usd));
                over("usd", dollars(usd), dollars(left))
            }
            (_, Some(left)) if tokens > left => {
                over("tokens", format!("{tokens} tokens"), format!("{left} tokens"))
            }
            _ => Ok((tokens, usd)),
        }
    }

    fn ask<T>(
        self,
        work: &mut dyn FnMut(&StudyContext<'_>, &mut JudgingSession<'_>) -> Result<T, StudyError>,
    ) -> Result<T, StudyError> {
        self.reach.allow(&self.config.settings.judges, self.environment)?;
        self.reach.allow(&self.config.settings.graders, self.environment)?;
        let excerpt = Excerpt { only: self.only, ..Excerpt::default() };
        let recorded = self.ledger.read(&mut |ledger| Ok::<_, StudyError>(recorded_judges(ledger)?))?;
        let context =
            StudyContext::open(self.config, self.inputs)?.with_recorded(&recorded).excerpt(excerpt)?;
        let uncancelled = Cancel::new();
        let cancel = self.cancel.unwrap_or(&uncancelled);
        let table = self.in_batches.then(|| self.ledger.batch_table());
        let of_providers = match table {
            None => None,
            Some(Some(table)) => Some(Batches::Providers(Arc::new(table), cancel.clone())),
            Some(None) => {
                return Err(StudyError::Judges(JudgeError::Problem(
                    "batches at providers are recorded in the ledger's file, and this study's ledger is not in a \
                     file. Run without --batch, or exchange waves as files: llull batch export, llull batch import"
                        .to_owned(),
                )));
            }
        };
        let batches = self.batches.as_ref().or(of_providers.as_ref());
        let elsewhere = Arc::new(match batches.is_none() && !self.accept_loss {
            true => at_providers(&self.ledger.batches()?),
            false => BTreeSet::new(),
        });
        let (account_use, observer) = (AccountUse::default(), self.observer.as_ref());
        // A model that cannot be used is found before any request.
        let connect = |role| {
            let panel = context.panel(role);
            panel.connect(self.environment, batches, self.functions, observer, &account_use)
        };
        let graders = connect(PanelRole::Graders)?;
        let judges = connect(PanelRole::Judges)?;
        let attributes = (0..context.attribute_groups()).map(|group| connect(PanelRole::Attribute(group)));
        let attributes = attributes.collect::<Result<Vec<_>, _>>()?;
        for judge in self.config.settings.judges.iter().chain(&self.config.settings.graders) {
            priced(self.config.settings, judge, self.environment)?;
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let outcome = self.ledger.write(self.accept_loss, &mut |ledger| {
            let budget = BudgetTracker::open(self.config.settings, &*ledger)?;
            let batches_at_most = match self.in_batches {
                true => self.fitting(&budget.left(), &*ledger)?,
                false => (0, 0.0),
            };
            let mut asking = JudgingSession {
                context: &context,
                judges: &judges,
                graders: &graders,
                attributes: &attributes,
                options: RunOptions {
                    seed: process_seed(),
                    unusable: (!self.keep_going).then(UnusableLimits::default),
                    ask_again: self.config.settings.ask_again,
                    elsewhere: Arc::clone(&elsewhere),
                    retry: retry_policy(self.batches.is_some()),
                    batches_at_most,
                    account_use: account_use.clone(),
                    ..RunOptions::default()
                },
                runtime: runtime.handle(),
                reporter: self.reporter,
                cancel,
                ledger,
                tallies: Vec::new(),
                rechecked: Vec::new(),
                budget,
                stopped: None,
                stopped_judges: Vec::new(),
                unanswered: None,
                parts: Cell::new(0),
                paid: batches.is_some_and(Batches::is_paid),
            };
            work(&context, &mut asking)
        });
        runtime.shutdown_background();
        outcome
    }
}

/// Returns the keys of the questions in batches that a provider has, or may have.
fn at_providers(batches: &[BatchRecord]) -> BTreeSet<String> {
    let open = batches.iter().filter(|batch| batch.state != BatchState::Ended);
    open.flat_map(|batch| &batch.requests).map(|id| key_of_id(id).to_owned()).collect()
}

/// Returns the pauses between retries. What failed in a file is in the next one, whenever that is sent.
fn retry_policy(in_files: bool) -> RetryPolicy {
    match in_files {
        true => RetryPolicy { base: Duration::ZERO, cap: Duration::ZERO, ..RetryPolicy::default() },
        false => RetryPolicy::default(),
    }
}

/// Runs judges, within the rest of the limits.
struct JudgingSession<'a> {
    context: &'a StudyContext<'a>,
    judges: &'a [Arc<dyn Judge>],
    graders: &'a [Arc<dyn Judge>],
    attributes: &'a [Vec<Arc<dyn Judge>>],
    options: RunOptions,
    runtime: &'a tokio::runtime::Handle,
    reporter: &'a dyn Reporter,
    cancel: &'a Cancel,
    ledger: &'a mut dyn LedgerWriter,
    tallies: Vec<JudgeTally>,
    rechecked: Vec<JudgeTally>,
    budget: BudgetTracker,
    stopped: Option<StopReason>,
    stopped_judges: Vec<JudgeStop>,
    unanswered: Option<JudgeFailure>,
    /// The number of waves that were run in parts.
    parts: Cell<usize>,
    /// Whether all that it records was paid for, so that no budget holds.
    paid: bool,
}

/// Reports the waves of several parts as those of one run. The final gathering of their known answers is not reported
/// again.
struct WaveReporter<'a> {
    reporter: &'a dyn Reporter,
    /// The number of waves so far; `None` for the final gathering.
    waves: Option<&'a Cell<usize>>,
}

impl Reporter for WaveReporter<'_> {
    fn event(&self, event: Event<'_>) {
        match (event, self.waves) {
            (Event::Wave { questions, reused, again, .. }, Some(waves)) => {
                let wave = waves.replace(waves.get() + 1);
                self.reporter.event(Event::Wave { wave, questions, reused, again });
            }
            (Event::Wave { .. } | Event::Planned { .. }, None) | (Event::Finished(_), Some(_)) => {}
            (event, _) => self.reporter.event(event),
        }
    }
}

impl<'a> JudgingSession<'a> {
    fn of(&self, panelists: PanelRole) -> &'a [Arc<dyn Judge>] {
        match panelists {
            PanelRole::Judges => self.judges,
            PanelRole::Graders => self.graders,
            PanelRole::Attribute(at) => self.attributes.get(at).map_or(self.judges, Vec::as_slice),
        }
    }

    /// Runs a plan with these judges, within the rest of the limits.
    fn run(
        &mut self,
        plan: &mut dyn Plan,
        judges: &[Arc<dyn Judge>],
        (detail, reporter): (Detail, &dyn Reporter),
    ) -> Result<RunOutcome, StudyError> {
        if self.ledger.leases().is_some() {
            self.budget.refresh(self.context.config.settings, &*self.ledger)?;
        }
        let (budget, study_budget) = match self.paid {
            true => (Budget::default(), Budget::default()),
            false => (self.budget.left(), self.budget.left_of_study()),
        };
        let options = RunOptions { budget, study_budget, detail, ..self.options.clone() };
        let (runtime, cancel) = (self.runtime, self.cancel);
        let driver = Driver { runtime, options: &options, reporter, cancel };
        let mut run = driver.run(plan, judges, self.ledger)?;
        if run.stopped.is_some() {
            // The answers settle more than the waves of this run.
            let identities: Vec<Arc<dyn JudgeIdentity>> =
                judges.iter().map(|judge| Arc::clone(judge) as _).collect();
            run.evidence.play_on(plan, &identities)?;
        }
        Ok(run)
    }

    /// Records the costs of a run and the reason why it stopped.
    fn account(&mut self, run: RunOutcome) -> Evidence {
        self.stopped = run.stopped;
        self.stopped_judges.extend(run.stopped_judges);
        self.unanswered = run.unanswered.or(self.unanswered.take());
        self.budget.spend(run.spent);
        run.evidence
    }
}

impl EvidenceSource for JudgingSession<'_> {
    fn play(&mut self, plan: &mut dyn Plan, panelists: PanelRole) -> Result<Evidence, StudyError> {
        // Tiers of a stopped run will change, and with them the documents to grade: grades would be wasted cost.
        if self.stopped.is_some() || !self.stopped_judges.is_empty() {
            let evidence = self.context.read(&*self.ledger, plan, panelists)?;
            self.tallies.extend(evidence.judges().iter().map(JudgeTally::of));
            return Ok(evidence);
        }
        let judges = self.of(panelists);
        let in_the_end = WaveReporter { reporter: self.reporter, waves: None };
        let in_parts = self.parts.get() > 0 && matches!(panelists, PanelRole::Attribute(_));
        let reporter: &dyn Reporter = if in_parts { &in_the_end } else { self.reporter };
        let run = self.run(plan, judges, (self.context.panel(panelists).detail(), reporter))?;
        self.tallies.extend(JudgeTally::of_run(&run));
        Ok(self.account(run))
    }

    fn play_part(&mut self, questions: &Arc<Workload>, panelists: PanelRole) -> Result<Evidence, StudyError> {
        let mut plan = Exhaustive::new(Arc::clone(questions));
        if self.stopped.is_some() || !self.stopped_judges.is_empty() {
            return self.context.read(&*self.ledger, &mut plan, panelists);
        }
        let detail = self.context.panel(panelists).detail();
        let waves = std::mem::take(&mut self.parts);
        let parts = WaveReporter { reporter: self.reporter, waves: Some(&waves) };
        let run = self.run(&mut plan, self.of(panelists), (detail, &parts));
        self.parts = waves;
        let run = run?;
        Ok(self.account(run))
    }

    fn play_again(
        &mut self,
        known: Evidence,
        questions: &Arc<Workload>,
        judges: &[usize],
    ) -> Result<Evidence, StudyError> {
        // A stopped run needs its votes first.
        let stopped = self.stopped.is_some() || !self.stopped_judges.is_empty();
        if stopped || known.judges().iter().all(|judge| judge.open() == 0) {
            self.rechecked.extend(known.judges().iter().map(JudgeTally::of));
            return Ok(known);
        }
        let judges = some_of(self.judges, judges);
        let detail = self.context.panel(PanelRole::Judges).detail();
        let run = self.run(&mut Exhaustive::new(Arc::clone(questions)), &judges, (detail, self.reporter))?;
        self.rechecked.extend(JudgeTally::of_run(&run));
        Ok(self.account(run))
    }

    fn human_labels(&self, pooled: &Workload) -> Result<Option<HumanLabels>, StudyError> {
        self.context.human_labels(pooled, &*self.ledger)
    }

    fn asks(&self) -> bool {
        true
    }
}

impl ProbedSource for JudgingSession<'_> {
    fn reader(&self) -> &dyn LedgerReader {
        &*self.ledger
    }
}
