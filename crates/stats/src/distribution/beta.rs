//! The beta distribution.

use super::root_of_increasing;

/// Returns the regularised incomplete beta function: the chance that a beta variable with these shapes is at most `x`.
///
/// By Lentz's continued fraction (DLMF 8.17.22), on the side where it converges fast.
pub(crate) fn cdf(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - cdf_by_fraction(1.0 - x, b, a);
    }
    cdf_by_fraction(x, a, b)
}

fn cdf_by_fraction(x: f64, a: f64, b: f64) -> f64 {
    let log_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let front = libm::exp(a * libm::log(x) + b * libm::log1p(-x) - log_beta) / a;
    (front / fraction(x, a, b)).clamp(0.0, 1.0)
}

/// Returns the continued fraction 1 + d1/(1 + d2/(1 + ...)).
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    const TERMS: usize = 20_000;
    let nonzero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut value, mut c, mut d) = (1.0, 1.0, 0.0);
    for term in 1..TERMS {
        let m = (term / 2) as f64;
        let numerator = if term % 2 == 0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        d = 1.0 / nonzero(1.0 + numerator * d);
        c = nonzero(1.0 + numerator / c);
        value *= c * d;
        if (c * d - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// Returns the value below which a beta variable lies with chance `p`, strictly between 0 and 1.
pub(crate) fn quantile(p: f64, a: f64, b: f64) -> f64 {
    // The root is sought on the scale of log odds, which separates values near 0 and 1.
    let at = |odds: f64| 1.0 / (1.0 + libm::exp(-odds));
    root_of_increasing(|odds| cdf(at(odds), a, b) - p).map_or(f64::NAN, at)
}

#[cfg(test)]
mod tests {
    use super::{cdf, quantile};

    /// scipy 1.17.1: `stats.beta.cdf`, `stats.beta.ppf`.
    #[test]
    fn as_scipy_has_it() {
        for (x, a, b, expected) in [
            (0.3, 2.0, 5.0, 0.579825),
            (0.9, 0.5, 0.5, 0.795167235300866),
            (0.5, 500.0, 520.0, 0.734506577151153),
        ] {
            assert!((cdf(x, a, b) - expected).abs() < 1e-10, "{x} {a} {b}: {}", cdf(x, a, b));
        }
        for (p, a, b, expected) in
            [(0.025, 9.0, 22.0, 0.14734518475470101), (0.975, 1.0, 30.0, 0.11570330822202778)]
        {
            assert!((quantile(p, a, b) - expected).abs() < 1e-9, "{p} {a} {b}: {}", quantile(p, a, b));
        }
    }
}
