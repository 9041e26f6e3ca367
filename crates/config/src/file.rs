//! `llull.toml` as written.
//!
//! Every key is optional here. A missing key is an error only when settings are resolved. `cargo xtask generate` makes
//! the reference of keys from doc comments and schema: `values` and `default` are its second column, `see` is the place
//! in the reference that has more.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use llull_candidates::remote::StoreKind;
use llull_core::{Paradigm, Sampling, Seed, nearest_expected};
use llull_data::RepeatedGrades;
use llull_label::TierScheme;
use llull_stats::BootstrapOptions;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::{
    aws::AwsTable,
    base::BaseEntry,
    columns::ColumnsTable,
    corpus::CorpusEntry,
    defaults::{
        ANCHORS, ORDERS, REJUDGE, RETRIEVE_DEPTH, SCHEDULES, SEED, TOP, USUAL_CONCURRENCY, USUAL_TIMEOUT,
        WINDOW, recheck_defaults,
    },
    error::ConfigError,
    folder::FORMAT_VERSION,
    gates::GateBounds,
    label_file::LabelFileEntry,
    pool::{PoolTable, pool_table},
    postgres::PostgresFile,
    ranges::{self, CONCURRENCY, DOCUMENT_TOKENS, PER_MINUTE, REPLY_TOKENS, TIMEOUT, span},
    remote::{HttpFile, StoreFile},
    spanned::Spanned,
};

/// Which grade counts of a pair with several.
const REPEATS: [RepeatedGrades; 4] =
    [RepeatedGrades::First, RepeatedGrades::Last, RepeatedGrades::Median, RepeatedGrades::Votes];

/// The whole file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StudyFile {
    /// The format's version.
    #[schemars(extend("default" = FORMAT_VERSION))]
    pub version: Option<Spanned<u32>>,
    /// The name in the report.
    #[schemars(extend("default" = "the folder's name"))]
    pub name: Option<String>,
    /// The source of all random numbers.
    #[schemars(extend("default" = SEED))]
    pub seed: Option<u64>,
    /// Queries: CSV, TSV, JSON, JSONL, TREC's SGML, XML or a BEIR folder.
    #[schemars(extend("values" = "file", "default" = "required"))]
    pub topics: Option<Spanned<String>>,
    /// Documents: CSV, TSV, JSON, JSONL, TREC's SGML, XML, a BEIR folder, or a folder of texts.
    #[schemars(with = "String")]
    #[schemars(extend("values" = "file or table", "see" = "#corpus"))]
    pub corpus: Option<Spanned<CorpusEntry>>,
    /// The columns of tables and fields of JSON, where they do not have their usual names.
    #[schemars(with = "()")]
    #[schemars(extend("values" = "section", "see" = "#columns"))]
    pub columns: ColumnsTable,
    /// The definition of relevance.
    #[schemars(extend("values" = "file", "default" = "a general one", "see" = "judges.md#the-rubric"))]
    pub rubric: Option<Spanned<String>>,
    /// Existing labels, which llull keeps.
    #[schemars(with = "String")]
    #[schemars(extend("values" = "file or table", "see" = "labels.md#existing-labels"))]
    pub base: Option<Spanned<BaseEntry>>,
    /// Qrels to compare the labels with. `"the reviewers"` are human labels of the sample. A table is
    /// `{ file = "other.qrels", round = true, repeats = "median" }`.
    #[schemars(with = "String")]
    #[schemars(extend("values" = "file or table"))]
    pub reference: Option<Spanned<LabelFileEntry>>,
    /// The first one decides. If labels are places in an order, the default is Compat(p=0.9), nDCG@10,
    /// Judged@10.
    #[schemars(extend("default" = "nDCG@10; RR@10, P@5, R@10 at the rubric's cutoff; Judged@10"))]
    pub measures: Option<Vec<Spanned<String>>>,
    /// The systems to compare.
    #[schemars(with = "Vec<()>")]
    #[schemars(extend("values" = "sections", "default" = "required", "see" = "systems.md"))]
    pub systems: Vec<Spanned<SystemTable>>,
    /// Whether judges grade documents or compare them.
    #[schemars(extend("values" = Paradigm::ALL.map(Paradigm::name), "default" = Paradigm::Graded.name()))]
    #[schemars(extend("see" = "tournaments.md"))]
    pub paradigm: Option<Spanned<String>>,
    /// How several grades become a label; where judges compare, how votes count: `majority` or `judge-aware`.
    #[schemars(extend("default" = "`fractional`; `majority` where judges compare", "see" = "labels.md#methods"))]
    pub method: Option<Spanned<String>>,
    /// A stronger judge for hard pairs.
    #[schemars(with = "()")]
    #[schemars(extend("values" = "table", "see" = "labels.md#a-stronger-judge-for-hard-pairs"))]
    pub escalate: Option<Spanned<EscalateTable>>,
    /// The judges; several are a panel.
    #[schemars(with = "Vec<()>")]
    #[schemars(extend("values" = "sections", "see" = "#judges"))]
    pub judges: Vec<Spanned<JudgeTable>>,
    /// Judges that grade a few documents of each tier, for `labels = "anchored"`.
    #[schemars(with = "Vec<()>")]
    #[schemars(extend("values" = "sections", "see" = "tournaments.md#keys"))]
    pub graders: Vec<Spanned<JudgeTable>>,
    /// How documents are compared.
    #[schemars(with = "()")]
    #[schemars(extend("values" = "section", "see" = "tournaments.md#keys"))]
    pub tournament: TournamentTable,
    /// The documents that are judged.
    #[serde(deserialize_with = "pool_table")]
    pub pool: PoolTable,
    /// The share of questions, at least 30, that llull repeats to test judges. Repetitions are no votes. By default
    /// none of fewer than 30 graded documents is repeated.
    #[schemars(extend("values" = "0 to 1", "default" = recheck_defaults()))]
    pub recheck: Option<Spanned<f64>>,
    /// The retrieval by llull's own retrievers.
    pub retrieve: RetrieveTable,
    /// The comparison of systems.
    pub compare: CompareTable,
    /// The environment variable with the address of a PostgreSQL database, for several runs at once.
    #[schemars(with = "String")]
    #[schemars(extend("default" = "a file in `.llull/`", "see" = "#several-machines"))]
    pub ledger: Option<Spanned<String>>,
    /// Limits of cost.
    pub budget: BudgetTable,
    /// Data that shows whether judges know the collection.
    pub contamination: ContaminationTable,
    /// Bounds on judge checks, such as `kappa = ">= 0.1"`.
    #[schemars(extend("values" = "section", "see" = "checks.md#bounds"))]
    pub checks: BTreeMap<String, Spanned<String>>,
    /// Conditions that fail a build, such as `"low(nDCG@10)" = ">= -0.01"`; a list has several.
    #[schemars(with = "BTreeMap<String, String>")]
    #[schemars(extend("values" = "section", "see" = "statistics.md#gates"))]
    pub gates: BTreeMap<String, Spanned<GateBounds>>,
}

/// `[[systems]]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemTable {
    /// Its name in every table.
    pub name: String,
    /// The model family of the system, such as `gpt`, if its name does not show it.
    pub family: Option<String>,
    /// The model that ordered the results, such as `openai/gpt-4o`.
    pub reranked_by: Option<String>,
    /// A run file.
    pub run: Option<String>,
    /// The meaning of the third column, if the run file has three: `rank` or `score`.
    pub third: Option<String>,
    /// The column that orders the documents of a run file with six columns: `score` or `rank`.
    pub order: Option<String>,
    /// A retriever of llull's own: `bm25`, `ngram`, `fts5`, `dense` or `hybrid`.
    pub retriever: Option<String>,
    /// The fields that it searches: `["title", "text"]`.
    pub fields: Option<Vec<String>>,
    /// The language whose stop words and endings BM25 removes.
    pub language: Option<String>,
    /// BM25's k1.
    pub k1: Option<f64>,
    /// BM25's b.
    pub b: Option<f64>,
    /// The encoder of a dense retriever: `minilm`.
    pub encoder: Option<String>,
    /// The systems that a hybrid fuses.
    pub of: Option<Vec<String>>,
    /// The search of a PostgreSQL server, for `retriever = "postgres"`.
    pub postgres: Option<PostgresFile>,
    /// The request to any HTTP server, for `retriever = "http"`.
    pub http: Option<Box<HttpFile>>,
    /// The search of a Chroma server.
    pub chroma: Option<Box<StoreFile>>,
    /// The search of an Elasticsearch server.
    pub elasticsearch: Option<Box<StoreFile>>,
    /// The search of a Meilisearch server.
    pub meilisearch: Option<Box<StoreFile>>,
    /// The search of a Milvus server.
    pub milvus: Option<Box<StoreFile>>,
    /// The search of an OpenSearch server.
    pub opensearch: Option<Box<StoreFile>>,
    /// The search of a Qdrant server.
    pub qdrant: Option<Box<StoreFile>>,
    /// The search of a Typesense server.
    pub typesense: Option<Box<StoreFile>>,
    /// The search of a Vespa server.
    pub vespa: Option<Box<StoreFile>>,
    /// The search of a Weaviate server.
    pub weaviate: Option<Box<StoreFile>>,
    /// A program that retrieves, with its arguments.
    pub command: Option<Vec<String>>,
    /// The variables of the environment that the program gets, besides the usual ones.
    pub env: Option<Vec<String>>,
    /// The time limit of the program, in seconds.
    pub timeout: Option<f64>,
}

impl SystemTable {
    /// Returns the settings of each kind of store, if the file has them.
    pub fn stores(&self) -> [(StoreKind, Option<&StoreFile>); 9] {
        [
            (StoreKind::Chroma, self.chroma.as_deref()),
            (StoreKind::Elasticsearch, self.elasticsearch.as_deref()),
            (StoreKind::Meilisearch, self.meilisearch.as_deref()),
            (StoreKind::Milvus, self.milvus.as_deref()),
            (StoreKind::OpenSearch, self.opensearch.as_deref()),
            (StoreKind::Qdrant, self.qdrant.as_deref()),
            (StoreKind::Typesense, self.typesense.as_deref()),
            (StoreKind::Vespa, self.vespa.as_deref()),
            (StoreKind::Weaviate, self.weaviate.as_deref()),
        ]
    }
}

/// `[[judges]]`
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct JudgeTable {
    /// A model or another judge; required without `command` and `endpoint`.
    #[schemars(extend("values" = "`PROVIDER/MODEL`, ...", "see" = "judges.md#other-judges"))]
    pub model: Option<String>,
    /// A program that judges, with its arguments.
    #[schemars(extend("see" = "own-judges.md"))]
    pub command: Option<Vec<String>>,
    /// Variables that the program gets, besides the usual ones.
    pub env: Option<Vec<String>>,
    /// A server that judges.
    #[schemars(extend("values" = "address", "see" = "own-judges.md"))]
    pub endpoint: Option<String>,
    /// The form of a reranker at `endpoint`, which orders documents.
    #[schemars(with = "String")]
    #[schemars(extend("values" = "`cohere`, `jina`, `tei`, `vllm`, `voyage`", "see" = "own-judges.md#rerankers"))]
    pub scores: Option<Spanned<String>>,
    /// The score from which a reranker finds a document relevant, on a rubric of two grades.
    #[schemars(extend("default" = "absent"))]
    pub threshold: Option<Spanned<f64>>,
    /// The variable with the server's key, not the key itself.
    #[schemars(with = "String")]
    #[schemars(extend("default" = "the provider's"))]
    pub key: Option<Spanned<String>>,
    /// The name in tables; required with `command` and `endpoint`.
    #[schemars(extend("default" = "the model's last part"))]
    pub name: Option<String>,
    /// A built-in prompt or a template file.
    #[schemars(extend("default" = "the paradigm's", "see" = "judges.md#prompts"))]
    pub prompt: Option<String>,
    /// Sampling temperature; `"default"` is the server's.
    #[schemars(with = "f64")]
    #[schemars(extend("values" = "0 to 2, `\"default\"`", "default" = Sampling::default().temperature))]
    pub temperature: Option<Spanned<Temperature>>,
    /// Nucleus sampling.
    #[schemars(extend("values" = "above 0, at most 1", "default" = "not sent"))]
    pub top_p: Option<Spanned<f64>>,
    /// The seed of the server's sampling.
    #[schemars(extend("default" = "not sent"))]
    pub seed: Option<u64>,
    /// Tokens of the reply, reasoning included: models that reason need several thousand.
    #[schemars(extend("values" = span(&REPLY_TOKENS), "default" = Sampling::default().max_tokens))]
    pub max_tokens: Option<Spanned<u32>>,
    /// Fields added to each request, such as `{ reasoning_effort = "low" }`; part of the question's key.
    #[schemars(with = "()")]
    #[schemars(extend("values" = "table"))]
    pub extra: Option<Spanned<toml::Table>>,
    /// Estimated tokens after which a document is cut.
    #[schemars(extend("values" = span(&DOCUMENT_TOKENS), "default" = llull_judge::DEFAULT_DOCUMENT_TOKENS))]
    pub document_tokens: Option<Spanned<u32>>,
    /// Shows worked examples in another random order for each question.
    #[schemars(extend("default" = false))]
    pub shuffle_anchors: Option<bool>,
    /// `bedrock/`: signs requests with AWS keys.
    #[schemars(with = "()")]
    #[schemars(extend("values" = "table", "see" = "judges.md#bedrock"))]
    pub aws: Option<Spanned<AwsTable>>,
    /// Another server; it gets the key.
    #[schemars(extend("values" = "address", "default" = "the provider's"))]
    pub base_url: Option<String>,
    /// Certificate authorities in PEM, for this server in addition to the system's.
    #[schemars(extend("values" = "file"))]
    pub ca_file: Option<PathBuf>,
    /// Seconds for a request or a program's answer.
    #[schemars(extend("values" = span(&TIMEOUT), "default" = USUAL_TIMEOUT))]
    pub timeout: Option<Spanned<u64>>,
    /// Requests at once.
    #[schemars(extend("values" = span(&CONCURRENCY), "default" = USUAL_CONCURRENCY))]
    pub concurrency: Option<Spanned<usize>>,
    /// Requests of this model with this key in any minute, at most.
    #[schemars(extend("values" = span(&PER_MINUTE), "default" = "no limit"))]
    pub requests_per_minute: Option<Spanned<u64>>,
    /// Tokens of this model with this key in any minute, at most.
    #[schemars(extend("values" = span(&PER_MINUTE), "default" = "no limit"))]
    pub tokens_per_minute: Option<Spanned<u64>>,
    /// Dollars per million tokens: `{ input = 0.15, cached = 0.075, output = 0.60 }`; `cached` is optional. A
    /// reranker's: `{ input = 0.05 }`, or `{ search = 0.002 }` per search unit.
    #[schemars(with = "()")]
    #[schemars(extend("values" = "table", "default" = "unknown"))]
    pub price: Option<Spanned<PriceTable>>,
    /// `replay`: its qrels.
    #[schemars(extend("values" = "file"))]
    pub labels: Option<String>,
    /// `replay`: `"0..3"`, or `"0..1 -> 0,3"` with each grade's value on the rubric's scale.
    #[schemars(extend("default" = "inferred"))]
    pub scale: Option<String>,
    /// `replay`: rounds decimals, halves away from 0.
    #[schemars(extend("default" = false))]
    pub round: Option<bool>,
    /// `replay`: the grade that counts of a repeated pair.
    #[schemars(extend("values" = REPEATS.map(RepeatedGrades::name), "default" = "refused"))]
    pub repeats: Option<String>,
    /// `replay`: the labels are a judge's, not human: verdicts get a track record.
    #[schemars(extend("default" = false))]
    pub by_judge: Option<bool>,
    /// Where judges compare: the weight of its votes in a panel.
    #[schemars(extend("values" = "above 0", "default" = 1))]
    pub weight: Option<Spanned<f64>>,
    /// By log-probabilities: splits a vote between two documents; `ledger show` has each grade's.
    #[schemars(extend("default" = false))]
    pub logprobs: Option<bool>,
}

/// A temperature, or the server's own.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Temperature {
    /// A number from 0.
    Value(f64),
    /// The word `default`.
    Word(String),
}

/// `price = { input = 0.15, cached = 0.075, output = 0.60 }`
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceTable {
    /// US dollars per million prompt tokens.
    pub input: Option<f64>,
    /// US dollars per million prompt tokens that the server reads from its cache.
    pub cached: Option<f64>,
    /// US dollars per million reply tokens.
    pub output: Option<f64>,
    /// US dollars per search unit of a reranker.
    pub search: Option<f64>,
}

/// `escalate = { to = "strong", when = "split | margin < 0.2" }`, or `"cycle"` where judges compare.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EscalateTable {
    /// The judge, by its name.
    pub to: String,
    /// The rule that selects its pairs.
    pub when: String,
    /// The highest share of wrong labels about relevance among those that the panel decides.
    pub disagreement: Option<f64>,
    /// The confidence of that bound.
    pub confidence: Option<f64>,
}

/// `[tournament]`
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TournamentTable {
    /// Documents in one question.
    #[schemars(extend("values" = ranges::WINDOW.span(), "default" = format!("{WINDOW}; 2 when pairwise")))]
    pub window: Option<Spanned<usize>>,
    /// How many best documents are ordered; others are below.
    #[schemars(extend("values" = ranges::TOP.span(), "default" = TOP))]
    pub top: Option<Spanned<usize>>,
    /// `sequential`: fewest calls; `parallel`: fewest waves; `exhaustive`: every pair, so that no cycle stays hidden.
    #[schemars(extend("values" = SCHEDULES.map(|(name, _)| name), "default" = "balanced"))]
    pub schedule: Option<Spanned<String>>,
    /// Repeats each pair inside a cycle so often, instead of comparing the best documents again from the first
    /// contradiction on.
    #[schemars(extend("values" = ranges::REJUDGE.span(), "default" = format!("absent; {REJUDGE} if exhaustive")))]
    pub rejudge: Option<Spanned<u32>>,
    /// 2 shows each set also in reverse, each a vote.
    #[schemars(extend("values" = ranges::ORDERS.span(), "default" = ORDERS))]
    pub orders: Option<Spanned<usize>>,
    /// Pairs: `false` forces a choice.
    #[schemars(extend("default" = true))]
    pub neither: Option<Spanned<bool>>,
    /// Pairs: both orders; a preference counts if they agree, else it is Neither.
    #[schemars(extend("default" = false))]
    pub double_check: Option<Spanned<bool>>,
    /// The most estimated tokens of a question's documents; the window becomes smaller.
    #[schemars(extend("values" = ranges::WINDOW_TOKENS.span(), "default" = llull_judge::DEFAULT_WINDOW_TOKENS))]
    pub window_tokens: Option<Spanned<u32>>,
    /// How tiers become labels.
    #[schemars(extend("values" = "`rating`, `ordinal`, `geometric`, `binary(N)`, `anchored`"))]
    #[schemars(extend("default" = TierScheme::default().to_string()))]
    pub labels: Option<Spanned<String>>,
    /// `anchored`: documents graded in each tier.
    #[schemars(extend("values" = ranges::ANCHORS.span(), "default" = ANCHORS))]
    pub anchors: Option<Spanned<usize>>,
}

/// `[contamination]`
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ContaminationTable {
    /// Paraphrased queries with the same identifiers.
    #[schemars(extend("values" = "file", "see" = "checks.md#probes"))]
    pub paraphrases: Option<String>,
    /// A study whose collection is newer than the judges' models.
    #[schemars(extend("values" = "folder"))]
    pub control: Option<String>,
}

/// `[retrieve]`
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RetrieveTable {
    /// Documents that a retriever returns.
    #[schemars(extend("values" = ranges::RETRIEVE_DEPTH.span(), "default" = RETRIEVE_DEPTH))]
    pub depth: Option<Spanned<usize>>,
}

/// `[compare]`
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CompareTable {
    /// The system that others are compared with.
    #[schemars(extend("default" = "the first system"))]
    pub baseline: Option<Spanned<String>>,
    /// The confidence of intervals.
    #[schemars(extend("values" = "0.5 to below 1", "default" = BootstrapOptions::new(Seed(SEED)).confidence))]
    pub confidence: Option<Spanned<f64>>,
    /// Bootstrap resamples. A higher confidence needs more: 40 at 0.95, 20,001 at 0.9999.
    #[schemars(extend("values" = ranges::RESAMPLES.span(), "default" = BootstrapOptions::new(Seed(SEED)).resamples))]
    pub resamples: Option<Spanned<usize>>,
    /// Metadata fields of the queries, for figures and verdicts on each of their values.
    #[schemars(extend("values" = "names of fields", "see" = "statistics.md#slices"))]
    pub slices: Vec<String>,
}

/// `[budget]`
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BudgetTable {
    /// The most requests of the whole study.
    #[schemars(extend("see" = "#budgets"))]
    pub calls: Option<u64>,
    /// The most tokens, of prompts and replies.
    pub tokens: Option<u64>,
    /// The most US dollars; needs a `price`.
    pub usd: Option<Spanned<f64>>,
}

impl StudyFile {
    /// Reads `llull.toml` from its text.
    ///
    /// # Errors
    /// [`ConfigError::Syntax`], which names the line and the known keys.
    pub fn parse(text: &str, file: &Path) -> Result<Self, ConfigError> {
        parse_toml(text, file)
    }
}

/// Reads the text of a file, or as much of it as the type has.
pub(crate) fn parse_toml<T: DeserializeOwned>(text: &str, file: &Path) -> Result<T, ConfigError> {
    toml::from_str(text).map_err(|error| {
        let meant = || Some(format!("\nDid you mean `{}`?", nearest_expected(error.message())?));
        let advice = keep_one(&error, text).or_else(meant).unwrap_or_default();
        let message = format!("{}{advice}", error.to_string().trim_end());
        ConfigError::Syntax { file: file.display().to_string(), message }
    })
}

/// Returns advice about a key that is there twice; `None` for any other error.
fn keep_one(error: &toml::de::Error, text: &str) -> Option<String> {
    (error.message() == "duplicate key").then_some(())?;
    let end = error.span()?.end;
    let begin = text.get(..end)?.rfind(['\n', '[', '{', ',', '.']).map_or(0, |at| at + 1);
    let key = text.get(begin..)?.split(['=', ']', '.', '\n']).next()?.trim();
    Some(match key {
        "pool" => {
            "\nKeep one: pool = \"qrels\" judges the pairs of `reference`, and [pool] with `depth` the \
                   results of the systems"
                .to_owned()
        }
        key => format!("\n`{key}` has a value above already: keep one of the two"),
    })
}
