//! `llull collect`: many studies in one table, and one overall figure.

use std::collections::BTreeSet;
use std::io::{self, Write};

use anyhow::Result;
use llull::core::Seed;
use llull::data::{Cell, SheetFormat, write_row};
use llull::report::DifferenceUnder;
use llull::report::text::{
    ABSENT, Table, confidence, count, counted, difference_interval, escape, figures, interval, percent,
    table_difference, table_figure, words, wrapped,
};
use llull::stats::BootstrapOptions;
use llull::{
    CollectedSystem, Collection, CollectionOutcome, Collections, CollectionsError, OverallMean, OverallSystem,
};

use super::Context;
use super::file_arguments::place;
use super::format::table;
use crate::args::{CollectArgs, Format};
use crate::exit::{Exit, refuse};

pub(crate) fn run(context: &Context, args: &CollectArgs) -> Result<Exit> {
    let mut known = BTreeSet::new();
    for study in &args.studies {
        let report = if study.is_dir() { study.join("report.json") } else { study.clone() };
        if !known.insert(place(&report)) {
            refuse!("{} is named twice: each study counts once in the overall figures", study.display());
        }
    }
    let found = match Collections::of(&args.studies, BootstrapOptions::new(Seed(SEED))) {
        Ok(found) => found,
        Err(error @ CollectionsError::NoReport) => {
            context.printer.error(&error);
            return Ok(Exit::Incomplete);
        }
        Err(error) => return Err(error.into()),
    };
    match context.format(args.format) {
        Format::Json => context.printer.json(&found)?,
        Format::Csv => context.printer.stream(|out| csv(&found, out))?,
        format => {
            context.printer.result(table(format, &collections(&found)))?;
            if found.counted > 0 {
                context.printer.result(format!("\n{}", table(format, &overall(&found))))?;
            }
            if !found.families.is_empty() {
                context.printer.result(format!("\n{}", table(format, &families(&found))))?;
            }
            let origin = match format {
                Format::Markdown => origin(&found, escape),
                _ => wrapped(&origin(&found, str::to_owned), 100, "", ""),
            };
            context.printer.result(format!("\n{origin}"))?;
        }
    }
    let is_open = |found: &Collection| {
        matches!(found.outcome, CollectionOutcome::Incomplete | CollectionOutcome::NoReport)
    };
    Ok(if found.collections.iter().any(is_open) { Exit::Incomplete } else { Exit::Fine })
}

/// The seed of the resamples of collections, which belong to no study.
const SEED: u64 = 42;

/// A row for each system of each collection; the first has the name and the coverage.
fn collections(found: &Collections) -> Table {
    let others = found.collections.iter().filter_map(|of| of.old_measure.as_deref());
    let measures: BTreeSet<&str> = others.chain(found.old_measure.as_deref()).collect();
    let old = match measures.len() {
        0 | 1 => format!("{} old", measures.first().unwrap_or(&found.measure.as_str())),
        _ => "old".to_owned(),
    };
    let mut columns = vec![
        words("collection"),
        figures("labelled"),
        words("system"),
        figures(old),
        figures("queries"),
        figures(format!("{} new", found.measure)),
        figures("queries"),
        figures("difference, old"),
        words("verdict"),
        figures("difference, new"),
        words("verdict"),
    ];
    columns.extend((measures.len() > 1).then(|| words("old measure")));
    let row = |collection: &Collection, at: usize, system: Option<&CollectedSystem>| {
        let shown = |text: String| if at == 0 { text } else { String::new() };
        let of = |value: fn(&CollectedSystem) -> Option<DifferenceUnder>| system.and_then(value);
        let (old, new) = (of(|system| system.old_difference), of(|system| system.difference));
        let verdict = |of: Option<DifferenceUnder>| of.map_or("", |of| of.decision.words()).to_owned();
        let outcome = outcome(collection.outcome).map_or_else(String::new, |outcome| format!(" ({outcome})"));
        let n = |n: fn(&CollectedSystem) -> usize| count(system.map_or(0, n));
        let mut cells = vec![
            shown(format!("{}{outcome}", collection.name)),
            shown(percent(labelled(collection))),
            system.map_or_else(String::new, |system| system.system.clone()),
            system.map_or_else(|| ABSENT.to_owned(), |system| table_figure(system.old)),
            n(|system| system.old_n),
            system.map_or_else(|| ABSENT.to_owned(), |system| table_figure(system.new)),
            n(|system| system.n),
            old.map_or_else(String::new, difference),
            verdict(old),
            new.map_or_else(String::new, difference),
            verdict(new),
        ];
        if measures.len() > 1 {
            cells.push(shown(collection.old_measure.clone().unwrap_or_default()));
        }
        cells
    };
    let rows = found.collections.iter().flat_map(|collection| match collection.systems.is_empty() {
        true => vec![row(collection, 0, None)],
        false => {
            let systems = collection.systems.iter().enumerate();
            systems.map(|(at, system)| row(collection, at, Some(system))).collect()
        }
    });
    Table::new(columns, rows)
}

fn labelled(collection: &Collection) -> Option<f64> {
    (collection.pairs > 0).then(|| collection.labelled as f64 / collection.pairs as f64)
}

fn difference(of: DifferenceUnder) -> String {
    format!("{} {}", table_difference(of.mean_difference), difference_interval(of.low, of.high))
}

/// Why a collection does not count; `None` if it does.
fn outcome(outcome: CollectionOutcome) -> Option<&'static str> {
    Some(match outcome {
        CollectionOutcome::Counted => return None,
        CollectionOutcome::Incomplete => "labels missing",
        CollectionOutcome::UnreliableJudge => "unreliable judge",
        CollectionOutcome::Unmeasured => "not measured",
        CollectionOutcome::NoReport => "no report",
    })
}

/// A row for each system over the collections that have both labels, and one over all if more have new ones.
fn overall(found: &Collections) -> Table {
    let n = |of: Option<OverallMean>| of.map_or(0, |of| of.collections);
    let row = |system: &OverallSystem, [old, new, from, to]: [Option<OverallMean>; 4]| {
        let mean = |of: Option<OverallMean>| table_figure(of.map(|of| of.mean));
        let of_difference = |text: String| if system.baseline.is_some() { text } else { String::new() };
        let change = |of: Option<OverallMean>| {
            of_difference(of.map_or_else(
                || ABSENT.to_owned(),
                |of| format!("{} {}", table_difference(of.mean), difference_interval(of.low, of.high)),
            ))
        };
        let name = system.baseline.as_ref().map(|baseline| format!("{} - {baseline}", system.system));
        vec![
            system.system.clone(),
            count(n(new)),
            mean(old),
            mean(new),
            name.unwrap_or_default(),
            of_difference(count(n(to))),
            change(from),
            change(to),
        ]
    };
    let rows = found.overall.iter().flat_map(|system| {
        let OverallSystem { old, new, old_difference, difference, .. } = *system;
        let more = n(system.new_in_all) > n(new) || n(system.difference_in_all) > n(difference);
        let both = (new.is_some() || !more).then(|| row(system, [old, new, old_difference, difference]));
        let all = more.then(|| row(system, [None, system.new_in_all, None, system.difference_in_all]));
        both.into_iter().chain(all)
    });
    let columns = vec![
        words("overall"),
        figures("collections"),
        figures("old"),
        figures("new"),
        words("difference"),
        figures("collections"),
        figures("old"),
        figures("new"),
    ];
    Table::new(columns, rows)
}

/// Each family's ratio of Cohen's d: collection by collection, then over all.
fn families(found: &Collections) -> Table {
    let mut rows = Vec::new();
    for family in &found.families {
        for collection in &found.collections {
            let of_collection = collection.counted_families(found.old_measure.as_deref());
            for of in of_collection.iter().filter(|of| family.is_over(of)) {
                rows.push(vec![
                    of.family.clone(),
                    collection.name.clone(),
                    count(of.n),
                    table_figure(of.there),
                    table_figure(of.here),
                    table_figure(of.ratio),
                    interval(of.low, of.high),
                    format!("{} of {}", count(of.reversed), count(of.pairs)),
                ]);
            }
        }
        let ratio = family.ratio;
        let have = ratio.map_or(0, |of| of.collections);
        let all = if have < family.collections {
            format!("{} of {}", count(have), count(family.collections))
        } else {
            format!("all {}", count(have))
        };
        rows.push(vec![
            format!("{}: {}", family.family, family.systems.join(", ")),
            all,
            String::new(),
            String::new(),
            String::new(),
            table_figure(ratio.map(|of| of.mean)),
            interval(ratio.and_then(|of| of.low), ratio.and_then(|of| of.high)),
            String::new(),
        ]);
    }
    let columns = vec![
        words("family"),
        words("collection"),
        figures("queries"),
        figures("d, old"),
        figures("d, new"),
        figures("ratio"),
        figures("interval"),
        figures("pairs in another order"),
    ];
    Table::new(columns, rows)
}

/// Describes how the overall figures came about, and the collections and systems that they leave out. `shown` makes a
/// name safe in the format.
fn origin(found: &Collections, shown: fn(&str) -> String) -> String {
    let counted_ones = || found.collections.iter().filter(|of| of.outcome == CollectionOutcome::Counted);
    let out: Vec<String> = found
        .collections
        .iter()
        .filter_map(|collection| {
            Some(format!("{} ({})", shown(&collection.name), outcome(collection.outcome)?))
        })
        .collect();
    let left_out = match out.len() {
        0 => String::new(),
        n => format!(" {} of {} left out: {}.", count(n), count(found.collections.len()), out.join(", ")),
    };
    if found.counted == 0 {
        return format!("No overall figure: no collection counts.{left_out}");
    }
    let has_old = found.overall.iter().any(|of| of.old.is_some());
    let labels = if has_old {
        "Old and new are over the collections that have both."
    } else {
        "No collection has both old and new labels."
    };
    let mut sentences = vec![format!(
        "Overall: the mean over {}, each counted once, whatever its number of queries. {labels} The {} interval \
         resamples collections.",
        counted(found.counted, "collection"),
        confidence(found.confidence),
    )];
    let has_none = |of: Option<OverallMean>| of.is_some_and(|of| of.low.is_none());
    let of_systems = found.overall.iter().any(|of| has_none(of.new) || has_none(of.new_in_all));
    if of_systems || found.families.iter().any(|of| has_none(of.ratio)) {
        sentences.push("Fewer than six collections have no interval.".to_owned());
    }
    if !found.families.is_empty() {
        sentences.push(
            "Ratios of Cohen's d have the geometric mean of those above 0. A collection's has an interval only if all \
             its differences are clearly apart from 0 under both labels."
                .to_owned(),
        );
    }
    for collection in counted_ones() {
        let name = shown(&collection.name);
        if !collection.unreliable_judges.is_empty() {
            let judges: Vec<String> = collection.unreliable_judges.iter().map(|judge| shown(judge)).collect();
            let judges = judges.join(", ");
            sentences.push(format!(
                "{name} counts only where human labels correct {judges}, which failed a check."
            ));
        }
        if let Some(other) =
            collection.old_measure.as_ref().filter(|of| Some(*of) != found.old_measure.as_ref())
        {
            let wanted = found.old_measure.as_deref().unwrap_or_default();
            sentences
                .push(format!("{name} has old figures by {other}, which are not averaged with {wanted}."));
        }
    }
    format!("{}{left_out}", sentences.join(" "))
}

fn csv(found: &Collections, out: &mut dyn Write) -> io::Result<()> {
    let names = [
        "collection",
        "source",
        "outcome",
        "queries",
        "pairs",
        "labelled",
        "system",
        "baseline",
        "measure",
        "old_measure",
        "old",
        "old_queries",
        "old_labelled",
        "new",
        "old_difference",
        "old_low",
        "old_high",
        "difference",
        "low",
        "high",
        "verdict",
    ];
    write_row(out, SheetFormat::Commas, &names.map(Cell::Value))?;
    for collection in &found.collections {
        let none = CollectedSystem {
            system: String::new(),
            counts: false,
            old: None,
            old_n: 0,
            old_labelled: None,
            new: None,
            n: 0,
            difference: None,
            old_difference: None,
            baseline: None,
        };
        let systems =
            if collection.systems.is_empty() { std::slice::from_ref(&none) } else { &collection.systems };
        for system in systems {
            let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
            let ends = |of: Option<DifferenceUnder>| {
                let end = |end: fn(DifferenceUnder) -> Option<f64>| number(of.and_then(end));
                [end(|of| of.mean_difference), end(|of| of.low), end(|of| of.high)]
            };
            let [queries, old_queries, pairs, labelled] =
                [system.n, system.old_n, collection.pairs, collection.labelled]
                    .map(|count| count.to_string());
            let (old, new) = (ends(system.old_difference), ends(system.difference));
            let (old_mean, new_mean) = (number(system.old), number(system.new));
            let old_labelled = number(system.old_labelled);
            let mut cells = vec![
                Cell::Text(&collection.name),
                Cell::Text(&collection.source),
                Cell::Value(outcome(collection.outcome).unwrap_or("counted")),
                Cell::Value(&queries),
                Cell::Value(&pairs),
                Cell::Value(&labelled),
                Cell::Text(&system.system),
                Cell::Text(system.baseline.as_deref().unwrap_or_default()),
                Cell::Text(&found.measure),
                Cell::Text(collection.old_measure.as_deref().unwrap_or_default()),
                Cell::Value(&old_mean),
                Cell::Value(&old_queries),
                Cell::Value(&old_labelled),
                Cell::Value(&new_mean),
            ];
            cells.extend(old.iter().chain(&new).map(|end| Cell::Value(end)));
            cells.push(Cell::Value(system.difference.map_or("", |of| of.decision.words())));
            write_row(out, SheetFormat::Commas, &cells)?;
        }
    }
    Ok(())
}
