//! A judge with known errors.

use llull_core::{Grade, Scale, Seed};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A judge that sees the true grade through bias and noise. The same query and document always get the same grade.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimulatedGrader {
    /// The grades that it may give.
    pub scale: Scale,
    /// How much higher than the truth it grades on average, in grades.
    pub bias: f64,
    /// The standard deviation of its errors, in grades.
    pub noise: f64,
    /// The seed of its errors. Two seeds are two independent judges.
    pub seed: Seed,
}

impl SimulatedGrader {
    /// Returns the grade of a document whose true grade is `truth`: truth + bias + noise, rounded, and clamped to the
    /// scale.
    pub fn grade(&self, topic: &str, document: &str, truth: Grade) -> Grade {
        // The length keeps ("ab", "c") and ("a", "bc") apart.
        let case = format!("simulated grader {} {topic}{document}", topic.len());
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed.stream(&case));
        let seen = f64::from(truth) + self.bias + self.noise * standard_normal(&mut rng);
        // The cast saturates, so an absurd bias ends at the scale's end.
        (seen.round() as Grade).clamp(self.scale.low(), self.scale.high())
    }
}

/// Draws from the standard normal distribution (G. Box, M. Muller, "A Note on the Generation of Random Normal
/// Deviates", Annals of Mathematical Statistics 29, 1958).
fn standard_normal(rng: &mut impl RngExt) -> f64 {
    let (radius, angle): (f64, f64) = (rng.random(), rng.random());
    // 1 - radius is never 0, whose logarithm is not finite.
    (-2.0 * (1.0 - radius).ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide() -> Scale {
        Scale::new(-50, 50).unwrap()
    }

    fn errors(grader: SimulatedGrader) -> Vec<f64> {
        (0..4000).map(|document| f64::from(grader.grade("q", &document.to_string(), 0))).collect()
    }

    #[test]
    fn errors_have_the_mean_and_deviation_asked_for() {
        let errors = errors(SimulatedGrader { scale: wide(), bias: 2.0, noise: 5.0, seed: Seed(1) });
        let n = errors.len() as f64;
        let mean = errors.iter().sum::<f64>() / n;
        let deviation = (errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>() / n).sqrt();
        // four standard errors of the mean and of the deviation; rounding adds a variance of 1/12
        assert!((mean - 2.0).abs() < 4.0 * 5.0 / n.sqrt(), "{mean}");
        assert!(
            (deviation - (25.0f64 + 1.0 / 12.0).sqrt()).abs() < 4.0 * 5.0 / (2.0 * n).sqrt(),
            "{deviation}"
        );
    }

    #[test]
    fn a_grade_depends_on_seed_topic_and_document_alone() {
        let grader = SimulatedGrader { scale: wide(), bias: 0.0, noise: 10.0, seed: Seed(1) };
        assert_eq!(errors(grader), errors(grader));
        assert_ne!(errors(grader), errors(SimulatedGrader { seed: Seed(2), ..grader }));
        let kept = SimulatedGrader { scale: Scale::default(), ..grader };
        assert!(errors(kept).iter().all(|grade| (0.0..=3.0).contains(grade)));
    }
}
