//! Judges that answer by rule, and games against them.

use llull_core::{Ballot, Item, Seed};
use llull_rank::{Batch, Schedule, TieRule, Tournament, TournamentOptions, TournamentOutcome};
use proptest::prelude::*;

/// Orders items by level, best level first; one level is one tie.
pub(crate) fn by_level(levels: &[u32], items: &[Item]) -> Ballot {
    let mut items = items.to_vec();
    items.sort_by_key(|&item| (levels[item.index()], item));
    Ballot::new(items.chunk_by(|a, b| levels[a.index()] == levels[b.index()]).map(<[Item]>::to_vec).collect())
}

/// An order that depends on nothing but the seed, the set and the round, and agrees with nothing.
pub(crate) fn whimsical(seed: u64, batch: &Batch) -> Ballot {
    let of_set = batch
        .items
        .iter()
        .fold(mix(seed, u64::from(batch.round)), |state, &item| mix(state, u64::from(item.0)));
    let mut items = batch.items.clone();
    items.sort_by_key(|&item| mix(of_set, u64::from(item.0)));
    Ballot::strict(items)
}

/// SplitMix64's finaliser.
pub(crate) fn mix(state: u64, word: u64) -> u64 {
    let mut z =
        state.wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_add(word.wrapping_mul(0xD1B5_4A32_D192_ED03));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A permutation: item to rank.
pub(crate) fn ranks(items: usize, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..items as u32).collect();
    order.sort_by_key(|&item| mix(seed, u64::from(item)));
    let mut ranks = vec![0; items];
    for (rank, &item) in order.iter().enumerate() {
        ranks[item as usize] = rank as u32;
    }
    ranks
}

/// Plays to the end; panics if it has none.
pub(crate) fn play(
    tournament: &mut Tournament,
    mut judge: impl FnMut(&Batch) -> Vec<Ballot>,
) -> TournamentOutcome {
    for _ in 0..100_000 {
        let wave = tournament.next(usize::MAX);
        if wave.is_empty() {
            return tournament.outcome();
        }
        check(&wave, tournament);
        for batch in &wave {
            tournament.observe(batch, &judge(batch));
        }
    }
    panic!("the tournament does not end");
}

/// Batches are disjoint, ascending, of 2 to window items.
fn check(wave: &[Batch], tournament: &Tournament) {
    let mut items: Vec<Item> = wave.iter().flat_map(|batch| batch.items.iter().copied()).collect();
    let all = items.len();
    items.sort_unstable();
    items.dedup();
    assert_eq!(items.len(), all, "a wave shows an item twice");
    for batch in wave {
        assert!((2..=tournament.options().window).contains(&batch.items.len()), "{batch:?}");
        assert!(batch.items.is_sorted());
    }
}

pub(crate) fn schedules() -> impl Strategy<Value = Schedule> {
    prop_oneof![
        Just(Schedule::Sequential),
        Just(Schedule::Balanced),
        Just(Schedule::Parallel),
        Just(Schedule::Exhaustive)
    ]
}

prop_compose! {
    /// Any settings.
    pub(crate) fn settings()(
        window in 2..12usize, top in 1..40usize, schedule in schedules(), open in any::<bool>(),
        rejudge in prop::option::of(0..3u32), seed: u64,
    ) -> TournamentOptions {
        let ties = if open { TieRule::Open } else { TieRule::Equal };
        TournamentOptions { window, top, schedule, ties, rejudge, seed: Seed(seed) }
    }
}
