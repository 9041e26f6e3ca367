//! The arguments of `llull agree`.

use std::path::{Path, PathBuf};

use clap::Args;
use llull::stats::{Clamp, Correction, PairTest};

use super::study_flags::{AS_LAST_RUN, INTERVALS};
use super::{LabelReading, RunReading};

const AFTER_HELP: &str = "\
Examples:
  llull agree human.qrels judge.qrels                 kappa, alpha, bias, confusion, with intervals
  llull agree human.qrels a.qrels b.qrels --json      each against the truth, and all as a panel
  llull agree human.qrels judge.qrels --runs *.run -m nDCG@10 -m AP
                                                      whether both rank the systems alike
  llull agree human.qrels tiers.qrels --runs *.run -m nDCG@10 --other-measure 'Compat(p=0.9)'
  llull agree binary.qrels graded.qrels --runs *.run --power
                                                      which labels separate more systems
  llull -C study agree human.qrels                    the study's judges, and its systems
  llull -C study agree \"the reviewers\"               human labels of the study's sample as the truth
  llull -C study agree anna --judge ben               two annotators of it
  llull agree --preferences human.qrels judge.csv     which of two is better: a file of answers
  llull agree --preferences human.pref other.pref     comparisons against comparisons
  llull -C study agree --people                       the study's judges, and human comparisons
  llull -C study agree --people anna --judge ben      two annotators' comparisons

Figures are over the pairs of query and document that both files have; pairs of one file alone are counted. \
Intervals resample queries. Systems are compared over the queries that both files have; pairs of systems are tested \
at 0.05.

With --preferences, comparisons are read as llull rank reads them: CSV under left,right,winner, lines `query winner \
loser` or `query a b winner`, or JSON lines.
Coverage is the share of pairs decided for one of the two, precision the share of these with the truth's decision, \
recall their product. A pair in both orders has a third row, double-check: the answers on which both agree. Pairs \
that the truth ties count in none of these.";

/// `llull agree`
#[derive(Debug, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{INTERVALS}\n\n{AS_LAST_RUN}"))]
pub(crate) struct AgreeArgs {
    /// Compare pairwise answers: which of two documents is better
    #[arg(long)]
    pub(crate) preferences: bool,
    /// Compare the study's judges with human comparisons of two documents (llull review)
    #[arg(long, conflicts_with_all = [
        "preferences", "others", "runs", "measures", "other_measures", "power", "clamp", "correct",
    ])]
    pub(crate) people: bool,
    /// The truth: qrels, or with --preferences comparisons; - is standard input. In a study "the reviewers", or an
    /// annotator of its sample, or with --people of its comparisons
    #[arg(required_unless_present = "people")]
    pub(crate) truth: Option<PathBuf>,
    /// Other labels, a file each; or with --preferences a file of answers. Without any, those of the study's judges
    #[arg(value_name = "OTHER")]
    pub(crate) others: Vec<PathBuf>,
    /// Only this judge of the study, or annotator of its sample (with --people of its comparisons), or with
    /// --preferences judge of the file; may be repeated
    #[arg(long = "judge", value_name = "JUDGE")]
    pub(crate) judges: Vec<String>,
    /// Runs to measure under both label sets. By default the study's systems, if the labels are the study's
    #[arg(long, value_name = "RUN", num_args = 1.., conflicts_with = "preferences")]
    pub(crate) runs: Vec<PathBuf>,
    /// The measure of the runs; may be repeated. By default the study's measures, or nDCG@10
    #[arg(short = 'm', long = "measure", value_name = "MEASURE", conflicts_with = "preferences")]
    pub(crate) measures: Vec<String>,
    /// The measure under OTHER, if that differs; once, or as often as --measure
    #[arg(long = "other-measure", value_name = "MEASURE", conflicts_with = "preferences")]
    pub(crate) other_measures: Vec<String>,
    /// Show how many pairs of systems each label set separates, and how large the effects are
    #[arg(long, conflicts_with = "preferences")]
    pub(crate) power: bool,
    /// Count grades beyond these ends as the ends, in every file: 0..3
    #[arg(long, value_name = "LO..HI", allow_hyphen_values = true, conflicts_with = "preferences")]
    pub(crate) clamp: Option<Clamp>,
    /// The test of pairs of systems: tukey (randomised HSD), permutation, t, wilcoxon, sign or bootstrap
    #[arg(long, value_name = "TEST", default_value = "tukey", conflicts_with = "preferences")]
    pub(crate) test: PairTest,
    /// The correction for many pairs: holm, bh or none; tukey takes none [default: holm]
    #[arg(long, value_name = "CORRECTION", conflicts_with = "preferences")]
    pub(crate) correct: Option<Correction>,
    #[command(flatten)]
    pub(crate) label_reading: LabelReading,
    #[command(flatten)]
    pub(crate) run_reading: RunReading,
}

impl AgreeArgs {
    /// The file of the truth; standard input where none has to be named.
    pub(crate) fn truth(&self) -> &Path {
        self.truth.as_deref().unwrap_or(Path::new("-"))
    }
}
