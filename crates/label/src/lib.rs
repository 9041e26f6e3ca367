//! From verdicts to relevance labels.
//!
//! [`by_median`] turns the votes of a panel into a [`LabelSet`](llull_core::LabelSet), [`Disagreement`] says how far the
//! judges were apart and where. A pair without a usable vote gets no label: it is missing, and stays counted.
//!
//! ```
//! use llull_label::{Disagreement, by_median};
//!
//! // For every pair of the pool one vote a judge; `None` where a judge's answer was not usable.
//! let labels = by_median([
//!     ("q1", "d1", [Some(3), Some(2), Some(3)]),
//!     ("q1", "d2", [Some(0), None, Some(2)]),
//!     ("q1", "d3", [None, None, None]),
//! ]);
//! assert_eq!(labels.get("q1", "d1").map(|label| label.grade), Some(3));
//! assert_eq!(labels.get("q1", "d2").map(|label| (label.grade, label.judges)), Some((0, 2)));
//! assert_eq!(labels.get("q1", "d3"), None);
//! assert_eq!((labels.asked(), labels.labelled()), (3, 2));
//!
//! let disagreement = Disagreement::of(&labels, 10);
//! assert_eq!(disagreement.spreads.get(&2), Some(&1));
//! assert_eq!(disagreement.widest[0].document, "d2");
//! ```

mod disagreement;
mod vote;

pub use disagreement::{Contested, Disagreement};
pub use vote::{by_median, median};
