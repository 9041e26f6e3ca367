//! Standard errors from the observed information.

use super::cholesky::Symmetric;
use super::components::Components;

/// Minus the Hessian of a penalised log-likelihood at its maximum. The parameters are the rated items' scores, then what concerns all of them.
pub(super) trait Information {
    /// How many items there are.
    fn items(&self) -> usize;

    /// How many parameters there are.
    fn size(&self) -> usize;

    /// Gives every addend of the lower triangle as (row, column, value).
    fn each(&self, add: impl FnMut(usize, usize, f64));
}

/// The standard error of each score less the mean score of its component: with V the inverse of the information and C the projection that
/// takes a component's mean off, the root of the diagonal of C V C. `None` if the information is singular. Where a component's mean is
/// arbitrary, C makes it irrelevant how V pins it.
pub(super) fn standard_errors(information: &impl Information, components: &Components) -> Option<Vec<f64>> {
    // A parameter that concerns all items couples the components; else one matrix a component.
    if information.size() > information.items() || components.members.len() == 1 {
        let mut matrix = Symmetric::zeros(information.size());
        information.each(|row, column, value| matrix.add(row, column, value));
        let mut errors = vec![0.0; information.items()];
        return invert(matrix, &components.members, &mut errors).map(|()| errors);
    }
    let mut place = vec![(0, 0); information.items()];
    let mut matrices = Vec::with_capacity(components.members.len());
    for (index, members) in components.members.iter().enumerate() {
        matrices.push(Symmetric::zeros(members.len()));
        for (at, &member) in members.iter().enumerate() {
            place[member] = (index, at);
        }
    }
    information.each(|row, column, value| matrices[place[row].0].add(place[row].1, place[column].1, value));
    let mut errors = vec![0.0; information.items()];
    for (matrix, members) in matrices.into_iter().zip(&components.members) {
        let mut own = vec![0.0; members.len()];
        invert(matrix, &[(0..members.len()).collect()], &mut own)?;
        for (&member, error) in members.iter().zip(own) {
            errors[member] = error;
        }
    }
    Some(errors)
}

fn invert(matrix: Symmetric, components: &[Vec<usize>], errors: &mut [f64]) -> Option<()> {
    let covariance = matrix.inverse()?;
    for members in components {
        let count = members.len() as f64;
        let means: Vec<f64> = members
            .iter()
            .map(|&row| members.iter().map(|&column| covariance.get(row, column)).sum::<f64>() / count)
            .collect();
        let grand = means.iter().sum::<f64>() / count;
        for (&member, mean) in members.iter().zip(means) {
            let variance = covariance.get(member, member) - 2.0 * mean + grand;
            errors[member] = variance.max(0.0).sqrt();
        }
    }
    Some(())
}
