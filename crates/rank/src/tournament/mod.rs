//! The tournament graph: votes, inferences, schedule and tiers.
//!
//! After BlitzRank (Agrawal, Nguyen, Kiela, arXiv 2602.05448): each answer orders a window of items and so
//! gives an edge for each pair of them; what follows by transitivity needs no question; a strongly connected
//! component is a tier.
//!
//! # State
//! For every pair the weights of the votes for one side, for the other, and for a tie. The side that leads
//! has an edge to the other. Sums are integers in units of 2^-20, so that they do not depend on the order of
//! arrival, and a lead of 16 units or fewer does not count. Reachability is kept as two rows of bits for each
//! item, up and down. A new edge extends them; if votes are overturned and an edge disappears, they are
//! computed anew from the components.
//!
//! **Ties.** Under [`TieRule::Equal`] a tie, and votes that cancel out, are edges both ways: the two items share a
//! component and so a tier. Without an edge, every two tied items would have to be shown together before either is
//! resolved. Then finding the tiers of a judge whose answers are a weak order would take all pairs of each tier. Under
//! [`TieRule::Open`] the judge was not sure: there is no edge, and the pair counts as known and is not repeated.
//!
//! **Finality.** An item is resolved if every other item is known to be above it, below it, or in its
//! component. The tiers from the best down to the first unresolved one are final: they stay, whatever a judge
//! that does not contradict itself answers from now on.
//!
//! # Schedule
//! One item represents each unresolved component that has fewer than `top` items known to be above it;
//! components of lower in-reach come first ([`Schedule`] says how many batches run at the same time). Room
//! that is left in a batch is filled with the best rated items: this costs no call and reveals contradictions
//! where they matter.
//!
//! `llull plan` simulates what that costs; docs/guides/planning-cost.md has its figures. A judge that never errs finds
//! the top 10 of 100 items in random order, 10 at a time, with 14.0 calls: one after the other in the sequential
//! schedule, in 5.0 waves in the balanced one; the parallel one makes 14.7 calls in 3.6 waves.
//!
//! # Leaders
//! A contradiction shows that the judge is noisy: what follows from its votes is as uncertain as they are. So from the
//! first component on that contradictory votes hold together, each wave shows the best 2 `top` items by Bradley-Terry
//! (normal prior, deviation 3), in blocks of the window; if a block was shown before, they are dealt at random. It ends
//! after a wave in which .75 of the top is expected to be right (200 draws of Plackett-Luce scores, whose prior the
//! votes choose), or after 8. Then a tier ends before an item that is worse than its first with a probability above .8.
//! Finality means only that nothing more is compared. With 100 items in random order, window 10, top 10 and 120 queries
//! (the example `leaders`), nDCG@10 of the tiers is
//!
//! | noise | leaders: calls, waves | nDCG@10 | one repetition in cycles: calls, waves | nDCG@10 |
//! |---|---|---|---|---|
//! | 0 | 13.8, 4.8 | 1.000 | 13.8, 4.8 | 1.000 |
//! | .35 | 16.5, 5.3 | .990 | 16.5, 7.2 | .986 |
//! | .5 | 19.1, 6.6 | .979 | 17.8, 8.2 | .964 |
//! | .8 | 23.7, 8.8 | .961 | 20.6, 10.0 | .908 |
//! | 1.2 | 27.2, 10.6 | .902 | 20.3, 10.0 | .797 |
//!
//! Windows of 20 at noise .35 and .5 are .003 below the repetitions, with 2 calls fewer. A tier by components is not
//! used then; [`CycleCount`] still counts cycles.
//!
//! # Cycles
//! With [`rejudge`](TournamentOptions::rejudge), and under the exhaustive schedule, a component that contradictory
//! votes hold together, and not ties alone, is compared again, its weakest pairs first. That goes on until no cycle is
//! left or each of its pairs was shown 1 + `rejudge` times. If it is still cyclic then, it is a tier.
//!
//! **Certainty.** A scheduled tournament infers: a > b and b > c imply a > c, and a judge with c > a gets no question
//! about it. So components are never mixed and their order is the judge's, but a component may be found in parts. No
//! schedule that leaves out a pair can do better: reverse the judge's answer about that pair, and no other answer
//! changes, while everything between the two items becomes one component. (If the last of all beats the first, all are
//! merged.)
//!
//! So certainty about the components of every judge takes every pair, as in [`Schedule::Exhaustive`]; under it nothing
//! is final before every pair was judged that can be compared. For a judge who sees a cycle and reports its members as
//! equal, every schedule finds exactly the components, since a tie is an edge each way.
//!
//! To ask about every pair of n items with k items in a question takes at least ceil(n/k ceil((n-1)/(k-1)))
//! calls (Schönheim, On coverings, Pacific Journal of Mathematics 14, 1964). The exhaustive schedule takes
//! 1.4 to 1.8 times as many: (25, 5) 47 in 13 waves, (100, 10) about 187 in 24, (100, 20) 44 in 14, (500, 10)
//! about 3,860 in 94, and pairs exactly n(n-1)/2.
//!
//! # Order
//! [`TournamentOutcome::order`] is the order of the tiers. Inside a tier it follows a Bradley-Terry rating of
//! all votes, with the prior order as weak evidence: each item has also won and lost some virtual games
//! against the strength that its place in the prior order makes likely. How much a place is worth is fitted
//! to the votes, so that a prior order that the votes do not support has no influence.
//! [`TournamentOutcome::ranking`] is the order of that rating across tiers.
//!
//! With a noisy judge (latent = grade + N(0, .35), answer = latent + N(0, .5), grades 5x3, 10x2, 20x1, 65x0,
//! prior = latent + N(0, 1.2), window 10, top 10, sequential, 400 queries: the example `noise_study`),
//! nDCG@10 with the gain 2^grade - 1 is
//!
//! | calls | components only | Bradley-Terry on the same votes | `order` | `ranking` |
//! |---|---|---|---|---|
//! | 12.9 | .910 | .926 | .929 | .943 |
//! | 19.7, cycles repeated | | .966 | .966 | .970 |
//!
//! With 12.9 calls order is .0024 +- .0012 above Bradley-Terry, and ranking .0164 +- .0041. The one parameter
//! of the rating was chosen on other queries. There, with 400 queries each and 12.9 calls, the differences to
//! Bradley-Terry are: prior order at random, order -.0025 +- .0017 and ranking .0041 +- .0021; noise 0, order
//! 0 and ranking -.0025 +- .0008; three quarters of the calls, ranking .141 +- .014.
//!
//! # Failures
//! A batch without a usable answer is proposed again: in another round, then in halves, then in pairs. After
//! four questions in a row that told nothing about an item, the item is given up; it, and whatever it might
//! be above, stays provisional. Its pairs are not waited for, not even under the exhaustive schedule: what is
//! final there is so by the votes that could be obtained. So the tournament always ends.

pub(crate) mod ballots;
mod bits;
pub(crate) mod components;
mod cycles;
mod exhaustive;
pub(crate) mod history;
mod leaders;
pub(crate) mod options;
pub(crate) mod outcome;
mod panel_cycles;
mod prior_order;
pub(crate) mod reach;
mod rejudge;
mod schedule;
pub(crate) mod state_machine;
mod strength;
mod strongly_connected;
pub(crate) mod votes;

pub use cycles::{CycleCount, PairsAtDistance};
pub use options::{Schedule, TieRule, TournamentError, TournamentOptions};
pub use outcome::{Tier, TournamentOutcome};
pub use panel_cycles::{PanelCycles, PanelPair, panel_cycles, panel_pairs};
pub use state_machine::{Batch, Tournament};
pub use votes::VotesBetween;
