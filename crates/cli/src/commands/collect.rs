//! `llull collect`: many studies in one table, and one overall figure.

use std::io::{self, Write};

use anyhow::Result;
use llull::core::Seed;
use llull::data::{Cell, SheetFormat, write_row};
use llull::report::DifferenceUnder;
use llull::report::text::{
    ABSENT, confidence, count, counted, difference_interval, figures, interval, percent, table_difference,
    table_figure, words, wrapped,
};
use llull::stats::BootstrapOptions;
use llull::{CollectedSystem, Collection, CollectionOutcome, Collections, CollectionsError, OverallMean};

use super::Context;
use super::format::{Table, table};
use crate::args::{CollectArgs, Format};
use crate::exit::{Exit, refuse};

pub(crate) fn run(context: &Context, args: &CollectArgs) -> Result<Exit> {
    if let Some(twice) =
        args.studies.iter().enumerate().find(|(at, study)| args.studies[..*at].contains(study))
    {
        refuse!("{} is named twice: each study counts once in the overall figures", twice.1.display());
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
            context.printer.result(table(format, collections(&found)))?;
            if found.counted > 0 {
                context.printer.result(format!("\n{}", table(format, overall(&found))))?;
            }
            if !found.families.is_empty() {
                context.printer.result(format!("\n{}", table(format, families(&found))))?;
            }
            context.printer.result(format!("\n{}", wrapped(&origin(&found), 100, "", "")))?;
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
    let columns = vec![
        words("collection"),
        figures("queries"),
        figures("labelled"),
        words("system"),
        figures(format!("{} old", found.measure)),
        figures("new"),
        figures("difference, old"),
        words("verdict"),
        figures("difference, new"),
        words("verdict"),
    ];
    let row = |collection: &Collection, at: usize, system: Option<&CollectedSystem>| {
        let shown = |text: String| if at == 0 { text } else { String::new() };
        let of = |value: fn(&CollectedSystem) -> Option<DifferenceUnder>| system.and_then(value);
        let (old, new) = (of(|system| system.old_difference), of(|system| system.difference));
        let verdict = |of: Option<DifferenceUnder>| of.map_or("", |of| of.decision.words()).to_owned();
        let outcome = outcome(collection.outcome).map_or_else(String::new, |outcome| format!(" ({outcome})"));
        vec![
            shown(format!("{}{outcome}", collection.name)),
            shown(count(collection.n)),
            shown(percent(labelled(collection))),
            system.map_or_else(String::new, |system| system.system.clone()),
            system.map_or_else(|| ABSENT.to_owned(), |system| table_figure(system.old)),
            system.map_or_else(|| ABSENT.to_owned(), |system| table_figure(system.new)),
            old.map_or_else(String::new, difference),
            verdict(old),
            new.map_or_else(String::new, difference),
            verdict(new),
        ]
    };
    let rows = found.collections.iter().flat_map(|collection| match collection.systems.is_empty() {
        true => vec![row(collection, 0, None)],
        false => {
            let systems = collection.systems.iter().enumerate();
            systems.map(|(at, system)| row(collection, at, Some(system))).collect()
        }
    });
    (columns, rows.collect())
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

fn overall(found: &Collections) -> Table {
    let mean = |of: Option<OverallMean>| table_figure(of.map(|of| of.mean));
    let change = |of: Option<OverallMean>| match of {
        Some(of) => format!("{} {}", table_difference(of.mean), difference_interval(of.low, of.high)),
        None => String::new(),
    };
    let rows = found.overall.iter().map(|system| {
        let name = match &system.baseline {
            Some(baseline) => format!("{} - {baseline}", system.system),
            None => String::new(),
        };
        let collections = system.new.or(system.old).map_or(0, |of| of.collections);
        vec![
            system.system.clone(),
            count(collections),
            mean(system.old),
            mean(system.new),
            name,
            change(system.old_difference),
            change(system.difference),
        ]
    });
    let columns = vec![
        words("overall"),
        figures("collections"),
        figures("old"),
        figures("new"),
        words("difference"),
        figures("old"),
        figures("new"),
    ];
    (columns, rows.collect())
}

/// Each family's ratio of Cohen's d: collection by collection, then over all.
fn families(found: &Collections) -> Table {
    let counted = || found.collections.iter().filter(|of| of.outcome == CollectionOutcome::Counted);
    let mut rows = Vec::new();
    for family in &found.families {
        for collection in counted() {
            for of in collection.families.iter().filter(|of| of.family == family.family) {
                rows.push(vec![
                    of.family.clone(),
                    collection.name.clone(),
                    table_figure(of.there),
                    table_figure(of.here),
                    table_figure(of.ratio),
                    interval(of.low, of.high),
                ]);
            }
        }
        let ratio = family.ratio;
        rows.push(vec![
            family.family.clone(),
            format!("all {}", ratio.collections),
            String::new(),
            String::new(),
            table_figure(ratio.mean),
            interval(ratio.low, ratio.high),
        ]);
    }
    let columns = vec![
        words("family"),
        words("collection"),
        figures("d, old"),
        figures("d, new"),
        figures("ratio"),
        figures("interval"),
    ];
    (columns, rows)
}

/// Describes how the overall figures came about, and the collections that they leave out.
fn origin(found: &Collections) -> String {
    let out: Vec<String> = found
        .collections
        .iter()
        .filter_map(|collection| Some(format!("{} ({})", collection.name, outcome(collection.outcome)?)))
        .collect();
    let left_out = match out.len() {
        0 => String::new(),
        n => format!(" {} of {} left out: {}.", count(n), count(found.collections.len()), out.join(", ")),
    };
    if found.counted == 0 {
        return format!("No overall figure: no collection counts.{left_out}");
    }
    let too_few = match found.overall.iter().all(|system| system.new.is_none_or(|of| of.low.is_none())) {
        true => " Fewer than six collections have no interval.",
        false => "",
    };
    let ratios = match found.families.is_empty() {
        true => "",
        false => " Ratios of Cohen's d have the geometric mean.",
    };
    format!(
        "Overall: the mean over {}, each counted once, whatever its number of queries. The {} interval resamples \
         collections.{too_few}{ratios}{left_out}",
        counted(found.counted, "collection"),
        confidence(found.confidence),
    )
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
        "old",
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
            old: None,
            new: None,
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
            let [queries, pairs, labelled] =
                [collection.n, collection.pairs, collection.labelled].map(|count| count.to_string());
            let (old, new) = (ends(system.old_difference), ends(system.difference));
            let (old_mean, new_mean) = (number(system.old), number(system.new));
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
                Cell::Value(&old_mean),
                Cell::Value(&new_mean),
            ];
            cells.extend(old.iter().chain(&new).map(|end| Cell::Value(end)));
            cells.push(Cell::Value(system.difference.map_or("", |of| of.decision.words())));
            write_row(out, SheetFormat::Commas, &cells)?;
        }
    }
    Ok(())
}
