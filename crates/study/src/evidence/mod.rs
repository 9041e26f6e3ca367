//! A study's answers in its ledger; all results are functions of them.
//!
//! `judging/build_evidence.rs` builds [`StudyEvidence`] from a run or a ledger.

mod asked_again;
mod ballots;
mod error;
mod labels;
mod ledger_ballots;
mod missing_pairs;
mod pair_details;
mod pair_features;
mod shown_together;
mod study_evidence;

pub use asked_again::{
    AskedAgain, ProbeEvidence, ProbedQuestion, ProbedTask, Recheck, RecheckEvidence, RecheckedQuestion,
    TaskAgain,
};
pub(crate) use ballots::{Votes, ballot, votes};
pub use error::LedgerError;
pub(crate) use labels::{beside_base, fit_anchors, tier_labels, too_few_tiers, with_base};
pub use ledger_ballots::{BallotOptions, LedgerBallots, ledger_ballots};
pub use missing_pairs::MissingPairs;
pub(crate) use pair_features::{PairAnswers, choice, pair_answers};
pub use shown_together::{ShownTogether, shown_together};
pub use study_evidence::{ComparedAnswers, ComparedQuery, GradedAnswers, StudyAnswers, StudyEvidence};
