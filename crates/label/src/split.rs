//! Detects split grades, where the pair is unclear and no judge deviates.

use llull_core::{Grade, Scale};

/// How the grades of a pair are split.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Split {
    /// How far the grades are apart, without the most extreme tenth at each end.
    pub apart: Grade,
    /// The share of the most frequent grade; at most a half.
    pub most: f64,
}

/// Returns how the grades of a pair are split, if they are. No grade then has more than half of the votes. The grades
/// are also at least half of the scale apart, and at least two grades on a scale of more than two. With ten judges or
/// more the most extreme tenth at each end does not count. So 0, 2 and 3 are split, and 0, 0 and 3 are not: there one
/// judge deviates.
///
/// ```
/// use llull_core::Scale;
/// use llull_label::split;
///
/// let scale = Scale::new(0, 3)?;
/// assert_eq!(split(&[0, 2, 3], scale).map(|split| split.apart), Some(3));
/// assert_eq!(split(&[0, 0, 3], scale), None);
/// assert_eq!(split(&[1, 2, 2, 1], scale), None);
/// # Ok::<(), llull_core::ScaleError>(())
/// ```
pub fn split(grades: &[Grade], scale: Scale) -> Option<Split> {
    let mut sorted = grades.to_vec();
    sorted.sort_unstable();
    let most = sorted.chunk_by(|a, b| a == b).map(<[Grade]>::len).max()?;
    let extreme = sorted.len() / 10;
    let (low, high) = (sorted.get(extreme)?, sorted.get(sorted.len().checked_sub(extreme + 1)?)?);
    let apart = high.saturating_sub(*low);
    let half = scale.high().saturating_sub(scale.low()).saturating_add(1) / 2;
    (grades.len() > 1 && 2 * most <= sorted.len() && apart >= half.max(1))
        .then(|| Split { apart, most: most as f64 / sorted.len() as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(grades: &[Grade], high: Grade) -> Option<Grade> {
        split(grades, Scale::new(0, high).unwrap()).map(|split| split.apart)
    }

    #[test]
    fn what_is_unclear_is_told_from_who_is_off() {
        assert_eq!(apart(&[0, 2], 3), Some(2));
        assert_eq!(apart(&[1, 2], 3), None, "neighbours");
        assert_eq!(apart(&[0, 1], 1), Some(1), "of two grades there are no others");
        assert_eq!(apart(&[0, 1, 1], 1), None);
        assert_eq!(apart(&[0, 4, 8], 10), Some(8));
        assert_eq!(apart(&[2, 4, 6], 10), None);
        assert_eq!(apart(&[3], 3), None);
        assert_eq!(apart(&[], 3), None);
    }

    #[test]
    fn of_many_judges_the_most_extreme_do_not_count() {
        let mut grades = vec![1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2];
        assert_eq!(apart(&grades, 3), None);
        grades[11] = 0;
        grades[10] = 3;
        assert_eq!(apart(&grades, 3), None, "one at each end");
        grades[9] = 0;
        grades[8] = 3;
        assert_eq!(apart(&grades, 3), Some(3), "two at each end");
    }
}
