//! Tournaments with simulated judges on the pools of TREC Deep Learning 2019: how their labels order systems.

use llull::core::{Grade, Item, Qrels, Seed, SplitMix64};
use llull::label::{TierScheme, TierView, ordinal, tournament_rating};
use llull::metrics::Measure;
use llull::rank::TournamentOptions;
use llull::rank::simulate::{NoisyJudge, play};
use llull_conformance::audited::qrels;
use llull_conformance::data;
use llull_conformance::verdicts::JudgedSystems;

/// The documents within each query's top 10 of any run, in the order of their names.
fn pools(systems: &JudgedSystems) -> Vec<(String, Vec<String>)> {
    let mut pools = Vec::new();
    for (query, _) in systems.human.iter() {
        let mut pool: Vec<String> = Vec::new();
        for ranking in systems.runs.iter().filter_map(|run| run.ranking(query)) {
            pool.extend(ranking.iter().take(10).map(|hit| hit.document.to_owned()));
        }
        pool.sort();
        pool.dedup();
        pools.push((query.to_owned(), pool));
    }
    pools
}

/// A normal number, by Box and Muller.
fn normal(stream: &mut SplitMix64) -> f64 {
    let mut uniform = || ((stream.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    let (radius, angle) = ((-2.0 * uniform().ln()).sqrt(), std::f64::consts::TAU * uniform());
    radius * angle.cos()
}

/// The labels of one study: tiers that count from the bottom, by the schedule that repeats pairs of cycles, and ratings
/// by the leaders. A document's worth is its grade + N(0, .35), which the judge sees with this noise.
fn labels(pools: &[(String, Vec<String>)], grades: &Qrels, noise: f64, seed: u64) -> [Qrels; 2] {
    let mut labels = [Qrels::default(), Qrels::default()];
    for (query, pool) in pools {
        let own = Seed(seed).stream(query);
        let mut stream = SplitMix64::new(own);
        let grade = |document: &String| f64::from(grades.grade(query, document).unwrap_or(0).max(0));
        let worth = pool.iter().map(|document| grade(document) + 0.35 * normal(&mut stream)).collect();
        let judge = NoisyJudge { noise, ..NoisyJudge::new(worth, own) };
        for (labels, rejudge) in labels.iter_mut().zip([Some(1), None]) {
            let options = TournamentOptions { rejudge, seed: Seed(own), ..TournamentOptions::default() };
            let outcome = play(&judge, &options, None).unwrap();
            let views: Vec<TierView<'_>> = outcome.tiers.iter().map(TierView::from).collect();
            let given = match rejudge {
                Some(_) => ordinal(pool.len(), &views),
                None => tournament_rating(&outcome),
            };
            for (document, item) in pool.iter().zip(Item::first(pool.len())) {
                if let Some(label) = given[item.index()] {
                    labels.insert(query, document, label.grade);
                }
            }
        }
    }
    labels
}

/// Tau and the share of human verdicts found of four studies, on average, for each measure: by tiers, by ratings.
fn studies(grades: &Qrels, noise: f64, measures: &[(Measure, Measure)]) -> Vec<[[f64; 2]; 2]> {
    let systems = JudgedSystems::dl19();
    let pools = pools(&systems);
    let by_seed: Vec<[Qrels; 2]> = std::thread::scope(|scope| {
        let pools = &pools;
        let threads: Vec<_> =
            (0..SEEDS).map(|seed| scope.spawn(move || labels(pools, grades, noise, seed))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let of = |(human, own): &(Measure, Measure)| {
        let mut means = [[0.0; 2]; 2];
        for made in &by_seed {
            for (mean, labels) in means.iter_mut().zip(made) {
                let found = systems.agreement(*human, labels, *own);
                mean[0] += found.tau / SEEDS as f64;
                mean[1] += found.found as f64 / found.decided as f64 / SEEDS as f64;
                assert!(found.reversed < 3, "{found:?}");
            }
        }
        means
    };
    measures.iter().map(of).collect()
}

const SEEDS: u64 = 4;

/// The note's standard errors over seeds are .006 in tau and .011 in verdicts found, and these means have about as
/// much: about three and a half of both together are allowed.
fn near(what: &str, found: [f64; 2], expected: [f64; 2]) {
    let off = (found[0] - expected[0]).abs() < 0.03 && (found[1] - expected[1]).abs() < 0.04;
    assert!(off, "{what}: {found:.3?}, not {expected:.3?}");
}

fn ndcg() -> [(Measure, Measure); 1] {
    let measure = "nDCG@10".parse().unwrap();
    [(measure, measure)]
}

/// `design/tournament-noise.md`, "Labels": at noise 0 .911, .853 by tiers and .956, .907 by ratings. Measures of
/// relevance by the default cut, with human labels of grade 2 and more.
#[test]
fn a_precise_judge() {
    let cut = TierScheme::Rating.measured_from(2);
    let at = |name: &str| {
        (name.replace('#', "2").parse().unwrap(), name.replace('#', &cut.to_string()).parse().unwrap())
    };
    let relevance = ["P(rel=#)@10", "RR(rel=#)@10", "R(rel=#)@10", "AP(rel=#)"].map(at);
    let human = JudgedSystems::dl19().human;
    let found = studies(&human, 0.0, &[&ndcg()[..], &relevance].concat());
    near("tiers", found[0][0], [0.911, 0.853]);
    near("ratings", found[0][1], [0.956, 0.907]);
    let expected = [("P", 0.890, 0.881), ("RR", 0.755, 0.784), ("R", 0.851, 0.956), ("AP", 0.813, 0.908)];
    for ((name, tau, share), found) in expected.into_iter().zip(&found[1..]) {
        near(name, found[1], [tau, share]);
    }
}

/// The same at noise .8: .861, .793 by tiers, .917, .869 by ratings; .923, .874 with the leaders' votes.
#[test]
fn a_noisy_judge() {
    let found = studies(&JudgedSystems::dl19().human, 0.8, &ndcg());
    near("tiers", found[0][0], [0.861, 0.793]);
    near("ratings", found[0][1], [0.923, 0.874]);
}

/// The same with the grades of GPT-4o (UMBRELA): .890, .916 by ratings of the leaders' votes. The note's .867, .804 by
/// tiers lie within the spread of seeds: these four have .881, .858, and twelve .864, .827, with standard deviations
/// between seeds of .03 and .06.
#[test]
fn a_noisy_judge_with_the_errors_of_a_model() {
    let mut grades = Qrels::default();
    for (query, document, grade) in qrels(data("dl19/labels/umbrela.gpt-4o.qrels.gz")) {
        grades.insert(&query, &document, grade as Grade);
    }
    let found = studies(&grades, 0.8, &ndcg());
    near("ratings", found[0][1], [0.890, 0.916]);
}
