//! `llull.toml` as it is written. Every key is optional here; what is needed is said when settings are resolved.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use llull_candidates::remote::StoreKind;
use serde::Deserialize;
use toml::Spanned;

use crate::{
    base::BaseEntry,
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
    /// The seed of all chance.
    pub seed: Option<u64>,
    /// Topics: TSV, JSONL or a BEIR folder.
    pub topics: Option<Spanned<String>>,
    /// Corpus: JSONL, TSV or a BEIR folder; or a table that also says which fields are read.
    pub corpus: Option<Spanned<CorpusEntry>>,
    /// The rubric.
    pub rubric: Option<Spanned<String>>,
    /// Labels that exist and are kept; judges are asked about what they lack.
    pub base: Option<Spanned<BaseEntry>>,
    /// Labels made elsewhere, to compare with.
    pub reference: Option<Spanned<LabelFileEntry>>,
    /// Measures in order of importance; the first decides.
    pub measures: Option<Vec<Spanned<String>>>,
    /// The systems to compare.
    pub systems: Vec<Spanned<SystemTable>>,
    /// How judges are asked: `graded`, `pairwise` or `listwise`.
    pub paradigm: Option<Spanned<String>>,
    /// How the grades of several judges become a label, or how their votes count where they compare.
    pub method: Option<Spanned<String>>,
    /// Which of the judges sees only what the others find hard.
    pub escalate: Option<Spanned<EscalateTable>>,
    /// Who judges.
    pub judges: Vec<Spanned<JudgeTable>>,
    /// Who grades a few documents of each tier, where `labels = "anchored"`.
    pub graders: Vec<Spanned<JudgeTable>>,
    /// How documents are compared.
    pub tournament: TournamentTable,
    /// How the pool is made.
    pub pool: PoolTable,
    /// The share of questions that are asked again, to learn how judges answer.
    pub recheck: Option<Spanned<f64>>,
    /// How retrievers are run.
    pub retrieve: RetrieveTable,
    /// How systems are compared.
    pub compare: CompareTable,
    /// When to stop paying.
    pub budget: BudgetTable,
    /// What shows whether judges know the collection.
    pub contamination: ContaminationTable,
    /// What is demanded of the judges: bounds on the figures of alarms, by the alarm's name.
    pub alarms: BTreeMap<String, Spanned<String>>,
}

/// `[[systems]]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemTable {
    /// Its name in every table.
    pub name: String,
    /// The family of models that it is of, such as `gpt`, where its name does not tell.
    pub family: Option<String>,
    /// A run file,
    pub run: Option<String>,
    /// and what the third of its columns is, if there are three: `rank` or `score`;
    pub third: Option<String>,
    /// and what orders the documents of six: `score` or `rank`;
    pub order: Option<String>,
    /// or a retriever of llull's own: `bm25`, `ngram`, `fts5`, `dense` or `hybrid`,
    pub retriever: Option<String>,
    /// over these fields: `["title", "text"]`.
    pub fields: Option<Vec<String>>,
    /// Whose stop words and endings BM25 takes off.
    pub language: Option<String>,
    /// BM25's k1.
    pub k1: Option<f64>,
    /// BM25's b.
    pub b: Option<f64>,
    /// What makes the vectors of a dense retriever: `minilm`.
    pub encoder: Option<String>,
    /// The systems that a hybrid is of.
    pub of: Option<Vec<String>>,
    /// What a PostgreSQL server is asked, where `retriever = "postgres"`.
    pub postgres: Option<PostgresFile>,
    /// What any server is asked over HTTP, where `retriever = "http"`,
    pub http: Option<Box<HttpFile>>,
    /// what a server of Chroma's is,
    pub chroma: Option<Box<StoreFile>>,
    /// what a server of Elasticsearch's is,
    pub elasticsearch: Option<Box<StoreFile>>,
    /// what a server of Meilisearch's is,
    pub meilisearch: Option<Box<StoreFile>>,
    /// what a server of Milvus's is,
    pub milvus: Option<Box<StoreFile>>,
    /// what a server of OpenSearch's is,
    pub opensearch: Option<Box<StoreFile>>,
    /// what a server of Qdrant's is,
    pub qdrant: Option<Box<StoreFile>>,
    /// what a server of Typesense's is,
    pub typesense: Option<Box<StoreFile>>,
    /// what a server of Vespa's is,
    pub vespa: Option<Box<StoreFile>>,
    /// or of Weaviate's.
    pub weaviate: Option<Box<StoreFile>>,
    /// Or a program that retrieves, with its arguments,
    pub command: Option<Vec<String>>,
    /// which variables of the environment it is given beside the usual ones,
    pub env: Option<Vec<String>>,
    /// and how many seconds it may take.
    pub timeout: Option<f64>,
}

impl SystemTable {
    /// What is said of servers that are known, by their names.
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
    /// Or a program that judges, with its arguments,
    pub command: Option<Vec<String>>,
    /// and which variables of the environment it is given beside the usual ones;
    pub env: Option<Vec<String>>,
    /// or an address to which questions are posted,
    pub endpoint: Option<String>,
    /// and the variable of the environment that has its key.
    pub key: Option<String>,
    /// The labels that a `replay` judge answers from.
    pub labels: Option<String>,
    /// The scale of those labels, and what its grades are on the rubric's: `0..1 -> 0,3`.
    pub scale: Option<String>,
    /// Whether decimal grades of those labels are rounded.
    pub round: Option<bool>,
    /// Which grade counts if a pair has several there: `first`, `last`, `median` or `votes`.
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
    /// How much of a document is shown, in estimated tokens.
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
    /// How much its votes count among several judges' that compare.
    pub weight: Option<Spanned<f64>>,
    /// Whether it is asked for log-probabilities, which make its votes as sure as it is.
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

/// `escalate = { to = "strong", when = "split | margin < 0.2" }`, or `"cycle"` where judges compare
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EscalateTable {
    /// The judge, by its name.
    pub to: String,
    /// What it sees.
    pub when: String,
    /// The share of the panel's labels that may be wrong about relevance, among those that stand.
    pub disagreement: Option<f64>,
    /// With what confidence.
    pub confidence: Option<f64>,
}

/// `[tournament]`
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TournamentTable {
    /// How many documents one question shows; 2 where judges compare pairs.
    pub window: Option<Spanned<usize>>,
    /// How many of each query's best documents are put in order.
    pub top: Option<Spanned<usize>>,
    /// `sequential`, `balanced`, `parallel` or `exhaustive`.
    pub schedule: Option<Spanned<String>>,
    /// In how many orders each set of documents is shown, each a vote.
    pub orders: Option<Spanned<usize>>,
    /// How often a pair inside a cycle is asked again before the cycle is believed.
    pub rejudge: Option<Spanned<u32>>,
    /// Pairs: whether the judge may answer Neither.
    pub neither: Option<Spanned<bool>>,
    /// Pairs: whether both orders are asked, and a preference counts only if they agree.
    pub double_check: Option<Spanned<bool>>,
    /// The window narrows until its documents fit this many estimated tokens.
    pub window_tokens: Option<Spanned<u32>>,
    /// What labels are made of the tiers: `ordinal`, `geometric`, `binary(2)`, `anchored`.
    pub labels: Option<Spanned<String>>,
    /// How many documents of each tier are graded, where `labels = "anchored"`.
    pub anchors: Option<Spanned<usize>>,
}

/// `[contamination]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ContaminationTable {
    /// The queries worded anew: topics with the same identifiers.
    pub paraphrases: Option<String>,
    /// The folder of a study whose collection is newer than the judges' models.
    pub control: Option<String>,
}

/// `[pool]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PoolTable {
    /// How many of each system's documents are judged.
    pub depth: Option<Spanned<usize>>,
}

/// `[retrieve]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetrieveTable {
    /// How many documents a retriever returns.
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
    /// [`ConfigError::Syntax`], which points at the line, and names the keys that are known.
    pub fn parse(text: &str, file: &Path) -> Result<Self, ConfigError> {
        toml::from_str(text).map_err(|error| ConfigError::Syntax {
            file: file.display().to_string(),
            message: error.to_string().trim_end().to_owned(),
        })
    }
}
