//! `llull measure --sort`: systems in the order of their figures.

use anyhow::Result;
use llull::metrics::{DiversityMeasure, Measure, WrittenMeasure, trec_eval_measures};

use super::rows::{Column, SystemRows};
use crate::args::MeasureArgs;
use crate::exit::refuse;

/// The places of the systems in the chosen order: the best first, equal ones in the given order, those without a figure
/// last. `None` without a chosen order.
pub(super) fn sorted(args: &MeasureArgs, systems: &[SystemRows<'_>]) -> Result<Option<Vec<usize>>> {
    let (Some(wanted), Some(first)) = (&args.sort, systems.first()) else { return Ok(None) };
    let names = names_of(wanted, args);
    let typed: Option<WrittenMeasure> = wanted.parse().ok();
    let is_named = |column: &Column| {
        let [name, trec_eval] = [&column.name, &column.trec_eval].map(|name| name.trim());
        names.iter().any(|known| known == name || known == trec_eval || format!("Z({known})") == name)
    };
    // A study adds its rubric's cutoff to measures without one.
    let is_at_cutoff = |column: &Column| {
        let (Some(typed), Ok(measure)) = (&typed, column.name.trim().parse::<Measure>()) else {
            return false;
        };
        typed.at_level(measure.relevant().unwrap_or_default()) == measure
    };
    let column = |is_it: &dyn Fn(&Column) -> bool| first.columns.iter().position(is_it);
    // A column at a cutoff must not hide one that has exactly this name.
    let Some(place) = column(&is_named).or_else(|| column(&is_at_cutoff)) else {
        let known: Vec<&str> = first.columns.iter().map(|column| column.name.as_str()).collect();
        refuse!("--sort {wanted}: not among the measures, which are {}; add -m {wanted}", known.join(", "));
    };
    let figure = |system: usize| systems.get(system)?.overall.get(place)?.value;
    let ascending = first.columns.get(place).is_some_and(|column| column.ascending);
    let mut places: Vec<usize> = (0..systems.len()).collect();
    places.sort_by(|a, b| match (figure(*a), figure(*b)) {
        (Some(a), Some(b)) if ascending => a.total_cmp(&b),
        (Some(a), Some(b)) => b.total_cmp(&a),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    Ok(Some(places))
}

/// Puts systems into the order of `places`.
pub(super) fn reorder<T>(items: Vec<T>, places: &[usize]) -> Vec<T> {
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    places.iter().filter_map(|place| items.get_mut(*place)?.take()).collect()
}

/// The possible names of a measure in the figures: the typed one, and llull's own.
fn names_of(asked: &str, args: &MeasureArgs) -> Vec<String> {
    let mut names = vec![asked.to_owned()];
    if let Ok([named]) = trec_eval_measures(asked).as_deref() {
        names.push(args.level.map_or(named.measure, |level| named.measure.at_level(level)).to_string());
    }
    if let Ok(measure) = asked.parse::<DiversityMeasure>() {
        names.push(measure.at_level(args.level.unwrap_or_default()).to_string());
    }
    names
}
