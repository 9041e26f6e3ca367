//! Estimates how many independent judges a panel counts as.

use std::collections::BTreeMap;

use llull_core::Item;
use llull_stats::independent_votes;

use crate::CheckKind;
use crate::checks::kappa::{Graded, on_one_scale};
use crate::finding::Finding;
use crate::reference::{Place, Votes};

/// Below this share of its judges a panel counts as making the same errors.
const FEW: f64 = 1.0 / 3.0;

/// With fewer documents or pairs that annotators judged, the correlation of errors is an accident.
const LEAST: usize = 30;

/// A document of a query (its item twice) or a pair that annotators judged.
type Judged = (usize, Item, Item);

/// Returns the effective number of independent judges in a panel by the correlation of their errors (Kish's effective
/// number, [`independent_votes`]); `None` for one judge. The check always passes. Published panels count as few
/// judges, which is no single judge's fault, and the panel is no worse than its judges.
pub(crate) fn independent(judges: &[Votes], human_labels: &BTreeMap<Place, f64>) -> Option<Finding> {
    let judges: Vec<&Votes> =
        judges.iter().filter(|votes| !(votes.grades.is_empty() && votes.pairs.is_empty())).collect();
    let number = judges.len();
    if number < 2 {
        return None;
    }
    let errors: Vec<BTreeMap<Judged, f64>> = judges.iter().map(|votes| errors(votes, human_labels)).collect();
    let mut all: Vec<Judged> = errors.iter().flat_map(BTreeMap::keys).copied().collect();
    all.sort_unstable();
    all.dedup();
    let lists: Vec<Vec<f64>> = errors
        .iter()
        .map(|errors| all.iter().map(|judged| errors.get(judged).copied().unwrap_or(f64::NAN)).collect())
        .collect();
    let worth = independent_votes(&lists).filter(|_| all.len() >= LEAST);
    let Some(worth) = worth else {
        let why = format!(
            "The check needs at least {LEAST} documents or pairs with human labels; there are {}. Judges that make \
             the same mistakes count like one.",
            all.len()
        );
        return Some(Finding { n: all.len(), ..Finding::of_figures(CheckKind::IndependentVotes, why) });
    };
    let few = match worth < FEW * number as f64 {
        true => {
            " This is below a third: they mostly make the same mistakes, and their agreement proves little."
        }
        false => "",
    };
    Some(Finding {
        n: all.len(),
        value: Some(worth),
        ..Finding::of_figures(
            CheckKind::IndependentVotes,
            format!("{number} judges count like {worth:.1} independent ones.{few}"),
        )
    })
}

/// Returns 1 where a judge does not agree with people and 0 where it does: about grades on one scale, or about which of
/// two documents is the better one.
fn errors(votes: &Votes, human_labels: &BTreeMap<Place, f64>) -> BTreeMap<Judged, f64> {
    let wrong = |is: bool| f64::from(u8::from(is));
    if votes.grades.is_empty() {
        let pair = |(judged, lead): (Judged, i64)| {
            let (query, low, high) = judged;
            let order = human_labels.get(&(query, low))? - human_labels.get(&(query, high))?;
            (order != 0.0 && lead != 0).then(|| (judged, wrong((lead > 0) != (order > 0.0))))
        };
        return votes.directions().into_iter().filter_map(pair).collect();
    }
    let both =
        || votes.grades.iter().filter_map(|(place, grade)| Some((place, *grade, *human_labels.get(place)?)));
    // Places are in the order of queries, and so are the grades on one scale.
    let graded: Vec<Graded> = both().map(|(place, one, other)| (place.0, one, other)).collect();
    both()
        .zip(on_one_scale(graded))
        .map(|((place, ..), (_, one, other))| ((place.0, place.1, place.1), wrong(one != other)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graded(grade: impl Fn(u32) -> f64) -> Votes {
        let grades = (0..60).map(|at| ((at as usize / 6, Item(at % 6)), grade(at))).collect();
        Votes { grades, pairs: Vec::new() }
    }

    #[test]
    fn judges_that_err_as_one_are_worth_one() {
        let human_labels = graded(|at| f64::from(at % 3)).grades;
        let slip = |every: u32| graded(move |at| f64::from((at + u32::from(at % every == 0)) % 3));
        let together = independent(&[slip(4), slip(4), slip(4), slip(4)], &human_labels).unwrap();
        assert!(together.value.is_some_and(|worth| (worth - 1.0).abs() < 1e-9), "{together:?}");
        assert!(
            together.figures.starts_with("4 judges count like 1.0 independent ones."),
            "{}",
            together.figures
        );
        assert!(together.figures.contains("below a third"));
        // Errors at every fourth and every fifth document of 60 meet at three, as often as by chance.
        let apart = independent(&[slip(4), slip(5)], &human_labels).unwrap();
        assert!(apart.value.is_some_and(|worth| (worth - 2.0).abs() < 1e-9), "{apart:?}");
        assert!(!apart.figures.contains("third"), "{}", apart.figures);
        assert_eq!(independent(&[slip(4)], &human_labels), None);
        let unknown = independent(&[slip(4), slip(5)], &BTreeMap::new()).unwrap();
        assert_eq!((unknown.value, unknown.n), (None, 0));
    }
}
