//! The arguments of `llull review`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use super::EvaluateArgs;
use super::answer_review::{AnswerReview, ReviewedAnswers};
use super::number_ranges::at_least_one;
use super::serve::ServerArgs;
use super::study_flags::AS_LAST_RUN;

const AFTER_HELP: &str = "\
Examples:
  llull sample -n 200                             draw about 200 pairs, once
  llull review --as anna                          anna judges them in the browser; Ctrl-C ends the server
  llull review --overlap 2                        visitors enter a name; two annotators for each pair
  llull review --queue adjudicate --as carla      carla settles disagreements of others
  llull review --queue disagreement --as anna     largest differences between judges first
  llull report                                    decides by the sample's labels
  llull review --most 100 --as anna               where judges compare: 100 random pairs
  llull agree --people                            the agreement of such judges with annotators
  llull review --queue failures -o queue.csv      the queue as a sheet for a spreadsheet
  llull review --read queue.csv --as anna         read anna's filled sheet
  llull review questions.json --results dense.jsonl --ledger answers.sqlite --as anna
                                                  which passages hold the expected answers

Each page shows a query, a document and the rubric, without any answer of judges or rank of systems. A key (0 to 9) \
answers, saves and shows the next pair. An answer is in the ledger before the next pair is sent; llull run may be on \
meanwhile. Only answers to the sample, and those that settle it, correct figures. Where judges compare documents \
(paradigm), a page shows two side by side: 1 is left, 2 is right, 0 is neither. docs/guides/review-by-hand.md has \
the keys.

With a DATASET of expected answers, as llull evaluate reads it, a page shows a question, an expected answer and a \
passage, without judges' answers. llull evaluate --judge person/NAME, with the same files and ledger, counts the \
answers. docs/reference/expected-answers.md has the keys.";

/// `llull review`
#[derive(Debug, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{AS_LAST_RUN}"))]
#[command(group(ArgGroup::new("found").args(["results", "retrievers"]).multiple(true)))]
pub(crate) struct ReviewArgs {
    /// Questions with expected answers: annotators mark the passages that hold them. By default they judge the study's
    /// pairs
    #[arg(requires = "found")]
    pub(crate) dataset: Option<PathBuf>,
    /// The annotator. Without it, each visitor of the page enters a name
    #[arg(long = "as", value_name = "NAME")]
    pub(crate) annotator: Option<String>,
    /// Which pairs are shown. By default the sample, or where judges compare documents, and with DATASET, random
    #[arg(long, value_enum, conflicts_with = "query")]
    pub(crate) queue: Option<QueueChoice>,
    /// The pairs of this query, by its identifier
    #[arg(long, value_name = "ID")]
    pub(crate) query: Option<String>,
    /// How many annotators answer each pair; by default any number
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) overlap: Option<usize>,
    /// How many pairs are shown at most; a sample is shown whole
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) most: Option<usize>,
    /// Write the queue as a sheet, .csv, .tsv or .xlsx, in place of serving it: the same pairs in the same order, with
    /// --as NAME's open ones. - is standard output
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["listen", "port", "allow_host"])]
    pub(crate) output: Option<PathBuf>,
    /// Read a sheet that NAME (--as) filled in. The sheet has the draw of its pairs, and --overlap
    #[arg(
        long,
        value_name = "SHEET",
        requires = "annotator",
        conflicts_with_all = ["queue", "query", "most", "overlap", "output", "listen", "port", "allow_host"]
    )]
    pub(crate) read: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) answers: ReviewedAnswers,
    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

impl ReviewArgs {
    /// The evaluation whose passages are reviewed; `None` for a review of a study's pairs.
    pub(crate) fn of_answers(&self) -> Option<EvaluateArgs> {
        let dataset = self.dataset.clone()?;
        let answers = self.answers.clone();
        let review = AnswerReview {
            annotator: self.annotator.clone(),
            queue: self.queue.unwrap_or(QueueChoice::Random),
            query: self.query.clone(),
            overlap: self.overlap,
            most: self.most,
            output: self.output.clone(),
            read: self.read.clone(),
            server: self.server.clone(),
        };
        Some(EvaluateArgs {
            dataset,
            answers_separator: answers.answers_separator,
            results: answers.results,
            retrievers: answers.retrievers,
            corpus: answers.corpus,
            judges: answers.judges,
            rubric: answers.rubric,
            facts: answers.facts,
            ledger: answers.ledger,
            // The deepest measure decides how many results have to be judged.
            measures: vec![format!("Success@{}", answers.depth)],
            review: Some(review),
            ..EvaluateArgs::default()
        })
    }
}

/// Which pairs are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum QueueChoice {
    /// The study's sample, to grade, in random order: its labels correct figures
    Sample,
    /// Pairs of the sample, and others in random order, on which two or more annotators disagree and that NAME (--as)
    /// did not answer: NAME's answer counts. It follows the ledger while the server runs
    Adjudicate,
    /// All pairs of the pool, in random order; where judges compare, two documents that they saw together
    Random,
    /// Pairs on which the judges of a panel are furthest apart, those first; where judges compare, also one judge in
    /// two orders
    Disagreement,
    /// Two documents that lead each other in a cycle, to compare
    Cycles,
    /// Pairs without a label or comparison, because judges failed or their replies are unparsable
    Failures,
    /// Pairs behind failed judge checks
    Checks,
}
