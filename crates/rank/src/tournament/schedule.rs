//! Which questions to ask next about what is not known.

use super::asked::Asked;
use super::options::{Schedule, TournamentOptions};
use super::reach::Reach;
use super::standing::Standing;
use super::votes::Votes;

/// All that the choice of questions depends on.
pub(crate) struct Position<'a> {
    pub(crate) options: &'a TournamentOptions,
    pub(crate) votes: &'a Votes,
    pub(crate) reach: &'a Reach,
    pub(crate) standing: &'a Standing,
    pub(crate) asked: &'a Asked,
}

/// An unresolved component that may be among the top, and the item that stands for it.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    component: usize,
    item: u32,
}

/// Disjoint sets of items, each with a pair about which nothing is known; at most `most`, best first.
pub(crate) fn wave(position: &Position<'_>, most: usize) -> Vec<Vec<u32>> {
    let Position { options, standing, .. } = *position;
    let mut left = candidates(position);
    let mut wave = Vec::new();
    let most = if options.schedule == Schedule::Sequential { most.min(1) } else { most };
    while wave.len() < most {
        let Some(batch) = fill(position, &left).or_else(|| rescue(position, &left)) else { break };
        if !wave.is_empty() && !is_worthwhile(position, &batch) {
            break;
        }
        left.retain(|candidate| batch.iter().all(|taken| taken.component != candidate.component));
        wave.push(batch);
    }
    let _ = standing;
    wave.into_iter().map(|batch| batch.into_iter().map(|candidate| candidate.item).collect()).collect()
}

/// Unresolved components by ascending (in-reach, out-reach, prior). With the in-reach of a component at `top` or more it is
/// certainly not among the top and needs no question of its own.
fn candidates(position: &Position<'_>) -> Vec<Candidate> {
    let Position { options, standing, asked, .. } = *position;
    standing
        .components
        .iter()
        .enumerate()
        .filter(|(_, component)| !component.resolved && component.above < options.top)
        .filter_map(|(at, component)| {
            let item = component.items.iter().copied().find(|&item| !asked.is_given_up(item))?;
            Some(Candidate { component: at, item })
        })
        .collect()
}


fn variant() -> (usize, f64) {
    static V: std::sync::OnceLock<(usize, f64)> = std::sync::OnceLock::new();
    *V.get_or_init(|| (std::env::var("V").ok().and_then(|v| v.parse().ok()).unwrap_or(6), std::env::var("W").ok().and_then(|v| v.parse().ok()).unwrap_or(1.0)))
}
fn fill(position: &Position<'_>, left: &[Candidate]) -> Option<Vec<Candidate>> {
    let k = position.options.window;
    let (v, w) = variant();
    let known = |a: &Candidate, b: &Candidate| position.standing.is_known(a.component, b.component, position.votes, position.reach);
    let above = |c: &Candidate| position.standing.components[c.component].above as f64;
    let below = |c: &Candidate| position.standing.components[c.component].below as f64;
    let mut left = left.to_vec();
    let n = position.votes.items() as f64;
    if v == 2 || v == 5 {
        left.sort_by(|a, b| ((above(a)+w)/(above(a)+below(a)+2.0*w)).total_cmp(&((above(b)+w)/(above(b)+below(b)+2.0*w))).then(a.item.cmp(&b.item)));
    }
    let mut batch: Vec<Candidate> = Vec::new();
    if v == 0 || v == 2 { batch = left.iter().copied().take(k).collect(); }
    if v == 1 || v == 5 {
        for c in &left { if batch.len() < k && (batch.is_empty() || batch.iter().any(|b| !known(b, c))) { batch.push(*c); } }
    }
    if v == 3 || v == 4 {
        // greedy: unknown pairs with batch, minus w * position
        while batch.len() < k {
            let best = left.iter().enumerate().filter(|(_, c)| batch.iter().all(|b| b.component != c.component)).map(|(at, c)| {
                let unknown = batch.iter().filter(|b| !known(b, c)).count() as f64;
                let cost = if v == 3 { at as f64 } else { above(c) };
                (unknown - w * cost, c)
            }).fold(None, |best: Option<(f64, &Candidate)>, x| if best.is_none_or(|b| x.0 > b.0) { Some(x) } else { best });
            let Some((_, c)) = best else { break };
            batch.push(*c);
        }
    }
    if v == 6 {
        // unknown counts as tie-break: among (above) equal, fewest known in total
        left.sort_by(|a, b| above(a).total_cmp(&above(b)).then((below(a) > 0.0).cmp(&(below(b)>0.0))).then((w*below(b)).total_cmp(&(w*below(a)))).then(a.item.cmp(&b.item)));
        batch = left.iter().copied().take(k).collect();
    }
    if v == 7 {
        left.sort_by(|a, b| (above(a)+w*below(a)).total_cmp(&(above(b)+w*below(b))).then(a.item.cmp(&b.item)));
        batch = left.iter().copied().take(k).collect();
    }
    if v == 10 {
        left.sort_by(|a, b| above(a).total_cmp(&above(b)).then((below(a) > 0.0).cmp(&(below(b)>0.0))).then((below(b)).total_cmp(&(below(a)))).then(a.item.cmp(&b.item)));
        let fresh: Vec<Candidate> = left.iter().copied().filter(|c| above(c)+below(c)==0.0).collect();
        if fresh.len() > k {
            let s = fresh.len().div_ceil(k);
            batch = fresh.iter().copied().step_by(s).take(k).collect();
            for c in fresh { if batch.len() < k && batch.iter().all(|b| b.item != c.item) { batch.push(c); } }
        } else { batch = left.iter().copied().take(k).collect(); }
    }
    if v == 11 {
        left.sort_by(|a, b| above(a).total_cmp(&above(b)).then_with(|| if above(a) == 0.0 { below(a).total_cmp(&below(b)) } else { below(b).total_cmp(&below(a)) }).then(a.item.cmp(&b.item)));
        batch = left.iter().copied().take(k).collect();
    }
    if v == 12 {
        let unknown = |c: &Candidate| n - 1.0 - above(c) - below(c);
        left.sort_by(|a, b| if above(a) == 0.0 || above(b) == 0.0 { above(a).total_cmp(&above(b)).then(below(a).total_cmp(&below(b))) } else { (above(a) + w * unknown(a)).total_cmp(&(above(b) + w * unknown(b))) }.then(a.item.cmp(&b.item)));
        batch = left.iter().copied().take(k).collect();
    }
    if v == 8 {
        // as v0 but leave the last w members to candidates from further down: those with most unknown
        let take = k.saturating_sub(w as usize);
        batch = left.iter().copied().take(take).collect();
        let mut rest: Vec<Candidate> = left.iter().copied().skip(take).collect();
        rest.sort_by_key(|c| std::cmp::Reverse(left.iter().filter(|o| !known(o, c)).count()));
        if batch.iter().any(|c| above(c) > 0.0) { batch.extend(rest.into_iter().take(k - batch.len())); } else { batch = left.iter().copied().take(k).collect(); }
    }
    if v == 9 {
        // expected rank with pools: above + w * unknown
        let unknown = |c: &Candidate| left.iter().filter(|o| !known(o, c)).count() as f64;
        let mut keyed: Vec<(f64, Candidate)> = left.iter().map(|c| (above(c) + w * unknown(c), *c)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        if left.iter().filter(|c| above(c) == 0.0).count() > 1 { batch = left.iter().copied().take(k).collect(); } else {
        batch = keyed.into_iter().take(k).map(|x| x.1).collect(); }
    }
    let _ = n;
    has_question(position, &batch).then_some(batch)
}

/// A question about the first candidate of whom something is not known, with those about whom it is not known.
fn rescue(position: &Position<'_>, left: &[Candidate]) -> Option<Vec<Candidate>> {
    let Position { options, standing, asked, votes, reach } = *position;
    left.iter().find_map(|&candidate| {
        let others = (0..standing.components.len())
            .filter(|&other| !standing.is_known(candidate.component, other, votes, reach))
            .filter_map(|component| {
                let items = &standing.components[component].items;
                let item = items.iter().copied().find(|&item| !asked.is_given_up(item))?;
                Some(Candidate { component, item })
            });
        let mut limit = asked.limit(candidate.item, options.window);
        let mut batch = vec![candidate];
        for other in others {
            let narrower = limit.min(asked.limit(other.item, options.window));
            if batch.len() < narrower {
                limit = narrower;
                batch.push(other);
            }
        }
        (batch.len() > 1).then_some(batch)
    })
}

fn has_question(position: &Position<'_>, batch: &[Candidate]) -> bool {
    batch.iter().enumerate().any(|(at, one)| {
        batch[at + 1..]
            .iter()
            .any(|other| !position.standing.is_known(one.component, other.component, position.votes, position.reach))
    })
}

/// Whether a batch may run beside better ones, before their answers are known.
fn is_worthwhile(position: &Position<'_>, batch: &[Candidate]) -> bool {
    fn env(name: &str, default: f64) -> f64 { std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default) }
    static C: std::sync::OnceLock<(f64, f64)> = std::sync::OnceLock::new();
    let (c, f) = *C.get_or_init(|| (env("C", 1.0), env("F", 0.5)));
    let comp = |candidate: &Candidate| &position.standing.components[candidate.component];
    if batch.iter().all(|candidate| comp(candidate).above == 0) { return true; }
    let n = position.votes.items() as f64;
    let expected = batch.iter().map(|candidate| { let it = comp(candidate); (it.above as f64 + 1.0) / ((it.above + it.below) as f64 + 2.0) * (n + 1.0) }).sum::<f64>() / batch.len() as f64;
    let unknown = batch.iter().enumerate().map(|(at, one)| batch[at + 1..].iter().filter(|other| !position.standing.is_known(one.component, other.component, position.votes, position.reach)).count()).sum::<usize>();
    let k = position.options.window;
    expected <= c * position.options.top.min(position.votes.items()) as f64 && unknown as f64 >= f * (k * (k - 1) / 2) as f64
}
