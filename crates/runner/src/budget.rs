//! The budget of a run, and what is spent of it by this run and by others at the same study.

use std::collections::BTreeMap;

use llull_core::Attempt;

use crate::index::JudgeIndex;

/// The limits at which a run stops. Answers that are in the ledger already are free. `None` is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Budget {
    /// The maximum number of attempts, failed ones included. Exact.
    pub attempts: Option<u64>,
    /// The number of tokens, prompts and replies together, after which no new question is sent. Questions in flight
    /// count as much as their judge's dearest answer so far, and before its first a judge is asked one at a time. So it
    /// is exceeded by little more than the last answer, or the first ones of judges.
    pub tokens: Option<u64>,
    /// The cost in US dollars after which no new question is sent, likewise.
    pub usd: Option<f64>,
}

/// A limit of a [`Budget`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Attempts.
    Attempts,
    /// Tokens.
    Tokens,
    /// US dollars.
    Usd,
}

impl Limit {
    /// Returns the name of the limit, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Attempts => "attempts",
            Self::Tokens => "tokens",
            Self::Usd => "US dollars",
        }
    }
}

/// The attempts, tokens and cost of a run. Failed attempts count, with the tokens and cost that are known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    /// The number of attempts, failed ones included.
    pub attempts: u64,
    /// The number of attempts with a reply, usable or not.
    pub answered: u64,
    /// The known tokens of prompts and replies.
    pub tokens: u64,
    /// The number of answers whose tokens are unknown.
    pub uncounted: u64,
    /// The known cost in US dollars, or `None` if no price is known.
    pub usd: Option<f64>,
    /// The number of answers whose price is unknown.
    pub unpriced: u64,
}

impl Budget {
    /// Returns the limit that is reached, if one is.
    fn reached(&self, attempts: u64, tokens: u64, usd: f64) -> Option<Limit> {
        if self.attempts.is_some_and(|limit| attempts >= limit) {
            Some(Limit::Attempts)
        } else if self.tokens.is_some_and(|limit| tokens >= limit) {
            Some(Limit::Tokens)
        } else if self.usd.is_some_and(|limit| usd >= limit) {
            Some(Limit::Usd)
        } else {
            None
        }
    }
}

impl Spent {
    fn count(&mut self, attempt: &Attempt) {
        let (answered, usage) = (attempt.is_answered(), &attempt.answer.usage);
        let counts = [usage.prompt_tokens, usage.completion_tokens];
        self.attempts += 1;
        self.answered += u64::from(answered);
        self.tokens = counts.iter().flatten().fold(self.tokens, |sum, count| sum.saturating_add(*count));
        self.uncounted += u64::from(answered && counts.iter().all(Option::is_none));
        if let Some(cost) = attempt.answer.cost_usd {
            *self.usd.get_or_insert(0.0) += cost;
        }
        self.unpriced += u64::from(answered && attempt.answer.cost_usd.is_none());
    }
}

/// What is spent, against the limits of a run and of its study.
#[derive(Debug)]
pub(crate) struct Spending {
    /// The limits of this run, those of its study included.
    run: Budget,
    /// The limits of this run and the others together.
    study: Budget,
    /// The number of attempts that this run has started.
    asked: u64,
    /// What this run has spent.
    spent: Spent,
    /// The most tokens and dollars that an answer of each judge cost in this run.
    dearest: BTreeMap<JudgeIndex, (u64, f64)>,
    /// The most tokens and dollars that what is left of the questions in batches costs.
    batches: (u64, f64),
    /// What other runs at the same study have spent meanwhile.
    others: Spent,
}

impl Spending {
    /// `batches` is the most that the questions in batches cost.
    pub(crate) fn new(run: Budget, study: Budget, batches: (u64, f64)) -> Self {
        let (spent, others) = (Spent::default(), Spent::default());
        Self { run, study, asked: 0, spent, dearest: BTreeMap::new(), batches, others }
    }

    /// Returns what this run has spent.
    pub(crate) fn spent(&self) -> Spent {
        self.spent
    }

    /// Returns how many attempts this run may still start.
    pub(crate) fn attempts_left(&self) -> u64 {
        self.run.attempts.map_or(u64::MAX, |limit| limit.saturating_sub(self.asked))
    }

    /// Records attempts that are started.
    pub(crate) fn start(&mut self, attempts: u64) {
        self.asked += attempts;
    }

    /// Takes back an attempt that is not sent after all.
    pub(crate) fn not_sent(&mut self) {
        self.asked = self.asked.saturating_sub(1);
    }

    /// Counts an attempt of this run. Returns the limit that cannot be checked any more, because the server stated no
    /// price, or no tokens, for its answer.
    pub(crate) fn count(&mut self, judge: JudgeIndex, in_batches: bool, attempt: &Attempt) -> Option<Limit> {
        let before = self.spent;
        self.spent.count(attempt);
        let tokens = self.spent.tokens - before.tokens;
        let usd = attempt.answer.cost_usd.unwrap_or(0.0);
        if attempt.is_answered() || tokens > 0 || usd > 0.0 {
            let (most, dearest) = self.dearest.entry(judge).or_default();
            (*most, *dearest) = (tokens.max(*most), usd.max(*dearest));
        }
        if in_batches {
            let (most, dearest) = self.batches;
            self.batches = (most.saturating_sub(tokens), (dearest - usd).max(0.0));
        }
        if self.run.usd.is_some() && self.spent.unpriced > before.unpriced {
            Some(Limit::Usd)
        } else if self.run.tokens.is_some() && self.spent.uncounted > before.uncounted {
            Some(Limit::Tokens)
        } else {
            None
        }
    }

    /// Counts an attempt of another run at the same study.
    pub(crate) fn count_other_run(&mut self, attempt: &Attempt) {
        self.others.count(attempt);
    }

    /// Returns the limit that is reached, of the study or of this run, if one is.
    pub(crate) fn reached(&self) -> Option<Limit> {
        self.reached_with(0, 0.0)
    }

    /// Returns whether tokens or dollars are limited.
    pub(crate) fn is_limited(&self) -> bool {
        [self.run, self.study].iter().any(|limits| limits.tokens.is_some() || limits.usd.is_some())
    }

    /// Returns whether an answer of the judge has shown what one costs.
    pub(crate) fn is_known(&self, judge: JudgeIndex) -> bool {
        self.dearest.contains_key(&judge)
    }

    /// Returns whether a limit may be reached by these numbers of requests in flight, each of which costs as much as
    /// its judge's dearest so far, and by batches if there are some.
    pub(crate) fn may_be_reached(
        &self,
        in_flight: impl Iterator<Item = (JudgeIndex, usize)>,
        batches: bool,
    ) -> bool {
        let reserved = if batches { self.batches } else { (0, 0.0) };
        let (tokens, usd) = in_flight.fold(reserved, |(tokens, usd), (judge, requests)| {
            let (most, dearest) = self.dearest.get(&judge).copied().unwrap_or_default();
            let more = most.saturating_mul(requests as u64);
            (tokens.saturating_add(more), usd + dearest * requests as f64)
        });
        self.reached_with(tokens, usd).is_some()
    }

    /// Returns the limit that is reached with these tokens and dollars more.
    fn reached_with(&self, tokens: u64, usd: f64) -> Option<Limit> {
        let (spent, others) = (&self.spent, &self.others);
        let usd = spent.usd.unwrap_or(0.0) + usd;
        let tokens = spent.tokens.saturating_add(tokens);
        let of_study = self.study.reached(
            self.asked + others.attempts,
            tokens.saturating_add(others.tokens),
            usd + others.usd.unwrap_or(0.0),
        );
        of_study.or_else(|| self.run.reached(self.asked, tokens, usd))
    }
}
