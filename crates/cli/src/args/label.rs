//! The arguments of `llull label`.

use std::path::PathBuf;

use clap::Args;
use llull::BaseCalibration;
use llull::config::PanelRule;
use llull::label::SumRule;
use llull::stats::Clamp;

use super::LabelReading;
use super::study_flags::{AS_LAST_RUN, StudyFlags};

const AFTER_HELP: &str = "\
Examples:
  llull label                                labels.qrels of the study, from its ledger
  llull label a.qrels b.qrels c.qrels -o -   three judges' files as one
  llull label *.qrels --truth some.qrels -o panel.qrels
                                             several judges as one, by the best method
  llull label judge.qrels --calibrate ordinal --human some.qrels --sampled pairs -o calibrated.qrels
                                             a judge's grades on the human scale
  llull label --calibrate ordinal -o calibrated.qrels
                                             the same for a study, by human labels of its sample
  llull label judge.qrels --base human.qrels -o all.qrels
                                             human labels, and the judge's for the gaps
  llull label exact.qrels topical.qrels covers.qrels --sum 4,5,7 -o summed.qrels
                                             several criteria as one grade, by their sum
  llull label binary.qrels umbrela.qrels --scale 'binary.qrels=0..1 -> 0,3'
                                             a judge of 0 and 1 and one of 0 to 3 as one

With several judges the grade is the median; with an even number of them, the lower of the two in the middle. The \
second column of the qrels has their mean, which nDCG of llull reads and trec_eval ignores. --json shows how far the \
judges are apart. --method sets another method, and with a sample of human labels (--truth) \
llull chooses: it tries each method on queries outside its fit, and the one with the highest kappa within queries \
gives the grades, the one with the highest rank correlation the order (the value in --json). Then --json has for \
every pair the probability of each grade, and each judge's weight or confusion matrix. Standard error has each \
judge's coverage, grades off its scale, agreement with the labels, and the effect of the lower middle on them.

With --sum the files are no judges but criteria, such as how exact and how complete a document is: the label is 0 \
below the first sum and one more from each on. A pair that lacks a criterion has no label; llull counts these pairs. \
The labels can be put on another scale (--calibrate) or fill holes (--base) as a judge's can.

With --calibrate the judge's grades are put on the human scale, by a random sample with human labels. Standard error \
has the new value of each grade, the lowest grade to call relevant, and the agreement with human labels before and \
after, on queries outside the fit. In a study the sample is its own (llull sample), and a query's labels come from a \
fit to the others.

With --base llull uses the labels of that file, and the judge's for all other pairs, put on its scale by a \
fit to the pairs that both have labelled (--calibrate, by default kappa). The second column of the qrels names the \
source of each label. In a study, base in llull.toml does the same, and judges grade only the rest.

Files on different scales are refused: map the grades of one to the scale of the other with --scale, or declare one \
scale for all (--scale 0..3). A grade that is not on the scale counts as missing. Without --scale a file's scale is \
inferred: from 0 to its highest grade, without rare grades beyond a gap.";

/// `llull label`
#[derive(Debug, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{AS_LAST_RUN}"))]
pub(crate) struct LabelArgs {
    /// Qrels files, one for each judge; by default the study's ledger is read
    pub(crate) qrels: Vec<PathBuf>,
    /// The file to write the labels to, as TREC qrels; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The scale of a file, or of every file: 0..3, or with each grade's value '0..1 -> 0,3'; may be repeated. Without
    /// FILE= it is that of every file that has none of its own. The values are on the scale of the labels
    #[arg(long = "scale", value_name = "[FILE=]SCALE", requires = "qrels")]
    pub(crate) scales: Vec<String>,
    /// How several judges become one: majority, median, mean, fractional, ordinal, dawid-skene and others. With human
    /// labels (--truth, or of the study's sample) also severity, beta, weights, best:N or choose. By default of
    /// files the median for grades and the mean for nDCG and the order (fractional), or with --truth the best method;
    /// of a study that of llull.toml
    #[arg(long, value_name = "METHOD", conflicts_with = "calibrate")]
    pub(crate) method: Option<PanelRule>,
    /// Human labels of a random sample of the pairs (qrels), to choose and fit a method
    #[arg(long, value_name = "QRELS", conflicts_with = "calibrate")]
    pub(crate) truth: Option<PathBuf>,
    /// The files are criteria, and the label is made of the sum of their grades: 1 from the first of these sums on, 2
    /// from the second on, and so on
    #[arg(long, value_name = "SUMS", requires = "qrels", allow_hyphen_values = true,
        conflicts_with_all = ["method", "truth", "drop_ambiguous"])]
    pub(crate) sum: Option<SumRule>,
    /// Leave out pairs on which the judges are split: no grade has more than half of the votes, and the grades lie at
    /// least half of the scale apart. The file marks them, and llull removes them from the ranked lists when it
    /// measures
    #[arg(long, conflicts_with = "calibrate")]
    pub(crate) drop_ambiguous: bool,
    /// Take a grade below LO for LO and one above HI for HI, in every file; the scale is then LO..HI
    #[arg(long, value_name = "LO..HI", conflicts_with = "scales", requires = "qrels")]
    pub(crate) clamp: Option<Clamp>,
    /// Keep the labels of these qrels, and take the judge's for all other pairs
    #[arg(long, value_name = "QRELS", requires = "qrels",
        conflicts_with_all = ["human", "method", "truth", "drop_ambiguous"])]
    pub(crate) base: Option<PathBuf>,
    /// Put the labels on the human scale, or that of --base: kappa, isotonic, ordinal, severity or beta
    ///
    /// They are kappa (the highest quadratic kappa), isotonic (means), ordinal (logistic regression), severity (the
    /// judge's thresholds and noise) or beta (curves of Beta calibration); with --base also none
    #[arg(long, value_name = "METHOD")]
    pub(crate) calibrate: Option<BaseCalibration>,
    /// Human labels of a random sample of the pairs (qrels), for --calibrate
    #[arg(long, value_name = "QRELS", requires_all = ["calibrate", "sampled"])]
    pub(crate) human: Option<PathBuf>,
    /// How they were drawn: pairs or queries, all equally likely, or a file of probabilities
    #[arg(long, value_name = "pairs|queries|FILE", requires = "human")]
    pub(crate) sampled: Option<PathBuf>,
    /// The lowest human grade that means "relevant", for the cut that --calibrate recommends
    #[arg(long, value_name = "GRADE", default_value_t = 1, requires = "calibrate")]
    pub(crate) relevant_from: i32,
    #[command(flatten)]
    pub(crate) study: StudyFlags,
    #[command(flatten)]
    pub(crate) label_reading: LabelReading,
}
