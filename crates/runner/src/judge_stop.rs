//! A judge that was stopped because it cannot answer.

use std::fmt;

use llull_core::Reason;

/// A judge that was stopped because its replies are unparsable. The other judges go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgeStop {
    /// The judge's name in the study.
    pub judge: String,
    /// How many of its replies are unparsable.
    pub found: UnusableReplies,
    /// The most frequent reason for that.
    pub reason: Reason,
    /// The error in the example reply.
    pub detail: String,
    /// A reply that is unusable for that reason, verbatim; `None` if the judge writes none.
    pub reply: Option<String>,
    /// The query that it is about.
    pub topic: String,
    /// The document, or the first of several.
    pub document: String,
    /// The number of documents that the prompt showed.
    pub documents: usize,
}

/// How many replies of a judge are unusable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnusableReplies {
    /// This many in a row, in the order of the questions, those of earlier runs included.
    InARow {
        /// The replies.
        replies: u32,
        /// The queries that they are about.
        queries: usize,
    },
    /// This many of the first replies of the run.
    OfTheFirst {
        /// The unparsable replies.
        unusable: u32,
        /// The replies.
        replies: u32,
    },
}

impl fmt::Display for UnusableReplies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InARow { replies, queries } => {
                write!(f, "{replies} unparsable replies in a row, about {queries} queries")
            }
            Self::OfTheFirst { unusable, replies } => {
                write!(f, "{unusable} of the first {replies} replies are unparsable")
            }
        }
    }
}

impl JudgeStop {
    /// Returns the likely cause, and what to do about it.
    pub fn likely_cause(&self) -> &'static str {
        match self.reason {
            Reason::CutOff => {
                "replies end at the token limit before the answer: raise max_tokens (reasoning counts), or ask for \
                less with a prompt such as graded-direct or extra = { reasoning_effort = \"low\" }"
            }
            Reason::Empty if self.reply.as_deref().is_some_and(|reply| !reply.trim().is_empty()) => {
                "the reply is reasoning without an answer after it: turn the model's reasoning off, or see that the \
                 server does not put the answer into the reasoning (as vLLM with a reasoning parser and a JSON schema)"
            }
            Reason::ToolCall => {
                "the model or its server's template calls a tool instead of answering: turn tools off at the server \
                 (vLLM: start it without --enable-auto-tool-choice), or name another model"
            }
            Reason::Empty => {
                "the server sends no text: a model that reasons may have used up max_tokens, so raise it; or the model \
                 does not take the prompt's messages"
            }
            Reason::Refused | Reason::TooLong | Reason::Declined => {
                "the model declines such texts: read the reply, and name another model if it will not judge them"
            }
            Reason::NoAnswer => {
                "prose instead of JSON: the model does not keep to the form that the prompt asks for; name another \
                 model or prompt, or a server that enforces a JSON schema"
            }
            Reason::Malformed => {
                "the model does not write valid JSON: name another one, or a server that enforces a JSON schema"
            }
            Reason::WrongShape => {
                "JSON of another form than the prompt asks for, which is one object and no list: if the prompt is your \
                 own, see that it asks for what its `answer` says, and for the study's paradigm"
            }
            Reason::OutOfRange => {
                "grades off the rubric's scale: see that the prompt, or the labels that are replayed, have the \
                scale of the rubric"
            }
            Reason::NotAnOrder if self.documents <= 2 => {
                "an answer that does not name the two documents as the prompt does: the model does not keep to the \
                 form; name another model or prompt, or a server that enforces a JSON schema"
            }
            Reason::NotAnOrder => {
                "an answer that does not name the documents as the prompt does: the model may be too small for so many \
                 at once, so lower the window, or name another model"
            }
            Reason::NotAChoice => {
                "an answer that names none of the documents as the prompt does: the model does not keep to the form; \
                 name another model or prompt"
            }
            Reason::NotAlone => {
                "talk around the answer, which the prompt asks for alone: name another model or prompt, or a server \
                 that enforces a JSON schema"
            }
            Reason::NotInFile => "the file lacks most of the pool's pairs: name another one",
            Reason::Ambiguous => "replies hold several answers that differ: name another model or prompt",
        }
    }
}
