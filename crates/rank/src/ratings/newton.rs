//! Maximising a smooth concave function of many variables.

/// A concave function, given by its first two derivatives.
///
/// Along any line its third derivative is at most twice the largest entry of the direction times its second
/// derivative. This holds for every sum of logarithms of sums of exponentials of score differences, where
/// that entry bounds how far the exponents move apart.
pub(super) trait Concave {
    /// Writes the gradient at a point, and stores the values that [`Concave::curve`] and [`Concave::diagonal`] need.
    fn look(&mut self, at: &[f64], gradient: &mut [f64]);

    /// Writes minus the Hessian at the last point times `direction`.
    fn curve(&self, direction: &[f64], product: &mut [f64]);

    /// Writes the diagonal of minus the Hessian at the last point.
    fn diagonal(&self, diagonal: &mut [f64]);

    /// Removes from a step the parts that do not matter and may be ill determined.
    fn essence(&self, step: &mut [f64]);
}

/// How the search ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ended {
    /// The last step changed no parameter by more than the tolerance, or by more than rounding errors of the gradient
    /// do.
    Converged { iterations: usize },
    /// The iterations ran out, or a value was no longer finite.
    Stuck { iterations: usize, change: f64 },
}

/// After this many full steps that are not shorter than the shortest one before, steps consist of rounding
/// errors. Near the maximum one such step is enough; far from it there may be some.
const STALLS: usize = 10;

/// A gradient that is so small a part of the largest one before consists of rounding errors, or soon will: its terms
/// are as large as ever and cancel out. Steps may be long all the same, where the function is nearly flat: scores far
/// on both sides of 0 shift together, and a weak logistic prior pulls as hard on the one side as on the other. Each
/// true step of length 1 there takes away a factor e of the gradient, so that ten of them end in rounding errors.
const CANCELLED: f64 = 1e-14;

/// Moves `at` to the maximum by Newton's method. Each step is solved by conjugate gradients, so nothing dense
/// is stored, and more precisely the nearer the maximum is (Nocedal and Wright, Numerical Optimization, 2006,
/// algorithm 7.1).
///
/// With b the bound on the third derivative, the curvature along a step changes at most by exp(b). So the
/// full step leads up if b <= 1, and the share ln(1 + b) / b of it always does (Bach, Self-concordant
/// analysis for logistic regression, Electronic Journal of Statistics 4, 2010). A larger full step is taken
/// if the slope at its end still leads up. So the value of the function is never needed.
pub(super) fn maximise(
    function: &mut impl Concave,
    at: &mut [f64],
    tolerance: f64,
    max_iterations: usize,
) -> Ended {
    let size = at.len();
    let (mut gradient, mut step, mut start) = (vec![0.0; size], vec![0.0; size], vec![0.0; size]);
    let mut solver = ConjugateGradients::new(size);
    function.look(at, &mut gradient);
    let (mut change, mut shortest, mut stalls) = (f64::INFINITY, f64::INFINITY, 0);
    let mut steepest = largest(&gradient);
    for iterations in 1..=max_iterations {
        solver.solve(function, &gradient, &mut step);
        start.copy_from_slice(at);
        add(at, 1.0, &step);
        function.look(at, &mut gradient);
        let bound = 2.0 * largest(&step);
        let is_up = dot(&gradient, &step) >= 0.0;
        if bound > 1.0 && !is_up {
            at.copy_from_slice(&start);
            add(at, libm::log1p(bound) / bound, &step);
            function.look(at, &mut gradient);
        }
        if !gradient.iter().chain(&step).all(|value| value.is_finite()) {
            return Ended::Stuck { iterations, change };
        }
        function.essence(&mut step);
        let before = std::mem::replace(&mut change, largest(&step));
        // A full step is a small part of the one before, unless it consists of rounding errors of the
        // gradient, as when weights are a million times the prior and the function is nearly flat.
        let is_near = change <= tolerance.sqrt() && change >= before / 2.0;
        let slope = largest(&gradient);
        steepest = steepest.max(slope);
        let is_full = bound <= 1.0 || slope <= CANCELLED * steepest;
        stalls += usize::from(is_full && change >= shortest / 2.0);
        shortest = shortest.min(change);
        let is_rounding = is_near || stalls >= STALLS;
        if change <= tolerance || is_rounding {
            return Ended::Converged { iterations };
        }
    }
    Ended::Stuck { iterations: max_iterations, change }
}

/// Solves a positive (semi)definite system, with its diagonal as the preconditioner.
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

    /// Writes the `step` that the curvature maps to `gradient`: to a tenth in the beginning, and to as many
    /// digits as the gradient has lost since then, at most six.
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
            // If it is not positive, the function is flat in this direction up to rounding; the solution so far leads
            // up.
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

fn largest(step: &[f64]) -> f64 {
    step.iter().fold(0.0, |most, step| step.abs().max(most))
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

        fn essence(&self, _: &mut [f64]) {}
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
