//! Checks judges by statistics of their answers.
//!
//! A judge that always takes the first document, answers at random or uses one grade still gives every system a figure
//! and every comparison an interval. A [`JudgeCheck`] finds such a judge: it has a statistic of the existing answers,
//! its interval, the value by chance, a finding and a remedy.
//!
//! ```
//! use llull_audit::{CheckKind, AuditOptions, AuditedCollection, AuditedJudge, CheckOutcome, judge_checks};
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
//! let checks = judge_checks(&[judge], &AuditedCollection::default(), &AuditOptions::new(Seed(1)));
//! assert_eq!((checks[0].kind, checks[0].outcome), (CheckKind::FirstSide, CheckOutcome::Failed));
//! assert_eq!((checks[0].n, checks[0].value, checks[0].chance), (40, Some(1.0), Some(0.5)));
//! ```

mod answers;
mod check_kind;
mod check_outcome;
mod checks;
mod clustered_ratio;
mod clustered_share;
mod collection;
mod family;
mod finding;
mod judge_check_result;
mod judge_checks;
mod options;
mod order_agreement;
mod reference;
mod reversals;

pub use answers::{
    AskedAs, AuditedJudge, ComparedAnswer, CutPrompts, Disguised, DisguisedAnswer, GradedAnswer,
    ProbedAnswer, ProbedAnswers, ShownAnchors, UnusableAnswer,
};
pub use check_kind::CheckKind;
pub use check_outcome::CheckOutcome;
pub use checks::near_copies::{WordSet, near_copies};
pub use checks::overlap::word_overlap;
pub use collection::{AuditedCollection, AuditedSystem, HumanPreference, ShownDocument};
pub use family::model_family;
pub use judge_check_result::JudgeCheck;
pub use judge_checks::judge_checks;
pub use options::AuditOptions;
pub use order_agreement::order_agreement;
