//! Learning from a table.

use std::collections::BTreeMap;

use anyhow::Result;
use llull::core::Seed;
use llull::data::FeatureColumns;
use llull::learner::{LearnerSettings, SavedLearner, TrainOptions, Trained};
use llull::report::text::counted;
use llull::training::{read_training_table, train_file};

use super::{apply, show};
use crate::args::TrainArgs;
use crate::commands::{Context, write_output};
use crate::exit::{Exit, refuse};

pub(crate) fn run(context: &Context, args: &TrainArgs) -> Result<Exit> {
    if let Some(learner) = &args.apply {
        return apply::run(context, args, learner);
    }
    let columns = FeatureColumns {
        target: args.target.clone(),
        group: args.group.clone(),
        ignored: args.ignored.clone(),
        only: Vec::new(),
    };
    if args.target == args.group {
        refuse!("--target and --group name one column; the target is the better side, the group the query");
    }
    let calls: BTreeMap<String, u32> = args.calls.iter().cloned().collect();
    let learned = read_training_table(&args.features, &columns, &calls)?;
    for (number, what) in [(learned.neither, "Neither"), (learned.without_target, "nothing")] {
        if number > 0 {
            let pairs = counted(number, "pair");
            context.printer.warn(format!("{pairs} left out: the target says {what} of which side is better"));
        }
    }
    let trained = train_file(&args.features, &learned.table, &options(args))?;
    if let Some(path) = &args.save {
        let threshold = args.threshold.or_else(|| saved_threshold(&trained)).unwrap_or(0.0);
        let features = learned.table.table().features();
        let saved = SavedLearner::new(trained.fitted.clone(), features, threshold, trained.pairs);
        write_output(context, path, (saved.to_json()? + "\n").as_bytes())?;
        context.printer.note(format!(
            "{} saved in {}; it names a side from a score of {threshold:.3}",
            trained.model,
            path.display()
        ));
    }
    show::show(context, &trained)?;
    Ok(Exit::Fine)
}

fn options(args: &TrainArgs) -> TrainOptions {
    let settings = LearnerSettings { depth: args.depth, ..LearnerSettings::new(Seed(args.seed)) };
    let mut options = TrainOptions {
        folds: args.folds,
        coverage: args.coverage,
        subsets: args.subsets,
        ..TrainOptions::new(settings)
    };
    if let Some(kind) = args.model {
        options.kinds = vec![kind];
    }
    if args.all_subsets {
        options.reported = None;
    }
    options
}

/// The score from which the learner decides as many pairs as were asked for.
fn saved_threshold(trained: &Trained) -> Option<f64> {
    let figures = trained.learners.iter().find(|one| one.model == trained.model)?;
    figures.at?.threshold
}
