//! What a judge's answers say about the judge.
//!
//! A judge that always takes the first document, tosses a coin or knows one grade still gives every system a figure and
//! every comparison an interval. An [`Alarm`] says what such a judge does that a careful one would not: a statistic of
//! the answers that are there, its interval, what a coin would give, and what to do.
//!
//! ```
//! use llull_audit::{Alarm, AlarmKind, Concern};
//!
//! let alarm = Alarm {
//!     judge: "mini".to_owned(),
//!     kind: AlarmKind::FirstSide,
//!     verdict: Concern::DoNotTrust,
//!     n: 40,
//!     value: Some(1.0),
//!     low: Some(0.91),
//!     high: Some(1.0),
//!     chance: Some(0.5),
//!     advice: "It always takes the first document.".to_owned(),
//! };
//! assert!(alarm.rings());
//! assert_eq!(alarm.kind.name(), "first_side");
//! ```

mod alarm;
mod alarm_kind;
mod answers;
mod concern;

pub use alarm::Alarm;
pub use alarm_kind::AlarmKind;
pub use answers::{AskedAs, AuditedJudge, ComparedAnswer, GradedAnswer, ShownDocument, UnusableAnswer};
pub use concern::Concern;
