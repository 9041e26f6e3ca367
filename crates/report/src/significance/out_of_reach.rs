//! Explains why no pair of a family can be significant.

use llull_stats::{Correction, PairTest};

use super::family::{Family, Tests};
use super::legend::test_name;
use crate::text::{count, counted};

/// The reasons why no pair of a table can be significant, with advice.
pub(super) fn notes(topics: usize, tests: &Tests) -> Vec<String> {
    let fewer = match tests.family {
        _ if !tests.is_only_corrected_away() => "",
        Family::AllPairs => {
            ", or fewer pairs: fewer systems, or each with the baseline only; or the correction bh"
        }
        Family::Baseline => ", or fewer systems, or the correction bh",
    };
    out_of_reach(topics, tests, fewer).into_iter().collect()
}

/// Explains why no pair of a family, or no pair with a drawn p, can be significant whatever its figures are. It adds
/// how many queries or draws would be enough, and then `instead`: the alternative.
pub fn out_of_reach(topics: usize, tests: &Tests, instead: &str) -> Option<String> {
    let holm = tests.correction == Correction::Holm && tests.tested > 1;
    let after = if holm { " after Holm's correction" } else { "" };
    let none = match tests.out_of_reach {
        1 if tests.tested == 1 => "the one pair cannot".to_owned(),
        1 => "the one pair whose p is drawn cannot".to_owned(),
        all if all == tests.tested => format!("none of the {} can", counted(all, "pair")),
        drawn => format!("none of the {} whose p is drawn can", counted(drawn, "pair")),
    };
    let head = format!("{none} be significant at {}{after}, whatever the figures:", tests.significance);
    let name = test_name(tests.name);
    if let Some((needed, draws)) = tests.draws_needed.zip(tests.draws) {
        let (draws, needed) = (count(draws), count(needed));
        return Some(format!(
            "{head} {draws} draws of the {name} are too few. It takes at least {needed}{instead}"
        ));
    }
    let needed = tests.topics_needed?;
    // The bootstrap draws all queries, the others those that differ.
    let of_all = tests.name == PairTest::Bootstrap;
    let few = if of_all { topics } else { tests.most_differing };
    let are = if few == 1 { "is" } else { "are" };
    let differing = counted(few, "query");
    Some(match few == topics {
        true => {
            format!("{head} {differing} {are} too few for the {name}. It takes at least {needed}{instead}")
        }
        false => format!(
            "{head} no two systems differ on more than {differing} of {}, too few for the {name}. They must \
             differ on at least {needed}{instead}",
            count(topics)
        ),
    })
}
