//! Records the answers of a language model to the demo's requests, without a server.
//!
//! `cargo xtask record FOLDER` writes each request without an answer to `FOLDER/requests`, and takes answers from files
//! of the same names in `FOLDER/replies`. Call it until no request is open; then `FOLDER/recording.jsonl` is the
//! recording. `listwise` records the orders of a tournament, whose next requests depend on earlier answers.

use std::collections::BTreeMap;
use std::future::ready;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, bail};
use llull::config::{CustomModel, JudgeKind, Overrides, Source};
use llull::core::{Failure, FailureKind, Hash, Paradigm, Usage};
use llull::llm::{ChatModel, ChatReply, ChatRequest, Finish, Role};
use llull::store::{LedgerWriter, MemoryLedger, export};
use llull::{Study, write_demo};

/// The name of the model in the recording: its maker and its family. No configuration can name it, as its answers come
/// from files. So the judge is opened under a name that llull accepts, and gets this one afterwards.
const MODEL: &str = "anthropic/claude";

/// A model whose answers are files.
struct Files {
    folder: PathBuf,
    /// How often each request was sent: a repeated question has an answer of its own.
    sent: Mutex<BTreeMap<String, usize>>,
    open: Arc<Mutex<Vec<Open>>>,
}

/// A request without an answer.
struct Open {
    query: String,
    documents: Vec<String>,
}

impl Open {
    fn of(request: &ChatRequest) -> Self {
        let text = request.messages.last().map_or("", |message| message.content.as_str());
        let (query, rest) = text.split_once("</query-").unwrap_or((text, ""));
        let documents = rest.split("<document-").skip(1);
        let text = |part: &str| {
            part.split_once(">\n").map_or(String::new(), |(_, text)| {
                text.split("</document-").next().unwrap_or_default().to_owned()
            })
        };
        Self { query: query.lines().skip(1).collect(), documents: documents.map(text).collect() }
    }

    /// Whether one follows from the answer to the other: the same query with a document of both.
    fn depends_on(&self, other: &Self) -> bool {
        self.query == other.query && self.documents.iter().any(|document| other.documents.contains(document))
    }

    /// An answer that lets the run go on; nothing is recorded while a request is open.
    fn stand_in(&self) -> String {
        match self.documents.len() {
            1 => r#"{"facets_covered": [], "facets_missing": [], "rationale": "", "grade": 0}"#.to_owned(),
            count => {
                let labels: Vec<String> = ('A'..).take(count).map(|label| format!("[\"{label}\"]")).collect();
                format!("{{\"rationale\": \"\", \"ranking\": [{}]}}", labels.join(", "))
            }
        }
    }
}

impl Files {
    fn reply(&self, request: &ChatRequest) -> Result<String> {
        let mut text = String::new();
        for message in &request.messages {
            let author = match message.role {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
            };
            text.push_str(&format!("=== {author}\n{}\n", message.content));
        }
        let hash = Hash::of(text.as_bytes()).to_string();
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let times = sent.entry(hash.clone()).or_default();
        *times += 1;
        let name = format!("{}-{times}.txt", hash.get(..16).unwrap_or(&hash));
        let reply = self.folder.join("replies").join(&name);
        if reply.exists() {
            return Ok(fs_err::read_to_string(reply)?.trim().to_owned());
        }
        let asked = Open::of(request);
        let answer = asked.stand_in();
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // A request may be repeated once its first answer is known.
        let first = self.folder.join("replies").join(format!("{}-1.txt", hash.get(..16).unwrap_or(&hash)));
        let follows = open.iter().any(|earlier| asked.depends_on(earlier));
        if asked.documents.len() == 1 || if *times == 1 { !follows } else { first.exists() } {
            fs_err::write(self.folder.join("requests").join(&name), text)?;
        }
        open.push(asked);
        Ok(answer)
    }
}

impl ChatModel for Files {
    fn name(&self) -> &str {
        MODEL
    }

    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> Pin<Box<dyn Future<Output = Result<ChatReply, Failure>> + Send + 'a>> {
        let failed = |error: anyhow::Error| Failure::new(FailureKind::Rejected, error.to_string());
        let reply = self.reply(request).map_err(failed);
        Box::pin(ready(reply.map(|text| ChatReply {
            text,
            reasoning: None,
            finish: Finish::Stop,
            usage: Usage::default(),
            model: Some(MODEL.to_owned()),
            tokens: Vec::new(),
            cost_usd: None,
            request_id: None,
            adjusted: Vec::new(),
        })))
    }
}

/// Writes the open requests, or the recording if there are none.
pub(crate) fn run(folder: &str, paradigm: Option<Paradigm>) -> Result<Vec<String>> {
    let folder = Path::new(folder);
    let demo = folder.join("demo");
    for name in ["requests", "replies"] {
        fs_err::create_dir_all(folder.join(name))?;
    }
    for request in fs_err::read_dir(folder.join("requests"))? {
        fs_err::remove_file(request?.path())?;
    }
    write_demo(&demo)?;
    let overrides = Overrides { judges: vec!["openai/claude".to_owned()], paradigm, ..Overrides::default() };
    let opened = Study::open(&demo, &overrides)?;
    let settings = opened.settings();
    let open = Arc::new(Mutex::new(Vec::new()));
    let model = Files { folder: folder.to_owned(), sent: Mutex::default(), open: Arc::clone(&open) };
    let [judge] = settings.judges.as_slice() else { bail!("the demo has not one judge") };
    let mut judge = judge.clone();
    judge.model = MODEL.to_owned();
    if let JudgeKind::Prompted { client, .. } = &mut judge.kind {
        *client = Some(CustomModel(Arc::new(model)));
    }
    // One at a time, so that repeated questions are distinguished by their order.
    judge.concurrency = 1;
    let ledger = Arc::new(Mutex::new(MemoryLedger::default()));
    let kept: Arc<Mutex<dyn LedgerWriter>> = Arc::clone(&ledger) as _;
    let mut study = Study::builder()
        .seed(settings.seed)
        .topics(Source::file(demo.join("topics.tsv")))
        .corpus(Source::file(demo.join("corpus.jsonl")))
        .rubric(Source::file(demo.join("rubric.md")))
        .pool_depth(settings.pool_depth)
        .judge_settings(judge)
        .shared_ledger(kept);
    for system in &settings.systems {
        study = study.system(system.name.clone(), system.source.clone());
    }
    if let Some(tournament) = &settings.tournament {
        study = study.tournament(tournament.clone());
    }
    let study = study.build()?;
    let inputs = study.inputs()?;
    let outcome = study.judge(&inputs).run();
    if !open.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
        let requests = fs_err::read_dir(folder.join("requests"))?.count();
        return Ok(vec![format!("{requests} requests are open")]);
    }
    outcome.context("every request has an answer")?;
    let mut recording = Vec::new();
    let ledger = ledger.lock().unwrap_or_else(PoisonError::into_inner);
    export(&*ledger, &mut recording)?;
    fs_err::write(folder.join("recording.jsonl"), recording)?;
    Ok(Vec::new())
}
