//! Lessons of a model about its server.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::parameter::{Form, Parameter};
use crate::{notice::Notice, rate_limit::RateLimit};

/// Lessons of a model about its server: refused parameters, each reported once. A lesson counts once a request in the
/// new form was answered.
#[derive(Debug)]
pub(super) struct Learnt(Mutex<Lessons>);

#[derive(Debug)]
struct Lessons {
    form: Form,
    /// A request with a schema was answered, so later rejections have other reasons.
    schema_taken: bool,
    /// The limits that the latest answer with limits stated.
    limits: Vec<RateLimit>,
    /// In the order in which they were learnt.
    notices: Vec<Notice>,
}

impl Learnt {
    /// Returns the lessons before the first request, which has this form.
    pub(super) fn new(form: Form) -> Self {
        Self(Mutex::new(Lessons { form, schema_taken: false, limits: Vec::new(), notices: Vec::new() }))
    }

    fn lessons(&self) -> MutexGuard<'_, Lessons> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the form of the next request.
    pub(super) fn form(&self) -> Form {
        self.lessons().form
    }

    /// Returns the lessons so far, for readers of the results.
    pub(super) fn notices(&self) -> Vec<Notice> {
        self.lessons().notices.clone()
    }

    /// Returns the limits that the latest answer with limits stated.
    pub(super) fn limits(&self) -> Vec<RateLimit> {
        self.lessons().limits.clone()
    }

    /// Learns the limits that an answer states.
    pub(super) fn limited(&self, limits: Vec<RateLimit>) {
        if !limits.is_empty() {
            self.lessons().limits = limits;
        }
    }

    /// Returns whether the server has answered a request with a schema.
    pub(super) fn takes_schemas(&self) -> bool {
        self.lessons().schema_taken
    }

    /// Learns that the server takes schemas.
    pub(super) fn schema_taken(&self) {
        self.lessons().schema_taken = true;
    }

    /// Learns that the server refuses a parameter of a request in the form `tried`, in these words.
    pub(super) fn refuses(&self, parameter: Parameter, tried: Form, model: &str, words: &str) {
        let mut lessons = self.lessons();
        if lessons.form.avoids(parameter, tried) {
            return;
        }
        lessons.form = lessons.form.without(parameter);
        let notice = notice(parameter, lessons.form, model, words);
        lessons.notices.push(notice);
    }

    /// Reports that no server of this wire format takes a parameter.
    pub(super) fn lacks(&self, parameter: Parameter, model: &str) {
        let mut lessons = self.lessons();
        let notice = notice(parameter, lessons.form, model, "its API has no such parameter");
        if !lessons.notices.contains(&notice) {
            lessons.notices.push(notice);
        }
    }

    /// Records that a reply lacks the requested log-probabilities. The next may have some: one address can have
    /// several servers behind it.
    pub(super) fn leaves_logprobs_out(&self, model: &str) {
        let mut lessons = self.lessons();
        if !lessons.notices.iter().any(|notice| matches!(notice, Notice::NoLogprobs { .. })) {
            lessons.notices.push(Notice::NoLogprobs { model: model.to_owned(), words: None });
        }
    }
}

/// Returns the notice of a refused parameter. `form` is the form without it.
fn notice(parameter: Parameter, form: Form, model: &str, words: &str) -> Notice {
    let (model, words) = (model.to_owned(), words.to_owned());
    let sent_as = form.other_name(parameter);
    match parameter {
        Parameter::ResponseFormat if sent_as.is_none() => Notice::SchemaRefused { model, words },
        Parameter::Logprobs => Notice::NoLogprobs { model, words: Some(words) },
        Parameter::SystemRole => Notice::SystemRoleRefused { model, words },
        _ => Notice::ParameterRefused { model, parameter: parameter.name(), sent_as, words },
    }
}
