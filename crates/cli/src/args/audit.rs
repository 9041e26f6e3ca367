//! The arguments of `llull audit`.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use llull::JudgeProbe;

use super::study_flags::{AS_LAST_RUN, StudyFlags};

const AFTER_HELP: &str = "\
Each check has an outcome: passed, warning (read it before you act on the figures) or failed (the answers support no \
decision), with a finding and a remedy. --json adds n, the interval and the value by chance. Without --probe llull \
sends no request: it computes everything from the answers in the ledger. It tests the bounds of [checks] in \
llull.toml, and ends with 100 if one is missed.

Below the checks, each judge, paradigm and prompt in the ledger has a line, including those of earlier rubrics. \
Agreement is beyond chance and within queries, with the study's reference and with the other judges; first side, \
flips and noise come from comparisons and from repeated questions. The price of 1,000 answers includes failures and \
rechecks. A star marks a judge that no other beats in both price and agreement.";

/// `llull audit`
#[derive(Debug, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{AS_LAST_RUN}"))]
pub(crate) struct AuditArgs {
    /// A table of comparisons to audit instead of a study: query,left,right,winner under a header. left was shown
    /// first, the winner is left, right, neither or a document's name, and one pair may stand in both orders. A column
    /// judge tells judges apart
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The order of left and right in FILE was drawn at random. Without it, only pairs in both orders show which side
    /// wins
    #[arg(long, requires = "file")]
    pub(crate) random_order: bool,
    #[command(flatten)]
    pub(crate) study: StudyFlags,
    /// Test judges by questions about changed documents; several with commas
    ///
    /// Send questions about 30 documents with changed texts: stuffed (the query's words repeated), padded
    /// (neutral sentences, as long as it is), injected (an instruction to prefer it), truncated (half of it), swapped
    /// (other names and numbers for the query's); or with the worked examples in another order: anchors. contamination
    /// uses 100 documents with masked words, and paraphrased queries, and compares the agreement with human labels.
    /// Several with commas, or all. The requests cost money; --dry-run estimates how much. The answers are no votes,
    /// and later reports include their checks
    #[arg(long, value_name = "PROBES", value_delimiter = ',', value_parser = probe())]
    pub(crate) probe: Vec<Option<JudgeProbe>>,
    /// For contamination: paraphrased queries, as topics with the same identifiers. By default
    /// contamination.paraphrases in llull.toml, which reports use too
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    pub(crate) paraphrases: Option<String>,
    /// For contamination: the folder of a study with human labels, whose collection is newer than the judge's model,
    /// and that had the same probe. By default contamination.control in llull.toml
    #[arg(long, value_name = "FOLDER", conflicts_with = "file")]
    pub(crate) control: Option<String>,
    /// What the comparison of judges is sorted by
    #[arg(long, value_enum, value_name = "WHAT", default_value = "agreement", conflicts_with = "file")]
    pub(crate) sort: JudgesOrder,
    /// With --probe: estimate the remaining requests, and send none
    #[arg(long, requires = "probe")]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) asking: ProbingOptions,
}

/// How many requests probes may take.
#[derive(Debug, Args)]
pub(crate) struct ProbingOptions {
    /// With --probe: stop after so many requests; repeat the command to continue
    #[arg(long, value_name = "N", requires = "probe")]
    pub(crate) max_calls: Option<u64>,
}

/// What judges are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum JudgesOrder {
    /// Agreement with human labels, or without them with the other judges, highest first
    Agreement,
    /// Price of 1,000 answers, lowest first; unknown prices last
    Price,
    /// The time of their first request
    First,
}

/// Parses a probe, or `all`, which is `None`.
fn probe() -> impl TypedValueParser<Value = Option<JudgeProbe>> {
    let names = JudgeProbe::ALL.map(JudgeProbe::name).into_iter().chain(["all"]);
    PossibleValuesParser::new(names)
        .map(|name| JudgeProbe::ALL.into_iter().find(|probe| probe.name() == name))
}

impl AuditArgs {
    /// The requested probes, each once.
    pub(crate) fn probes(&self) -> Vec<JudgeProbe> {
        let wanted =
            |probe: &JudgeProbe| self.probe.iter().any(|named| named.is_none_or(|named| named == *probe));
        JudgeProbe::ALL.into_iter().filter(wanted).collect()
    }
}
