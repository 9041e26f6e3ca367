//! Noise experiments.
use llull_core::Ballot;
use llull_rank::{Outcome, Schedule, Tournament, TournamentOptions};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
fn normal(chance: &mut ChaCha8Rng) -> f64 {
    let (a, b): (f64, f64) = (chance.random(), chance.random());
    (-2.0 * (1.0 - a).ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}
fn env(name: &str, default: f64) -> f64 { std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default) }
fn ndcg(order: &[u32], g: &[u8]) -> f64 {
    let dcg = |v: Vec<u8>| v.iter().take(10).enumerate().map(|(r, &g)| ((1u32 << g) as f64 - 1.0) / (r as f64 + 2.0).log2()).sum::<f64>();
    let mut ideal = g.to_vec(); ideal.sort(); ideal.reverse();
    dcg(order.iter().map(|&i| g[i as usize]).collect()) / dcg(ideal)
}
/// plain Bradley-Terry, l2 regularised lightly (gradient)
fn bt(n: usize, ballots: &[Ballot], prior: f64) -> Vec<u32> {
    let mut w = vec![vec![0.0; n]; n];
    for b in ballots { let it: Vec<u32> = b.items().collect(); for i in 0..it.len() { for j in i+1..it.len() { w[it[i] as usize][it[j] as usize] += 1.0; } } }
    let mut s = vec![1.0f64; n];
    for _ in 0..300 { for i in 0..n { let (mut u, mut d) = (prior / (s[i] + 1.0), prior / (s[i] + 1.0));
        for j in 0..n { if w[i][j] + w[j][i] > 0.0 { let t = s[i] + s[j]; u += w[i][j] * s[j] / t; d += w[j][i] / t; } } s[i] = u / d; } }
    let mut o: Vec<u32> = (0..n as u32).collect(); o.sort_by(|&a, &b| s[b as usize].total_cmp(&s[a as usize]).then(a.cmp(&b))); o
}
/// plain component order: tiers with members in prior order
fn plain(o: &Outcome) -> Vec<u32> { o.tiers.iter().flat_map(|t| { let mut i = t.items.clone(); i.sort(); i }).collect() }
fn main() {
    let seeds = env("S", 300.0) as u64;
    let rejudge = env("R", 0.0) as u32;
    let factor = env("X", 0.0);
    let schedule = [Schedule::Sequential, Schedule::Balanced, Schedule::Parallel][env("SCH", 0.0) as usize];
    let mut sums = vec![0.0; 9]; let mut sq = 0.0; let mut sqb = 0.0;
    for seed in 0..seeds {
        let mut c = ChaCha8Rng::seed_from_u64(seed);
        let mut docs: Vec<(f64, f64, u8)> = (0..100).map(|i| { let g = if i < 5 { 3 } else if i < 15 { 2 } else if i < 35 { 1 } else { 0u8 }; let l = g as f64 + 0.35 * normal(&mut c); (l + 1.2 * normal(&mut c), l, g) }).collect();
        docs.sort_by(|a, b| b.0.total_cmp(&a.0));
        let g: Vec<u8> = docs.iter().map(|d| d.2).collect();
        let run = |rejudge: u32, limit: u64| {
            let mut c = ChaCha8Rng::seed_from_u64(seed ^ 0xabcdef);
            let mut t = Tournament::new(100, TournamentOptions { schedule, rejudge, ..TournamentOptions::default() }).unwrap();
            let mut ballots = Vec::new();
            'o: loop {
                let wave = t.next(usize::MAX);
                if wave.is_empty() { break; }
                for b in &wave {
                    if ballots.len() as u64 >= limit { break 'o; }
                    let mut k: Vec<(f64, u32)> = b.items.iter().map(|&i| (docs[i as usize].1 + 0.5 * normal(&mut c), i)).collect();
                    k.sort_by(|a, b| b.0.total_cmp(&a.0));
                    let ballot = Ballot::new(k.into_iter().map(|x| vec![x.1]).collect());
                    t.observe(b, std::slice::from_ref(&ballot));
                    ballots.push(ballot);
                }
            }
            (t.outcome(), ballots)
        };
        let (base, bb) = run(0, u64::MAX);
        let limit = if factor > 0.0 { (base.calls as f64 * factor).round() as u64 } else { u64::MAX };
        let (o, ballots) = if rejudge > 0 { run(rejudge, limit) } else { (base.clone(), bb.clone()) };
        let ours = ndcg(&o.order, &g); let b = ndcg(&bt(100, &ballots, 0.1), &g);
        let b0 = ndcg(&bt(100, &bb, 0.1), &g);
        for (s, x) in sums.iter_mut().zip([base.calls as f64, ndcg(&plain(&base), &g), b0, o.calls as f64, ndcg(&plain(&o), &g), b, ours, o.waves as f64, o.cycles.largest_component as f64]) { *s += x; }
        sq += (ours - b).powi(2); sqb += (ours - b0).powi(2);
    }
    let n = seeds as f64;
    let m: Vec<f64> = sums.iter().map(|s| s / n).collect();
    let se = |sq: f64, d: f64| ((sq / n - d * d) / n).sqrt();
    println!("base calls {:.2} plain {:.4} bt {:.4} | calls {:.2} plain {:.4} bt {:.4} ours {:.4} | waves {:.1} largest {:.1} | ours-bt {:+.4}±{:.4} ours-bt0 {:+.4}±{:.4}", m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[6]-m[5], se(sq, m[6]-m[5]), m[6]-m[2], se(sqb, m[6]-m[2]));
}
