//! Standard errors from the observed information.

use super::cholesky::Symmetric;
use super::components::Components;

/// Minus the Hessian of a penalised log-likelihood at its maximum. The parameters are the rated items' scores, then what concerns all of them.
/// The likelihood does not change when the scores of a component all grow by as much.
pub(super) trait Information {
    /// For each item, the prior's part, which is on the diagonal.
    fn prior(&self) -> &[f64];

    /// How many parameters there are.
    fn size(&self) -> usize;

    /// Gives every addend of the lower triangle, those of the prior included, as (row, column, value).
    fn each(&self, add: impl FnMut(usize, usize, f64));
}

/// The standard error of each score less the mean score of its component: with V the inverse of the information and C the projection that
/// takes a component's mean off, the root of the diagonal of C V C. `None` if the information is singular.
///
/// What a weak prior knows of a component's mean is next to nothing beside what the votes know of differences, and V would drown in it. So the mean is
/// taken out first: for one component of n items with the information M and the prior's part d, M 1 = d, and C V C is the inverse of
/// M - d d^T / sum(d) + 1 1^T / n, less 1 1^T / n.
pub(super) fn standard_errors(information: &impl Information, components: &Components) -> Option<Vec<f64>> {
    let items = information.prior().len();
    let mut errors = vec![0.0; items];
    // A parameter that concerns all items couples the components; else each has a matrix to itself.
    if information.size() > items {
        let mut matrix = Symmetric::zeros(information.size());
        information.each(|row, column, value| matrix.add(row, column, value));
        for members in &components.members {
            fix_mean(&mut matrix, information.prior(), members, |at| members[at]);
        }
        let covariance = matrix.inverse()?;
        for members in &components.members {
            for &member in members {
                errors[member] = error(covariance.get(member, member), members.len());
            }
        }
        return Some(errors);
    }
    let places = components.places();
    let mut matrices: Vec<Symmetric> =
        components.members.iter().map(|members| Symmetric::zeros(members.len())).collect();
    information
        .each(|row, column, value| matrices[places[row].0].add(places[row].1, places[column].1, value));
    for (mut matrix, members) in matrices.into_iter().zip(&components.members) {
        fix_mean(&mut matrix, information.prior(), members, |at| at);
        let covariance = matrix.inverse()?;
        for (at, &member) in members.iter().enumerate() {
            errors[member] = error(covariance.get(at, at), members.len());
        }
    }
    Some(errors)
}

/// Takes out what the prior says of the mean of a component, whose members have their rows at `row`, and fixes it.
fn fix_mean(matrix: &mut Symmetric, prior: &[f64], members: &[usize], row: impl Fn(usize) -> usize) {
    let sum: f64 = members.iter().map(|&member| prior[member]).sum();
    for (at, &member) in members.iter().enumerate() {
        for (other_at, &other) in members[..=at].iter().enumerate() {
            let of_mean = prior[member] * (prior[other] / sum);
            matrix.add(row(at), row(other_at), 1.0 / members.len() as f64 - of_mean);
        }
    }
}

fn error(variance: f64, items: usize) -> f64 {
    (variance - 1.0 / items as f64).max(0.0).sqrt()
}
