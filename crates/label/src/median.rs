//! The panel's label: one grade from those of several judges, and their mean.

use llull_core::{Grade, Label, LabelSet};

/// Panels up to this size need no allocation.
const USUAL_PANEL: usize = 16;

/// Returns the label of one pair from its votes; `None` without a vote.
///
/// The grade is the median, and of an even number of votes the lower of the two in the middle. So it is a grade that a
/// judge really gave and that the rubric defines (the mean of 1 and 3 would be a 2 that no judge gave). It is also the
/// cautious one: a label that is too low costs a system a gain, one that is too high credits it with a gain that it
/// does not have. The label has the lowest and the highest grade and the number of votes, too.
///
/// ```
/// use llull_label::median;
///
/// let label = median(&[3, 0, 2, 1]).unwrap();
/// assert_eq!((label.grade, label.low, label.high, label.judges), (1, 0, 3, 4));
/// assert_eq!(median(&[]), None);
/// ```
pub fn median(votes: &[Grade]) -> Option<Label> {
    let mut usual = [0; USUAL_PANEL];
    let mut large;
    let sorted: &mut [Grade] = match usual.get_mut(..votes.len()) {
        Some(usual) => usual,
        None => {
            large = vec![0; votes.len()];
            &mut large
        }
    };
    sorted.copy_from_slice(votes);
    sorted.sort_unstable();
    label_among(*sorted.get(sorted.len().checked_sub(1)? / 2)?, votes)
}

/// Returns the label of one pair from a panel's votes: its grade is the [`median`], and measures that compute with
/// grades read the mean, if there are several votes.
///
/// ```
/// use llull_core::GRADE_PARTS;
///
/// let label = llull_label::panel_label(&[3, 0, 2, 1]).unwrap();
/// assert_eq!((label.grade, label.mean), (1, Some(3 * GRADE_PARTS / 2)));
/// ```
pub fn panel_label(votes: &[Grade]) -> Option<Label> {
    Some(median(votes)?.with_mean(votes))
}

/// Returns a pair's label of this grade, with the range and the number of its votes; `None` without a vote.
pub fn label_among(grade: Grade, votes: &[Grade]) -> Option<Label> {
    let (low, high) = (*votes.iter().min()?, *votes.iter().max()?);
    Some(Label { grade, low, high, judges: u16::try_from(votes.len()).unwrap_or(u16::MAX), mean: None })
}

/// Returns the labels of a pool by [`median`], [`panel_label`] or another function of a pair's votes. Each pair has its
/// query, its document, and the vote of every judge, `None` if that judge gave no usable one. Pairs stay in order; a
/// pair without any vote is recorded as missing.
///
/// Each pair should occur once. One that occurs again is counted again, and its last label stays.
pub fn labels_by<'a, V>(
    label: impl Fn(&[Grade]) -> Option<Label>,
    pairs: impl IntoIterator<Item = (&'a str, &'a str, V)>,
) -> LabelSet
where
    V: IntoIterator<Item = Option<Grade>>,
{
    let mut labels = LabelSet::default();
    let mut given = Vec::new();
    for (topic, document, votes) in pairs {
        given.clear();
        given.extend(votes.into_iter().flatten());
        labels.record(topic, document, label(&given));
    }
    labels
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn of_two_in_the_middle_the_lower_counts() {
        assert_eq!(median(&[3, 0]).map(|label| label.grade), Some(0));
        assert_eq!(median(&[3, 2, 2, 0, 3, 3]).map(|label| label.grade), Some(2));
        assert_eq!(median(&[-1, 2, 1]).map(|label| label.grade), Some(1));
    }

    #[test]
    fn a_panel_may_be_larger_than_usual() {
        let votes: Vec<Grade> = (0..1001).rev().collect();
        let label = median(&votes).unwrap();
        assert_eq!((label.grade, label.low, label.high, label.judges), (500, 0, 1000, 1001));
    }

    #[test]
    fn missing_votes_are_not_zeros() {
        let labels =
            labels_by(median, [("q1", "d1", vec![None, Some(3), None]), ("q2", "d1", vec![None; 3])]);
        let label = labels.get("q1", "d1").unwrap();
        assert_eq!((label.grade, label.low, label.judges), (3, 3, 1));
        assert_eq!(labels.get("q2", "d1"), None);
        assert_eq!((labels.asked(), labels.labelled()), (2, 1));
        assert_eq!(labels.iter().count(), 2, "the topic is known to have no label");
        assert_eq!(labels.qrels().topic("q2"), None, "and cannot be measured on");
    }

    #[test]
    fn the_order_of_the_pool_is_kept() {
        let labels = labels_by(median, [("b", "z", [Some(1)]), ("a", "y", [Some(1)]), ("b", "x", [Some(1)])]);
        let order: Vec<(String, Vec<String>)> = labels
            .iter()
            .map(|(topic, documents)| (topic.to_owned(), documents.map(|(id, _)| id.to_owned()).collect()))
            .collect();
        let expected = [("b", vec!["z", "x"]), ("a", vec!["y"])];
        assert_eq!(
            order,
            expected.map(|(topic, ids)| (topic.into(), ids.into_iter().map(Into::into).collect()))
        );
    }

    proptest! {
        #[test]
        fn the_label_is_a_vote_with_half_on_either_side(votes in proptest::collection::vec(-2i32..5, 1..40)) {
            let label = median(&votes).unwrap();
            prop_assert!(votes.contains(&label.grade));
            prop_assert_eq!(Some(label.low), votes.iter().copied().min());
            prop_assert_eq!(Some(label.high), votes.iter().copied().max());
            let below = votes.iter().filter(|vote| **vote < label.grade).count();
            let above = votes.iter().filter(|vote| **vote > label.grade).count();
            prop_assert!(2 * below < votes.len() && 2 * above <= votes.len());
        }

        #[test]
        fn the_order_of_the_judges_does_not_matter(
            mut votes in proptest::collection::vec(0i32..4, 1..9),
            turn in 0usize..9,
        ) {
            let before = median(&votes);
            let turn = turn % votes.len();
            votes.rotate_left(turn);
            prop_assert_eq!(before, median(&votes));
        }
    }
}
