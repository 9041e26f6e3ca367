//! Averages over the estimates of a standard deviation.
//!
//! They lead from the normal distribution to Student's t.

/// Returns the mean of `function(s)` over the estimates s of a standard deviation of 1, where s² is a chi-square
/// divided by its `degrees` of freedom. `scale` is the largest slope of the function: 1 for one that changes as fast
/// as s.
///
/// Over u = ln s the trapezoid rule converges exponentially (Trefethen and Weideman, The exponentially convergent
/// trapezoidal rule, SIAM Review 56(3), 2014); the constant of the weights cancels in the division by their sum. All
/// terms of a tail are positive, so that it keeps its relative precision, about 1e-13, down to 1e-60.
pub(super) fn over_deviations(degrees: f64, scale: f64, function: impl Fn(f64) -> f64) -> f64 {
    /// Weights below e^-150 of the largest are left out.
    const NEGLIGIBLE: f64 = -150.0;
    /// Reached if the function changes a thousand times as fast as s; about 4 digits are left then.
    const MOST_POINTS: usize = 20_000;
    let log_weight = |u: f64| degrees * (u - libm::expm1(2.0 * u) / 2.0);
    let spread = (2.0 * degrees).sqrt().recip();
    // On the right the weight falls faster than the normal one, on the left more slowly.
    let last = (-NEGLIGIBLE / degrees).sqrt();
    let mut first = -last;
    while log_weight(first) > NEGLIGIBLE {
        first *= 1.25;
    }
    // Fine enough for the weight, for the width of its tails, and for the function.
    let step = (0.5 * spread).min(0.1).min(0.6 / scale.max(1.0));
    let points = (((last - first) / step).ceil() as usize).min(MOST_POINTS);
    let step = (last - first) / points as f64;
    let (sum, weights) = (0..=points).fold((0.0, 0.0), |(sum, weights), point| {
        let u = first + step * point as f64;
        let weight = libm::exp(log_weight(u));
        (sum + weight * function(libm::exp(u)), weights + weight)
    });
    sum / weights
}
