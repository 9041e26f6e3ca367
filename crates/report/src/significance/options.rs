//! Options of significance tests between systems.

use llull_stats::{BootstrapOptions, Correction, PairOptions, PairTest};

use super::family::Family;

/// How systems are tested against each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignificanceOptions {
    /// Which test, two-sided; sign flips unless changed.
    pub test: PairTest,
    /// How p are corrected for the number of pairs; Holm's correction unless changed. Tukey's test takes none.
    pub correction: Correction,
    /// The level at or below which a corrected p is significant; 0.05 unless changed.
    pub significance: f64,
    /// How many draws a test makes, if it draws. `None` means 10,000, and for sign flips and the bootstrap under
    /// Holm's correction up to 200,000: ten times as many as the least with which a pair can be significant.
    pub draws: Option<usize>,
    /// Which pairs.
    pub family: Family,
    /// A margin: each difference from the baseline is also tested for lying within so much of 0, either way.
    pub margin: Option<f64>,
    /// The intervals, which decide, and the seed of everything that is drawn.
    pub bootstrap: BootstrapOptions,
}

impl SignificanceOptions {
    /// Sign flips over all pairs, Holm's correction, 0.05.
    pub fn new(bootstrap: BootstrapOptions) -> Self {
        Self {
            test: PairTest::default(),
            correction: Correction::default(),
            significance: 0.05,
            draws: None,
            family: Family::default(),
            margin: None,
            bootstrap,
        }
    }

    /// The options for testing this number of pairs: with [`draws`](Self::draws), or as many draws as these pairs need.
    pub fn pair_options(&self, pairs: usize) -> PairOptions {
        const USUAL: usize = 10_000;
        // A few seconds for the pairs of hundreds of systems.
        const MOST: usize = 200_000;
        let usual = match (self.test, self.correction) {
            // The least p is 1 / (1 + draws), and Holm's correction multiplies it with the number of pairs.
            (PairTest::Permutation | PairTest::Bootstrap, Correction::Holm) if self.significance > 0.0 => {
                ((10.0 * pairs as f64 / self.significance).ceil() as usize).clamp(USUAL, MOST)
            }
            _ => USUAL,
        };
        PairOptions {
            correction: self.correction,
            significance: self.significance,
            draws: self.draws.unwrap_or(usual),
            ..PairOptions::new(self.test, self.bootstrap.seed)
        }
    }
}
