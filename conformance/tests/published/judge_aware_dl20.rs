//! Judge-aware weights of 78 judges, compared with the plain vote.
//!
//! The judges are those of `prompt-sensitivity`, TREC DL 2020; the weights are learnt without a label.

use llull::core::Ballot;
use llull::rank::ratings::{RatingOptions, judge_aware};
use llull_conformance::{PreferredPair, pairwise_dl20_ballots};

/// The share of the surest pairs on which the sign is the human one, an undecided pair counting half.
fn precision(margins: &[f64], coverage: f64) -> f64 {
    let mut sure = margins.to_vec();
    sure.sort_by(|a, b| b.abs().total_cmp(&a.abs()));
    sure.truncate((coverage * margins.len() as f64).round() as usize);
    let right = |margin: &f64| {
        if *margin > 0.0 {
            1.0
        } else if *margin < 0.0 {
            0.0
        } else {
            0.5
        }
    };
    sure.iter().map(right).sum::<f64>() / sure.len() as f64
}

fn margins(pairs: &[PreferredPair], weight: impl Fn(usize) -> f64) -> Vec<f64> {
    let vote = |pair: &PreferredPair| {
        let given = pair.votes.iter().enumerate();
        given.filter_map(|(judge, vote)| Some(weight(judge) * f64::from((*vote)?))).sum()
    };
    pairs.iter().map(vote).collect()
}

#[test]
fn judges_weighted_without_labels() {
    let (ballots, pairs) = pairwise_dl20_ballots();
    let topics: Vec<(usize, &[Ballot])> =
        ballots.iter().map(|(_, topic)| (topic.items.len(), topic.ballots.as_slice())).collect();
    // As near as figures of four places need.
    let options = RatingOptions { tolerance: 1e-4, ..RatingOptions::default() };
    let found = judge_aware(&topics, &options).unwrap();
    let g: Vec<f64> = found.discrimination.iter().map(|judge| judge.unwrap()).collect();
    let plain = margins(&pairs, |_| 1.0);
    let weighted = margins(&pairs, |judge| g[judge]);
    let score = |pair: &PreferredPair, item: llull::core::Item| {
        found.topics[pair.query].scores[item.index()].unwrap()
    };
    let scored: Vec<f64> =
        pairs.iter().map(|pair| score(pair, pair.better) - score(pair, pair.worse)).collect();
    // The plain vote's .866 of `data/README.md` counts its seven draws as wrong.
    for (margins, everything, surest) in
        [(&plain, 0.8682, 0.9579), (&weighted, 0.8744, 0.9612), (&scored, 0.8744, 0.9628)]
    {
        let found = [precision(margins, 1.0), precision(margins, 0.4)];
        assert!((found[0] - everything).abs() < 1e-3 && (found[1] - surest).abs() < 1e-3, "{found:?}");
    }
    // The better half of the judges by human labels is mostly the better half by their own agreement.
    let right = |judge: usize| {
        let given = pairs.iter().filter_map(|pair| pair.votes[judge]);
        given.clone().filter(|vote| *vote == 1).count() as f64 / given.count() as f64
    };
    let half = |of: &dyn Fn(usize) -> f64| {
        let mut judges: Vec<usize> = (0..g.len()).collect();
        judges.sort_by(|a, b| of(*b).total_cmp(&of(*a)));
        judges.truncate(g.len() / 2);
        judges
    };
    let (by_annotators, by_judges) = (half(&right), half(&|judge| g[judge]));
    let both = by_judges.iter().filter(|judge| by_annotators.contains(judge)).count();
    assert!(both >= 30, "{both} of 39");
}
