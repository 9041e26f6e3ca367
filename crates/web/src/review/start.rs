//! Starts the server of a review.

use llull::Study;
use llull::review::ReviewOptions;

use super::desk_thread;
use super::gate::Gate;
use super::routes::router;
use crate::error::ServeError;
use crate::server::{ServeOptions, Server};

/// The options of a review, and the annotator.
#[derive(Debug, Clone, Default)]
pub struct ReviewServerOptions {
    /// The queue of pairs, and the number of annotators for each.
    pub review: ReviewOptions,
    /// The one annotator here; if it is `None`, every visitor gives a name.
    pub annotator: Option<String>,
}

impl Server {
    /// Reads the study and shows its pairs one by one to annotators. Their answers go to the ledger, even while
    /// another process runs judges.
    ///
    /// # Errors
    /// Returns an error if the study cannot be read, has nothing to review, or the address cannot be listened at; or if
    /// the person cannot have this name.
    pub fn review(
        study: Study,
        options: &ServeOptions,
        review: &ReviewServerOptions,
    ) -> Result<Self, ServeError> {
        let annotator =
            review.annotator.as_deref().map(|name| study.annotators().annotator(name)).transpose()?;
        Self::of_pages(options, |access| {
            let gate = Gate::new(access, annotator, options.idle)?;
            let desk = desk_thread::start(study, review.review.clone(), gate.form_token().to_owned())?;
            Ok(router(desk, gate))
        })
    }
}
