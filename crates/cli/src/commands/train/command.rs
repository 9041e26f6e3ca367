//! Trains on a table.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use llull::core::Seed;
use llull::data::FeatureColumns;
use llull::learner::{LearnerSettings, SavedLearner, TrainOptions, Trained};
use llull::preferences::{PairReference, read_reference};
use llull::report::text::{counted, threshold};
use llull::training::{
    LearnedTable, label_hashes, ledger_training_table, read_training_table, save_learner, train_file,
};

use super::{apply, show, student};
use crate::args::TrainArgs;
use crate::commands::{Context, ledger, write_output};
use crate::exit::{Exit, refuse};

/// The seed without a study's own.
const SEED: u64 = 42;

pub(crate) fn run(context: &Context, args: &TrainArgs) -> Result<Exit> {
    if let Some(name) = &args.student {
        return student::run(context, args, name);
    }
    let Some(features) = &args.features else { return of_study(context, args) };
    if let Some(learner) = &args.apply {
        return apply::run(context, args, learner, features);
    }
    let columns = FeatureColumns {
        target: args.target.clone(),
        group: args.group.clone(),
        ignored: args.ignored.clone(),
        only: Vec::new(),
    };
    if args.group.is_none() {
        refuse!("--features needs --group, the column with the query: folds and intervals are over queries");
    }
    if args.target == args.group {
        refuse!("--target and --group name one column; the target is the better side, the group the query");
    }
    let learned = read_training_table(features, &columns, &calls(args))?;
    left_out(context, &learned, "is empty");
    let trained = train_file(features, &learned.table, &options(args, SEED))?;
    if let Some(path) = &args.save {
        let saved = saved(args, &learned, &trained);
        write_output(context, path, (saved.to_json()? + "\n").as_bytes())?;
        note_saved(context, &saved, path);
    }
    show::show(context, &trained)?;
    Ok(Exit::Fine)
}

/// Trains on the answers of a study's judges.
fn of_study(context: &Context, args: &TrainArgs) -> Result<Exit> {
    let target = Path::new(args.target.as_deref().unwrap_or_default());
    context.need_study(|none| {
        format!(
            "{none} whose judges' answers could be learnt from. Name a table of answers, whose columns TARGET and \
             QUERY are:\n  llull train --features FILE --target TARGET --group QUERY"
        )
    })?;
    let study = context.study_as_last_run(Default::default())?;
    ledger::opened(context, study.ledger())?;
    let truth = read_reference(target, &context.global.columns)?;
    context.printer.warnings(&truth.notes);
    let learned = ledger_training_table(&study, &truth.value, &calls(args), &args.ignored)?;
    left_out(context, &learned, "does not decide them");
    if !learned.without_answers.is_empty() {
        let features = learned.without_answers.join(", ");
        context.printer.warn(format!("left out, since they have no answer about these pairs: {features}"));
    }
    let trained =
        train_file(Path::new(&study.ledger().name()), &learned.table, &options(args, study.settings().seed))?;
    if let Some(name) = &args.save {
        let mut saved = saved(args, &learned, &trained);
        if let PairReference::Labels(labels) = &truth.value {
            saved.trained_on = label_hashes(labels);
        }
        let name = name.to_str().unwrap_or_default();
        note_saved(context, &saved, &save_learner(study.folder(), name, &saved)?);
    }
    show::show(context, &trained)?;
    Ok(Exit::Fine)
}

fn calls(args: &TrainArgs) -> BTreeMap<String, u32> {
    args.calls.iter().cloned().collect()
}

fn left_out(context: &Context, learned: &LearnedTable, unsaid: &str) {
    for (number, what) in [(learned.neither, "is Neither"), (learned.without_target, unsaid)] {
        if number > 0 {
            let pairs = counted(number, "pair");
            context.printer.warn(format!("{pairs} left out: the target {what}"));
        }
    }
}

fn saved(args: &TrainArgs, learned: &LearnedTable, trained: &Trained) -> SavedLearner {
    let threshold = args.threshold.or_else(|| saved_threshold(trained)).unwrap_or(0.0);
    SavedLearner::new(trained.fitted.clone(), learned.table.table().features(), threshold, trained.pairs)
}

fn note_saved(context: &Context, saved: &SavedLearner, path: &Path) {
    context.printer.note(format!(
        "{} saved in {}; it names a side from a score of {}",
        saved.learner.kind(),
        path.display(),
        threshold(saved.threshold)
    ));
}

fn options(args: &TrainArgs, usual: u64) -> TrainOptions {
    let seed = Seed(args.seed.unwrap_or(usual));
    let settings = LearnerSettings { depth: args.depth, ..LearnerSettings::new(seed) };
    let mut options = TrainOptions { coverage: args.coverage, ..TrainOptions::new(settings) };
    if let Some(kind) = args.model {
        options.kinds = vec![kind];
    }
    options
}

/// The score from which the learner decides the wanted number of pairs.
fn saved_threshold(trained: &Trained) -> Option<f64> {
    let figures = trained.learners.iter().find(|one| one.model == trained.model)?;
    figures.at?.threshold
}
