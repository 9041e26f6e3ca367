//! A study with a sample, whose judges have their answers in files.

use std::fmt::Write as _;
use std::path::Path;

use llull::config::Overrides;
use llull::core::{Grade, SampleDesign, Seed};
use llull::sampling::SampleRequest;
use llull::{HumanLabels, Study};
use llull_web::{ReviewServerOptions, ServeOptions, Server};
use tempfile::TempDir;

use crate::browser::Browser;

pub(crate) const QUERIES: usize = 6;
pub(crate) const DOCUMENTS: usize = 5;
/// How many pairs the sample has.
pub(crate) const DRAWN: usize = 8;

/// Hostile text for text fields.
pub(crate) const HOSTILE: &str =
    "<script>alert(1)</script><img src=x onerror=alert(2)>\"'`&\u{202e}\u{1b}[2J";

/// Names and words that no page may hold before an answer, and none needs after it.
pub(crate) const SECRETS: [&str; 6] =
    ["judge-alpha", "judge-beta", "system-one", "system-two", "stratum", "runtag"];

/// A study of which `turned` turns every judge's grades and every system's ranking round.
pub(crate) fn folder(turned: bool) -> TempDir {
    made(turned, "")
}

/// The same, whose judges compare every two documents of a query by their grades, in one order each.
pub(crate) fn comparing(turned: bool) -> TempDir {
    made(turned, "paradigm = \"pairwise\"\n[tournament]\nschedule = \"exhaustive\"\n")
}

fn made(turned: bool, how: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs_err::write(folder.path().join(name), text).unwrap();
    let rest = format!(
        "{how}[pool]\ndepth = 5\n\
         [[systems]]\nname = \"system-one\"\nrun = \"one.run\"\n[[systems]]\nname = \"system-two\"\nrun = \"two.run\"\n\
         [[judges]]\nname = \"judge-alpha\"\nmodel = \"replay\"\nlabels = \"alpha.qrels\"\n\
         [[judges]]\nname = \"judge-beta\"\nmodel = \"replay\"\nlabels = \"beta.qrels\"\n"
    );
    let head = "version = 1\nname = \"a <b>study</b>\"\ntopics = \"topics.tsv\"\ncorpus = \"corpus.jsonl\"\n\
                measures = [\"P(rel=2)@5\"]\n";
    write("llull.toml", &format!("{head}{rest}"));
    let (mut topics, mut corpus) = (String::new(), String::new());
    let (mut alpha, mut beta, mut one, mut two) = <(String, String, String, String)>::default();
    for query in 0..QUERIES {
        writeln!(topics, "q{query}\tthe question number {query} {HOSTILE}").unwrap();
        for document in 0..DOCUMENTS {
            let text = HOSTILE.replace('\\', "\\\\").replace('"', "\\\"").replace('\u{1b}', "\\u001b");
            let id = format!("q{query}d{document}");
            writeln!(
                corpus,
                "{{\"id\": \"{id}\", \"title\": \"title {id} {text}\", \"text\": \"first line of {id}\\nsecond \
                question {text}\"}}"
            )
            .unwrap();
            let grade = (query * 3 + document * 5) % 4;
            let (first, second) =
                if turned { (3 - grade, (grade + 1) % 4) } else { (grade, (grade + query) % 4) };
            writeln!(alpha, "q{query} 0 {id} {first}").unwrap();
            writeln!(beta, "q{query} 0 {id} {second}").unwrap();
            let (up, down) = (document + 1, DOCUMENTS - document);
            let (up, down) = if turned { (down, up) } else { (up, down) };
            writeln!(one, "q{query} Q0 {id} {up} {} runtag", 10 - up).unwrap();
            writeln!(two, "q{query} Q0 {id} {down} {} runtag", 10 - down).unwrap();
        }
    }
    for (name, text) in [
        ("topics.tsv", &topics),
        ("corpus.jsonl", &corpus),
        ("alpha.qrels", &alpha),
        ("beta.qrels", &beta),
        ("one.run", &one),
        ("two.run", &two),
    ] {
        write(name, text);
    }
    judge(folder.path());
    folder
}

pub(crate) fn open(folder: &Path) -> Study {
    Study::open(folder, &Overrides::default()).unwrap()
}

pub(crate) fn judge(folder: &Path) {
    let study = open(folder);
    let inputs = study.inputs().unwrap();
    study.judge(&inputs).run().unwrap();
}

/// Draws the sample.
pub(crate) fn draw(folder: &Path) {
    let study = open(folder);
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    let request = SampleRequest {
        measure: "P(rel=2)@5".parse().unwrap(),
        design: Some(SampleDesign::Pairs),
        compare: None,
        baseline: "system-one".into(),
        by: Vec::new(),
        scale: (0, 3),
        confidence: 0.95,
        seed: Seed(3),
    };
    let frame =
        study.annotators().sample_choice(&inputs, &evidence, &[request.measure], &request).unwrap().frame;
    study.annotators().keep_sample(&inputs, &evidence, &frame.draw(DRAWN).unwrap(), false).unwrap();
}

/// A study with a sample.
pub(crate) fn sampled() -> TempDir {
    let folder = folder(false);
    draw(folder.path());
    folder
}

/// The human labels of the sample, from the ledger.
pub(crate) fn people(folder: &Path) -> HumanLabels {
    let study = open(folder);
    let inputs = study.inputs().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    study.annotators().labels(&inputs, &evidence).unwrap().unwrap()
}

/// The labels of the sample: query, document, grade.
pub(crate) fn labels(folder: &Path) -> Vec<(String, String, Grade)> {
    let labels = people(folder).labels;
    let pairs = labels.qrels().iter().flat_map(|(query, documents)| {
        documents.iter().map(move |(document, grade)| (query.to_owned(), document.to_string(), *grade))
    });
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort();
    pairs
}

/// How many attempts the ledger has.
pub(crate) fn attempts(folder: &Path) -> u64 {
    llull::store::Totals::read(&open(folder).ledger().file().unwrap(), None).unwrap().attempts
}

/// A server of a study's review, and the study.
pub(crate) struct Review {
    pub(crate) server: Server,
    pub(crate) folder: TempDir,
}

pub(crate) fn review(folder: TempDir, options: ReviewServerOptions) -> Review {
    // Another test of this process may have set the same one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let server = Server::review(open(folder.path()), &ServeOptions::default(), &options).unwrap();
    Review { server, folder }
}

pub(crate) fn by(annotator: &str) -> ReviewServerOptions {
    ReviewServerOptions { annotator: Some(annotator.to_owned()), ..ReviewServerOptions::default() }
}

impl Review {
    pub(crate) fn path(&self) -> &std::path::Path {
        self.folder.path()
    }

    pub(crate) fn browser(&self) -> Browser {
        Browser::at(self.server.url())
    }
}
