//! Maximising a smooth concave function of many variables.

/// A concave function, by its first two derivatives.
pub(super) trait Concave {
    /// Writes the gradient at a point. Keeps what [`Concave::curve`] and [`Concave::diagonal`] need.
    fn look(&mut self, at: &[f64], gradient: &mut [f64]);

    /// Writes minus the Hessian, at the point last looked at, times `direction`.
    fn curve(&self, direction: &[f64], product: &mut [f64]);

    /// Writes the diagonal of minus the Hessian at the point last looked at.
    fn diagonal(&self, diagonal: &mut [f64]);
}

/// How the search ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ended {
    /// The last full step moved nothing by more than the tolerance.
    Converged { iterations: usize },
    /// It ran out of iterations, or no step led up.
    Stuck { iterations: usize, change: f64 },
}

/// Moves `at` to the maximum with Newton's method. Each step is solved by conjugate gradients, so nothing dense is stored, and the more
/// precisely the nearer the maximum is (Nocedal and Wright, Numerical Optimization, 2006, algorithm 7.1).
///
/// A step is halved until it leads up as far as the slopes along it tell: the mean of those at its two ends is at least a quarter of the
/// first. The function's value is never asked for, which saves a logarithm a pair and has no rounding to stall on.
pub(super) fn maximise(
    function: &mut impl Concave,
    at: &mut [f64],
    tolerance: f64,
    max_iterations: usize,
) -> Ended {
    let size = at.len();
    let (mut gradient, mut step, mut next) = (vec![0.0; size], vec![0.0; size], vec![0.0; size]);
    let mut solver = ConjugateGradients::new(size);
    function.look(at, &mut gradient);
    let mut change = f64::INFINITY;
    for iterations in 1..=max_iterations {
        solver.solve(function, &gradient, &mut step);
        let slope = dot(&gradient, &step);
        let mut length = 1.0;
        loop {
            for ((next, at), step) in next.iter_mut().zip(at.iter()).zip(&step) {
                *next = at + length * step;
            }
            function.look(&next, &mut gradient);
            change = step.iter().fold(0.0, |most: f64, step| most.max((length * step).abs()));
            if dot(&gradient, &step) >= -0.5 * slope || change <= tolerance {
                break;
            }
            length /= 2.0;
        }
        at.copy_from_slice(&next);
        if !change.is_finite() || !gradient.iter().all(|slope| slope.is_finite()) {
            return Ended::Stuck { iterations, change };
        }
        if change <= tolerance {
            return if length == 1.0 {
                Ended::Converged { iterations }
            } else {
                Ended::Stuck { iterations, change }
            };
        }
    }
    Ended::Stuck { iterations: max_iterations, change }
}

/// Solves a positive (semi)definite system with its diagonal as preconditioner.
struct ConjugateGradients {
    residual: Vec<f64>,
    direction: Vec<f64>,
    product: Vec<f64>,
    diagonal: Vec<f64>,
    /// The squared size of the first gradient.
    first: f64,
}

impl ConjugateGradients {
    fn new(size: usize) -> Self {
        let zeros = || vec![0.0; size];
        Self { residual: zeros(), direction: zeros(), product: zeros(), diagonal: zeros(), first: 0.0 }
    }

    /// Writes the `step` that the curvature turns into `gradient`: to a tenth in the beginning, and to as many digits as the gradient has
    /// lost since, at most six.
    fn solve(&mut self, function: &impl Concave, gradient: &[f64], step: &mut [f64]) {
        function.diagonal(&mut self.diagonal);
        for diagonal in &mut self.diagonal {
            *diagonal = 1.0 / diagonal.max(f64::MIN_POSITIVE.sqrt());
        }
        step.fill(0.0);
        self.residual.copy_from_slice(gradient);
        for ((direction, residual), inverse) in
            self.direction.iter_mut().zip(&self.residual).zip(&self.diagonal)
        {
            *direction = residual * inverse;
        }
        let mut size = dot(&self.residual, &self.direction);
        self.first = self.first.max(size);
        let enough = size * (size / self.first).clamp(1e-12, 1e-2);
        for _ in 0..20 * step.len() + 100 {
            if size <= enough {
                return;
            }
            function.curve(&self.direction, &mut self.product);
            let curvature = dot(&self.direction, &self.product);
            // Not positive is a direction in which the function is flat to rounding; what is solved so far leads up.
            if curvature <= 0.0 || !curvature.is_finite() {
                return;
            }
            let length = size / curvature;
            add(step, length, &self.direction);
            add(&mut self.residual, -length, &self.product);
            for ((product, residual), inverse) in
                self.product.iter_mut().zip(&self.residual).zip(&self.diagonal)
            {
                *product = residual * inverse;
            }
            let next = dot(&self.residual, &self.product);
            for (direction, preconditioned) in self.direction.iter_mut().zip(&self.product) {
                *direction = preconditioned + next / size * *direction;
            }
            size = next;
        }
    }
}

fn add(sum: &mut [f64], factor: f64, term: &[f64]) {
    for (sum, term) in sum.iter_mut().zip(term) {
        *sum += factor * term;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// -(x - 1)^2 - cosh(y + x): concave, its top is where 2(1 - x) = sinh(x + y) = 0.
    struct Bowl(f64);

    impl Concave for Bowl {
        fn look(&mut self, at: &[f64], gradient: &mut [f64]) {
            self.0 = at[0] + at[1];
            gradient[0] = 2.0 * (1.0 - at[0]) - self.0.sinh();
            gradient[1] = -self.0.sinh();
        }

        fn curve(&self, direction: &[f64], product: &mut [f64]) {
            let both = self.0.cosh() * (direction[0] + direction[1]);
            product[0] = 2.0 * direction[0] + both;
            product[1] = both;
        }

        fn diagonal(&self, diagonal: &mut [f64]) {
            diagonal[0] = 2.0 + self.0.cosh();
            diagonal[1] = self.0.cosh();
        }
    }

    #[test]
    fn the_top_is_found_from_afar() {
        let mut at = [20.0, 15.0];
        let ended = maximise(&mut Bowl(0.0), &mut at, 1e-10, 100);
        assert!(matches!(ended, Ended::Converged { .. }), "{ended:?}");
        assert!((at[0] - 1.0).abs() < 1e-9 && (at[1] + 1.0).abs() < 1e-9, "{at:?}");
    }

    #[test]
    fn too_few_iterations_are_said() {
        let ended = maximise(&mut Bowl(0.0), &mut [20.0, 15.0], 1e-10, 3);
        assert!(matches!(ended, Ended::Stuck { iterations: 3, change } if change > 1e-3), "{ended:?}");
    }
}
