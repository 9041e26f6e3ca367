//! The standard normal distribution.

#![allow(clippy::excessive_precision, reason = "the coefficients stand as they were published")]

/// Returns the probability of a value below `x`.
pub(crate) fn cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// Returns the number of standard deviations on either side of 0 that hold this share: 1.96 for 0.95.
pub(crate) fn two_sided(share: f64) -> f64 {
    quantile(0.5 + share / 2.0)
}

/// Returns the value below which a share `p` lies; infinite for 0 and 1. Relative error about 1e-16.
///
/// Wichura, Algorithm AS 241: the percentage points of the normal distribution, Applied Statistics 37(3), 1988
/// (PPND16).
pub(crate) fn quantile(p: f64) -> f64 {
    let centred = p - 0.5;
    if centred.abs() <= 0.425 {
        let r = 0.180625 - centred * centred;
        return centred * ratio(&CENTRE, r);
    }
    let tail = if centred < 0.0 { p } else { 1.0 - p };
    if tail <= 0.0 {
        return f64::INFINITY.copysign(centred);
    }
    let r = (-libm::log(tail)).sqrt();
    let size = if r <= 5.0 { ratio(&MIDDLE, r - 1.6) } else { ratio(&FAR, r - 5.0) };
    size.copysign(centred)
}

/// Coefficients of numerator and denominator, from the constant term up.
type Rational = [[f64; 8]; 2];

fn ratio(coefficients: &Rational, x: f64) -> f64 {
    let [numerator, denominator] =
        coefficients.map(|terms| terms.iter().rev().fold(0.0, |sum, term| sum * x + term));
    numerator / denominator
}

const CENTRE: Rational = [
    [
        3.3871328727963666080,
        1.3314166789178437745e2,
        1.9715909503065514427e3,
        1.3731693765509461125e4,
        4.5921953931549871457e4,
        6.7265770927008700853e4,
        3.3430575583588128105e4,
        2.5090809287301226727e3,
    ],
    [
        1.0,
        4.2313330701600911252e1,
        6.8718700749205790830e2,
        5.3941960214247511077e3,
        2.1213794301586595867e4,
        3.9307895800092710610e4,
        2.8729085735721942674e4,
        5.2264952788528545610e3,
    ],
];

const MIDDLE: Rational = [
    [
        1.42343711074968357734,
        4.63033784615654529590,
        5.76949722146069140550,
        3.64784832476320460504,
        1.27045825245236838258,
        2.41780725177450611770e-1,
        2.27238449892691845833e-2,
        7.74545014278341407640e-4,
    ],
    [
        1.0,
        2.05319162663775882187,
        1.67638483018380384940,
        6.89767334985100004550e-1,
        1.48103976427480074590e-1,
        1.51986665636164571966e-2,
        5.47593808499534494600e-4,
        1.05075007164441684324e-9,
    ],
];

const FAR: Rational = [
    [
        6.65790464350110377720,
        5.46378491116411436990,
        1.78482653991729133580,
        2.96560571828504891230e-1,
        2.65321895265761230930e-2,
        1.24266094738807843860e-3,
        2.71155556874348757815e-5,
        2.01033439929228813265e-7,
    ],
    [
        1.0,
        5.99832206555887937690e-1,
        1.36929880922735805310e-1,
        1.48753612908506148525e-2,
        7.86869131145613259100e-4,
        1.84631831751005468180e-5,
        1.42151175831644588870e-7,
        2.04426310338993978564e-15,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;

    // scipy 1.17.1: scipy.stats.norm.ppf and .cdf
    #[test]
    fn both_are_scipys() {
        for (p, expected) in [
            (1e-12, -7.034483825301131),
            (1e-5, -4.264890793922825),
            (0.01, -2.3263478740408408),
            (0.025, -1.9599639845400545),
            (0.3, -0.5244005127080409),
            (0.5, 0.0),
            (0.9, 1.2815515655446004),
            (0.975, 1.959963984540054),
        ] {
            assert!((quantile(p) - expected).abs() < 1e-14 * expected.abs().max(1.0), "{p}: {}", quantile(p));
        }
        for (x, expected) in [
            (-8.0, 6.22096057427174e-16),
            (-3.0, 0.0013498980316300933),
            (-1.96, 0.024997895148220435),
            (-0.5, 0.3085375387259869),
            (0.7, 0.758036347776927),
            (2.5, 0.9937903346742238),
        ] {
            assert!((cdf(x) / expected - 1.0).abs() < 1e-13, "{x}: {}", cdf(x));
        }
    }

    #[test]
    fn the_ends_are_infinite_and_the_two_undo_each_other() {
        assert_eq!((quantile(0.0), quantile(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        for p in (1..1000).map(|n| f64::from(n) / 1000.0) {
            assert!((cdf(quantile(p)) - p).abs() < 1e-15, "{p}");
        }
    }
}
