//! The arguments of `llull train`.

use std::path::PathBuf;

use clap::Args;
use llull::learner::LearnerKind;

use super::number_ranges::at_least_one;

const AFTER_HELP: &str = "\
Examples:
  llull train --features pairs.csv --target people --group query --json
  llull train --features pairs.csv --target people --group query --model tree --depth 3 --save tree.json
  llull train --apply tree.json --features new.csv -o answers.tsv
  llull train --target human-preferences.csv --model tree --save better
  llull train --student quick && llull run --judge student:quick
  llull train --student near --encoder minilm --target people.qrels

FEATURES is a table with a header and a row for each pair of documents: a column for each judge, or each question to \
one, with LHS, RHS or Neither in it (or left, right, tie; A, B; 1, -1, 0), and nothing where there is no answer. A \
column named title@2 costs two calls a pair. Learners are fitted to pairs and their mirror images, and measured on \
queries outside the fit; the curve is for a learner that was chosen without those queries too.

Without FEATURES the answers in the ledger of the study are the table: a column for each judge that compares, and \
NAME@2 for the common answer of both orders. TARGET is then a file of human comparisons (query, left, right, winner) \
or labels, and a learner is saved under a name, with the study.

--student learns to predict the labels of the study, or of TARGET, from the words of query and document. llull \
prints its agreement with labels of unseen queries, and that of the similarity baseline, and every report of a study \
that it judges has these figures.";

/// `llull train`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct TrainArgs {
    /// Answers about pairs, as CSV or TSV, plain, .gz or .zst; - is standard input. By default those in the study's
    /// ledger
    #[arg(long, value_name = "FILE", required_unless_present_any = ["target", "student"])]
    pub(crate) features: Option<PathBuf>,
    /// The column with the better side, the target; without --features a file of comparisons or labels; with --student
    /// labels, by default the study's own
    #[arg(long, value_name = "COLUMN|FILE", required_unless_present_any = ["apply", "student"])]
    pub(crate) target: Option<String>,
    /// Train a student instead, a judge of the study with this name (student:NAME). It is a model of a few numbers that
    /// grades by the words of query and document, and sends no request
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with_all = ["features", "apply", "save", "model", "ignored", "calls"]
    )]
    pub(crate) student: Option<String>,
    /// Let the student also use meaning: the cosine of this encoder's vectors of query and document. minilm is on this
    /// machine (llull models)
    #[arg(long, value_name = "ENCODER", requires = "student", value_parser = ["minilm"])]
    pub(crate) encoder: Option<String>,
    /// The column with the query: folds and intervals are over queries
    #[arg(long, value_name = "COLUMN", requires = "features")]
    pub(crate) group: Option<String>,
    /// A column that is no answer and not read, or a feature of the ledger to leave out; repeat for more
    #[arg(long = "ignore", value_name = "COLUMN", conflicts_with = "apply")]
    pub(crate) ignored: Vec<String>,
    /// The learner: tree, logistic, forest or vote. By default all are fitted, and the best in folds is taken
    #[arg(long, value_name = "MODEL", conflicts_with = "apply")]
    pub(crate) model: Option<LearnerKind>,
    /// The most questions of the tree about a pair
    #[arg(long, value_name = "N", value_parser = at_least_one, default_value = "5", conflicts_with = "apply")]
    pub(crate) depth: usize,
    /// The share of the pairs at which learners and subsets are compared, the surest first
    #[arg(long, value_name = "SHARE", default_value = "0.4", conflicts_with = "apply")]
    pub(crate) coverage: f64,
    /// How many calls an answer to a feature costs; repeat for more. By default 1, or N of a column named FEATURE@N
    #[arg(long, value_name = "FEATURE=N", value_parser = feature_calls, conflicts_with = "apply")]
    pub(crate) calls: Vec<(String, u32)>,
    /// The seed of folds, forest and intervals. By default the study's, or 42
    #[arg(long, value_name = "SEED", conflicts_with = "apply")]
    pub(crate) seed: Option<u64>,
    /// The file to save the learner to, fitted to all pairs; without --features a name, under which the study keeps it
    #[arg(long, value_name = "FILE|NAME", conflicts_with = "apply")]
    pub(crate) save: Option<PathBuf>,
    /// Apply a saved learner to FEATURES instead: a line for each pair
    #[arg(long, value_name = "FILE", requires = "features")]
    pub(crate) apply: Option<PathBuf>,
    /// How sure the learner must be to name a side, from 0 to 1. By default when saving the score of --coverage, and
    /// when applying the saved one
    #[arg(long, value_name = "SCORE", value_parser = threshold)]
    pub(crate) threshold: Option<f64>,
    /// With --apply: the file to write the answers to; - is standard output
    #[arg(
        short,
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true,
        requires = "apply"
    )]
    pub(crate) output: PathBuf,
}

fn feature_calls(text: &str) -> Result<(String, u32), String> {
    let parsed = text.rsplit_once('=').and_then(|(name, calls)| Some((name, calls.parse().ok()?)));
    match parsed {
        Some((name, calls)) if !name.is_empty() => Ok((name.to_owned(), calls)),
        _ => Err("must be the name of a feature and a whole number, such as title=2".into()),
    }
}

fn threshold(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(score) if (0.0..=1.0).contains(&score) => Ok(score),
        _ => Err("must be a number from 0 to 1".into()),
    }
}
