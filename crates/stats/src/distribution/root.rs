//! The root of an increasing function.

/// Returns the place where `function`, which never falls, passes from below 0 to 0 or above. `None` if it is not
/// between -10^12 and 10^12, or if the function is NaN.
///
/// Chandrupatla's method, A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function,
/// Advances in Engineering Software 28(3), 1997: the root stays bracketed, and smooth functions take some ten steps.
pub(crate) fn root_of_increasing(function: impl Fn(f64) -> f64) -> Option<f64> {
    let bound = |direction: f64| {
        (0..=20)
            .map(|step| direction * 4f64.powi(step))
            .map(|x| (x, function(x)))
            .find(|(_, y)| y * direction >= 0.0)
    };
    let (mut a, mut b) = (bound(1.0)?, bound(-1.0)?);
    let mut fraction = 0.5;
    for _ in 0..MOST_STEPS {
        let x = a.0 + fraction * (b.0 - a.0);
        let new = (x, function(x));
        // a becomes the newest end, b the end on the other side of the root, c the end that was dropped.
        let c = if (new.1 < 0.0) == (a.1 < 0.0) {
            a
        } else {
            let dropped = b;
            b = a;
            dropped
        };
        a = new;
        let nearest = if a.1.abs() < b.1.abs() { a } else { b };
        let share = 2.0 * f64::EPSILON * nearest.0.abs().max(f64::MIN_POSITIVE) / (b.0 - a.0).abs();
        if share >= 0.5 || nearest.1 == 0.0 {
            return Some(nearest.0);
        }
        fraction = step(a, b, c).clamp(share, 1.0 - share);
    }
    Some(a.0)
}

/// More than plain bisection takes: there are 2^64 floats.
const MOST_STEPS: usize = 200;

type Point = (f64, f64);

/// How far to go from a to b: by the inverse parabola through all three points where that is safe, else half way.
fn step(a: Point, b: Point, c: Point) -> f64 {
    let position = (a.0 - b.0) / (c.0 - b.0);
    let height = (a.1 - b.1) / (c.1 - b.1);
    if height * height < position && (1.0 - height) * (1.0 - height) < 1.0 - position {
        let first = a.1 / (b.1 - a.1) * c.1 / (b.1 - c.1);
        let second = (c.0 - a.0) / (b.0 - a.0) * a.1 / (c.1 - a.1) * b.1 / (c.1 - b.1);
        first + second
    } else {
        0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_what_is_there_and_nothing_else() {
        for expected in [-300.0, -0.1, 0.0, 0.3, 1e6] {
            for bend in [|x: f64| x, |x: f64| x * x * x, |x: f64| x.clamp(-1e-3, 1e-3), f64::signum] {
                let found = root_of_increasing(|x| bend(x - expected)).unwrap();
                assert!((found - expected).abs() <= 1e-5 * expected.abs() + 1e-5, "{found}, not {expected}");
            }
            let found = root_of_increasing(|x| libm::tanh(x - expected)).unwrap();
            assert!(
                (found - expected).abs() <= 4.0 * f64::EPSILON * expected.abs().max(1e-3),
                "{found}, not {expected}"
            );
        }
        assert_eq!(root_of_increasing(|_| 1.0), None);
        assert_eq!(root_of_increasing(|_| -1.0), None);
        assert_eq!(root_of_increasing(|_| f64::NAN), None);
    }
}
