//! Vectors of one length, one after the other.

use crate::error::EncodeError;

/// Vectors of equal dimensions and of length 1 (or 0, for a text without meaning to the model).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vectors {
    dimensions: usize,
    values: Vec<f32>,
    cut: Vec<bool>,
}

impl Vectors {
    /// Scales vectors to length 1. Each comes with whether its text was longer than the model reads.
    ///
    /// # Errors
    /// Returns [`EncodeError::NotFinite`], or an error if a vector has another number of dimensions.
    pub fn normalized(
        dimensions: usize,
        vectors: impl IntoIterator<Item = (Vec<f32>, bool)>,
    ) -> Result<Self, EncodeError> {
        let mut all = Self { dimensions, ..Self::default() };
        for (vector, cut) in vectors {
            if vector.len() != dimensions {
                return Err(EncodeError::Vectors {
                    encoder: "this one".into(),
                    found: format!("a vector of {} dimensions", vector.len()),
                    expected: format!("{dimensions} dimensions"),
                });
            }
            // In f64: the square of a large f32 is infinite.
            let length = vector.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
            if !length.is_finite() {
                return Err(EncodeError::NotFinite);
            }
            let scale = if length > 0.0 { 1.0 / length } else { 0.0 };
            all.values.extend(vector.iter().map(|value| (f64::from(*value) * scale) as f32));
            all.cut.push(cut);
        }
        Ok(all)
    }

    /// Returns how many numbers a vector has.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Returns how many vectors there are.
    pub fn len(&self) -> usize {
        self.cut.len()
    }

    /// Returns whether there are no vectors.
    pub fn is_empty(&self) -> bool {
        self.cut.is_empty()
    }

    /// Returns the vectors in their order, each with whether its text was longer than the model reads.
    pub fn iter(&self) -> impl Iterator<Item = (&[f32], bool)> {
        self.values.chunks_exact(self.dimensions.max(1)).zip(self.cut.iter().copied())
    }
}

/// Returns the dot product of two vectors; for vectors of length 1 it is their cosine, from -1 to 1.
///
/// Eight partial sums are added in the same order each time, so that the result is the same everywhere and a compiler
/// can use wide instructions. They are unrolled by hand: for a loop, a compiler that optimises for size makes code
/// that takes twice as long.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 8;
    let (a_whole, a_rest) = a.as_chunks::<LANES>();
    let (b_whole, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0f32; LANES];
    for (a, b) in a_whole.iter().zip(b_whole) {
        sums[0] += a[0] * b[0];
        sums[1] += a[1] * b[1];
        sums[2] += a[2] * b[2];
        sums[3] += a[3] * b[3];
        sums[4] += a[4] * b[4];
        sums[5] += a[5] * b[5];
        sums[6] += a[6] * b[6];
        sums[7] += a[7] * b[7];
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_vector_has_length_one() {
        let vectors = Vectors::normalized(2, [(vec![3.0, 4.0], false), (vec![0.0, 0.0], true)]).unwrap();
        let all: Vec<_> = vectors.iter().collect();
        assert_eq!(all, [(&[0.6, 0.8][..], false), (&[0.0, 0.0][..], true)]);
        let infinite = Vectors::normalized(2, [(vec![1.0, f32::INFINITY], false)]).unwrap_err();
        assert!(matches!(infinite, EncodeError::NotFinite));
        let large = Vectors::normalized(2, [(vec![1.5e38, 2e38], false)]).unwrap();
        assert_eq!(large.iter().next().unwrap().0, [0.6, 0.8]);
        assert!(Vectors::normalized(2, [(vec![1.0], false)]).is_err());
    }

    proptest! {
        #[test]
        fn the_dot_product_is_that_of_the_definition(
            pairs in proptest::collection::vec((-1.0f32..1.0, -1.0f32..1.0), 0..70),
        ) {
            let (a, b): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
            let exact: f64 = pairs.iter().map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            prop_assert!((f64::from(dot(&a, &b)) - exact).abs() < 1e-5);
        }
    }
}
