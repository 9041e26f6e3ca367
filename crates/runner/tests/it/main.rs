//! Tests of the runner's public interface.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // a test that cannot go on has failed
#![allow(clippy::print_stdout)] // how the killed child reports
#![allow(clippy::cloned_ref_to_slice_refs)] // the slice is of `dyn Judge`

mod batches;
mod comparers;
mod evidence;
mod interrupt;
mod judge_stops;
mod judges;
mod keys;
mod kill;
mod knockout;
mod limits;
mod own_reply_checks;
mod provider;
mod refusals;
mod rereading;
mod reuse;
mod score_checks;
mod scores;
mod stage;
mod waves;
