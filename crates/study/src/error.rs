//! Why a study cannot go on.

use std::path::PathBuf;

use llull_config::ConfigError;

/// Why a study cannot go on. Every message says where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A data file could not be read.
    #[error(transparent)]
    Data(#[from] llull_data::DataError),
    /// A file of labels or runs could not be used.
    #[error(transparent)]
    File(#[from] llull_files::FileError),
    /// Nothing can be learnt, or what was learnt is not sound.
    #[error(transparent)]
    Training(#[from] llull_files::training::TrainingError),
    /// A student cannot be read, kept or taught.
    #[error(transparent)]
    Student(#[from] crate::student_error::StudentFileError),
    /// The rubric is invalid.
    #[error(transparent)]
    Rubric(#[from] llull_judge::RubricError),
    /// A prompt template is invalid.
    #[error(transparent)]
    Prompt(#[from] llull_judge::PromptError),
    /// A model's name, address or key is invalid.
    #[error("judge {judge}: {source}")]
    Model {
        /// The judge.
        judge: String,
        /// What is wrong.
        source: Box<llull_llm::ModelError>,
    },
    /// A judge of the user's own cannot be asked.
    #[error(transparent)]
    OwnJudge(#[from] crate::own_judge_error::OwnJudgeError),
    /// The study reaches a server or a file that it is not trusted with.
    #[error(transparent)]
    Untrusted(crate::untrusted::Untrusted),
    /// An entry that is to be trusted begins as an address and is none.
    #[error("to be trusted: {0}")]
    TrustedAddress(llull_llm::AddressError),
    /// The ledger could not be read or written.
    #[error(transparent)]
    Store(#[from] llull_store::StoreError),
    /// What the ledger holds could not be gathered.
    #[error(transparent)]
    Evidence(#[from] llull_runner::EvidenceError),
    /// Judging failed.
    #[error(transparent)]
    Run(#[from] llull_runner::RunError),
    /// A judge of before something changed was to be asked.
    #[error("judge {0} is one that the ledger has from before, and can only be read")]
    EarlierJudge(String),
    /// The control of a study cannot be read, or is no control for it.
    #[error("the control {}: {problem}", .folder.display())]
    Control {
        /// Its folder.
        folder: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// A side of a difference that the ledger does not have, or has several times.
    #[error("{side}: {problem}. {known}")]
    NoSuchSide {
        /// What was typed.
        side: String,
        /// What is wrong with it.
        problem: String,
        /// What there is, and how to name it.
        known: String,
    },
    /// A sample of pairs in a study whose judges compare.
    #[error(
        "the study's judges compare documents, so that a label does not follow from one pair's answers: a sample of \
         pairs shows what a change does where judges grade"
    )]
    SampleOfComparisons,
    /// No judge has answered anything.
    #[error("nothing was judged: {0}")]
    NothingAnswered(String),
    /// A question is invalid.
    #[error(transparent)]
    Workload(#[from] llull_runner::WorkloadError),
    /// A retriever's index could not be built.
    #[error("{0}")]
    Index(#[from] llull_candidates::IndexError),
    /// A text could not be encoded, or its vector not be kept.
    #[cfg(feature = "encoders")]
    #[error("{0}")]
    Encode(#[from] llull_encoder::EncodeError),
    /// A model on this machine cannot be used.
    #[cfg(feature = "encoders")]
    #[error("{0}")]
    ModelFiles(#[from] llull_encoder::ModelFilesError),
    /// What makes vectors of queries cannot be used.
    #[error("{0}")]
    Encoder(String),
    /// A system cannot be retrieved, or not be used as it was retrieved.
    #[error(transparent)]
    Retrieval(#[from] crate::retrieval_error::RetrievalError),
    /// A retriever failed.
    #[error(transparent)]
    Retrieve(#[from] llull_candidates::RetrieveError),
    /// A program that retrieves failed.
    #[error(transparent)]
    Command(#[from] llull_candidates::CommandError),
    /// How far judges agree cannot be computed.
    #[error(transparent)]
    Agreement(#[from] llull_stats::AgreementError),
    /// The runs cannot be pooled.
    #[error(transparent)]
    Pool(#[from] llull_candidates::PoolError),
    /// A measure is invalid.
    #[error(transparent)]
    Measure(#[from] llull_metrics::MeasureError),
    /// The options of a tournament are invalid.
    #[error(transparent)]
    Tournament(#[from] llull_rank::TournamentError),
    /// Graded anchors cannot be fitted to tiers.
    #[error(transparent)]
    Anchors(#[from] llull_label::AnchorError),
    /// The grades of several judges cannot be put together.
    #[error(transparent)]
    Combine(#[from] llull_label::panel::CombineError),
    /// A judge that is made of others' answers cannot be asked.
    #[error("judge tree:{name}: {message}")]
    Tree {
        /// Its name.
        name: String,
        /// What is wrong, and what to do.
        message: String,
    },
    /// How well each judge tells documents apart cannot be learnt.
    #[error("method = \"judge-aware\": {0}. Without it every judge's votes count alike, or by its `weight`")]
    JudgeAware(#[from] llull_rank::ratings::JudgeAwareError),
    /// No sample can be drawn.
    #[error(transparent)]
    Sample(#[from] llull_people::sampling::SampleError),
    /// People's labels cannot be taken.
    #[error(transparent)]
    People(#[from] crate::people_error::PeopleError),
    /// Statistics cannot be computed.
    #[error(transparent)]
    Stats(#[from] llull_stats::StatsError),
    /// The report could not be written.
    #[error(transparent)]
    Report(#[from] llull_report::ReportError),
    /// What was named as an earlier report is none.
    #[error(
        "{file}: {problem}; name a report.json that llull report or llull run wrote, or the folder it is in"
    )]
    EarlierReport {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The resolved configuration cannot be written as TOML.
    #[error("the resolved configuration cannot be written: {0}")]
    Resolved(#[from] toml::ser::Error),
    /// A file could not be read or written; the error names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// There is a study in the folder already.
    #[error("{} is there already; nothing was written. Edit it, or name another folder", .0.display())]
    Occupied(PathBuf),
    /// A file that a new study was to name is not there.
    #[error(
        "{0}: there is no such file; nothing was written. Correct the path, or leave it out and edit llull.toml"
    )]
    NotGiven(String),
    /// Two systems of a new study have one name.
    #[error(
        "two systems are called {name:?}: {one} and {other}; nothing was written. Name them apart, as in \
         --run {name}-2={other}"
    )]
    TwoSystems {
        /// The name.
        name: String,
        /// The run of the first.
        one: String,
        /// The run of the second.
        other: String,
    },
    /// No rubric that was kept, or several, have a hash that begins like this.
    #[error(
        "--rubric-hash {prefix}: {}",
        match known.as_slice() {
            [] => "no rubric was kept yet; llull run and judge keep those that judges are given".to_owned(),
            known => format!("it has to begin the hash of one rubric; those that were kept: {}", known.join(", ")),
        }
    )]
    NoSuchRubric {
        /// What was given.
        prefix: String,
        /// The hashes of all that were kept.
        known: Vec<String>,
    },
    /// The copy of a rubric is not what its name says.
    #[error("{}: it is not the rubric that judges were given: its hash is another. Delete it", .0.display())]
    ChangedCopy(PathBuf),
    /// There is no ledger yet.
    #[error("{}: there is no ledger yet; llull run makes one", .0.display())]
    NoLedger(PathBuf),
    /// The study has no file of its own to keep this in.
    #[error("this study is in memory and has no folder, so {0}")]
    InMemory(&'static str),
    /// The topics' file is empty.
    #[error("{0}: no query in it; a line is: id, tab, query")]
    NoQueries(String),
    /// No system is named.
    #[error("no system to evaluate; add a run or a retriever")]
    NoSystems,
    /// No corpus is named, and texts are needed.
    #[error(
        "{0}: no `corpus`, and documents' texts are needed; add a line such as\n  corpus = \"corpus.jsonl\""
    )]
    NoCorpus(String),
    /// No judge is named.
    #[error(
        "{0}: no judge. Add one, such as\n  [[judges]]\n  model = \"openai/gpt-4o-mini\"\nor say --judge openai/MODEL"
    )]
    NoJudge(String),
    /// The first measure cannot decide between systems.
    #[error(
        "{config}: the first measure decides between systems, and {measure} cannot: it is no mean over queries, or \
         it counts \
         what is missing. Put another before it, such as nDCG@10"
    )]
    CannotDecide {
        /// The configuration.
        config: String,
        /// The measure.
        measure: String,
    },
    /// Two sources of the study share no query, or no document.
    #[error(transparent)]
    NothingShared(#[from] llull_core::NothingShared),
    /// A run answers none of the study's queries.
    #[error(
        "{run}{}: query {query:?} is not in {topics}, nor is any other query of this run. {details}",
        line.map_or(String::new(), |line| format!(" line {line}"))
    )]
    OtherQueries {
        /// The run.
        run: String,
        /// The line of its file with the query.
        line: Option<u64>,
        /// The first query.
        query: String,
        /// Where the study's queries come from.
        topics: String,
        /// An identifier of each, and why they may differ.
        details: Box<str>,
    },
    /// The labels that exist cannot be kept as they are.
    #[error("{base} (base): {message}")]
    Base {
        /// The labels.
        base: String,
        /// What is so, and what to do.
        message: String,
    },
    /// A pooled document is not in the corpus.
    #[error(
        "{}document {document:?}, found for query {query:?}, is not in {corpus}{}. A judge needs its text: add it \
         there, or \
         correct the identifier; a replay judge needs no texts{}",
        place.as_ref().map_or(String::new(), |place| format!("{place}: ")),
        match more {
            0 => String::new(),
            n => format!(", nor are {n} more of the pool"),
        },
        match overlap {
            None => String::new(),
            Some(overlap) => format!(". {overlap}"),
        }
    )]
    NotInCorpus {
        /// File and line of the run that returned it, where that is known.
        place: Option<Box<str>>,
        /// The document.
        document: String,
        /// The query.
        query: String,
        /// The corpus.
        corpus: Box<str>,
        /// How many more pooled documents are not in the corpus.
        more: usize,
        /// What is wrong with identifiers, if fewer than a tenth are in the corpus.
        overlap: Option<Box<str>>,
    },
    /// A document that was named is not in the corpus.
    #[error("document {document:?} is not in {corpus}")]
    UnknownDocument {
        /// The document.
        document: String,
        /// The corpus.
        corpus: String,
    },
    /// A query that was named is not among the study's.
    #[error("query {query:?} is not in {topics}")]
    UnknownQuery {
        /// The query.
        query: String,
        /// Where the study's queries come from.
        topics: String,
    },
    /// No system returned anything.
    #[error("the pool is empty: no system returned a document")]
    EmptyPool,
    /// No system returned a document for a query.
    #[error("no system returned a document for query {0:?}; name one with --document")]
    NoDocument(String),
    /// There is a budget, and earlier answers lack what it needs.
    #[error("{0}")]
    BudgetUnknown(crate::unknown_spending::UnknownSpending),
    /// There is a limit in US dollars, and nothing says what this judge costs.
    #[error(
        "judge {judge}: there is a limit in US dollars, but its price is unknown, so the limit cannot be kept; set \
         price = {{ input = 0.15, output = 0.60 }} (US dollars a million tokens) in its [[judges]] table, limit calls \
         or tokens instead, or ask it through openrouter/, which states the price of each reply"
    )]
    NoPrice {
        /// The judge.
        judge: String,
    },
    /// A judge is not a language model, so it has no prompt, address or price.
    #[error("judge {0} is no language model")]
    NoModel(String),
    /// Two judges are the similarity baseline.
    #[error("one similarity baseline is enough; remove the second")]
    TwoBaselines,
    /// A judge that grades has a prompt that compares.
    #[error(
        "judge {judge}: the prompt {prompt} compares documents, and this judge grades them one by one; {}choose a \
         prompt that \
         grades: {choices}",
        if *paradigm { "say paradigm = \"pairwise\" or \"listwise\", or " } else { "" }
    )]
    PromptCompares {
        /// The judge.
        judge: String,
        /// The prompt.
        prompt: String,
        /// Whether another paradigm would mend it.
        paradigm: bool,
        /// The prompts that there are.
        choices: String,
    },
    /// A judge that compares has a prompt that grades.
    #[error(
        "judge {judge}: the prompt {prompt} grades documents one by one, and this judge compares them; remove \
         `prompt`, or \
         choose one of {choices}"
    )]
    PromptGrades {
        /// The judge.
        judge: String,
        /// The prompt.
        prompt: String,
        /// The prompts that there are.
        choices: String,
    },
    /// A prompt is of another paradigm than the study.
    #[error(
        "judge {judge}: the prompt {prompt} is {asks}, and the study's paradigm is {wanted}; choose another prompt, \
         or set \
         paradigm = \"{asks}\""
    )]
    PromptParadigm {
        /// The judge.
        judge: String,
        /// The prompt.
        prompt: String,
        /// The prompt's paradigm.
        asks: &'static str,
        /// The study's.
        wanted: &'static str,
    },
    /// A judge of the caller's own answers in another way than the study asks.
    #[error(
        "judge {judge} is {asks}, and this study's judges are {wanted}; give it to another study, or set its paradigm"
    )]
    JudgeParadigm {
        /// The judge.
        judge: String,
        /// The judge's paradigm.
        asks: &'static str,
        /// What is needed.
        wanted: &'static str,
    },
    /// The order in which documents joined tournaments cannot be read.
    #[error("{}: {problem}. Remove it, and more may be asked again", path.display())]
    EntryOrder {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A judge that was named has compared nothing in this ledger.
    #[error(
        "no judge {judge:?} compares documents in this ledger{}",
        match known.as_slice() {
            [] => ", and no other one does".to_owned(),
            known => format!("; there are {}", known.join(", ")),
        }
    )]
    NotComparing {
        /// The judge.
        judge: String,
        /// The judges that there are.
        known: Vec<String>,
    },
    /// A judge's labels are on another scale than the rubric's.
    #[error("judge {judge}: {difference}")]
    JudgeScale {
        /// The judge.
        judge: String,
        /// How they differ, and what to write.
        difference: String,
    },
    /// A judge that was named is not one of the study's.
    #[error("{judge:?} is no judge of this study; there are {}", known.join(", "))]
    UnknownJudge {
        /// The judge.
        judge: String,
        /// The judges that there are.
        known: Vec<String>,
    },
    /// A judge's own labels are asked for, and the judges of the study compare.
    #[error(
        "judges of this study compare, so its labels are those of all judges together: leave out the judge's name, or \
         compare answers pair by pair, with people's by llull agree --people, others by --preferences"
    )]
    JudgesCompare,
    /// No judge has compared pairs in this ledger.
    #[error(
        "no judge has compared pairs in this ledger. Give the study a judge with paradigm = \"pairwise\" and run it, \
         or name \
         a file of answers: llull agree --preferences TRUTH ANSWERS"
    )]
    NoPairwiseJudge,
    /// No document has a field that the rubric names.
    #[error("{file}: no document has the field {field:?}, one of the `attributes` in the rubric. Documents have \
         {}", known.join(", "))]
    NoAttribute {
        /// The corpus.
        file: String,
        /// The field.
        field: String,
        /// The fields that there are.
        known: Vec<String>,
    },
    /// Nothing can be learnt of comparisons, since there are none.
    #[error(
        "the ledger has no comparison to learn from: llull judge asks the judges of a study with paradigm = \
         \"pairwise\" or \"listwise\""
    )]
    NothingCompared,
    /// A judge that was named has compared no pair in this ledger.
    #[error("no judge {judge:?} has compared pairs in this ledger; there are {}", known.join(", "))]
    NotPairwise {
        /// The judge.
        judge: String,
        /// The judges that there are.
        known: Vec<String>,
    },
}
