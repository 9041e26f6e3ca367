//! Checks whether a judge prefers systems of its own model family.

use std::collections::BTreeMap;

use llull_core::Item;
use llull_stats::{BootstrapOptions, mean_interval};

use crate::family::is_of_family;
use crate::finding::Finding;
use crate::reference::{Place, Reference};
use crate::{
    AuditOptions, AuditedCollection, AuditedJudge, AuditedSystem, CheckKind, CheckOutcome, model_family,
};

/// Returns how far a judge rates the systems of its own family above its reference, compared with the other systems.
/// `None` unless a system has the family of the judge's model, by its setting or by its name.
///
/// For each query it is the mean over the family's systems of (the judge's worth of their first documents less the
/// reference's), less the same of the other systems, in standard deviations of a judge's grades. It is always a
/// warning, since a shared family is a reason for doubt that figures do not remove.
pub(crate) fn same_family(
    judge: &AuditedJudge,
    own: &BTreeMap<Place, f64>,
    others: &[&BTreeMap<Place, f64>],
    reference: Option<&Reference<'_>>,
    collection: &AuditedCollection,
    options: &AuditOptions,
) -> Option<Finding> {
    let model = judge.model.as_deref().unwrap_or(&judge.judge);
    let shares = |system: &&AuditedSystem| match (&system.reranked_by, &system.family) {
        (Some(reranker), _) if is_same_model(model, reranker) || shares_family(model, reranker) => true,
        (_, Some(said)) => is_of_family(model, said),
        (_, None) => shares_family(model, &system.name),
    };
    let (related, rest): (Vec<_>, Vec<_>) = collection.systems.iter().partition(shares);
    if related.is_empty() {
        return None;
    }
    let shared = relation(model, &related);
    let remedy = "Read the result without this judge before you act on it.";
    let surplus = Surplus { own, others, depth: options.depth };
    let differences: Vec<f64> = (0..collection.documents.len())
        .filter_map(|query| Some(surplus.of(&related, query)? - surplus.of(&rest, query)?))
        .collect();
    let bootstrap =
        BootstrapOptions { confidence: options.confidence, ..BootstrapOptions::new(options.seed) };
    // With too few queries its ends are infinite: then the finding has no interval.
    let interval = mean_interval(&differences, &bootstrap).ok().filter(|interval| interval.low.is_finite());
    let nothing = |why: &str| Finding {
        at_least: CheckOutcome::Warning,
        remedy,
        ..Finding::of_figures(CheckKind::SameFamily, format!("{shared} {why}"))
    };
    if differences.is_empty() {
        return Some(nothing("There are no other judges or systems to compare with."));
    }
    let value = differences.iter().sum::<f64>() / differences.len() as f64;
    let held = reference.map_or("the others", |reference| reference.against.words());
    let side = if value < 0.0 { "below" } else { "above" };
    Some(Finding {
        n: differences.len(),
        value: Some(value),
        interval: interval.map(|interval| (interval.low, interval.high)),
        chance: Some(0.0),
        ..nothing(&format!(
            "Compared with {held}, it rates them {:.2} standard deviations {side} other systems ({} queries).",
            value.abs(),
            differences.len()
        ))
    })
}

/// Describes what a judge's model shares with these systems.
fn relation(model: &str, related: &[&AuditedSystem]) -> String {
    let of_reranker = |system: &AuditedSystem, is: fn(&str, &str) -> bool| {
        system.reranked_by.as_deref().is_some_and(|reranker| is(model, reranker))
    };
    let (ordered, rest): (Vec<_>, Vec<_>) =
        related.iter().copied().partition(|system| of_reranker(system, is_same_model));
    let mut sentences = Vec::new();
    if !ordered.is_empty() {
        let names: Vec<&str> = ordered.iter().map(|system| system.name.as_str()).collect();
        sentences
            .push(format!("The judge's own model, {model}, ordered the results of {}.", names.join(", ")));
    }
    let mut by_family: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for system in rest {
        let (name, said) = match of_reranker(system, shares_family) {
            true => (format!("the reranker of {}", system.name), None),
            false => (system.name.clone(), system.family.as_deref()),
        };
        by_family.entry(said.or(model_family(model)).unwrap_or(model)).or_default().push(name);
    }
    sentences.extend(by_family.iter().map(|(family, names)| {
        format!("The judge and {} are of one model family, {family}.", names.join(", "))
    }));
    sentences.join(" ")
}

/// Whether two names are of one model, whatever providers and spellings they have.
fn is_same_model(model: &str, other: &str) -> bool {
    let last = |name: &str| name.trim().rsplit('/').next().unwrap_or_default().to_lowercase();
    last(model) == last(other)
}

/// Whether two names show one family of models.
fn shares_family(model: &str, name: &str) -> bool {
    model_family(name).is_some_and(|family| model_family(model) == Some(family))
}

/// How much better a judge finds a system's documents than others do.
struct Surplus<'a> {
    own: &'a BTreeMap<Place, f64>,
    others: &'a [&'a BTreeMap<Place, f64>],
    depth: usize,
}

impl Surplus<'_> {
    /// Returns the mean over systems; `None` where no document of theirs has both.
    fn of(&self, systems: &[&AuditedSystem], query: usize) -> Option<f64> {
        let of_systems: Vec<f64> = systems
            .iter()
            .filter_map(|system| {
                let shown = system.rankings.get(query)?.iter().take(self.depth);
                mean(shown.filter_map(|&item| self.of_document((query, item))))
            })
            .collect();
        mean(of_systems.into_iter())
    }

    fn of_document(&self, place: (usize, Item)) -> Option<f64> {
        let own = self.own.get(&place)?;
        Some(own - mean(self.others.iter().filter_map(|other| other.get(&place).copied()))?)
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut n) = (0.0, 0.0);
    for value in values {
        sum += value;
        n += 1.0;
    }
    (n > 0.0).then(|| sum / n)
}

#[cfg(test)]
mod tests {
    use llull_core::Seed;

    use super::*;
    use crate::{AskedAs, GradedAnswer, JudgeCheck, judge_checks};

    const QUERIES: usize = 20;

    /// Numbers from 0 to 1 that depend only on `of`.
    fn uniform(of: [u64; 4]) -> f64 {
        (Seed(of[0]).stream(&format!("{of:?}")) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Three judges, the first of which is GPT's and adds `favour` to documents 0 to 4; the systems return 0 to 4, 5 to
    /// 9 and 10 to 14 of each query.
    fn audited(seed: u64, favour: f64, names: [&str; 3], family: Option<&str>) -> Vec<JudgeCheck> {
        let grade = |judge: u64, query: usize, item: u32| {
            let true_grade = 3.0 * uniform([seed, 9, query as u64, u64::from(item)]);
            let error = uniform([seed, judge, query as u64, u64::from(item)]) - 0.5;
            let favour = if judge == 0 && item < 5 { favour } else { 0.0 };
            (true_grade + error + favour).round().clamp(0.0, 3.0)
        };
        let answers = |judge: u64| {
            let places = (0..QUERIES).flat_map(|query| (0..15).map(move |item| (query, item)));
            let answer = |(query, item): (usize, u32)| GradedAnswer {
                query,
                document: Item(item),
                grade: grade(judge, query, item),
                asked_as: AskedAs::Vote,
                rationale: None,
            };
            places.map(answer).collect()
        };
        let judges: Vec<AuditedJudge> = (0..3_u64)
            .zip(["openai/gpt-4o", "claude-x", "llama-3"])
            .map(|(judge, model)| AuditedJudge {
                judge: format!("j{judge}"),
                model: Some(model.to_owned()),
                graded: answers(judge),
                ..AuditedJudge::default()
            })
            .collect();
        let systems = names.iter().enumerate().map(|(at, name)| AuditedSystem {
            name: (*name).to_owned(),
            family: family.filter(|_| at == 0).map(str::to_owned),
            reranked_by: None,
            rankings: vec![(0..5).map(|rank| Item::at(5 * at + rank)).collect(); QUERIES],
        });
        let documents = vec![vec![crate::ShownDocument::default(); 15]; QUERIES];
        let collection =
            AuditedCollection { documents, systems: systems.collect(), ..AuditedCollection::default() };
        let mut found = judge_checks(&judges, &collection, &AuditOptions::new(Seed(seed)));
        found.retain(|check| check.kind == CheckKind::SameFamily);
        found
    }

    #[test]
    fn who_prefers_its_own_family_is_seen_and_who_does_not_is_seen_not_to() {
        let mut covered = 0;
        for seed in 0..20 {
            let [partial] = &audited(seed, 1.0, ["rerank-gpt", "bm25", "dense"], None)[..] else { panic!() };
            assert_eq!(
                (partial.judge.as_str(), partial.outcome, partial.n),
                ("j0", CheckOutcome::Warning, QUERIES)
            );
            assert!(partial.low.is_some_and(|low| low > 0.3), "{partial:?}");
            assert!(
                partial.finding.contains(" standard deviations above other systems (20 q"),
                "{partial:?}"
            );
            let [strict] = &audited(seed, -1.0, ["rerank-gpt", "bm25", "dense"], None)[..] else { panic!() };
            assert!(strict.value.is_some_and(|value| value < 0.0), "{strict:?}");
            assert!(strict.finding.contains(" standard deviations below other systems (20 q"), "{strict:?}");
            assert!(!strict.finding.contains("them -"), "{strict:?}");
            let [fair] = &audited(seed, 0.0, ["rerank-gpt", "bm25", "dense"], None)[..] else { panic!() };
            assert_eq!(fair.outcome, CheckOutcome::Warning, "a shared family is said all the same");
            covered +=
                usize::from(fair.low.zip(fair.high).is_some_and(|(low, high)| low <= 0.0 && 0.0 <= high));
        }
        assert!(covered >= 17, "{covered} of 20");
    }

    #[test]
    fn a_system_that_the_judges_model_ordered_is_named() {
        let reranked = |model: &str| {
            let judge =
                AuditedJudge { judge: "j".into(), model: Some(model.into()), ..AuditedJudge::default() };
            let system = |name: &str, by: Option<&str>, family: Option<&str>| AuditedSystem {
                name: name.into(),
                reranked_by: by.map(str::to_owned),
                family: family.map(str::to_owned),
                ..AuditedSystem::default()
            };
            let systems = vec![
                system("mine", Some("acme/House-7b"), Some("none")),
                system("theirs", Some("anthropic/claude-x"), Some("none")),
                system("rank-claude", None, None),
                system("bm25", None, None),
            ];
            let collection = AuditedCollection { systems, ..AuditedCollection::default() };
            let found = judge_checks(&[judge], &collection, &AuditOptions::new(Seed(1)));
            found.into_iter().find(|check| check.kind == CheckKind::SameFamily)
        };
        let found = reranked("house-7b").unwrap();
        assert!(
            found.finding.starts_with("The judge's own model, house-7b, ordered the results of mine. "),
            "{found:?}"
        );
        assert_eq!(found.outcome, CheckOutcome::Warning);
        assert_eq!(reranked("openai/gpt-4o"), None);
        let all = "The judge and the reranker of theirs, rank-claude are of one model family, claude. ";
        assert!(reranked("claude-y").unwrap().finding.starts_with(all), "{all}");
        let both = reranked("claude-x").unwrap().finding;
        let own = "The judge's own model, claude-x, ordered the results of theirs. The judge and rank-claude are of ";
        assert!(both.starts_with(own), "{both}");
    }

    #[test]
    fn a_family_that_is_said_goes_before_the_name() {
        let plain = ["mine", "bm25", "dense"];
        assert_eq!(audited(1, 0.0, plain, None), []);
        let said = audited(1, 0.0, plain, Some("GPT"));
        assert!(said[0].finding.starts_with("The judge and mine are of one model family, GPT."), "{said:?}");
        assert_eq!(audited(1, 0.0, ["rerank-gpt", "bm25", "dense"], Some("none")), []);
        let others: Vec<String> =
            audited(1, 0.0, plain, Some("claude")).into_iter().map(|check| check.judge).collect();
        assert_eq!(others, ["j1"]);
    }
}
