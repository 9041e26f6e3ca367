//! `llull.toml` as written.
//!
//! Every key is optional here. A missing key is an error only when settings are resolved.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use llull_candidates::remote::StoreKind;
use serde::Deserialize;
use toml::Spanned;

use crate::{
    base::BaseEntry,
    columns::ColumnsTable,
    corpus::CorpusEntry,
    error::ConfigError,
    label_file::LabelFileEntry,
    postgres::PostgresFile,
    remote::{HttpFile, StoreFile},
};

/// The whole file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StudyFile {
    /// The format's version.
    pub version: Option<Spanned<u32>>,
    /// The study's name; the folder's name by default.
    pub name: Option<String>,
    /// The seed of all random numbers.
    pub seed: Option<u64>,
    /// Topics: TSV, JSONL or a BEIR folder.
    pub topics: Option<Spanned<String>>,
    /// Corpus: JSONL, TSV or a BEIR folder; or a table that also names the fields.
    pub corpus: Option<Spanned<CorpusEntry>>,
    /// The columns of tables, where they do not have their usual names.
    pub columns: ColumnsTable,
    /// The rubric.
    pub rubric: Option<Spanned<String>>,
    /// Existing labels. Judges grade the pairs that they lack.
    pub base: Option<Spanned<BaseEntry>>,
    /// Labels made elsewhere, to compare with.
    pub reference: Option<Spanned<LabelFileEntry>>,
    /// Measures in order of importance; the first decides.
    pub measures: Option<Vec<Spanned<String>>>,
    /// The systems to compare.
    pub systems: Vec<Spanned<SystemTable>>,
    /// The form of judgements: `graded`, `pairwise` or `listwise`.
    pub paradigm: Option<Spanned<String>>,
    /// The method that combines several judges' grades to a label, or their votes to an order.
    pub method: Option<Spanned<String>>,
    /// The judge that sees only the pairs that are hard for the others.
    pub escalate: Option<Spanned<EscalateTable>>,
    /// The judges.
    pub judges: Vec<Spanned<JudgeTable>>,
    /// The judges that grade a few documents of each tier, for `labels = "anchored"`.
    pub graders: Vec<Spanned<JudgeTable>>,
    /// The comparisons of documents.
    pub tournament: TournamentTable,
    /// The pool of documents that are judged.
    pub pool: PoolTable,
    /// The share of questions that are repeated, to measure how consistent judges are.
    pub recheck: Option<Spanned<f64>>,
    /// The retrieval by llull's own retrievers.
    pub retrieve: RetrieveTable,
    /// The comparison of systems.
    pub compare: CompareTable,
    /// Limits of cost.
    pub budget: BudgetTable,
    /// Data that shows whether judges know the collection.
    pub contamination: ContaminationTable,
    /// Conditions for judges: bounds on the figures of judge checks, by the check's name.
    pub checks: BTreeMap<String, Spanned<String>>,
}

/// `[[systems]]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemTable {
    /// Its name in every table.
    pub name: String,
    /// The model family of the system, such as `gpt`, if its name does not show it.
    pub family: Option<String>,
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
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct JudgeTable {
    /// Its name in every table; the last part of the model's name by default.
    pub name: Option<String>,
    /// `provider/model`, `similarity` or `replay`.
    pub model: Option<String>,
    /// A program that judges, with its arguments.
    pub command: Option<Vec<String>>,
    /// The variables of the environment that the program gets, besides the usual ones.
    pub env: Option<Vec<String>>,
    /// An address to which questions are posted.
    pub endpoint: Option<String>,
    /// The variable of the environment that has the key of the address.
    pub key: Option<String>,
    /// The labels of a `replay` judge.
    pub labels: Option<String>,
    /// The scale of those labels, and their grades on the rubric's scale: `0..1 -> 0,3`.
    pub scale: Option<String>,
    /// Whether decimal grades of those labels are rounded.
    pub round: Option<bool>,
    /// The grade that counts if a pair has several there: `first`, `last`, `median` or `votes`.
    pub repeats: Option<String>,
    /// A built-in prompt's name, or a template file.
    pub prompt: Option<String>,
    /// Sampling temperature; `"default"` leaves it to the server.
    pub temperature: Option<Spanned<Temperature>>,
    /// Nucleus sampling.
    pub top_p: Option<Spanned<f64>>,
    /// The longest reply in tokens.
    pub max_tokens: Option<Spanned<u32>>,
    /// A seed for servers that take one.
    pub seed: Option<u64>,
    /// The longest part of a document that the prompt shows, in estimated tokens.
    pub document_tokens: Option<Spanned<u32>>,
    /// Whether the anchors' order is shuffled by the study's seed.
    pub shuffle_anchors: Option<bool>,
    /// The server's address.
    pub base_url: Option<String>,
    /// A file of certificate authorities that are trusted for that server.
    pub ca_file: Option<PathBuf>,
    /// Seconds that one request may take.
    pub timeout: Option<Spanned<u64>>,
    /// Requests at once.
    pub concurrency: Option<Spanned<usize>>,
    /// US dollars per million tokens.
    pub price: Option<Spanned<PriceTable>>,
    /// The weight of its votes, if several judges compare.
    pub weight: Option<Spanned<f64>>,
    /// Whether requests ask for log-probabilities, which weigh its votes by its confidence.
    pub logprobs: Option<bool>,
    /// Fields that are added to the body of every request: `{ reasoning_effort = "low" }`.
    pub extra: Option<Spanned<toml::Table>>,
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

/// `price = { input = 0.15, output = 0.60 }`
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceTable {
    /// US dollars per million prompt tokens.
    pub input: f64,
    /// US dollars per million reply tokens.
    pub output: f64,
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
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TournamentTable {
    /// The number of documents in one question; 2 where judges compare pairs.
    pub window: Option<Spanned<usize>>,
    /// The number of each query's best documents that are put in order.
    pub top: Option<Spanned<usize>>,
    /// `sequential`, `balanced`, `parallel` or `exhaustive`.
    pub schedule: Option<Spanned<String>>,
    /// The number of orders in which each set of documents is shown, each a vote.
    pub orders: Option<Spanned<usize>>,
    /// How often a pair inside a cycle is repeated before the cycle counts.
    pub rejudge: Option<Spanned<u32>>,
    /// Pairs: whether the judge may answer Neither.
    pub neither: Option<Spanned<bool>>,
    /// Pairs: whether judges see both orders, and a preference counts only if both agree.
    pub double_check: Option<Spanned<bool>>,
    /// The window narrows until its documents fit this many estimated tokens.
    pub window_tokens: Option<Spanned<u32>>,
    /// The labels of the tiers: `ordinal`, `geometric`, `binary(2)`, `anchored`.
    pub labels: Option<Spanned<String>>,
    /// The number of graded documents in each tier, for `labels = "anchored"`.
    pub anchors: Option<Spanned<usize>>,
}

/// `[contamination]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ContaminationTable {
    /// Paraphrased queries: topics with the same identifiers.
    pub paraphrases: Option<String>,
    /// The folder of a study whose collection is newer than the judges' models.
    pub control: Option<String>,
}

/// `[pool]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PoolTable {
    /// The number of each system's documents that are judged.
    pub depth: Option<Spanned<usize>>,
}

/// `[retrieve]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetrieveTable {
    /// The number of documents that a retriever returns.
    pub depth: Option<Spanned<usize>>,
}

/// `[compare]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CompareTable {
    /// The system that the others are compared with; the first by default.
    pub baseline: Option<Spanned<String>>,
    /// The interval's confidence.
    pub confidence: Option<Spanned<f64>>,
    /// Bootstrap resamples.
    pub resamples: Option<Spanned<usize>>,
}

/// `[budget]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BudgetTable {
    /// Requests.
    pub calls: Option<u64>,
    /// Tokens of prompts and replies.
    pub tokens: Option<u64>,
    /// US dollars; needs prices.
    pub usd: Option<Spanned<f64>>,
}

impl StudyFile {
    /// Reads `llull.toml` from its text.
    ///
    /// # Errors
    /// [`ConfigError::Syntax`], which names the line and the known keys.
    pub fn parse(text: &str, file: &Path) -> Result<Self, ConfigError> {
        toml::from_str(text).map_err(|error| ConfigError::Syntax {
            file: file.display().to_string(),
            message: error.to_string().trim_end().to_owned(),
        })
    }
}
