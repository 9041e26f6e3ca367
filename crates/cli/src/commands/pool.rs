//! `llull pool`: retrieves, and shows the documents to judge with their systems.

use anyhow::{Result, bail};
use llull::candidates::Pool;
use llull::config::Overrides;
use llull::report::text::{count, counted, figures, text_table, words};
use serde::Serialize;

use super::Context;
use super::retrieve::{Retrieved, Row, retrieved};
use crate::args::PoolArgs;
use crate::exit::Exit;

/// The pairs to judge, and the systems with which llull retrieved.
#[derive(Serialize)]
struct Pooled<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    retrieved: Option<Vec<Row>>,
    pairs: Vec<Pair<'a>>,
}

#[derive(Serialize)]
struct Pair<'a> {
    query: &'a str,
    document: &'a str,
    found: Vec<Found<'a>>,
}

#[derive(Serialize)]
struct Found<'a> {
    system: &'a str,
    rank: u32,
}

pub(crate) fn run(context: &Context, args: &PoolArgs) -> Result<Exit> {
    let overrides = Overrides { depth: args.depth, ..Default::default() };
    let (study, retrieved) = if args.retrieve || args.refresh {
        let study = context.study_to_retrieve(overrides, args.refresh)?;
        let retrieved = retrieved(context, &study, args.show)?;
        (study, Some(retrieved))
    } else {
        (context.study(overrides)?, None)
    };
    let exit = if retrieved.as_ref().is_some_and(Retrieved::failed) { Exit::Incomplete } else { Exit::Fine };
    let inputs = super::judge::inputs(context, &study)?;
    let pool = &inputs.pool;
    if let Some(query) = &args.query
        && inputs.topics.get(query).is_none()
    {
        bail!("no query {query:?} in {}", study.settings().topics);
    }
    let wanted = |query: &str| args.query.as_deref().is_none_or(|wanted| wanted == query);
    let list = || {
        pool.iter().filter(|(query, _)| wanted(query)).map(|(query, document)| pair(pool, query, document))
    };
    if context.global.json {
        let retrieved = retrieved.map(|retrieved| retrieved.rows);
        context.printer.json(&Pooled { retrieved, pairs: list().collect() })?;
        return Ok(exit);
    }
    if let Some(retrieved) = retrieved.filter(|retrieved| !retrieved.rows.is_empty()) {
        retrieved.print(context)?;
    }
    if args.pairs || args.query.is_some() {
        let rows = list().map(|pair| {
            let found: Vec<String> =
                pair.found.iter().map(|found| format!("{}@{}", found.system, found.rank)).collect();
            vec![pair.query.to_owned(), pair.document.to_owned(), found.join(" ")]
        });
        context
            .printer
            .result(text_table([figures("query"), figures("document"), words("found by")], rows))?;
        context.printer.result("")?;
    }
    let contributions = pool.contributions();
    let rows =
        pool.runs.iter().zip(&contributions).map(|(run, contribution)| {
            vec![run.clone(), count(contribution.pairs), count(contribution.unique)]
        });
    context.printer.result(text_table(["system", "pairs", "found by it alone"], rows))?;
    context.printer.result(format!(
        "\n{} of {} {}",
        counted(pool.pairs(), "pair"),
        counted(inputs.pooled_queries(), "query"),
        inputs.pooled()
    ))?;
    Ok(exit)
}

fn pair<'a>(pool: &'a Pool, query: &'a str, document: &'a llull::candidates::Pooled) -> Pair<'a> {
    let found = document.found.iter().map(|found| Found {
        system: pool.runs.get(usize::from(found.run)).map_or("", String::as_str),
        rank: found.rank,
    });
    Pair { query, document: &document.id, found: found.collect() }
}
