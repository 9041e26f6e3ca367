//! The arguments of `llull diff`.

use std::path::PathBuf;

use clap::Args;

use super::judge_options::{JudgeOptions, StoppingOptions};
use super::number_ranges::at_least_one;
use super::study_flags::AS_LAST_RUN;
use super::{LabelReading, RunReading};

const AFTER_HELP: &str = "\
Examples:
  llull diff old.qrels new.qrels                      which labels change, and how far the two agree
  llull diff old.qrels new.qrels --runs *.run -m nDCG@10
                                                      and the effect on systems
  llull diff                                          a study before its rubric or prompt changed, and now
  llull diff --sample 50 --dry-run                    the price of judging 50 pairs again, and all of them
  llull diff --sample 50                              judges those 50, and estimates the share of all labels
  llull diff @3f2a91c0 @77ab01de                      two rubrics, by the beginning of their hashes
  llull diff @old-rubric.md now                       the same by a rubric's file
  llull diff gpt@umbrela gpt@graded                   two prompts
  llull diff gpt llama                                two judges of the study
  llull diff gpt gpt,llama,qwen                       a judge and a panel of judges
  llull diff gpt \"the reviewers\"                     a judge, and human labels of the sample
  llull diff human.qrels now                          a file and the study

A side is a file of labels, or in a study: now, the current study; earlier, its judges before the last change; a \
judge's name, or several with commas; an annotator of its sample, or \"the reviewers\". @ selects a variant in the \
ledger: a prompt's name, a rubric's file, or the beginning of the hash of a rubric, of a prompt or of the judge, \
four characters at least. If a side does not exist, or is ambiguous, llull lists the judges of the ledger. Without B \
it is now, without A earlier.

Pairs of query and document whose label changes are listed, the largest change first, then the best rank at which a \
system has the document. Systems are measured under both over the pairs that both have, so that their figures differ \
by changed labels alone. On files the first run is the baseline of the verdicts unless --baseline names another.

--sample draws from the pairs with a label of side A, each with the same probability and by the study's seed, so \
that the same pairs are drawn again. The requests are those of llull run: nothing is paid for twice.";

/// `llull diff`
#[derive(Debug, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{AS_LAST_RUN}"))]
pub(crate) struct DiffArgs {
    /// The one side: a qrels file (- is standard input), or in a study JUDGE, @RUBRIC, JUDGE@PROMPT. By default earlier
    pub(crate) a: Option<String>,
    /// The other side, likewise. By default now
    pub(crate) b: Option<String>,
    /// How many changed labels are listed; 0 for none
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Have the study's judges judge N of the pairs with a label of side A, and estimate the share of all labels that
    /// changes
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) sample: Option<usize>,
    /// With --sample: estimate the cost, and send no request
    #[arg(long, requires = "sample")]
    pub(crate) dry_run: bool,
    /// Runs to measure under both files
    #[arg(long, value_name = "RUN", num_args = 1..)]
    pub(crate) runs: Vec<PathBuf>,
    /// The measure of the systems; may be repeated. By default the study's measures, or nDCG@10
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// The system that the others are compared with (its name, or its file). By default the study's, or the first run
    #[arg(long, value_name = "SYSTEM")]
    pub(crate) baseline: Option<String>,
    #[command(flatten)]
    pub(crate) judges: JudgeOptions,
    #[command(flatten)]
    pub(crate) stopping: StoppingOptions,
    #[command(flatten)]
    pub(crate) label_reading: LabelReading,
    #[command(flatten)]
    pub(crate) run_reading: RunReading,
}
