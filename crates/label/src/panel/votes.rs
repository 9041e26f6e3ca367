//! Combines grades by majority, median or mean, without learning.

use llull_core::Grade;

use super::combined::{Combined, JudgeModel};
use super::grades::PanelGrades;
use super::method::PanelMethod;
use crate::median::median;

/// Combines the grades of the judges with `counts` true.
pub(super) fn by_votes(panel: &PanelGrades, method: PanelMethod, counts: &[bool]) -> Combined {
    let model = |counts: &bool| if *counts { JudgeModel::Equal } else { JudgeModel::LeftOut };
    let mut combined = Combined::new(method, panel, counts.iter().map(model).collect());
    let low = f64::from(panel.scale().low());
    for pair in 0..panel.pairs() {
        let given = panel.places(pair).iter().filter(|given| counts.get(given.judge()) == Some(&true));
        let given: Vec<usize> = given.map(|given| given.place()).collect();
        let grades: Vec<Grade> = given.iter().map(|place| panel.grade(*place)).collect();
        let Some(middle) = median(&grades) else {
            combined.push_missing();
            continue;
        };
        let mut votes = vec![0_u32; panel.levels()];
        for place in &given {
            if let Some(count) = votes.get_mut(*place) {
                *count += 1;
            }
        }
        let all = given.len() as f64;
        let mean =
            votes.iter().enumerate().map(|(place, count)| place as f64 * f64::from(*count)).sum::<f64>()
                / all;
        let place = match method {
            PanelMethod::Mean => nearest(mean),
            PanelMethod::Median | PanelMethod::Fractional => panel.place_of(middle.grade).unwrap_or_default(),
            _ => most(&votes),
        };
        let value = match method {
            PanelMethod::Median | PanelMethod::Majority => place as f64,
            _ => mean,
        };
        let shares: Vec<f64> = votes.iter().map(|count| f64::from(*count) / all).collect();
        combined.push(Some(panel.grade(place)), Some(low + value), &shares);
    }
    combined
}

/// The whole number nearest to the mean, the lower of two.
fn nearest(mean: f64) -> usize {
    (mean - 0.5).ceil().max(0.0) as usize
}

fn most(votes: &[u32]) -> usize {
    let most = votes.iter().copied().max().unwrap_or_default();
    votes.iter().position(|count| *count == most).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use llull_core::Scale;

    use super::*;

    fn combined(method: PanelMethod, grades: &[i32]) -> (Option<i32>, Option<f64>) {
        let mut panel = PanelGrades::new(Scale::new(0, 3).unwrap(), grades.len());
        panel.push(0, grades.iter().copied().enumerate()).unwrap();
        let combined = by_votes(&panel, method, &vec![true; grades.len()]);
        (combined.grades[0], combined.values[0])
    }

    #[test]
    fn the_lower_of_equals_counts() {
        use PanelMethod::{Fractional, Majority, Mean, Median};
        assert_eq!(combined(Majority, &[0, 2, 3]), (Some(0), Some(0.0)));
        assert_eq!(combined(Majority, &[3, 3, 0, 1]), (Some(3), Some(3.0)));
        assert_eq!(combined(Median, &[0, 2, 3]), (Some(2), Some(2.0)));
        assert_eq!(combined(Median, &[0, 1, 2, 3]), (Some(1), Some(1.0)));
        assert_eq!(combined(Mean, &[0, 3]), (Some(1), Some(1.5)));
        assert_eq!(combined(Mean, &[0, 0, 1]), (Some(0), Some(1.0 / 3.0)));
        assert_eq!(combined(Mean, &[3, 3, 2]), (Some(3), Some(8.0 / 3.0)));
        assert_eq!(combined(Mean, &[]), (None, None));
        assert_eq!(combined(Fractional, &[0, 0, 1, 3]), (Some(0), Some(1.0)));
    }
}
