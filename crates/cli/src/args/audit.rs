//! The arguments of `llull audit`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use llull::JudgeProbe;

use super::number_ranges::at_least_one;
use super::study_flags::{AS_LAST_RUN, StudyFlags};

const AFTER_HELP: &str = "\
Each alarm has a verdict: fine, look (read it before acting on the figures) or do not trust (the answers carry no \
decision), with n, an interval, what a coin would give, and what to do. Without --probe nothing is asked: all of it \
is computed from the answers in the ledger. Bounds that [alarms] of llull.toml sets are tested, and one that is not \
kept ends with 100.";

/// `llull audit`
#[derive(Debug, Args)]
#[command(after_help = format!("{AFTER_HELP}\n\n{AS_LAST_RUN}"))]
pub(crate) struct AuditArgs {
    /// A table of comparisons to audit instead of a study: query,left,right,winner under a header, where left was shown
    /// first, the winner is left, right, neither or a document's name, and one pair may stand in both orders. A column
    /// judge tells judges apart
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The order of left and right in FILE was drawn at random. Without it the side that wins is read off pairs that
    /// stand in both orders
    #[arg(long, requires = "file")]
    pub(crate) random_order: bool,
    #[command(flatten)]
    pub(crate) study: StudyFlags,
    /// How many of each system's documents are judged. By default as in the last run
    #[arg(long, value_name = "K", value_parser = at_least_one)]
    pub(crate) depth: Option<usize>,
    /// Ask again about 30 documents with their text changed: stuffed (the query's words repeated), injected (an
    /// instruction to prefer it), truncated (half of it), swapped (other names and numbers for the query's); or beside
    /// the worked examples in another order: anchors. contamination asks about 100 documents with words masked, and
    /// queries paraphrased, whether it agrees with people as before. Several with commas, or all. This asks, and costs;
    /// --dry-run says how much. The answers are no votes, and their alarms stand in every report from then on
    #[arg(long, value_name = "PROBES", value_delimiter = ',', value_parser = probe())]
    pub(crate) probe: Vec<Option<JudgeProbe>>,
    /// For contamination: the queries worded anew, as topics with the same identifiers. By default as
    /// contamination.paraphrases in llull.toml says, which reports read, too
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    pub(crate) paraphrases: Option<String>,
    /// For contamination: the folder of a study with people's labels, whose collection is newer than the judge's model,
    /// and that was probed likewise. By default contamination.control in llull.toml
    #[arg(long, value_name = "FOLDER", conflicts_with = "file")]
    pub(crate) control: Option<String>,
    /// With --probe: estimate how many requests are left, and ask nothing
    #[arg(long, requires = "probe")]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) asking: ProbingOptions,
}

/// How many requests probes may take.
#[derive(Debug, Args)]
pub(crate) struct ProbingOptions {
    /// With --probe: stop after so many requests; the same command goes on
    #[arg(long, value_name = "N", requires = "probe")]
    pub(crate) max_calls: Option<u64>,
}

/// Parses a probe, or `all`, which is `None`.
fn probe() -> impl TypedValueParser<Value = Option<JudgeProbe>> {
    let names = JudgeProbe::ALL.map(JudgeProbe::name).into_iter().chain(["all"]);
    PossibleValuesParser::new(names)
        .map(|name| JudgeProbe::ALL.into_iter().find(|probe| probe.name() == name))
}

impl AuditArgs {
    /// The probes that are asked for, each once.
    pub(crate) fn probes(&self) -> Vec<JudgeProbe> {
        let wanted =
            |probe: &JudgeProbe| self.probe.iter().any(|named| named.is_none_or(|named| named == *probe));
        JudgeProbe::ALL.into_iter().filter(wanted).collect()
    }
}
