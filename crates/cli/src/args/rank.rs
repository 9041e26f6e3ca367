//! The arguments of `llull rank`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use llull::data::BallotFormat;
use llull::label::TierScheme;
use llull::rank::TieRule;
use llull::rank::ratings::{Model, Prior};
use llull::report::ranking::RankingMethod;

use super::choices::choices;
use super::format::{Format, formats};
use super::study_flags::{AS_LAST_RUN, AskedAs};

const AFTER_HELP: &str = "\
Examples:
  llull rank games.csv                           Bradley-Terry scores with standard errors
  llull rank prefs.txt.gz --method tiers --json   tiers, and how far the comparisons contradict each other
  llull rank games.csv --method judge-aware       judges that tell items apart better count more
  llull rank --method tiers                       the study's comparisons, from its ledger
  llull rank --method tiers --query q01 --format dot | dot -Tsvg -o q01.svg

Input is CSV with the header left,right,winner (left, right, tie, or the item's name; optionally weight, query, \
judge), lines `query winner loser` or `query a b winner`, JSON lines \
{\"query\":\"q1\",\"ranking\":[[\"d3\"],[\"d1\",\"d7\"]],\"rest\":[\"d2\"]}, or trec_eval's preferences \
`query ujg ujsubg item level`; the first line decides which. `query ujg item level` needs --input qrels-prefs. \
Several files are read as one.";

/// `llull rank`
#[derive(Debug, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{AS_LAST_RUN}"))]
pub(crate) struct RankArgs {
    /// Comparisons: files, plain, .gz or .zst, or folders of them; - is standard input. By default the study's ledger
    /// is read
    pub(crate) files: Vec<PathBuf>,
    /// What to compute from them: a rating model, or tiers
    #[arg(long, value_name = "METHOD", default_value = "bradley-terry", value_parser = method())]
    pub(crate) method: RankingMethod,
    /// Only this query; repeat for more
    #[arg(long = "query", value_name = "ID")]
    pub(crate) queries: Vec<String>,
    /// Only this judge; repeat for more. By default those of the study's last run
    #[arg(long = "judge", value_name = "JUDGE")]
    pub(crate) judges: Vec<String>,
    #[command(flatten)]
    pub(crate) asked: AskedAs,
    /// The form of the files, if their first line does not tell
    #[arg(long, value_name = "FORM", value_parser = input())]
    pub(crate) input: Option<BallotFormat>,
    /// The prior of Bradley-Terry, judge-aware and Plackett-Luce: logistic:WINS (each item has won and lost that often
    /// against an average one), choix:ALPHA (as in choix), or none [default: logistic:0.1]
    #[arg(long, value_name = "PRIOR")]
    pub(crate) prior: Option<Prior>,
    /// What a tie means for tiers, and votes that cancel out. By default open; for a study whose judges order lists,
    /// equal, as in its report
    #[arg(long, value_parser = choices([
        ("open", TieRule::Open, "A tie has no effect on the order"),
        ("equal", TieRule::Equal, "Two tied items belong to one tier"),
    ]))]
    pub(crate) ties: Option<TieRule>,
    /// The format of the result; --json is short for --format json
    #[arg(long, value_parser = formats([
        (Format::Table, "For people"),
        (Format::Json, "For programs"),
        (Format::Qrels, "Labels, as TREC qrels; --labels chooses the scheme"),
        (Format::Prefs, "For trec_eval -R prefs"),
        (
            Format::QrelsPrefs,
            "For trec_eval -R qrels_prefs: levels are tiers, or equal scores, counted from the bottom and from 1",
        ),
        (
            Format::Dot,
            "A graph of the tiers in Graphviz' language, one for each query; needs --method tiers",
        ),
    ]))]
    pub(crate) format: Option<Format>,
    /// The labels that --format qrels derives from tiers, or from equal scores: rating, ordinal, geometric, binary(N),
    /// anchored [default: rating]
    #[arg(long, value_name = "SCHEME")]
    pub(crate) labels: Option<TierScheme>,
    /// Grades of some items, as qrels, for --labels anchored
    #[arg(long, value_name = "FILE")]
    pub(crate) anchors: Option<PathBuf>,
    /// The file to write the result to; - is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) output: PathBuf,
}

fn method() -> impl TypedValueParser<Value = RankingMethod> {
    PossibleValuesParser::new(Model::ALL.map(Model::name).into_iter().chain(["tiers"]))
        .try_map(|name| name.parse())
}

fn input() -> impl TypedValueParser<Value = BallotFormat> {
    PossibleValuesParser::new(BallotFormat::ALL.map(BallotFormat::name))
        .try_map(|name| name.parse::<BallotFormat>())
}
