//! Fitting a model by maximum likelihood.

use super::components::Components;
use super::error::RatingError;
use super::model::Model;
use super::newton::{Concave, Ended, maximise};
use super::options::RatingOptions;
use super::standard_errors::{Information, standard_errors};

/// Moves the parameters `at` to the maximum of a likelihood.
///
/// Returns the number of iterations and, if `options` asks for them, the standard errors of the scores.
///
/// # Errors
/// Returns [`RatingError::NotConverged`] if the iterations run out, and [`RatingError::OutOfRange`] if the standard
/// errors cannot be computed.
pub(super) fn fit(
    model: Model,
    likelihood: &mut (impl Concave + Information),
    at: &mut [f64],
    components: &Components,
    options: &RatingOptions,
) -> Result<(usize, Option<Vec<f64>>), RatingError> {
    let iterations = match maximise(likelihood, at, options.tolerance, options.max_iterations) {
        Ended::Converged { iterations } => iterations,
        Ended::Stuck { iterations, change } => {
            return Err(RatingError::NotConverged { model, iterations, change });
        }
    };
    let se = if options.standard_errors {
        Some(standard_errors(likelihood, components).ok_or(RatingError::OutOfRange { model })?)
    } else {
        None
    };
    Ok((iterations, se))
}
