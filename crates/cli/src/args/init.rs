//! The arguments of `llull init`.

use std::path::PathBuf;

use clap::Args;

use super::RunReading;

const AFTER_HELP: &str = "\
Examples:
  llull init study --topics queries.tsv --corpus docs.jsonl --run old=bm25.run --run new=dense.run
  llull init study --from-results DIR --rubric product-search

On a terminal, llull asks for what is not given, and asks again if an answer cannot be used. Elsewhere it writes \
defaults for you to edit. Files that are given are read first; if one is missing or broken, nothing is written.";

/// `llull init`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct InitArgs {
    /// The study's folder
    #[arg(default_value = ".")]
    pub(crate) dir: PathBuf,
    /// The study's name
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Queries: CSV, TSV, JSON, JSONL, TREC's SGML, XML or a BEIR folder
    #[arg(long, value_name = "FILE")]
    pub(crate) topics: Option<String>,
    /// Corpus: CSV, TSV, JSON, JSONL, TREC's SGML, XML, a BEIR folder, or a folder of texts; not needed if the results
    /// hold the texts
    #[arg(long, value_name = "FILE")]
    pub(crate) corpus: Option<String>,
    /// A system's results: TREC, CSV, JSON, JSONL, or saved replies of a search engine; repeat for each system
    #[arg(long = "run", value_name = "[NAME=]FILE")]
    pub(crate) runs: Vec<String>,
    #[command(flatten)]
    pub(crate) run_reading: RunReading,
    /// Take every CSV, JSON or TREC file of this folder as a system's results, under the name of the file. Without
    /// --topics, the queries are those that the results name by their texts
    #[arg(long, value_name = "DIR", conflicts_with = "runs")]
    pub(crate) from_results: Option<PathBuf>,
    /// Take queries, documents and qrels of a dataset of ir_datasets, such as beir/scifact/test. Needs Python with
    /// ir_datasets, which downloads it
    #[arg(long, value_name = "ID", conflicts_with_all = ["topics", "corpus", "from_results"])]
    pub(crate) dataset: Option<String>,
    /// Copy the files (no folders) into the study's folder, under data/, and read them there
    #[arg(long)]
    pub(crate) copy: bool,
    /// The judge: provider/model, similarity, replay:FILE or recorded:FILE
    #[arg(long, value_name = "MODEL")]
    pub(crate) judge: Option<String>,
    /// The rubric to begin with: a file, or one of llull's: academic, code, enterprise, legal, multilingual, news,
    /// product-search, rag-context, support, web-passages. By default a general one
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) rubric: Option<String>,
    /// Do not ask for what is not given
    #[arg(long)]
    pub(crate) yes: bool,
}
