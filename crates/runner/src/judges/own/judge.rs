//! A judge of the user's own.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime};

use futures::future::BoxFuture;
use llull_core::{
    Answer, Attempt, Failure, FailureKind, Hash, JudgeSpec, KeyBuilder, Outcome, Paradigm, Scale, TaskKey,
    Verdict,
};
use llull_judge::Rubric;
use llull_llm::{AnswerFacts, ObservedServer, Operation};
use rustc_hash::FxHashMap;

use super::{
    super::task_key::{NO_RUBRIC, TASK},
    channel::OwnChannel,
    question::{AskedDocument, AskedDocuments, AskedRubric, OwnQuestion},
    reading::{read_order, read_own},
    scores::{ScoreSize, Scores},
};
use crate::{
    account_limits::{AccountLimits, AccountUse},
    case::Case,
    judge::{Judge, JudgeIdentity},
};

/// Queries with their expected answers, by the identifiers of topics that combine both.
pub type ExpectedAnswers = FxHashMap<String, (String, String)>;

/// The settings that decide the answers of a judge of the user's own, besides the rubric.
#[derive(Debug, Clone)]
pub struct OwnSettings {
    /// Its name in the study, which is part of every key.
    pub name: String,
    /// Its kind: `command` or `endpoint`.
    pub model: String,
    /// The hash of the program or server: the words of a command and the files that they name, or an address.
    pub meaning: Hash,
    /// Whether it grades or orders documents.
    pub paradigm: Paradigm,
    /// The expected answers, where topics combine a query and an expected answer. Empty where they are queries.
    pub expected: Arc<ExpectedAnswers>,
    /// The form of a server that scores documents instead.
    pub scores: Option<Scores>,
}

/// A judge of the user's own as a ledger knows it. It grades one document at a time, or orders several.
#[derive(Debug, Clone)]
pub struct OwnIdentity {
    name: String,
    rubric: AskedRubric,
    spec: JudgeSpec,
    fingerprint: Hash,
    expected: Arc<ExpectedAnswers>,
    scores: Option<Scores>,
}

impl OwnIdentity {
    /// Creates the judge for documents under this rubric.
    pub fn new(settings: OwnSettings, rubric: &Rubric) -> Self {
        let OwnSettings { name, model, meaning, paradigm, expected, scores } = settings;
        let of_scores = scores.iter().flat_map(|scores| {
            let model = scores.model.clone().map(|model| ("model".to_owned(), model));
            model.into_iter().chain([("scores".to_owned(), scores.form.name().to_owned())])
        });
        // A reranker sees no rubric, and its order is on no scale: with another rubric its answers are the same.
        let rubric_hash = if scores.is_some() { NO_RUBRIC } else { rubric.hash };
        let scale = match &scores {
            Some(Scores { threshold: None, .. }) => Scale::default(),
            _ => rubric.scale,
        };
        let spec = JudgeSpec {
            paradigm,
            model,
            prompt: String::new(),
            prompt_hash: meaning,
            rubric_hash,
            scale,
            sampling: None,
            options: [("name".to_owned(), name.clone())].into_iter().chain(of_scores).collect(),
        };
        Self { fingerprint: spec.fingerprint(), name, rubric: rubric.into(), spec, expected, scores }
    }

    /// Returns the same reranker with the specification of a ledger that was written when the rubric was part of it;
    /// `None` if that is another judge.
    #[must_use]
    pub fn as_recorded(&self, spec: &JudgeSpec) -> Option<Self> {
        let Self { spec: now, .. } = self;
        let without_rubric = JudgeSpec { rubric_hash: now.rubric_hash, scale: now.scale, ..spec.clone() };
        let is_same = self.scores.is_some() && without_rubric == *now;
        is_same.then(|| Self { spec: spec.clone(), fingerprint: spec.fingerprint(), ..self.clone() })
    }

    /// Returns the query, and the expected answer if there is one.
    fn asked<'a>(&'a self, case: &Case<'a>) -> (&'a str, Option<&'a str>) {
        match self.expected.get(&case.topic.id) {
            Some((query, expected)) => (query, Some(expected)),
            None => (&case.topic.text, None),
        }
    }

    /// Returns a question as it is sent, without a line end.
    fn question(&self, case: &Case<'_>, id: &str) -> Result<Vec<u8>, serde_json::Error> {
        let (query, expected) = self.asked(case);
        if let Some(Scores { form, model, .. }) = &self.scores {
            return serde_json::to_vec(&form.request(model.as_deref(), query, case.texts()));
        }
        let documents = match self.spec.paradigm {
            Paradigm::Graded => AskedDocuments::One(case.document().into()),
            _ => AskedDocuments::Several { documents: case.documents().map(AskedDocument::from).collect() },
        };
        serde_json::to_vec(&OwnQuestion { id, query, expected, documents, rubric: &self.rubric })
    }
}

impl JudgeIdentity for OwnIdentity {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey {
        let (query, expected) = self.asked(case);
        let mut key = KeyBuilder::new(TASK).part("judge", &self.fingerprint.0).text("query", query);
        if let Some(expected) = expected {
            key = key.text("expected", expected);
        }
        for document in case.documents().flatten() {
            key = key.text("title", &document.title).text("text", &document.text);
        }
        key.number("sample", u64::from(sample)).finish()
    }

    fn regrades(&self) -> bool {
        self.scores.as_ref().is_some_and(|scores| scores.threshold.is_some())
    }

    /// The reply has the score, and the threshold is not part of the key.
    fn regrade(&self, attempt: &Attempt) -> Option<Outcome> {
        let judged = matches!(attempt.answer.outcome, Outcome::Judged { verdict: Verdict::Graded(_) });
        let reply = attempt.answer.reply.as_deref().filter(|_| judged)?;
        Some(self.scores.as_ref()?.outcome(reply.as_bytes(), 1, self.spec.scale))
    }
}

/// A judge of the user's own that can answer. Its replies are read strictly: one JSON object, with a `grade` on the
/// rubric's scale, or `match` on a scale of two grades, or an `order` of the documents, or an `error`.
pub struct OwnJudge {
    identity: OwnIdentity,
    channel: Arc<dyn OwnChannel>,
    concurrency: usize,
    account: Option<(String, AccountLimits)>,
    account_use: AccountUse,
    observed: Option<ObservedServer>,
    asked: AtomicU64,
}

impl OwnJudge {
    /// Creates a judge behind this channel, with at most `concurrency` questions at once (0 counts as 1).
    pub fn new(identity: OwnIdentity, channel: Arc<dyn OwnChannel>, concurrency: usize) -> Self {
        let account_use = AccountUse::default();
        let (account, observed, asked) = (None, None, AtomicU64::new(0));
        Self { identity, channel, concurrency, account, account_use, observed, asked }
    }

    /// Shows the requests of a reranker to the observer of its server.
    #[must_use]
    pub fn observed(self, observed: Option<ObservedServer>) -> Self {
        Self { observed, ..self }
    }

    /// Reads the reply to a question about so many documents.
    fn read(&self, line: &[u8], id: &str, shown: usize) -> Answer {
        let (spec, named) = (&self.identity.spec, self.channel.names_questions());
        let read = match (&self.identity.scores, spec.paradigm) {
            (Some(scores), _) => return scores.answer(line, shown, spec.scale),
            (None, Paradigm::Graded) => read_own(line, id, named, spec.scale),
            (None, _) => read_order(line, id, named, shown),
        };
        let reply = Some(String::from_utf8_lossy(line).into_owned());
        // The requests that it sends in turn, and their cost, are unknown here.
        Answer { reply, ..Outcome::from(read).into() }
    }

    /// Sets limits of the account that its requests count for. Its use is that of the
    /// [run](crate::RunOptions::account_use): it gets the estimated tokens of answers that state none.
    #[must_use]
    pub fn within(self, account: String, limits: AccountLimits, account_use: AccountUse) -> Self {
        let account = Some((account, limits)).filter(|(_, limits)| !limits.is_none());
        Self { account, account_use, ..self }
    }

    /// Counts the estimated tokens of an answer that states none.
    fn count(&self, case: Case<'_>, answer: &Answer) {
        if let Some((account, _)) = self.account.as_ref().filter(|_| answer.usage.prompt_tokens.is_none()) {
            let (query, _) = self.identity.asked(&case);
            self.account_use.estimate(account, ScoreSize::of(query, case.texts()).tokens);
        }
    }
}

impl JudgeIdentity for OwnJudge {
    fn name(&self) -> &str {
        self.identity.name()
    }

    fn spec(&self) -> &JudgeSpec {
        self.identity.spec()
    }

    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey {
        self.identity.key(case, sample)
    }

    fn regrades(&self) -> bool {
        self.identity.regrades()
    }

    fn regrade(&self, attempt: &Attempt) -> Option<Outcome> {
        self.identity.regrade(attempt)
    }
}

impl Judge for OwnJudge {
    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn notices(&self) -> Vec<String> {
        self.channel.notices()
    }

    fn set_limits(&self) -> Option<(&str, AccountLimits)> {
        self.account.as_ref().map(|(account, limits)| (account.as_str(), *limits))
    }

    fn ask<'a>(&'a self, case: Case<'a>, _sample: u32) -> BoxFuture<'a, Answer> {
        Box::pin(async move {
            let id = (self.asked.fetch_add(1, Ordering::Relaxed) + 1).to_string();
            let question = match self.identity.question(&case, &id) {
                Ok(question) => question,
                Err(error) => return Answer::from(Failure::new(FailureKind::Rejected, error.to_string())),
            };
            let sent = (SystemTime::now(), Instant::now());
            let line = self.channel.ask(id.clone(), question).await;
            let shown = case.document_count();
            let answer = match line.as_ref() {
                Ok(line) => self.read(line, &id, shown),
                Err(failure) => Answer::from(failure.clone()),
            };
            if let Some(server) = &self.observed {
                let (model, usage) = (answer.model.as_deref(), answer.usage);
                let facts = line.as_ref().map(|_| AnswerFacts { model, usage, ..AnswerFacts::default() });
                server.ended(Operation::Rerank(shown), sent, facts);
            }
            if line.is_ok() {
                self.count(case, &answer);
            }
            answer
        })
    }
}
