//! Renders the pages of a review.

use llull::judge::Rubric;
use llull::report::page_templates;
use llull::review::{ReviewDesk, ReviewForm};
use minijinja::Environment;
use minijinja::value::Serde;
use serde::Serialize;
use serde_json::{Value, json};

use super::pace::Pace;
use super::views::{finished_view, list_view, pair_view, rubric_view};
use crate::error::ServeError;

/// The style of these pages, after that of all.
pub(super) const STYLE: &str = include_str!("../../templates/review/review.css");
/// The one script: it presses buttons.
pub(super) const KEYS: &str = include_str!("../../templates/review/keys.js");

const TEMPLATES: [(&str, &str); 7] = [
    ("review_base.html", include_str!("../../templates/review/base.html.j2")),
    ("review_pair.html", include_str!("../../templates/review/pair.html.j2")),
    ("review_compare.html", include_str!("../../templates/review/compare.html.j2")),
    ("review_name.html", include_str!("../../templates/review/name.html.j2")),
    ("review_list.html", include_str!("../../templates/review/list.html.j2")),
    ("review_finished.html", include_str!("../../templates/review/finished.html.j2")),
    ("review_refused.html", include_str!("../../templates/review/refused.html.j2")),
];

pub(super) struct ReviewPages {
    templates: Environment<'static>,
    study: String,
    rubric: Value,
    form_token: String,
}

/// The values of every page.
#[derive(Serialize)]
struct View<'a, T> {
    study: &'a str,
    form_token: &'a str,
    shown: T,
}

impl ReviewPages {
    /// Reads the templates. `is_of_answers` is true if annotators see expected answers.
    ///
    /// # Errors
    /// Returns an error if a template is broken, which no shipped one is.
    pub(super) fn new(
        study: String,
        rubric: &Rubric,
        is_of_answers: bool,
        form_token: String,
    ) -> Result<Self, ServeError> {
        let mut templates = page_templates()?;
        for (name, text) in TEMPLATES {
            templates.add_template(name, text)?;
        }
        Ok(Self { templates, study, rubric: rubric_view(rubric, is_of_answers), form_token })
    }

    fn render(&self, name: &str, shown: impl Serialize) -> Result<String, ServeError> {
        let view = View { study: &self.study, form_token: &self.form_token, shown };
        Ok(self.templates.get_template(name)?.render(Serde(&view))?)
    }

    /// The page of a pair for an annotator with this pace; `None` past the end of the queue.
    pub(super) fn pair(
        &self,
        desk: &ReviewDesk,
        annotator: (&str, Option<&Pace>),
        at: usize,
    ) -> Result<Option<String>, ServeError> {
        let Some(view) = pair_view(desk, &self.rubric, annotator, at) else { return Ok(None) };
        let template = match desk.form() {
            ReviewForm::Grade => "review_pair.html",
            ReviewForm::Compare => "review_compare.html",
        };
        self.render(template, view).map(Some)
    }

    /// The page where nothing is left.
    pub(super) fn finished(&self, desk: &ReviewDesk, annotator: &str) -> Result<String, ServeError> {
        self.render("review_finished.html", finished_view(desk, annotator))
    }

    /// A page of the list of all pairs.
    pub(super) fn list(
        &self,
        desk: &ReviewDesk,
        annotator: &str,
        number: usize,
    ) -> Result<String, ServeError> {
        self.render("review_list.html", list_view(desk, annotator, number))
    }

    /// The page that asks for a name, with the reason why the previous one was refused.
    pub(super) fn name(&self, wrong: Option<&str>) -> Result<String, ServeError> {
        self.render("review_name.html", wrong)
    }

    /// The page of a refusal; `again` is the place of its pair.
    pub(super) fn refused(&self, words: &str, again: Option<usize>) -> Result<String, ServeError> {
        self.render("review_refused.html", json!({"words": words, "again": again.map(|at| at + 1)}))
    }
}
