//! Commands on a study.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use llull::config::Overrides;
use llull::core::Paradigm;

/// What an interruption costs.
const INTERRUPT: &str = "Every answer is in the ledger before it counts. Ctrl-C stops asking and waits for what \
    is in flight, a second Ctrl-C drops that; the same command then goes on, and nothing is paid twice but what \
    was dropped.";

/// How a study is run.
const RUN_EXAMPLES: &str = "\
Examples:
  llull run                                       as llull.toml says
  llull run --judge openai/gpt-4o-mini            another judge
  llull run --judge openai/qwen3 --base-url http://localhost:11434/v1
                                                  a local one, behind any OpenAI-compatible server
  llull run --judge replay:human.qrels            labels made elsewhere
  llull run --max-calls 100                       a hundred requests now, the rest another time

Every answer is in the ledger before it counts. Ctrl-C stops asking and waits for what is in flight, a second \
Ctrl-C drops that; the same command then goes on, and nothing is paid twice but what was dropped.";

/// `llull demo`
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Where to write the study; it is kept
    #[arg(default_value = "llull-demo")]
    pub(crate) dir: PathBuf,
}

/// `llull init`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  llull init study --topics queries.tsv --corpus docs.jsonl --run old=bm25.run --run \
        new=dense.run\n\nOn a terminal, what is not given is asked. Elsewhere the scaffold's own values stand, \
        ready to be edited."
)]
pub(crate) struct InitArgs {
    /// The study's folder
    #[arg(default_value = ".")]
    pub(crate) dir: PathBuf,
    /// The study's name
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Topics: TSV (id, tab, text), JSONL or a BEIR folder
    #[arg(long, value_name = "FILE")]
    pub(crate) topics: Option<String>,
    /// Corpus: JSONL, TSV or a BEIR folder
    #[arg(long, value_name = "FILE")]
    pub(crate) corpus: Option<String>,
    /// A system's results, as a TREC run; repeat for each system
    #[arg(long = "run", value_name = "[NAME=]FILE")]
    pub(crate) runs: Vec<String>,
    /// The judge: provider/model, similarity, or replay:FILE
    #[arg(long, value_name = "MODEL")]
    pub(crate) judge: Option<String>,
    /// Ask nothing
    #[arg(long)]
    pub(crate) yes: bool,
}

/// `llull doctor`
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) judges: JudgeOptions,
    /// Do not contact any model's server. Otherwise each is sent one short request
    #[arg(long)]
    pub(crate) offline: bool,
}

/// `llull run`
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) judges: JudgeOptions,
    #[command(flatten)]
    pub(crate) measures: MeasureOptions,
}

/// `llull retrieve`
#[derive(Debug, Args)]
pub(crate) struct RetrieveArgs {
    /// Print the best N of each query and system; 0 prints the counts alone
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) show: usize,
}

/// `llull pool`
#[derive(Debug, Args)]
pub(crate) struct PoolArgs {
    /// How many of each system's documents are pooled
    #[arg(long, value_name = "K", value_parser = at_least_one)]
    pub(crate) depth: Option<usize>,
    /// List the pairs of this query, with who found them at which rank
    #[arg(long, value_name = "ID")]
    pub(crate) topic: Option<String>,
    /// List the pairs of every query
    #[arg(long)]
    pub(crate) pairs: bool,
}

/// `llull judge`
#[derive(Debug, Args)]
#[command(after_help = INTERRUPT)]
pub(crate) struct JudgeArgs {
    #[command(flatten)]
    pub(crate) judges: JudgeOptions,
    /// Count what would be asked; ask nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Who judges, and how hard.
#[derive(Debug, Args)]
pub(crate) struct JudgeOptions {
    /// A judge of llull.toml, or provider/model, similarity, replay:FILE; repeat for a panel
    #[arg(long = "judge", value_name = "JUDGE")]
    pub(crate) judges: Vec<String>,
    /// The address of the models' server, such as http://localhost:11434/v1. The provider's key is sent there
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// How judges are asked
    #[arg(long, value_name = "PARADIGM", value_parser = paradigm())]
    pub(crate) paradigm: Option<Paradigm>,
    /// The prompt: graded, graded-direct, umbrela, pairwise, listwise, setwise, or a template file
    #[arg(long, value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// Requests at once
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) concurrency: Option<usize>,
    /// How many of each system's documents are judged
    #[arg(long, value_name = "K", value_parser = at_least_one)]
    pub(crate) depth: Option<usize>,
    /// Stop after this many requests; the same command goes on from there
    #[arg(long, value_name = "N")]
    pub(crate) max_calls: Option<u64>,
    /// The seed of all chance
    #[arg(long)]
    pub(crate) seed: Option<u64>,
}

fn paradigm() -> impl TypedValueParser<Value = Paradigm> {
    PossibleValuesParser::new(Paradigm::ALL.map(Paradigm::name)).try_map(|name| {
        let named = Paradigm::ALL.into_iter().find(|paradigm| paradigm.name() == name);
        named.ok_or("there is no such paradigm")
    })
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("it is a whole number from 1 up".into()),
        Ok(number) => Ok(number),
    }
}

/// What is measured.
#[derive(Debug, Args)]
pub(crate) struct MeasureOptions {
    /// A measure, such as nDCG@10, RR@10, P(rel=2)@5; repeat for more; the first decides
    #[arg(short = 'm', long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
    /// The system that the others are compared with
    #[arg(long, value_name = "SYSTEM")]
    pub(crate) baseline: Option<String>,
}

impl JudgeOptions {
    /// What these options say about the settings.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides {
            judges: self.judges.clone(),
            base_url: self.base_url.clone(),
            seed: self.seed,
            depth: self.depth,
            concurrency: self.concurrency,
            prompt: self.prompt.clone(),
            max_calls: self.max_calls,
            paradigm: self.paradigm,
            ..Overrides::default()
        }
    }
}

impl MeasureOptions {
    /// What these options say about the settings.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides { measures: self.measures.clone(), baseline: self.baseline.clone(), ..Overrides::default() }
    }
}
