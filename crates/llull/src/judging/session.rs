//! Whoever asks: judges, ledger, runtime and what may still be spent, for the length of one command.

use std::collections::BTreeMap;
use std::sync::Arc;

use llull_core::{Grade, Item, Label, LabelSet, Seed};
use llull_label::{
    Anchored, TierScheme, TierView, anchored, anchors, binary, by_median, geometric, median, ordinal,
};
use llull_runner::{
    Budget, Cancel, Ended, Judge, JudgeOutcome, Pair, PooledDocument, Reporter, RunOptions, RunOutcome,
    Silent, Spent, WaveOutcome, Workload, run, run_waves,
};
use llull_store::{JudgmentStore, Known, SqliteLedger};

use crate::compared::{Answers, ComparedTopic, Comparison, Tournaments};
use crate::config::TournamentSettings;
use crate::joined::Joined;
use crate::judged::{Asking, Grading, Judged};
use crate::{Prepared, Study, StudyError};

/// Asks judges, and derives labels from what they say.
pub(crate) struct Asker<'a> {
    pub(crate) study: &'a Study,
    pub(crate) prepared: &'a Prepared,
    pub(crate) asking: Asking,
    pub(crate) reporter: &'a dyn Reporter,
    pub(crate) cancel: &'a Cancel,
    pub(crate) ledger: SqliteLedger,
    pub(crate) runtime: tokio::runtime::Handle,
    /// What has been spent so far, which the budget no longer has.
    pub(crate) spent: Spent,
}

impl Asker<'_> {
    /// Every judge grades every pair of the pool.
    pub(crate) fn grade(
        &mut self,
        pooled: Arc<Workload>,
        judges: Vec<Arc<dyn Judge>>,
        notes: Vec<String>,
    ) -> Result<Judged, StudyError> {
        let outcome = self.run(&pooled, &judges)?;
        let labels = graded_labels(&pooled, &outcome.judges.iter().collect::<Vec<_>>());
        let workload = Arc::clone(&pooled);
        Ok(Judged { pooled, workload, judges, outcome, comparison: None, grading: None, labels, notes })
    }

    /// Every query's documents are compared, wave by wave. `graders` grade a few of each tier, where labels are anchored.
    pub(crate) fn compare(
        &mut self,
        settings: &TournamentSettings,
        pooled: Arc<Workload>,
        judges: Vec<Arc<dyn Judge>>,
        graders: Vec<Arc<dyn Judge>>,
        mut notes: Vec<String>,
    ) -> Result<Judged, StudyError> {
        let study = self.study;
        let prepared = self.prepared;
        let mut joined = Joined::read(study, &judges)?;
        let before = joined.clone();
        let mut tournaments = || Tournaments::new(study, settings, prepared, &pooled, &judges, &mut joined);
        let played = tournaments()?;
        let asked = match self.asking {
            Asking::Missing => {
                let first = tournaments()?;
                if joined != before {
                    joined.write(study, &judges)?;
                }
                Some(self.waves(first, &pooled, &judges)?)
            }
            Asking::Nothing => None,
        };
        let mut answers = Vec::with_capacity(judges.len());
        for judge in &judges {
            let id = self.ledger.register(judge.name(), judge.spec())?;
            answers.push(Answers::of(id, &self.ledger)?);
        }
        notes.extend(played.note());
        let (topics, questions) = played.replay(&judges, &answers);
        drop(answers);
        let workload =
            Arc::new(pooled.comparing(&questions).map_err(|error| StudyError::Unfit(error.to_string()))?);
        // Nothing is asked here: this says how each question that came up stands.
        let mut outcome = self.look(&workload, &judges)?;
        // Tiers of a run that was stopped will change, and with them whom to grade: nothing is paid for that.
        let asking = if asked.as_ref().is_some_and(|asked| asked.stopped.is_some()) {
            Asking::Nothing
        } else {
            self.asking
        };
        if let Some(asked) = asked {
            carry_over(&mut outcome, asked);
        }
        let grading = match settings.labels {
            TierScheme::Anchored => Some(self.grading(settings, graders, &topics, &pooled, asking)?),
            TierScheme::Ordinal | TierScheme::Geometric | TierScheme::Binary { .. } => None,
        };
        let anchored = match &grading {
            Some(grading) => fit_anchors(self.prepared, &topics, grading)?,
            None => Vec::new(),
        };
        let labels = tier_labels(settings.labels, &pooled, &topics, &anchored);
        notes.extend(too_few_tiers(settings, &pooled, &topics, &labels));
        let comparison = Some(Comparison { topics, anchored });
        Ok(Judged { pooled, workload, judges, outcome, comparison, grading, labels, notes })
    }

    /// Grades a few documents of each tier.
    fn grading(
        &mut self,
        settings: &TournamentSettings,
        judges: Vec<Arc<dyn Judge>>,
        topics: &[ComparedTopic],
        pooled: &Arc<Workload>,
        asking: Asking,
    ) -> Result<Grading, StudyError> {
        let mut questions = Vec::new();
        for topic in topics {
            let name = pooled.topics().get(topic.topic as usize).map_or("", |topic| topic.id.as_str());
            // The same documents whatever else is in the study.
            let seed = Seed(Seed(self.study.settings().seed).stream(&format!("anchors of {name}")));
            let id = |item: Item| {
                let document = topic.documents.get(item.index());
                document.and_then(|at| pooled.documents().get(*at as usize)).map_or("", PooledDocument::id)
            };
            let chosen = anchors(&views(topic), settings.anchors, seed, id);
            let documents = chosen.iter().filter_map(|item| topic.documents.get(item.index()));
            questions.extend(documents.map(|document| Pair { topic: topic.topic, document: *document }));
        }
        let workload =
            Arc::new(pooled.grading(questions).map_err(|error| StudyError::Unfit(error.to_string()))?);
        let outcome = match asking {
            Asking::Missing => self.run(&workload, &judges)?,
            // It did not stop: it never began.
            Asking::Nothing => RunOutcome { stopped: None, ..self.look(&workload, &judges)? },
        };
        Ok(Grading { workload, judges, outcome })
    }

    fn run(&mut self, workload: &Arc<Workload>, judges: &[Arc<dyn Judge>]) -> Result<RunOutcome, StudyError> {
        let options = self.options(self.asking);
        let outcome =
            run(&self.runtime, workload, judges, &mut self.ledger, &options, self.reporter, self.cancel)?;
        self.spend(&outcome.spent);
        Ok(outcome)
    }

    /// How every question stands, with nothing asked and nothing reported.
    fn look(
        &mut self,
        workload: &Arc<Workload>,
        judges: &[Arc<dyn Judge>],
    ) -> Result<RunOutcome, StudyError> {
        let options = self.options(Asking::Nothing);
        Ok(run(&self.runtime, workload, judges, &mut self.ledger, &options, &Silent, self.cancel)?)
    }

    fn waves(
        &mut self,
        mut tournaments: Tournaments<'_>,
        pooled: &Arc<Workload>,
        judges: &[Arc<dyn Judge>],
    ) -> Result<RunOutcome, StudyError> {
        let options = self.options(self.asking);
        let unfit = |error: llull_runner::WorkloadError| StudyError::Unfit(error.to_string());
        let first = Arc::new(pooled.comparing(&tournaments.wave()).map_err(unfit)?);
        let mut next = |wave: &WaveOutcome<'_>| {
            tournaments.observe(wave);
            let questions = tournaments.wave();
            if questions.is_empty() { None } else { pooled.comparing(&questions).ok().map(Arc::new) }
        };
        let (reporter, cancel) = (self.reporter, self.cancel);
        let outcome = run_waves(
            &self.runtime,
            &first,
            judges,
            &mut self.ledger,
            &options,
            reporter,
            cancel,
            &mut next,
        )?;
        self.spend(&outcome.spent);
        Ok(outcome)
    }

    fn options(&self, asking: Asking) -> RunOptions {
        let budget = &self.study.settings().budget;
        let attempts = match asking {
            Asking::Missing => budget.calls.map(|calls| calls.saturating_sub(self.spent.attempts)),
            Asking::Nothing => Some(0),
        };
        RunOptions {
            budget: Budget {
                attempts,
                tokens: budget.tokens.map(|tokens| tokens.saturating_sub(self.spent.tokens)),
                usd: budget.usd.map(|usd| (usd - self.spent.usd.unwrap_or(0.0)).max(0.0)),
            },
            seed: Seed(self.study.settings().seed),
            ..RunOptions::default()
        }
    }

    fn spend(&mut self, spent: &Spent) {
        self.spent.attempts += spent.attempts;
        self.spent.tokens = self.spent.tokens.saturating_add(spent.tokens);
        if let Some(usd) = spent.usd {
            *self.spent.usd.get_or_insert(0.0) += usd;
        }
    }
}

/// What only the run itself knows: why it stopped, what it used, what it gave up, what it did not have to ask for.
fn carry_over(outcome: &mut RunOutcome, asked: RunOutcome) {
    for (judge, asked) in outcome.judges.iter_mut().zip(&asked.judges) {
        (judge.reused, judge.shared) = (asked.reused, asked.shared);
        // Whoever looks, and asks nothing, cannot tell what was given up from what was not come to.
        judge.gave_up = asked.gave_up.min(judge.not_asked);
        judge.not_asked -= judge.gave_up;
    }
    outcome.stopped = asked.stopped;
    outcome.spent = asked.spent;
    outcome.abandoned = asked.abandoned;
}

/// The tiers as labels read them.
fn views(topic: &ComparedTopic) -> Vec<TierView<'_>> {
    let tiers = topic.outcome.tiers.iter();
    tiers.map(|tier| TierView { items: &tier.items, is_final: tier.is_final }).collect()
}

/// The grades of a few documents of each tier, fitted: a query's without one usable grade are empty.
fn fit_anchors(
    prepared: &Prepared,
    topics: &[ComparedTopic],
    grading: &Grading,
) -> Result<Vec<Anchored>, StudyError> {
    let mut grades: Vec<BTreeMap<Item, Grade>> = vec![BTreeMap::new(); topics.len()];
    let mut by_judge: Vec<_> = grading.outcome.judges.iter().map(|judge| judge.questions()).collect();
    for question in grading.workload.questions() {
        let votes: Vec<Option<Grade>> = by_judge
            .iter_mut()
            .flat_map(|judge| judge.next().unwrap_or_default().iter().map(grade))
            .collect();
        let at = topics.iter().position(|topic| topic.topic == question.topic);
        let Some((topic, grades)) = at.and_then(|at| Some((topics.get(at)?, grades.get_mut(at)?))) else {
            continue;
        };
        let item = topic.documents.iter().position(|document| question.documents.first() == Some(document));
        let usable: Vec<Grade> = votes.into_iter().flatten().collect();
        if let (Some(item), Some(grade)) = (item, median(&usable)) {
            grades.insert(Item::at(item), grade.grade);
        }
    }
    let fit = |(topic, grades): (&ComparedTopic, &BTreeMap<Item, Grade>)| {
        anchored(topic.documents.len(), &views(topic), grades, prepared.rubric.scale)
            .map_err(|error| StudyError::Unfit(error.to_string()))
    };
    topics.iter().zip(&grades).map(fit).collect()
}

/// Why a settled tournament has no labels: the best t tiers may be more than the best m documents settle.
fn too_few_tiers(
    settings: &TournamentSettings,
    pooled: &Workload,
    topics: &[ComparedTopic],
    labels: &LabelSet,
) -> Option<String> {
    let TierScheme::Binary { top } = settings.labels else { return None };
    let unlabelled = |topic: &&ComparedTopic| {
        let id = pooled.topics().get(topic.topic as usize).map_or("", |topic| topic.id.as_str());
        topic.outcome.complete
            && !topic.documents.is_empty()
            && !labels.iter().any(|(labelled, mut labels)| labelled == id && labels.next().is_some())
    };
    let queries = topics.iter().filter(unlabelled).count();
    (queries > 0).then(|| {
        format!(
            "labels = \"binary({top})\" has no labels for {queries} of {} queries: their best {top} tiers are not settled, for tournament.top = {} puts \
             no more documents in order, or they have fewer tiers. Raise top, or take fewer tiers",
            topics.len(),
            settings.top
        )
    })
}

/// What the tiers amount to, in the pool's order. A document that did not take part has no label.
fn tier_labels(
    scheme: TierScheme,
    pooled: &Workload,
    topics: &[ComparedTopic],
    anchored: &[Anchored],
) -> LabelSet {
    let mut labels: Vec<BTreeMap<u32, Label>> = Vec::with_capacity(topics.len());
    for (place, topic) in topics.iter().enumerate() {
        let (items, views) = (topic.documents.len(), views(topic));
        let of_items = match scheme {
            TierScheme::Ordinal => ordinal(items, &views),
            TierScheme::Geometric => geometric(items, &views),
            TierScheme::Binary { top } => binary(items, &views, top as usize),
            TierScheme::Anchored => anchored.get(place).map(|fit| fit.labels.clone()).unwrap_or_default(),
        };
        let labelled = topic.documents.iter().zip(of_items);
        labels.push(labelled.filter_map(|(document, label)| Some((*document, label?))).collect());
    }
    let mut set = LabelSet::default();
    for question in pooled.questions() {
        let topic = pooled.topics().get(question.topic as usize).map_or("", |topic| topic.id.as_str());
        let Some(document) = question.documents.first() else { continue };
        let label = labels.get(question.topic as usize).and_then(|labels| labels.get(document));
        let id = pooled.documents().get(*document as usize).map_or("", |document| document.id());
        set.record(topic, id, label.copied());
    }
    set
}

fn grade(ended: &Ended) -> Option<Grade> {
    match ended {
        Ended::Answered(Known::Grade(grade)) => Some(*grade),
        _ => None,
    }
}

/// The median of all these judges' verdicts on a pair; without a verdict there is no label.
pub(crate) fn graded_labels(pooled: &Workload, judges: &[&JudgeOutcome]) -> LabelSet {
    let mut by_judge: Vec<_> = judges.iter().map(|judge| judge.questions()).collect();
    by_median((0..pooled.len()).filter_map(|at| {
        let votes: Vec<Option<Grade>> = by_judge
            .iter_mut()
            .flat_map(|judge| judge.next().unwrap_or_default().iter().map(grade))
            .collect();
        let case = pooled.case_at(at)?;
        Some((case.topic.id.as_str(), case.document_id(), votes))
    }))
}
