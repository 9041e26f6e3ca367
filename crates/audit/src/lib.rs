//! Checks judges by statistics of their answers.
//!
//! A judge that always takes the first document, answers at random or uses one grade still gives every system a figure
//! and every comparison an interval. An [`Alarm`] finds such a judge: it has a statistic of the existing answers, its
//! interval, the value by chance, and advice.
//!
//! ```
//! use llull_audit::{AlarmKind, AuditOptions, AuditedCollection, AuditedJudge, Concern, alarms};
//! use llull_audit::{AskedAs, ComparedAnswer};
//! use llull_core::{Item, Seed};
//!
//! // A judge that takes the first document whatever it is, forty times.
//! let always_first = |query| ComparedAnswer {
//!     query,
//!     shown: vec![Item(1), Item(0)],
//!     groups: vec![vec![Item(1)]],
//!     asked_as: AskedAs::Vote,
//!     rationale: None,
//! };
//! let judge = AuditedJudge {
//!     judge: "mini".to_owned(),
//!     compared: (0..40).map(always_first).collect(),
//!     order_randomised: true,
//!     ..AuditedJudge::default()
//! };
//! let alarms = alarms(&[judge], &AuditedCollection::default(), &AuditOptions::new(Seed(1)));
//! assert_eq!((alarms[0].kind, alarms[0].verdict), (AlarmKind::FirstSide, Concern::DoNotTrust));
//! assert_eq!((alarms[0].n, alarms[0].value, alarms[0].chance), (40, Some(1.0), Some(0.5)));
//! ```

mod alarm;
mod alarm_kind;
mod alarms;
mod answers;
mod checks;
mod clustered_ratio;
mod clustered_share;
mod collection;
mod concern;
mod family;
mod finding;
mod options;
mod reference;
mod reversals;
mod worth;

pub use alarm::Alarm;
pub use alarm_kind::AlarmKind;
pub use alarms::alarms;
pub use answers::{
    AskedAs, AuditedJudge, ComparedAnswer, CutPrompts, Disguised, DisguisedAnswer, GradedAnswer,
    ProbedAnswer, ProbedAnswers, ShownAnchors, UnusableAnswer,
};
pub use checks::overlap::word_overlap;
pub use collection::{AuditedCollection, AuditedSystem, HumanPreference, ShownDocument};
pub use concern::Concern;
pub use family::model_family;
pub use options::AuditOptions;
