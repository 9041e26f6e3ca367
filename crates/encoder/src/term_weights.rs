//! Texts as weights of terms.

use crate::error::EncodeError;

/// The terms of a vocabulary that a text is about, each with a weight above 0. All others weigh nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TermWeights(Box<[(u32, f32)]>);

impl TermWeights {
    /// Takes terms, in any order; those of weight 0 or less are left out.
    ///
    /// # Errors
    /// Returns [`EncodeError::NotFinite`] if a weight is no finite number.
    pub fn of(terms: impl IntoIterator<Item = (u32, f32)>) -> Result<Self, EncodeError> {
        let mut kept = Vec::new();
        for (term, weight) in terms {
            if !weight.is_finite() {
                return Err(EncodeError::NotFinite);
            }
            if weight > 0.0 {
                kept.push((term, weight));
            }
        }
        kept.sort_unstable_by_key(|(term, _)| *term);
        Ok(Self(kept.into_boxed_slice()))
    }

    /// Returns the terms in their order, each with its weight.
    pub fn as_slice(&self) -> &[(u32, f32)] {
        &self.0
    }
}

/// What makes weights of terms of texts.
pub trait TermEncoder: Send + Sync {
    /// Returns its name, such as `splade`. Weights are kept under it, so two encoders that make different weights have
    /// different names.
    fn name(&self) -> &str;

    /// Returns the weights of each text's terms, in the order of the texts. The same text has the same weights whatever
    /// stands beside it.
    ///
    /// # Errors
    /// Returns an error if the model fails, or what it makes is no weights.
    fn weigh(&self, texts: &[&str]) -> Result<Vec<TermWeights>, EncodeError>;

    /// Returns how many texts it likes to be given at once: what is lost if it is interrupted.
    fn batch(&self) -> usize {
        64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_in_order_and_weigh_something() {
        let weights = TermWeights::of([(7, 0.5), (2, 1.5), (3, 0.0), (4, -1.0)]).unwrap();
        assert_eq!(weights.as_slice(), [(2, 1.5), (7, 0.5)]);
        assert!(matches!(TermWeights::of([(1, f32::NAN)]), Err(EncodeError::NotFinite)));
    }
}
