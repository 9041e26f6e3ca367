//! Whether a judge prefers the systems of its own family of models.

use std::collections::BTreeMap;

use llull_core::Item;
use llull_stats::{BootstrapOptions, mean_interval};

use crate::finding::Finding;
use crate::reference::{Place, Reference};
use crate::{AlarmKind, AuditOptions, AuditedCollection, AuditedJudge, AuditedSystem, Concern, model_family};

/// Returns how much better than its reference a judge finds the systems of its own family, beside how it finds the
/// others; `None` unless a system's name names the family of the judge's model.
///
/// For each query: the mean over the family's systems of (the judge's worth of their first documents less the
/// reference's), less the same of the other systems, in standard deviations of a judge's grades. It asks for a look
/// always, for a shared family is a reason for doubt that figures do not remove.
pub(crate) fn same_family(
    judge: &AuditedJudge,
    own: &BTreeMap<Place, f64>,
    others: &[&BTreeMap<Place, f64>],
    reference: Option<&Reference<'_>>,
    collection: &AuditedCollection,
    options: &AuditOptions,
) -> Option<Finding> {
    let family = model_family(judge.model.as_deref().unwrap_or(&judge.judge))?;
    let (related, rest): (Vec<_>, Vec<_>) =
        collection.systems.iter().partition(|system| model_family(&system.name) == Some(family));
    if related.is_empty() {
        return None;
    }
    let names: Vec<&str> = related.iter().map(|system| system.name.as_str()).collect();
    let shared = format!("The judge and {} name one family of models, {family}.", names.join(", "));
    let remedy = "Read the verdict without this judge before acting on it.";
    let surplus = Surplus { own, others, depth: options.depth };
    let differences: Vec<f64> = (0..collection.documents.len())
        .filter_map(|query| Some(surplus.of(&related, query)? - surplus.of(&rest, query)?))
        .collect();
    let bootstrap =
        BootstrapOptions { confidence: options.confidence, ..BootstrapOptions::new(options.seed) };
    // With too few queries for an interval its ends are infinite: there is none then.
    let interval = mean_interval(&differences, &bootstrap).ok().filter(|interval| interval.low.is_finite());
    let nothing = |why: &str| Finding {
        at_least: Concern::Look,
        remedy,
        ..Finding::nothing(AlarmKind::SameFamily, format!("{shared} {why}"))
    };
    if differences.is_empty() {
        return Some(nothing("There is no other judge and there are no other systems to hold that against."));
    }
    let value = differences.iter().sum::<f64>() / differences.len() as f64;
    let held = reference.map_or("the others", |reference| reference.against.words());
    Some(Finding {
        n: differences.len(),
        value: Some(value),
        interval: interval.map(|interval| (interval.low, interval.high)),
        chance: Some(0.0),
        ..nothing(&format!(
            "Beside {held}, it finds them {value:+.2} standard deviations better than it finds other systems, over {} \
             queries.",
            differences.len()
        ))
    })
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
