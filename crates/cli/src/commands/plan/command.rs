//! `llull plan`: simulates tournaments, to estimate their cost and quality.

use anyhow::Result;
use indexmap::IndexMap;
use llull::config::Overrides;
use llull::core::{Paradigm, Seed};
use llull::rank::Schedule;
use llull::rank::simulate::{Scheduler, plan};
use llull::report::text::{count, counted, percent};

use super::figures::{Output, Row, all_pairs_counted};
use super::paradigms::compare;
use super::progress::Simulating;
use super::setup::{MOST_EXHAUSTIVE, PAIRS_SIMULATED, key, labels, noise, options, top};
use super::table::text;
use crate::args::PlanArgs;
use crate::commands::Context;
use crate::exit::{Exit, refuse};

pub(crate) fn run(context: &Context, args: &PlanArgs) -> Result<Exit> {
    if top(args) > args.documents {
        refuse!(
            "--top {} of {} documents: ask for --top {1} to put all of them in order, or for fewer",
            top(args),
            args.documents
        );
    }
    if args.schedule == Schedule::Exhaustive && args.documents > MOST_EXHAUSTIVE {
        refuse!(
            "--schedule exhaustive of {} documents is not simulated: plan for {} or fewer; calls grow with the \
             square of the documents",
            count(args.documents),
            count(MOST_EXHAUSTIVE)
        );
    }
    let args = &PlanArgs { noise: noise(args)?, ..args.clone() };
    show_own_flip_rates(context);
    if !args.windows.is_empty() {
        return compare(context, args);
    }
    let mut schedulers = Scheduler::ALL.to_vec();
    schedulers.retain(|&other| other != Scheduler::AllPairs || args.documents <= PAIRS_SIMULATED);
    let chosen = Scheduler::Tournament(args.schedule);
    if !schedulers.contains(&chosen) {
        // slow, and rarely needed: shown only on request, after the other schedules
        let tournaments = schedulers.iter().filter(|other| matches!(other, Scheduler::Tournament(_))).count();
        schedulers.insert(tournaments, chosen);
    }
    let progress = Simulating::new(context.printer, args.seeds);
    let figures =
        plan(&options(args, args.window), args.seeds, Seed(args.seed), &schedulers, &labels, &|| {
            progress.step();
        })?;
    progress.finish();

    let mut rows: IndexMap<&str, Row> = schedulers
        .iter()
        .zip(figures)
        .map(|(&scheduler, figures)| (key(scheduler), figures.into()))
        .collect();
    if let Some(row) = all_pairs_counted(args) {
        rows.insert(key(Scheduler::AllPairs), row);
    }
    context.show(&Output::new(args, &rows, chosen), || text(args, &rows, chosen))?;
    Ok(Exit::Fine)
}

/// Notes the flip rate of each judge that compares, where the folder holds a study with rechecks. A study that cannot
/// be read is skipped, because the plan needs none. Repeats without any change, as at temperature 0, give no flip rate.
fn show_own_flip_rates(context: &Context) {
    let judges = context.folder().and_then(|_| {
        let study = context.study(Overrides::default()).ok()?;
        study.settings().tournament.as_ref()?;
        study.attempts().judges().ok()
    });
    for judge in judges.into_iter().flatten() {
        let found = judge.repeat_flip.filter(|found| found.value >= 0.005);
        if let Some(found) = found.filter(|_| judge.spec.paradigm != Paradigm::Graded) {
            context.printer.note(format!(
                "{} changed {} of the pairs in {} repeated unchanged: --flip-rate {:.2}, or more",
                judge.judge,
                percent(found.value),
                counted(found.n, "question"),
                found.value.min(0.49),
            ));
        }
    }
}
