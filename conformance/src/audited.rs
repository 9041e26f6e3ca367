//! The published judges as input of an audit.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "there is nothing to test without the data"
)]

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::PathBuf;

use llull::audit::{
    AskedAs, AuditedCollection, AuditedJudge, AuditedSystem, ComparedAnswer, GradedAnswer, ShownDocument,
    WordSet, near_copies, word_overlap,
};
use llull::core::Item;

use crate::{data, dl19_runs};

/// Queries and documents by their names, with the collection that they become.
#[derive(Default)]
pub struct Audited {
    queries: BTreeMap<String, usize>,
    documents: Vec<BTreeMap<String, Item>>,
    /// The facts about the documents.
    pub collection: AuditedCollection,
    /// The judges.
    pub judges: Vec<AuditedJudge>,
}

impl Audited {
    /// Returns the position of a document of a query, new if it was not known.
    pub fn place(&mut self, query: &str, document: &str) -> (usize, Item) {
        let next = self.queries.len();
        let at = *self.queries.entry(query.to_owned()).or_insert(next);
        if at == next {
            self.documents.push(BTreeMap::new());
            self.collection.documents.push(Vec::new());
        }
        let next = Item::at(self.documents[at].len());
        let item = *self.documents[at].entry(document.to_owned()).or_insert(next);
        if item == next {
            self.collection.documents[at].push(ShownDocument::default());
        }
        (at, item)
    }

    /// Returns the position of a document of a query that is known.
    pub fn known_place(&self, query: &str, document: &str) -> (usize, Item) {
        let at = self.queries[query];
        (at, self.documents[at][document])
    }

    /// Returns the facts about a document of a query.
    pub fn document(&mut self, query: &str, document: &str) -> &mut ShownDocument {
        let (query, item) = self.place(query, document);
        &mut self.collection.documents[query][item.index()]
    }

    /// Adds a judge that answered with these grades, `(query, document, grade)`.
    pub fn add_graded(&mut self, judge: &str, grades: Vec<(String, String, f64)>) {
        let graded = grades
            .into_iter()
            .map(|(query, document, grade)| {
                let (query, document) = self.place(&query, &document);
                GradedAnswer { query, document, grade, asked_as: AskedAs::Vote, rationale: None }
            })
            .collect();
        self.judges.push(AuditedJudge {
            judge: judge.to_owned(),
            model: Some(judge.to_owned()),
            graded,
            ..AuditedJudge::default()
        });
    }

    /// Adds lengths, and the query's words in them, of the documents that are known already.
    pub fn add_texts(&mut self, queries: &BTreeMap<String, String>, texts: &BTreeMap<String, String>) {
        for (query, &at) in &self.queries {
            let mut words = vec![None; self.documents[at].len()];
            for (document, item) in &self.documents[at] {
                let shown = &mut self.collection.documents[at][item.index()];
                let Some(text) = texts.get(document) else { continue };
                shown.characters = Some(text.chars().count());
                shown.overlap = queries.get(query).and_then(|query| word_overlap(query, text));
                words[item.index()] = Some(WordSet::of(text));
            }
            for (shown, copy_of) in self.collection.documents[at].iter_mut().zip(near_copies(&words)) {
                shown.copy_of = copy_of;
            }
        }
    }

    /// Adds human grades.
    pub fn add_annotators(&mut self, grades: Vec<(String, String, f64)>) {
        for (query, document, grade) in grades {
            self.document(&query, &document).human_grade = Some(grade);
        }
    }
}

/// Returns one answer to a pair.
pub fn pair(query: usize, shown: [Item; 2], winner: Option<Item>) -> ComparedAnswer {
    let groups = winner.map_or_else(|| vec![shown.to_vec()], |winner| vec![vec![winner]]);
    ComparedAnswer { query, shown: shown.to_vec(), groups, asked_as: AskedAs::Vote, rationale: None }
}

/// Returns LLMJudge's 20 label sets, with human labels and the passages.
pub fn llmjudge() -> Audited {
    let mut audited = Audited::default();
    audited.add_annotators(qrels(data("llmjudge/llmjudge_test_qrel_idx.txt")));
    for path in files("llmjudge/submissions") {
        let name = path.file_name().unwrap().to_string_lossy().replace(".qrels.gz", "");
        // One of the sets has two stray 5s on a scale from 0 to 3.
        let grades =
            qrels(path).into_iter().map(|(query, document, grade)| (query, document, grade.min(3.0)));
        audited.add_graded(&name, grades.collect());
    }
    audited.collection.grades = vec![0.0, 1.0, 2.0, 3.0];
    audited.add_texts(
        &columns(data("llmjudge/llm4eval_query_2024.txt")),
        &passages("llmjudge/passages_test.jsonl.gz"),
    );
    audited
}

/// Returns dl19's 13 label sets, with human labels, the passages and the rank by reciprocal rank fusion of the runs.
pub fn dl19() -> Audited {
    let mut audited = Audited::default();
    audited.add_annotators(qrels(data("dl19/human.qrels")));
    for path in files("dl19/labels") {
        let name = path.file_name().unwrap().to_string_lossy().replace(".qrels.gz", "");
        let mut grades = qrels(path);
        grades.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        grades.dedup_by(|a, b| (&a.0, &a.1) == (&b.0, &b.1));
        audited.add_graded(&name, grades);
    }
    add_dl19(&mut audited);
    audited
}

/// Adds dl19's passages, and the fused rank of its documents.
pub fn add_dl19(audited: &mut Audited) {
    audited.add_texts(&columns(data("dl19/topics.tsv")), &passages("dl19/passages.jsonl.gz"));
    let mut fused: BTreeMap<(String, String), f64> = BTreeMap::new();
    for path in dl19_runs() {
        for line in text(path).lines() {
            let [query, _, document, rank, ..] = line.split_whitespace().collect::<Vec<_>>()[..] else {
                continue;
            };
            let rank: f64 = rank.parse().unwrap();
            *fused.entry((query.to_owned(), document.to_owned())).or_default() += 1.0 / (60.0 + rank);
        }
    }
    let mut ordered: Vec<((String, String), f64)> = fused.into_iter().collect();
    ordered.sort_by(|a, b| a.0.0.cmp(&b.0.0).then(b.1.total_cmp(&a.1)));
    for of_query in ordered.chunk_by(|a, b| a.0.0 == b.0.0) {
        for (rank, ((query, document), _)) in of_query.iter().enumerate() {
            if audited.queries.get(query).is_some_and(|&at| audited.documents[at].contains_key(document)) {
                audited.document(query, document).fused_rank = Some(rank + 1);
            }
        }
    }
}

/// Adds dl19's runs, with those of their documents that are known already, best first.
pub fn add_dl19_systems(audited: &mut Audited) {
    for path in dl19_runs() {
        let mut found: Vec<Vec<(f64, Item)>> = vec![Vec::new(); audited.documents.len()];
        for line in text(path.clone()).lines() {
            let [query, _, document, _, score, ..] = line.split_whitespace().collect::<Vec<_>>()[..] else {
                continue;
            };
            let Some(&at) = audited.queries.get(query) else { continue };
            if let Some(&item) = audited.documents[at].get(document) {
                found[at].push((score.parse().unwrap(), item));
            }
        }
        let ranking = |mut of_query: Vec<(f64, Item)>| {
            of_query.sort_by(|a, b| b.0.total_cmp(&a.0));
            of_query.into_iter().map(|(_, item)| item).collect()
        };
        audited.collection.systems.push(AuditedSystem {
            name: path.file_name().unwrap().to_string_lossy().replace(".run.gz", ""),
            family: None,
            reranked_by: None,
            rankings: found.into_iter().map(ranking).collect(),
        });
    }
}

/// Returns lines of `query 0 document grade`.
pub fn qrels(path: PathBuf) -> Vec<(String, String, f64)> {
    let text = text(path);
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    lines.map(|line| (line[0].to_owned(), line[2].to_owned(), line[3].parse().unwrap())).collect()
}

/// Returns the text of a file, unpacked.
pub fn text(path: PathBuf) -> String {
    let mut text = String::new();
    llull::data::open(path).unwrap().read_to_string(&mut text).unwrap();
    text
}

/// Returns the files of a folder, by name.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = data(folder).read_dir().unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

fn columns(path: PathBuf) -> BTreeMap<String, String> {
    text(path)
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .collect()
}

/// Returns the text of each passage of a file, by its name.
pub fn passages(path: &str) -> BTreeMap<String, String> {
    let text = text(data(path));
    let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    lines
        .map(|line| (line["docid"].as_str().unwrap().to_owned(), line["text"].as_str().unwrap().to_owned()))
        .collect()
}
