//! Standard errors from the observed information.

use super::cholesky::Symmetric;
use super::components::Components;

/// Minus the Hessian of a penalised log-likelihood of the rated items' scores at its maximum. The likelihood does not
/// change if all scores of a component grow by the same amount.
pub(super) trait Information {
    /// Returns the part of the prior for each item, which is on the diagonal.
    fn prior(&self) -> &[f64];

    /// Calls `add` with every addend of the lower triangle, including those of the prior, as (row, column,
    /// value).
    fn each(&self, add: impl FnMut(usize, usize, f64));
}

/// Returns the standard error of each score less the mean score of its component: with V the inverse of the
/// information and C the projection that removes the mean of a component, the square root of the diagonal of
/// C V C. `None` if the information is singular.
///
/// A weak prior has almost no information on the mean of a component, compared with that of the votes on differences,
/// and rounding in V would hide it. So the mean is removed first: for one component of n items with the information M
/// and the prior's part d, M 1 = d, and C V C is the inverse of (M less d d^T / sum(d) plus 1 1^T / n), less 1 1^T /
/// n.
pub(super) fn standard_errors(information: &impl Information, components: &Components) -> Option<Vec<f64>> {
    let mut errors = vec![0.0; information.prior().len()];
    let places = components.places();
    let mut matrices: Vec<Symmetric> =
        components.members.iter().map(|members| Symmetric::zeros(members.len())).collect();
    information
        .each(|row, column, value| matrices[places[row].0].add(places[row].1, places[column].1, value));
    for (mut matrix, members) in matrices.into_iter().zip(&components.members) {
        fix_mean(&mut matrix, information.prior(), members);
        let covariance = matrix.inverse()?;
        for (at, &member) in members.iter().enumerate() {
            errors[member] = error(covariance.get(at, at), members.len());
        }
    }
    Some(errors)
}

/// Removes the prior's information on the mean of a component, and fixes the mean.
fn fix_mean(matrix: &mut Symmetric, prior: &[f64], members: &[usize]) {
    let sum: f64 = members.iter().map(|&member| prior[member]).sum();
    for (at, &member) in members.iter().enumerate() {
        for (other_at, &other) in members[..=at].iter().enumerate() {
            let of_mean = prior[member] * (prior[other] / sum);
            matrix.add(at, other_at, 1.0 / members.len() as f64 - of_mean);
        }
    }
}

fn error(variance: f64, items: usize) -> f64 {
    (variance - 1.0 / items as f64).max(0.0).sqrt()
}
