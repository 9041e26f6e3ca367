//! The prior order as evidence.

/// How early each item comes in the prior order of the items that it joined with, as the log-odds that a
/// random one of them comes later. Items that join later have an order of their own, and nothing is assumed
/// between them and the earlier ones.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PriorOrder {
    places: Vec<f64>,
}

impl PriorOrder {
    /// The prior order of items in the order in which they are numbered.
    pub(crate) fn new(items: usize) -> Self {
        let mut prior = Self { places: Vec::with_capacity(items) };
        prior.grow(items);
        prior
    }

    /// Adds items that join together, up to `items` in all.
    pub(crate) fn grow(&mut self, items: usize) {
        let joining = items.saturating_sub(self.places.len());
        let place = |at: usize| libm::log((joining as f64 - at as f64 - 0.5) / (at as f64 + 0.5));
        self.places.extend((0..joining).map(place));
    }

    /// Returns the strengths on the line through the origin that fits the logarithms of the given strengths
    /// best. Its slope is never negative: an order that is worse than none is no evidence for its reverse.
    pub(crate) fn line(&self, strengths: &[f64]) -> Vec<f64> {
        let square: f64 = self.places.iter().map(|place| place * place).sum();
        let product: f64 =
            self.places.iter().zip(strengths).map(|(place, strength)| place * libm::log(*strength)).sum();
        let slope = if square > 0.0 { (product / square).max(0.0) } else { 0.0 };
        self.places.iter().map(|place| libm::exp(slope * place)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_found_and_never_falls() {
        let prior = PriorOrder::new(20);
        let along =
            |slope: f64| -> Vec<f64> { prior.places.iter().map(|place| (slope * place).exp()).collect() };
        for (slope, expected) in [(0.7, 0.7), (0.0, 0.0), (-0.7, 0.0)] {
            let line = prior.line(&along(slope));
            assert!(
                line.iter()
                    .zip(along(expected))
                    .all(|(found, expected)| (found / expected - 1.0).abs() < 1e-12)
            );
        }
        assert!(PriorOrder::new(0).line(&[]).is_empty());
        assert_eq!(PriorOrder::new(1).line(&[3.0]), [1.0]);
    }

    #[test]
    fn who_joins_later_comes_in_an_order_of_their_own() {
        let mut prior = PriorOrder::new(3);
        prior.grow(2);
        prior.grow(6);
        assert_eq!(prior.places[..3], PriorOrder::new(3).places[..]);
        assert_eq!(prior.places[3..], PriorOrder::new(3).places[..]);
        // Of three items, for the first 2.5 against 0.5; for the middle one the odds are even.
        assert!((prior.places[0] - 5f64.ln()).abs() < 1e-15 && prior.places[1] == 0.0);
    }
}
