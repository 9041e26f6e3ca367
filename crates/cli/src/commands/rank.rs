//! `llull rank`

mod labelled;
mod shown;

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use llull::core::{Ballot, Ballots, Item, TopicBallots};
use llull::data::{BallotsFile, create, read_ballots, shown_path};
use llull::label::TierScheme;
use llull::rank::ratings::{RatingError, RatingOptions, Ratings, components, rate};
use llull::rank::tiers;
use llull::report::text::count;

use super::Context;
use crate::args::{Method, RankArgs, RankFormat};
use crate::exit::{Exit, refuse};

/// What was made of one query's comparisons, or of all where no query is named.
struct Ranked<'a> {
    query: Option<&'a str>,
    topic: &'a TopicBallots,
    made: Made,
    /// Items between any two of which there is a chain of comparisons.
    components: Vec<Vec<Item>>,
}

enum Made {
    Ratings(Ratings),
    Tiers(llull::rank::TournamentOutcome),
}

pub(crate) fn run(context: &Context, args: &RankArgs) -> Result<Exit> {
    let format =
        args.format.unwrap_or(if context.global.json { RankFormat::Json } else { RankFormat::Table });
    check_labels(args, format)?;
    if format == RankFormat::Dot && args.method != Method::Tiers {
        refuse!("--format dot draws tiers; add --method tiers");
    }
    let ballots = narrowed(read(context, args)?, args)?;
    let mut all = Vec::with_capacity(ballots.len());
    for (query, topic) in ballots.iter() {
        all.push(ranked(query, topic, args)?);
    }
    say_what_is_not_connected(context, &all);
    let (text, notes) = match format {
        RankFormat::Qrels => labelled::labelled(&all, args)?,
        RankFormat::Table => (shown::tables(&all).into_bytes(), Vec::new()),
        RankFormat::Json => (shown::json(&all, args.method)?, Vec::new()),
        RankFormat::Prefs => (shown::prefs(&all, args.method)?, Vec::new()),
        RankFormat::Dot => (shown::graphs(&all).into_bytes(), Vec::new()),
        RankFormat::QrelsPrefs => (shown::qrels_prefs(&all, args.method)?, Vec::new()),
    };
    notes.iter().for_each(|note| context.printer.note(note));
    write(context, &args.output, &text)?;
    Ok(Exit::Fine)
}

/// Labels are made for one form, and of one scheme from anchors.
fn check_labels(args: &RankArgs, format: RankFormat) -> Result<()> {
    let anchored = args.labels == Some(TierScheme::Anchored);
    if format != RankFormat::Qrels && (args.labels.is_some() || args.anchors.is_some()) {
        refuse!("--labels and --anchors say what --format qrels writes; add --format qrels");
    }
    if anchored && args.anchors.is_none() {
        refuse!("--labels anchored needs grades of some items; say --anchors FILE, a qrels file");
    }
    if !anchored && args.anchors.is_some() {
        refuse!("--anchors belongs to --labels anchored");
    }
    Ok(())
}

/// Comparisons, and the names of the judges by position.
struct Input {
    ballots: Ballots,
    judges: Vec<String>,
    /// What it is called in messages.
    name: String,
}

fn read(context: &Context, args: &RankArgs) -> Result<Input> {
    if args.files.is_empty() {
        return of_study(context);
    }
    super::one_standard_input(&args.files)?;
    let BallotsFile { ballots, judges, notes, .. } = read_ballots(&args.files, args.input)?;
    notes.remarks().into_iter().for_each(|remark| context.printer.warn(remark));
    let judges = judges.iter().map(|judge| judge.to_string()).collect();
    let name = match args.files.as_slice() {
        [file] => shown_path(file),
        files => format!("these {} files", files.len()),
    };
    Ok(Input { ballots, judges, name })
}

fn of_study(context: &Context) -> Result<Input> {
    let dir = &context.global.study;
    if !dir.join(llull::config::FILE_NAME).is_file() {
        bail!(
            "no file of comparisons is named, and {} holds no study ({}) with some in its ledger. Name a file:\n  \
             llull rank FILE --method bradley-terry",
            dir.display(),
            llull::config::FILE_NAME
        );
    }
    let study = context.study(Default::default())?;
    let read = study.ballots(&[])?;
    let name = study.ledger_path().display().to_string();
    if read.ballots.is_empty() {
        bail!(
            "{name}: there is no comparison in it; a study compares with paradigm = \"listwise\" or \"pairwise\""
        );
    }
    let mut seen = Vec::new();
    for judge in &read.judges {
        if seen.contains(&judge) {
            context.printer.warn(format!(
                "{name}: several judges are called {judge:?}, with other prompts, rubrics or settings; all of them vote"
            ));
        }
        seen.push(judge);
    }
    Ok(Input { ballots: read.ballots, judges: read.judges, name })
}

/// Only the queries and judges that were asked for.
fn narrowed(input: Input, args: &RankArgs) -> Result<Ballots> {
    let Input { ballots, judges, name } = input;
    if args.queries.is_empty() && args.judges.is_empty() {
        return Ok(ballots);
    }
    if let Some(unknown) = args.queries.iter().find(|query| ballots.get(Some(query)).is_none()) {
        bail!("{name}: no comparison is about the query {unknown:?}; there are {}", queries(&ballots));
    }
    if let Some(unknown) = args.judges.iter().find(|judge| !judges.contains(judge)) {
        let named: Vec<&str> = judges.iter().map(String::as_str).filter(|judge| !judge.is_empty()).collect();
        match named.as_slice() {
            [] => bail!("{name}: no judge is named in it, so --judge {unknown} has nothing to choose from"),
            named => bail!("{name}: no judge is called {unknown:?}; there are {}", named.join(", ")),
        }
    }
    let wanted = |judge: u32| {
        let name = judges.get(judge as usize);
        args.judges.is_empty() || name.is_some_and(|name| args.judges.contains(name))
    };
    let mut kept = Ballots::default();
    for (query, topic) in ballots.iter() {
        let asked = |query: &str| args.queries.iter().any(|wanted| wanted == query);
        if !args.queries.is_empty() && !query.is_some_and(asked) {
            continue;
        }
        for ballot in topic.ballots.iter().filter(|ballot| wanted(ballot.judge)) {
            copy(ballot, topic, kept.topic(query));
        }
    }
    if kept.is_empty() {
        bail!("{name}: no such judge has compared anything for such a query");
    }
    Ok(kept)
}

fn queries(ballots: &Ballots) -> String {
    const SHOWN: usize = 10;
    let all: Vec<&str> = ballots.iter().filter_map(|(query, _)| query).collect();
    match all.get(..SHOWN) {
        _ if all.is_empty() => "none, since the input names no queries".into(),
        Some(first) if all.len() > SHOWN => format!("{} and {} more", first.join(", "), all.len() - SHOWN),
        _ => all.join(", "),
    }
}

/// Casts a ballot among items that have other positions.
fn copy(ballot: &Ballot, from: &TopicBallots, to: &mut TopicBallots) {
    let mut moved = |items: &[Item]| items.iter().filter_map(|item| Some(to.item(from.id(*item)?))).collect();
    let groups = ballot.groups.iter().map(|group| moved(group)).collect();
    let rest = moved(&ballot.rest);
    to.ballots.push(Ballot { groups, rest, ..*ballot });
}

fn ranked<'a>(query: Option<&'a str>, topic: &'a TopicBallots, args: &RankArgs) -> Result<Ranked<'a>> {
    let items = topic.items.len();
    let made = match args.method {
        Method::Tiers => Made::Tiers(tiers(items, &topic.ballots, args.ties.into())),
        Method::Rating(model) => {
            let prior = args.prior.unwrap_or_default();
            let options = RatingOptions { prior, ..RatingOptions::default() };
            let rated = rate(model, items, &topic.ballots, &options).map_err(|error| by_name(error, topic));
            Made::Ratings(match query {
                Some(query) => rated.with_context(|| format!("query {query}"))?,
                None => rated?,
            })
        }
    };
    Ok(Ranked { query, topic, made, components: components(items, &topic.ballots)? })
}

/// An error about items, by their names instead of their positions.
fn by_name(error: RatingError, topic: &TopicBallots) -> anyhow::Error {
    match error {
        RatingError::NoMaximum { model, unbeaten, component } => {
            let first = unbeaten.first().and_then(|item| topic.id(*item)).unwrap_or_default();
            anyhow!(
                "{model} without a prior has no finite scores: {} of {} items that are connected were never beaten by the others \
                 ({first} is one of them). Leave out --prior none",
                count(unbeaten.len()),
                count(component)
            )
        }
        other => other.into(),
    }
}

/// Scores, and places, of items that no chain of comparisons connects say nothing about each other.
fn say_what_is_not_connected(context: &Context, all: &[Ranked<'_>]) {
    let apart: Vec<&Ranked<'_>> = all.iter().filter(|ranked| ranked.components.len() > 1).collect();
    let Some(first) = apart.first() else { return };
    let parts = sizes(&first.components);
    let what = match first.query {
        None => format!("the comparisons fall into {parts}"),
        Some(query) if apart.len() == 1 => format!("the comparisons of query {query} fall into {parts}"),
        Some(query) => format!(
            "the comparisons of {} of {} queries are not connected (the first: {query}, {parts})",
            count(apart.len()),
            count(all.len())
        ),
    };
    context.printer.warn(format!(
        "{what}; nothing connects one with another, so items of different components cannot be compared"
    ));
}

/// How many components there are, and how large the largest are.
fn sizes(components: &[Vec<Item>]) -> String {
    const SHOWN: usize = 5;
    let mut sizes: Vec<usize> = components.iter().map(Vec::len).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let more = if sizes.len() > SHOWN { " ..." } else { "" };
    let shown: Vec<String> = sizes.iter().take(SHOWN).map(|size| count(*size)).collect();
    format!("{} components of {}{more} items", count(sizes.len()), shown.join(", "))
}

fn write(context: &Context, output: &Path, text: &[u8]) -> Result<()> {
    if output == Path::new("-") {
        context.printer.stream(|out| out.write_all(text))?;
        return Ok(());
    }
    let mut file = create(output)?;
    file.write_all(text)?;
    file.flush()?;
    file.finish()?;
    context.printer.note(format!("wrote {}", output.display()));
    Ok(())
}
