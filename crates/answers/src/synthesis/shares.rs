//! The number of wanted questions of each category.

use llull_judge::QuestionCategory;

/// A category's share of the questions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CategoryShare {
    /// The category.
    pub category: QuestionCategory,
    /// Its part, above 0, of the sum of all shares.
    pub share: f64,
}

impl CategoryShare {
    /// The default shares: facts and paraphrases most, one of ten out of context.
    pub const DEFAULT: [Self; 6] = [
        Self { category: QuestionCategory::DirectFact, share: 0.25 },
        Self { category: QuestionCategory::Paraphrase, share: 0.2 },
        Self { category: QuestionCategory::Keyword, share: 0.15 },
        Self { category: QuestionCategory::Detail, share: 0.15 },
        Self { category: QuestionCategory::Summary, share: 0.15 },
        Self { category: QuestionCategory::OutOfContext, share: 0.1 },
    ];
}

/// Divides `questions` by these shares: each gets the whole part, and the rest goes to the largest remainders, the
/// first of equal ones.
pub(super) fn divided(questions: usize, shares: &[CategoryShare]) -> Vec<usize> {
    let sum: f64 = shares.iter().map(|share| share.share).sum();
    let exact = |share: &CategoryShare| questions as f64 * share.share / sum;
    let mut whole: Vec<usize> = shares.iter().map(|share| exact(share).floor() as usize).collect();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    let remainder = |at: &usize| shares.get(*at).map_or(0.0, |share| exact(share).fract());
    order.sort_by(|one, other| remainder(other).total_cmp(&remainder(one)));
    let left = questions.saturating_sub(whole.iter().sum());
    for at in order.into_iter().cycle().take(if shares.is_empty() { 0 } else { left }) {
        if let Some(whole) = whole.get_mut(at) {
            *whole += 1;
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn remainders_go_to_the_largest() {
        assert_eq!(divided(10, &CategoryShare::DEFAULT), [3, 2, 2, 1, 1, 1]);
        assert_eq!(divided(50, &CategoryShare::DEFAULT), [13, 10, 8, 7, 7, 5]);
        assert_eq!(divided(5, &[]), [0; 0]);
    }

    proptest! {
        #[test]
        fn no_question_is_lost(questions in 0usize..500, shares in proptest::collection::vec(0.01f64..9.0, 1..7)) {
            let shares: Vec<_> = QuestionCategory::ALL
                .into_iter()
                .zip(shares)
                .map(|(category, share)| CategoryShare { category, share })
                .collect();
            let sum: f64 = shares.iter().map(|share| share.share).sum();
            let divided = divided(questions, &shares);
            prop_assert_eq!(divided.iter().sum::<usize>(), questions);
            for (share, part) in shares.iter().zip(divided) {
                let exact = questions as f64 * share.share / sum;
                prop_assert!((part as f64 - exact).abs() < 1.0 + 1e-9);
            }
        }
    }
}
