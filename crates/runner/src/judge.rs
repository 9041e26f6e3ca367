//! The traits of a judge: identity, prompts and replies, and answering.

use futures::future::BoxFuture;
use llull_core::{Answer, Attempt, JudgeSpec, Outcome, TaskKey};
use llull_judge::PromptError;
use llull_llm::{ChatReply, ChatRequest, RateLimit};

use crate::{account_limits::AccountLimits, batch_channel::Arrivals, case::Case, reread::Rereader};

/// The identity of a judge: finds its answers in a ledger. It cannot answer, so it needs no model and no API key.
pub trait JudgeIdentity: Send + Sync {
    /// Returns the judge's name in the study.
    fn name(&self) -> &str;

    /// Returns the specification that determines the judge's answers.
    fn spec(&self) -> &JudgeSpec;

    /// Returns the key of a task: the hash of its meaning.
    fn key(&self, case: &Case<'_>, sample: u32) -> TaskKey;

    /// Returns whether the judge reads the documents' texts.
    fn needs_text(&self) -> bool {
        true
    }

    /// Returns whether the judge can answer about a document, given the identifiers of query and document. Other
    /// documents are left out of its comparisons, which would be unusable with them.
    fn knows(&self, _topic: &str, _document: &str) -> bool {
        true
    }

    /// Returns whether the judge computes its answers in this process: fast, free of cost and the same each time. Such
    /// a judge gets questions in bulk, without a time limit, and no repetition after an unusable answer.
    fn in_process(&self) -> bool {
        false
    }

    /// Returns whether a run sends the judge questions without an answer in the ledger. For an annotator it does not:
    /// the answers come from a review. The latest answer to a question counts, and a withdrawn one does not. A
    /// question without an answer is then not open, and no run fails because of it.
    fn is_asked(&self) -> bool {
        true
    }

    /// Returns whether the outcome of a recorded answer may depend on current settings: [`regrade`](Self::regrade)
    /// returns it. The judge's replies are then read from the ledger.
    fn regrades(&self) -> bool {
        false
    }

    /// Returns the outcome of a recorded answer, if it follows from the reply and from settings outside its key. An
    /// example is a threshold for a reply that is a number.
    fn regrade(&self, _attempt: &Attempt) -> Option<Outcome> {
        None
    }

    /// Returns the reader for the judge's replies in a ledger, if their prompts are known.
    fn rereader(&self) -> Option<Rereader> {
        Rereader::of_spec(self.spec())
    }
}

/// A judge that can answer: a prompted model, a baseline, a file of labels, or one of your own.
///
/// ```
/// use futures::future::BoxFuture;
/// use llull_core::{
///     Answer, Document, GradedVerdict, Hash, JudgeSpec, KeyBuilder, Outcome, Paradigm, Scale, TaskKey, Topic,
///     Verdict,
/// };
/// use llull_runner::{Case, Judge, JudgeIdentity, PooledDocument};
///
/// /// Gives the highest grade to what is longer than the query.
/// struct Length(JudgeSpec);
///
/// impl JudgeIdentity for Length {
///     fn name(&self) -> &str {
///         "length"
///     }
///
///     fn spec(&self) -> &JudgeSpec {
///         &self.0
///     }
///
///     // Whatever decides the answer is part of the key.
///     fn key(&self, case: &Case<'_>, _sample: u32) -> TaskKey {
///         let key = KeyBuilder::new("length v1").part("judge", &self.0.fingerprint().0);
///         let key = key.text("query", &case.topic.text);
///         case.texts().fold(key, |key, text| key.text("document", &text)).finish()
///     }
///
///     fn in_process(&self) -> bool {
///         true
///     }
/// }
///
/// impl Judge for Length {
///     fn concurrency(&self) -> usize {
///         1
///     }
///
///     fn ask<'a>(&'a self, case: Case<'a>, _sample: u32) -> BoxFuture<'a, Answer> {
///         let longer = case.texts().all(|text| text.len() > case.topic.text.len());
///         let grade = if longer { self.0.scale.high() } else { self.0.scale.low() };
///         let verdict = Verdict::Graded(GradedVerdict { grade, ..GradedVerdict::default() });
///         Box::pin(async move { Answer::computed(Outcome::Judged { verdict }) })
///     }
/// }
///
/// let judge = Length(JudgeSpec {
///     paradigm: Paradigm::Graded,
///     model: "length".into(),
///     prompt: String::new(),
///     prompt_hash: Hash::of(b""),
///     rubric_hash: Hash::of(b""),
///     scale: Scale::default(),
///     sampling: None,
///     options: Default::default(),
/// });
/// let topic = Topic { id: "q".into(), text: "why".into() };
/// let document = Document { id: "d".into(), title: String::new(), text: "because of it".into() };
/// let document = PooledDocument::Found(document);
/// let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// let answer = runtime.block_on(judge.ask(Case::of_one(&topic, &document), 0));
/// let Outcome::Judged { verdict } = answer.outcome else { panic!("no verdict") };
/// assert_eq!(verdict.grade(), Some(3));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// An `Arc<dyn Judge>` coerces to an `Arc<dyn JudgeIdentity>`.
pub trait Judge: JudgeIdentity {
    /// Returns the maximum number of questions in flight; 0 counts as 1.
    fn concurrency(&self) -> usize;

    /// Returns notices for readers of the results, such as a limitation of the server. Each is reported once.
    fn notices(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the account that the judge's requests count for, and its limits as its server stated them last. All
    /// judges of an account keep within them together.
    fn limits(&self) -> Option<(&str, Vec<RateLimit>)> {
        None
    }

    /// Returns the account that the judge's requests count for, and the limits that the user sets for it.
    fn set_limits(&self) -> Option<(&str, AccountLimits)> {
        None
    }

    /// Asks a question once. The caller handles retries.
    fn ask<'a>(&'a self, case: Case<'a>, sample: u32) -> BoxFuture<'a, Answer>;

    /// Returns whether the judge gets all questions of a wave at once, by [`ask_all`](Self::ask_all).
    fn in_batches(&self) -> bool {
        false
    }

    /// Returns whether a judge in batches gets one question by itself before all others.
    fn asks_one_first(&self) -> bool {
        false
    }

    /// Asks questions together, and hands on the answers as they arrive. A question without one stays open, and the run
    /// ends after its wave.
    fn ask_all<'a>(
        &'a self,
        questions: Vec<BatchQuestion<'a>>,
        arrived: Arrivals<'a, Answer>,
    ) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            for (place, BatchQuestion { case, sample, .. }) in questions.into_iter().enumerate() {
                arrived(vec![(place, self.ask(case, sample).await)]);
            }
        })
    }
}

/// One question of a batch.
#[derive(Debug, Clone)]
pub struct BatchQuestion<'a> {
    /// The query and documents.
    pub case: Case<'a>,
    /// The sample.
    pub sample: u32,
    /// The identifier of this attempt: its task's key, and how many attempts at it are recorded. A reply that arrives
    /// days later finds its question by it, and a reply that is recorded finds none.
    pub id: String,
}

/// The request that is sent to a model about one question.
#[derive(Debug, Clone, PartialEq)]
pub struct PromptRequest {
    /// The messages, the sampling parameters and the JSON schema of the reply.
    pub chat: ChatRequest,
    /// The estimated number of tokens of the messages.
    pub tokens: u32,
    /// The estimated number of tokens that were cut from the documents.
    pub tokens_cut: u32,
}

/// A judge that prompts a language model, as two pure functions: one renders the request, the other reads the reply.
///
/// It has no model, so a batch API or another program can send the request. [`ModelJudge`](crate::ModelJudge)
/// combines it with a [`ChatModel`](llull_llm::ChatModel).
pub trait PromptJudge: JudgeIdentity {
    /// Renders the request about a case. Equal arguments give equal requests.
    ///
    /// # Errors
    /// Returns an error if the template cannot be rendered, or does not support this number of documents.
    fn request(&self, case: &Case<'_>, sample: u32) -> Result<PromptRequest, PromptError>;

    /// Reads the reply to a request about a case: a verdict, or the reason why the reply cannot be counted.
    fn read(&self, case: &Case<'_>, reply: ChatReply) -> Answer;
}
