//! Makes relevance labels of verdicts.
//!
//! [`labels_by`] turns the votes of a panel into a [`LabelSet`](llull_core::LabelSet); [`Disagreement`] measures how
//! far the judges disagree, and where. A pair without a usable vote gets no label: it is missing, and still counted.
//!
//! ```
//! use llull_label::{Disagreement, labels_by, panel_label};
//!
//! // For every pair of the pool one vote per judge; `None` if a judge's answer was not usable.
//! let votes = [
//!     ("q1", "d1", [Some(3), Some(2), Some(3)]),
//!     ("q1", "d2", [Some(0), None, Some(2)]),
//!     ("q1", "d3", [None, None, None]),
//! ];
//! let labels = labels_by(panel_label, votes);
//! assert_eq!(labels.get("q1", "d1").map(|label| label.grade), Some(3));
//! assert_eq!(labels.get("q1", "d2").map(|label| (label.grade, label.judges)), Some((0, 2)));
//! assert_eq!(labels.get("q1", "d3"), None);
//! assert_eq!((labels.asked(), labels.labelled()), (3, 2));
//!
//! let disagreement = Disagreement::of(&labels, 10);
//! assert_eq!(disagreement.spreads.get(&2), Some(&1));
//! assert_eq!(disagreement.widest[0].document, "d2");
//! ```
//!
//! Labels from comparisons start from tiers, best first ([`TierView`], or [`rating_tiers`] from ratings). A
//! [`TierScheme`] names one of five schemes:
//!
//! | scheme | a grade is | by |
//! |---|---|---|
//! | `rating` | from 0 to 10, for the whole pool, by a rating of the documents | [`rating()`], [`tournament_rating`] |
//! | `ordinal` | the number of tiers below | [`ordinal`] |
//! | `geometric` | a gain that halves from tier to tier | [`geometric`] |
//! | `binary(t)` | 1 in the best `t` tiers | [`binary`] |
//! | `anchored` | on the rubric's scale, fitted to the grades of some members | [`anchors`], [`anchored()`] |
//!
//! ```
//! use llull_core::Ballot;
//! use llull_label::{TierView, ordinal};
//!
//! let votes = [Ballot::of([[2], [0], [1]])];
//! let outcome = llull_rank::tiers(3, &votes, llull_rank::TieRule::Equal);
//! let tiers: Vec<TierView> = outcome.tiers.iter().map(TierView::from).collect();
//! let grades: Vec<_> = ordinal(3, &tiers).iter().flatten().map(|label| label.grade).collect();
//! assert_eq!(grades, [1, 0, 2]);
//! ```

mod anchored;
mod base_calibration;
mod binary;
mod calibration;
pub mod cascade;
mod disagreement;
mod geometric;
mod grade_map;
mod isotonic;
mod levels;
mod linear_system;
mod lower_middle_bias;
mod median;
mod ordinal;
pub mod panel;
mod rating;
mod rating_tiers;
mod split;
mod sum_rule;
mod tier_scheme;
mod tier_view;

pub use anchored::{AnchorError, Anchored, AnchoredLevel, Contradiction, anchored, anchors};
pub use base_calibration::{BaseCalibration, LEAST_OVERLAP};
pub use binary::binary;
pub use calibration::{
    BetaCurve, CalibratedGrade, Calibration, CalibrationError, CalibrationMethod, CutAgreement, GradedTwice,
    JudgeSeverity, Link, OrderedCell, OrderedFit, calibrate, cut_agreements, fit_ordered,
};
pub use disagreement::{Contested, Disagreement};
pub use geometric::geometric;
pub use grade_map::{GradeMap, GradeMapError};
pub use isotonic::{WeightedValue, never_increasing};
pub use lower_middle_bias::LowerMiddle;
pub use median::{label_among, labels_by, median, panel_label};
pub use ordinal::ordinal;
pub use rating::{HIGHEST_RATING, rating, tournament_rating};
pub use rating_tiers::{Incomparable, rating_tiers};
pub use split::{Split, split};
pub use sum_rule::{SumRule, SumRuleError};
pub use tier_scheme::{SchemeError, TierScheme};
pub use tier_view::TierView;
