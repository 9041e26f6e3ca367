//! Reads comparisons from files or a study, for some queries and judges.

use anyhow::{Result, bail};
use llull::core::{Ballot, Ballots, Item, TopicBallots};
use llull::data::{BallotsFile, read_ballots, shown_path};
use llull::rank::TieRule;
use llull::report::text::counted;

use crate::args::RankArgs;
use crate::commands::{Context, ledger, no_study_flag, one_standard_input};

/// Comparisons, with the names of their judges.
pub(super) struct Input {
    ballots: Ballots,
    judges: Vec<String>,
    /// The default meaning of a tie.
    pub(super) ties: TieRule,
    /// The file or ledger, for messages.
    name: String,
}

pub(super) fn read(context: &Context, args: &RankArgs) -> Result<Input> {
    if args.files.is_empty() {
        return of_study(context, args);
    }
    no_study_flag(args.asked.first())?;
    one_standard_input(&args.files)?;
    let BallotsFile { ballots, judges, notes, .. } =
        read_ballots(&args.files, args.input, &context.global.columns)?;
    context.printer.warnings(notes.remarks());
    let judges = judges.iter().map(|judge| judge.to_string()).collect();
    let name = match args.files.as_slice() {
        [file] => shown_path(file),
        files => format!("these {} files", files.len()),
    };
    Ok(Input { ballots, judges, ties: TieRule::Open, name })
}

fn of_study(context: &Context, args: &RankArgs) -> Result<Input> {
    context.need_study(|none| {
        format!(
            "no file of comparisons is given, and {none} that could have some. Name a file:\n  \
             llull rank FILE --method bradley-terry"
        )
    })?;
    let study = context.study_as_last_run(args.asked.overrides())?;
    let read = if args.judges.is_empty() {
        study.attempts().ballots_as_asked()?
    } else {
        study.attempts().ballots(&[])?
    };
    ledger::opened(context, study.ledger())?;
    let name = study.ledger().name();
    if read.ballots.is_empty() {
        bail!(
            "{name}: it holds no comparison; a study compares with paradigm = \"listwise\" or \"pairwise\""
        );
    }
    if read.reread > 0 {
        context.printer.warn(format!(
            "{name}: {} changed when their replies were read again, by the rules of this version; llull report lists \
             them, llull run repeats those that are unusable now",
            counted(read.reread, "answer")
        ));
    }
    if !read.left_out.is_empty() {
        context.printer.note(format!(
            "{name}: {} left out, since the study does not ask them as it is read now: {}; --judge NAME reads them",
            counted(read.left_out.len(), "judge"),
            read.left_out.join(", ")
        ));
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
    Ok(Input { ballots: read.ballots, judges: read.judges, ties: read.ties, name })
}

/// Filters by the chosen queries and judges. Returns the names of all judges, too.
pub(super) fn narrowed(input: Input, args: &RankArgs) -> Result<(Ballots, Vec<String>)> {
    let Input { ballots, judges, name, .. } = input;
    if args.queries.is_empty() && args.judges.is_empty() {
        return Ok((ballots, judges));
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
        bail!("{name}: the named judges have compared nothing for these queries");
    }
    Ok((kept, judges))
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

/// Copies a ballot to a query whose items have other positions.
fn copy(ballot: &Ballot, from: &TopicBallots, to: &mut TopicBallots) {
    let mut moved = |items: &[Item]| items.iter().filter_map(|item| Some(to.item(from.id(*item)?))).collect();
    let groups = ballot.groups.iter().map(|group| moved(group)).collect();
    let rest = moved(&ballot.rest);
    to.ballots.push(Ballot { groups, rest, ..*ballot });
}
