//! Estimates the remaining cost of judging.

use std::collections::BTreeMap;
use std::sync::Arc;

use llull_config::{JudgeKind, JudgeSettings, Settings, TournamentSettings};
use llull_core::{Paradigm, Seed, Status};
use llull_llm::BatchTerms;
use llull_rank::TournamentOptions;
use llull_rank::simulate::{Figures, PlanOptions, Scheduler, SimulatedPrior, plan};
use llull_runner::{Case, Evidence, JudgeEvidence, PromptJudge, ScoreSize};
use serde::Serialize;

use super::attributes::attribute_groups;
use super::call_range::{CallRange, call_range};
use super::plan::RecheckRule;
use super::prompts::prompted;
use super::tree::TreeFeatures;
use crate::error::StudyError;
use crate::evidence::{ComparedQuery, StudyEvidence};
use crate::inputs::Inputs;
use crate::study_config::StudyConfig;

/// The number of simulated tournaments for each size of pool.
const TRIALS: u32 = 50;

/// The assumed judge: errors of half a grade, and documents about 20 places of 100 from their true ones.
const NOISE: f64 = 0.5;
const PRIOR: f64 = 0.2;

/// The judges at the ends of the range: a clear one and an unsure one. The share of ties is that of the assumed judge,
/// plus or minus the second number.
const CLEAR: (f64, f64) = (0.1, -0.3);
const UNSURE: (f64, f64) = (2.0, 0.3);

/// The tokens that providers count in a prompt, in shares of the estimate: about the extremes that are measured for
/// `llull_core::estimate_tokens`.
const COUNTED: [f64; 2] = [0.7, 1.25];

/// The least number of comparisons for using the study's own share of ties.
const FEW: usize = 30;

/// The share of Neither that is assumed for pairs: language models with the built-in prompt answered it for about three
/// pairs in ten. Judges that order more than two at once are assumed to order all of them.
const NEITHER: f64 = 0.3;

/// The open questions of one judge, and their cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// The judge.
    pub judge: String,
    /// Requests: exact if it grades; if it compares, the mean of simulated tournaments with errors of half a grade.
    pub calls: u64,
    /// The part of `calls` that repeats answered questions to measure the judge's consistency. It is exact if every
    /// question is answered, else for as many questions as `calls` counts. The answers are no votes.
    pub rechecks: u64,
    /// The low end of the range that holds in at least 95 of 100 simulated studies, whose judges are clear or unsure:
    /// the 5th percentile with a clear judge. Equal to `calls` if the judge grades every question.
    pub calls_low: u64,
    /// The high end: the 95th percentile with an unsure judge.
    pub calls_high: u64,
    /// The fewest requests, for any answers: if it compares pairs, the number that links all documents. Null if it
    /// compares more than two at once. A text that occurs twice may save some; retries of failures and unusable answers
    /// are added.
    pub calls_lowest: Option<u64>,
    /// The most requests, for any answers: every pair, in every order. A judge that answers Neither to all needs this
    /// number.
    pub calls_highest: Option<u64>,
    /// The share of neighbours in an answer that the simulated judge ties; for pairs, the share of Neither. It is that
    /// of the judges' answers so far, or 0.3 for pairs and 0 for larger sets if there are few. Null if judges grade.
    pub ties: Option<f64>,
    /// The number of answers behind `ties`; 0 if it is assumed.
    pub ties_answers: u64,
    /// Tokens of the prompts, or of the queries and documents that a reranker gets, estimated; 0 for other judges.
    pub prompt_tokens: u64,
    /// The same as providers may count them, for `calls_low` and `calls_high` requests.
    pub prompt_tokens_range: [u64; 2],
    /// Tokens of the replies, by the mean of its replies in the ledger; null without any, 0 for a reranker.
    pub reply_tokens: Option<u64>,
    /// Tokens of the replies if each were as long as `max_tokens` allows.
    pub reply_tokens_at_most: u64,
    /// The waves, each of which needs the answers of the one before: exact if judges grade, else the high end of the
    /// range. A stronger judge's are not among them.
    pub waves: u64,
    /// The share of the price that the provider takes in batches, where the price is that of batches. Null elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_share: Option<f64>,
    /// The hours within which the provider promises each batch. Null without batches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_hours: Option<u16>,
    /// The fewest requests of a batch, of which the provider takes more than one; fewer are sent by themselves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_least: Option<usize>,
    /// US dollars, if the price and the mean reply are known.
    pub usd: Option<f64>,
    /// US dollars if every reply were as long as allowed, the provider counted the most tokens or search units, and
    /// calls were at their known maximum: `calls_highest`, or else `calls_high`. Null if the price is unknown.
    pub usd_at_most: Option<f64>,
}

impl Estimate {
    /// Returns the same in batches on these terms. Requests that are too few for a batch have the usual price: all, or
    /// at most those of a part of each wave.
    #[must_use]
    pub(crate) fn in_batches(self, terms: BatchTerms) -> Self {
        let few = self.calls < terms.least as u64;
        let share = terms.share.map(|share| if few { 1.0 } else { share });
        let at = share.unwrap_or(1.0);
        let most = self.calls_highest.unwrap_or(self.calls_high).max(1);
        let single = self.waves.saturating_mul(terms.least.saturating_sub(1) as u64).min(most);
        let at_most = at + (1.0 - at) * single as f64 / most as f64;
        Self {
            batch_share: share,
            batch_hours: Some(terms.hours),
            batch_least: Some(terms.least).filter(|least| *least > 1),
            usd: self.usd.map(|usd| usd * at),
            usd_at_most: self.usd_at_most.map(|usd| usd * at_most),
            ..self
        }
    }
}

/// Returns the open questions of every judge. It sends no request and needs no key. Graders of a few documents of each
/// tier are left out: the number of tiers is not known yet.
///
/// # Errors
/// Returns an error if a prompt cannot be rendered.
pub(crate) fn estimates(
    config: StudyConfig<'_>,
    inputs: &Inputs,
    evidence: &StudyEvidence,
) -> Result<Vec<Estimate>, StudyError> {
    let settings = config.settings;
    let ties = settings.tournament.as_ref().map(|tournament| ties(&evidence.judges, tournament.paradigm));
    let simulated = match (&settings.tournament, evidence.compared()) {
        (Some(tournament), Some(queries)) => {
            Some(remaining(tournament, Seed(settings.seed), queries, ties.map_or(0.0, |(share, _)| share))?)
        }
        _ => None,
    };
    let range = match (&settings.tournament, evidence.compared()) {
        (Some(tournament), Some(queries)) => call_range(tournament, queries),
        _ => Some(CallRange::default()),
    };
    let mut estimates = Vec::new();
    for (at, (judge, answers)) in settings.judges.iter().zip(evidence.judges.judges()).enumerate() {
        let open = open_cases(&evidence.judges, answers);
        let asked = open.len() as u64;
        let range = range
            .map(|range| CallRange { lowest: asked + range.lowest, highest: asked + range.highest })
            // A judge with all answers has no open question.
            .map(|range| if asked == 0 { CallRange::default() } else { range });
        let calls = match simulated {
            Some(further) if !open.is_empty() => further.calls.map(|calls| calls.max(asked)),
            _ => [asked; 3],
        };
        let calls = calls.map(|calls| range.map_or(calls, |range| calls.clamp(range.lowest, range.highest)));
        let again = OpenRechecks::new(settings, evidence, at);
        let rechecks = again.calls(calls[1]);
        let range = range.map(|range| CallRange {
            lowest: range.lowest + again.calls(range.lowest),
            highest: range.highest + again.calls(range.highest),
        });
        let calls = calls.map(|calls| calls + again.calls(calls));
        let of_votes = match simulated {
            _ if open.is_empty() => 0,
            Some(further) => further.waves,
            None => 1,
        };
        // Questions are repeated once all votes are there.
        let waves = of_votes + u64::from(rechecks > 0);
        let sample = if open.is_empty() { again.cases } else { open };
        let per_call = mean_request(config, inputs, judge, settings.tournament.as_ref(), &sample)?;
        let estimate = estimate(judge, calls, range, per_call, mean_reply(answers));
        let (ties, ties_answers) = (ties.map(|(share, _)| share), ties.map_or(0, |(_, answers)| answers));
        estimates.push(Estimate { ties, ties_answers, rechecks, waves, ..estimate });
    }
    let others = match TreeFeatures::open(config)? {
        Some(tree) => of_tree(config, inputs, evidence, (&tree, &mut estimates))?,
        None => of_attributes(config, inputs, evidence, &estimates)?,
    };
    estimates.extend(others);
    estimates.extend(escalated(config, inputs, evidence)?);
    Ok(estimates)
}

/// Returns the open questions of the stronger judge of an escalation.
///
/// Among the pairs without the other judges' answers, the share of hard ones is assumed to be that of the other pairs;
/// at most it is all of them. At most it is all of the pool while human labels that choose the threshold are missing,
/// or answers from which the panel's method or the threshold is learned.
fn escalated(
    config: StudyConfig<'_>,
    inputs: &Inputs,
    evidence: &StudyEvidence,
) -> Result<Option<Estimate>, StudyError> {
    let (Some(found), Some(graders), Some(judge)) =
        (evidence.escalation(), &evidence.graders, config.settings.graders.first())
    else {
        return Ok(None);
    };
    let Some(answers) = graders.judges().first() else { return Ok(None) };
    let open = open_cases(graders, answers);
    let (asked, undecided, hard) = (open.len() as u64, found.undecided as u64, found.places.len() as u64);
    let decided = evidence.pooled.len() as u64 - undecided;
    let share = if decided == 0 { 1.0 } else { hard as f64 / decided as f64 };
    let learns = found.guarantee.is_some() || evidence.method().is_some();
    let more = if found.waits() || undecided > 0 && learns { decided - hard } else { 0 };
    let range = CallRange { lowest: asked, highest: asked + undecided + more };
    let calls = asked + (share * undecided as f64).round() as u64;
    let sample = if open.is_empty() && range.highest > 0 { evidence.pooled.cases().collect() } else { open };
    let per_call = mean_request(config, inputs, judge, None, &sample)?;
    let calls = [range.lowest, calls, range.highest];
    Ok(Some(estimate(judge, calls, Some(range), per_call, mean_reply(answers))))
}

/// Returns the questions about attributes: every pair of the tournaments so far, and as many more as the estimates in
/// `judges` predict.
fn of_attributes(
    config: StudyConfig<'_>,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    judges: &[Estimate],
) -> Result<Vec<Estimate>, StudyError> {
    let orders = |both: bool| if both { 2 } else { 1 };
    let study = orders(config.settings.tournament.as_ref().is_some_and(TournamentSettings::both_orders));
    let open = |at: usize| evidence.judges.judges().get(at).map_or(0, |judge| judge.open() as u64);
    // Of the judge with the most open questions; only pairs of the tournament are repeated.
    let to_come = |calls: fn(&Estimate) -> u64| {
        let more = judges
            .iter()
            .enumerate()
            .map(|(at, judge)| calls(judge).saturating_sub(judge.rechecks + open(at)).div_ceil(study));
        more.max().unwrap_or(0)
    };
    let further =
        [to_come(|judge| judge.calls_low), to_come(|judge| judge.calls), to_come(|judge| judge.calls_high)];
    let mut estimates = Vec::new();
    for (group, asked) in attribute_groups(config.settings, &inputs.rubric).iter().zip(evidence.attributes())
    {
        for (judge, answers) in group.judges.iter().zip(asked.judges()) {
            let cases = open_cases(asked, answers);
            let per_call = mean_request(config, inputs, judge, Some(&group.tournament), &cases)?;
            let open = cases.len() as u64;
            let calls = further.map(|more| open + more * orders(group.both_orders));
            estimates.push(estimate(judge, calls, None, per_call, mean_reply(answers)));
        }
    }
    Ok(estimates)
}

/// Returns the questions of a tree's sources: for every further pair, the average number on the pairs of its training.
///
/// For a field without any pair so far, the prompt is assumed to be as long as with the whole documents. The tree
/// itself, the first of `judges`, gets no request.
fn of_tree(
    config: StudyConfig<'_>,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    (tree, judges): (&TreeFeatures, &mut [Estimate]),
) -> Result<Vec<Estimate>, StudyError> {
    let Some(own) = judges.first_mut() else { return Ok(Vec::new()) };
    let pairs = [own.calls_low, own.calls, own.calls_high];
    let (lowest, highest) = (Some(0), Some(0));
    *own = Estimate {
        calls_lowest: lowest,
        calls_highest: highest,
        calls_low: 0,
        calls: 0,
        calls_high: 0,
        ..own.clone()
    };
    let first = evidence.judges.judges().first();
    let open_pairs = first.map_or_else(Vec::new, |judge| open_cases(&evidence.judges, judge));
    let mut estimates = Vec::new();
    for (at, (group, asked)) in tree.groups().iter().zip(evidence.attributes()).enumerate() {
        for (judge, answers) in group.judges.iter().zip(asked.judges()) {
            let open = open_cases(asked, answers);
            let calls = pairs.map(|pairs| {
                let to_come = (pairs as f64 * tree.calls_per_pair(at)).round() as u64;
                to_come.max(open.len() as u64)
            });
            let sample = if open.is_empty() && calls[2] > 0 { &open_pairs } else { &open };
            let per_call = mean_request(config, inputs, judge, Some(&group.tournament), sample)?;
            estimates.push(estimate(judge, calls, None, per_call, mean_reply(answers)));
        }
    }
    Ok(estimates)
}

/// Returns the estimate for a judge with these questions.
pub(super) fn estimate_of(
    config: StudyConfig<'_>,
    inputs: &Inputs,
    judge: &JudgeSettings,
    answers: &JudgeEvidence,
    open: &[Case<'_>],
) -> Result<Estimate, StudyError> {
    let calls = open.len() as u64;
    let per_call = mean_request(config, inputs, judge, config.settings.tournament.as_ref(), open)?;
    let range = CallRange { lowest: calls, highest: calls };
    Ok(estimate(judge, [calls; 3], Some(range), per_call, mean_reply(answers)))
}

/// Returns the cost of this number of requests to a language model, given the tokens of all prompts.
pub fn estimate_of_requests(
    judge: &JudgeSettings,
    answers: &JudgeEvidence,
    calls: u64,
    tokens: u64,
) -> Estimate {
    let tokens = if calls == 0 { 0.0 } else { tokens as f64 / calls as f64 };
    let per_call = MeanRequest { tokens, ..MeanRequest::default() };
    let range = CallRange { lowest: calls, highest: calls };
    estimate(judge, [calls; 3], Some(range), per_call, mean_reply(answers))
}

/// Returns the mean tokens of a judge's replies in the ledger; `None` if none was counted.
fn mean_reply(judge: &JudgeEvidence) -> Option<f64> {
    let totals = judge.ledger_totals();
    let answered = totals.answered;
    let counted = answered.saturating_sub(totals.completion_tokens.unknown);
    (counted > 0).then(|| totals.completion_tokens.total as f64 / counted as f64)
}

/// A judge's requests, on average.
#[derive(Debug, Clone, Copy, Default)]
struct MeanRequest {
    /// Estimated tokens of the prompt, or of what a reranker gets; 0 for other judges.
    tokens: f64,
    /// Search units of a reranker, and the most.
    searches: [f64; 2],
}

/// Returns the average request about these questions.
fn mean_request(
    config: StudyConfig<'_>,
    inputs: &Inputs,
    judge: &JudgeSettings,
    tournament: Option<&TournamentSettings>,
    open: &[Case<'_>],
) -> Result<MeanRequest, StudyError> {
    let mut sum = ScoreSize::default();
    match &judge.kind {
        _ if open.is_empty() => return Ok(MeanRequest::default()),
        JudgeKind::Prompted { .. } => {
            let rubric = Arc::new(inputs.rubric.clone());
            let prompted = prompted(config, judge, tournament, &rubric)?;
            for case in open {
                sum.tokens += u64::from(prompted.request(case, 0)?.tokens);
            }
        }
        JudgeKind::Own(own) if own.source.has_scores() => {
            for case in open {
                let asked = own.expected.get(&case.topic.id);
                let query = asked.map_or(&case.topic.text, |(query, _)| query);
                let size = ScoreSize::of(query, case.texts());
                sum.tokens += size.tokens;
                sum.searches += size.searches;
                sum.searches_at_most += size.searches_at_most;
            }
        }
        _ => {}
    }
    let mean = |sum: u64| sum as f64 / open.len() as f64;
    Ok(MeanRequest { tokens: mean(sum.tokens), searches: [sum.searches, sum.searches_at_most].map(mean) })
}

/// Returns the questions that a judge has not answered.
fn open_cases<'a>(asked: &'a Evidence, judge: &JudgeEvidence) -> Vec<Case<'a>> {
    let questions = asked.cases().zip(judge.questions());
    questions.filter_map(|(case, mut all)| all.any(|status| judge.is_open(status)).then_some(case)).collect()
}

fn estimate(
    settings: &JudgeSettings,
    [calls_low, calls, calls_high]: [u64; 3],
    range: Option<CallRange>,
    request: MeanRequest,
    reply: Option<f64>,
) -> Estimate {
    let most = range.map_or(calls_high, |range| range.highest);
    let sum = |calls: u64, each: f64| (calls as f64 * each).round() as u64;
    let (mut max_tokens, mut price, mut scores) = (0, None, None);
    match &settings.kind {
        JudgeKind::Prompted { sampling, price: known, .. } => {
            (max_tokens, price) = (sampling.max_tokens, *known);
        }
        JudgeKind::Own(own) => scores = own.source.scores(),
        JudgeKind::Recorded { .. }
        | JudgeKind::Replay { .. }
        | JudgeKind::Similarity {}
        | JudgeKind::Student { .. }
        | JudgeKind::Tree { .. }
        | JudgeKind::Annotator { .. }
        | JudgeKind::Custom { .. } => {}
    }
    // A reranker's reply has no tokens.
    let reply = reply.or(scores.map(|_| 0.0));
    let usd = |calls: u64, tokens: f64, searches: f64, reply: f64| match scores {
        Some(scores) => scores.price?.cost(Some(sum(calls, tokens)), Some(sum(calls, searches))),
        None => price.map(|price| calls as f64 * (tokens * price.input + reply * price.output) / 1e6),
    };
    let [fewest, most_tokens] = COUNTED.map(|share| share * request.tokens);
    let [searches, most_searches] = request.searches;
    Estimate {
        judge: settings.name.clone(),
        calls,
        rechecks: 0,
        calls_low,
        calls_high,
        calls_lowest: range.map(|range| range.lowest),
        calls_highest: range.map(|range| range.highest),
        ties: None,
        ties_answers: 0,
        prompt_tokens: sum(calls, request.tokens),
        prompt_tokens_range: [sum(calls_low, fewest), sum(calls_high, most_tokens)],
        reply_tokens: reply.map(|reply| sum(calls, reply)),
        reply_tokens_at_most: most * u64::from(max_tokens),
        waves: u64::from(calls > 0),
        batch_share: None,
        batch_hours: None,
        batch_least: None,
        usd: reply.and_then(|reply| usd(calls, request.tokens, searches, reply)),
        usd_at_most: usd(most, most_tokens, most_searches, f64::from(max_tokens)),
    }
}

/// Returns the share of neighbours that the judges have tied in their answers so far, over all judges, and the number
/// of these answers; an assumed share and 0 if there are few. Each tied pair has a question of its own, which can take
/// several times the calls of clear answers.
fn ties(evidence: &Evidence, paradigm: Paradigm) -> (f64, u64) {
    let (mut tied, mut neighbours, mut answers) = (0, 0, 0);
    for judge in evidence.judges() {
        for verdict in (0..evidence.len()).filter_map(|question| judge.status(question).order()) {
            let documents: usize = verdict.order.iter().map(Vec::len).sum();
            answers += 1;
            neighbours += documents.saturating_sub(1);
            tied += documents.saturating_sub(verdict.order.len());
        }
    }
    match paradigm {
        _ if answers >= FEW && neighbours > 0 => (tied as f64 / neighbours as f64, answers as u64),
        Paradigm::Pairwise => (NEITHER, 0),
        Paradigm::Graded | Paradigm::Listwise => (0.0, 0),
    }
}

/// What unfinished tournaments still need.
#[derive(Debug, Clone, Copy)]
struct Further {
    /// The number of questions, each for every judge: the low end of the range, the mean, the high end.
    calls: [u64; 3],
    /// The high end for the waves that they share.
    waves: u64,
}

/// The further questions of unfinished tournaments, by playing tournaments of the same size with the real scheduler.
fn remaining(
    settings: &TournamentSettings,
    seed: Seed,
    queries: &[ComparedQuery],
    ties: f64,
) -> Result<Further, StudyError> {
    let judges = [(NOISE, 0.0), CLEAR, UNSURE].map(|(noise, more)| (noise, (ties + more).clamp(0.0, 1.0)));
    let mut sizes: BTreeMap<(usize, usize), Option<SimulatedSize>> = BTreeMap::new();
    let (mut calls, mut most_waves) = ([0.0; 3], 1.0_f64);
    let orders = if settings.both_orders() { 2.0 } else { 1.0 };
    for query in queries.iter().filter(|query| !query.outcome.complete) {
        let size = (query.documents.len(), query.window);
        let found = match sizes.get(&size) {
            Some(found) => *found,
            None => {
                let options = settings.options(query.window, seed);
                let found = simulate(&options, query.documents.len(), seed, judges)?;
                sizes.insert(size, found);
                found
            }
        };
        let Some(found) = found else { continue };
        let asked = query.outcome.calls as f64;
        let [low, mean, high] = found.calls;
        // A tournament that took longer than the simulated ones tells nothing of how near its end is.
        let further = [low - asked, mean - asked, (high - asked).max(0.5 * mean)];
        for (sum, further) in calls.iter_mut().zip(further) {
            *sum += orders * further.max(1.0);
        }
        most_waves = most_waves.max(found.waves - query.outcome.waves as f64);
    }
    let [low, mean, high] = calls;
    let calls = [low.floor(), mean.round(), high.ceil()].map(|calls| calls as u64);
    Ok(Further { calls, waves: most_waves.ceil() as u64 })
}

/// The questions of simulated tournaments of one size.
#[derive(Debug, Clone, Copy)]
struct SimulatedSize {
    /// The low end of the range, the mean of the assumed judge, the high end.
    calls: [f64; 3],
    /// The high end for waves.
    waves: f64,
}

/// Simulates tournaments with the assumed judge and those at the ends of the range, each with its noise and its share
/// of ties. `None` for fewer than two documents.
fn simulate(
    tournament: &TournamentOptions,
    documents: usize,
    seed: Seed,
    judges: [(f64, f64); 3],
) -> Result<Option<SimulatedSize>, StudyError> {
    let scheduler = Scheduler::Tournament(tournament.schedule);
    let mut found: Option<SimulatedSize> = None;
    for (noise, ties) in judges {
        let tournament = tournament.clone();
        let options = PlanOptions { documents, tournament, noise, ties, prior: SimulatedPrior::Ranks(PRIOR) };
        let figures = plan(&options, TRIALS, seed, &[scheduler], &|_| Vec::new(), &|| ())?;
        let Some(Figures { calls, waves, .. }) = figures.first() else { return Ok(None) };
        let [low, mean, high] = found.map_or([calls.p5, calls.mean, calls.p95], |found| found.calls);
        found = Some(SimulatedSize {
            calls: [low.min(calls.p5), mean, high.max(calls.p95)],
            waves: found.map_or(waves.p95, |found| found.waves.max(waves.p95)),
        });
    }
    Ok(found)
}

/// The repeated questions that are still open for one judge.
pub(super) struct OpenRechecks<'a> {
    /// The open questions at present.
    pub(super) cases: Vec<Case<'a>>,
    rule: RecheckRule,
    /// Whether questions are repeated for it at all.
    asked: bool,
    /// The numbers of its answers: votes, and repetitions.
    votes: usize,
    done: usize,
}

impl<'a> OpenRechecks<'a> {
    /// Reads the state of the judge at a position of the study.
    pub(super) fn new(settings: &Settings, evidence: &'a StudyEvidence, at: usize) -> Self {
        let mut cases = Vec::new();
        let mut done = 0;
        if let Some(found) = &evidence.rechecked
            && let Some(judge) = found.of_judge(at)
        {
            for (case, status) in found.asked().cases().zip(judge.tasks()) {
                if judge.is_open(status) {
                    cases.push(case);
                } else {
                    done += 1;
                }
            }
        }
        let votes = evidence.judges.judges().get(at);
        Self {
            cases,
            rule: RecheckRule::of(settings),
            asked: settings.judges.get(at).is_some_and(|judge| match &judge.kind {
                JudgeKind::Prompted { .. } | JudgeKind::Recorded { .. } | JudgeKind::Own(_) => true,
                JudgeKind::Replay { .. }
                | JudgeKind::Similarity {}
                | JudgeKind::Student { .. }
                | JudgeKind::Tree { .. }
                | JudgeKind::Annotator { .. } => false,
                JudgeKind::Custom { judge } => !judge.0.in_process(),
            }),
            votes: votes.map_or(0, |judge| judge.tasks().filter(|status| Status::is_judged(status)).count()),
            done,
        }
    }

    /// Returns the number of its requests after this number of further votes: exact for 0.
    pub(super) fn calls(&self, more: u64) -> u64 {
        match more {
            0 => self.cases.len() as u64,
            _ if !self.asked => 0,
            more => (self.rule.calls(self.votes + more as usize).saturating_sub(self.done)) as u64,
        }
    }
}
