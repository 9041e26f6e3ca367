//! Writes a collection with queries and runs of any size.

use std::{
    collections::BTreeSet,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use llull_core::{Grade, Seed};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use crate::vocabulary::Vocabulary;

/// The number of different words in the collection.
const WORDS: usize = 20_000;

/// The size of a synthetic study. The default is the size at which llull is timed: 1,000 queries and 104,855 pairs in
/// the pool of three runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyntheticStudy {
    /// The number of queries.
    pub topics: usize,
    /// The number of pairs of query and document in all runs together. No document belongs to two pairs, so this is
    /// also the size of the corpus.
    pub pairs: usize,
    /// The number of runs.
    pub runs: usize,
    /// The number of documents that a run returns for a query. Pooling at this depth or deeper gives exactly
    /// [`pairs`](Self::pairs).
    pub depth: usize,
    /// The seed of all draws.
    pub seed: Seed,
}

/// The files of a synthetic study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntheticFiles {
    /// Queries: identifier, tab, text.
    pub topics: PathBuf,
    /// Documents, in BEIR's JSON lines.
    pub corpus: PathBuf,
    /// Runs in TREC's format, `system-1.run` the best.
    pub runs: Vec<PathBuf>,
    /// The true grades, 0 to 3, as TREC qrels.
    pub truth: PathBuf,
    /// The number of pairs.
    pub pairs: usize,
}

impl Default for SyntheticStudy {
    fn default() -> Self {
        Self { topics: 1000, pairs: 104_855, runs: 3, depth: 50, seed: Seed(1) }
    }
}

/// A query, and how relevant its documents are.
struct Query {
    id: String,
    words: Vec<String>,
    /// The true grade of each of its documents.
    grades: Vec<Grade>,
}

impl SyntheticStudy {
    /// Writes `topics.tsv`, `corpus.jsonl`, `truth.qrels` and the runs into `dir`, which is created. Documents have 60
    /// to 100 words with the frequencies of a language. The higher a document's true grade, the more of the query's
    /// words it has, and the higher the runs tend to rank it. Each run follows the grades less closely than the one
    /// before.
    ///
    /// # Errors
    /// Returns `InvalidInput` if runs of this depth cannot return exactly so many pairs together, or an error if
    /// writing fails.
    pub fn write(&self, dir: &Path) -> io::Result<SyntheticFiles> {
        self.check()?;
        fs_err::create_dir_all(dir)?;
        let at = |name: &str| dir.join(name);
        let files = SyntheticFiles {
            topics: at("topics.tsv"),
            corpus: at("corpus.jsonl"),
            runs: (1..=self.runs).map(|run| at(&format!("system-{run}.run"))).collect(),
            truth: at("truth.qrels"),
            pairs: self.pairs,
        };
        let create = |path: &PathBuf| fs_err::File::create(path).map(BufWriter::new);
        let (mut topics, mut corpus) = (create(&files.topics)?, create(&files.corpus)?);
        let mut truth = create(&files.truth)?;
        let mut runs = files.runs.iter().map(create).collect::<io::Result<Vec<_>>>()?;
        let words = Vocabulary::new(WORDS);
        for number in 0..self.topics {
            // A stream for each query: the first queries of a small study are those of a large one.
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed.stream(&format!("synthetic topic {number}")));
            let query = self.query(number, &words, &mut rng);
            writeln!(topics, "{}\t{}", query.id, query.words.join(" "))?;
            for (document, grade) in query.grades.iter().enumerate() {
                let id = query.document(document);
                let line = json!({ "_id": id, "title": "", "text": text(&query, *grade, &words, &mut rng) });
                writeln!(corpus, "{line}")?;
                writeln!(truth, "{} 0 {id} {grade}", query.id)?;
            }
            for (run, out) in runs.iter_mut().enumerate() {
                self.write_ranking(run, &query, &mut rng, out)?;
            }
        }
        runs.into_iter().chain([topics, corpus, truth]).try_for_each(|mut file| file.flush())?;
        Ok(files)
    }

    fn check(&self) -> io::Result<()> {
        let wrong = |message: String| Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        if self.topics == 0 || self.runs == 0 || self.depth == 0 {
            return wrong(String::from("a synthetic study has at least one query, one run and depth 1"));
        }
        let (fewest, most) = (self.pairs / self.topics, self.pairs.div_ceil(self.topics));
        if fewest < self.depth || most > self.runs * self.depth {
            return wrong(format!(
                "{} runs of depth {} give {} to {} pairs per query; {} pairs over {} queries do not fit",
                self.runs,
                self.depth,
                self.depth,
                self.runs * self.depth,
                self.pairs,
                self.topics
            ));
        }
        Ok(())
    }

    fn query(&self, number: usize, words: &Vocabulary, rng: &mut impl Rng) -> Query {
        let mut about = BTreeSet::new();
        let length = rng.random_range(3..=6);
        while about.len() < length {
            about.insert(words.draw_content(rng).to_owned());
        }
        // The remainder goes to the first queries, one each.
        let documents = self.pairs / self.topics + usize::from(number < self.pairs % self.topics);
        // Most pooled documents are not relevant: of a hundred, 62, 20, 12 and 6 have the grades 0, 1, 2 and 3.
        let grade = |draw: f64| [0.62, 0.82, 0.94].iter().filter(|bound| draw >= **bound).count() as Grade;
        let grades = (0..documents).map(|_| grade(rng.random())).collect();
        Query { id: format!("q{}", number + 1), words: about.into_iter().collect(), grades }
    }

    /// Writes the documents that a run returns. Every `runs`-th document is in this run only, so that all runs
    /// together return all documents; the others are shared, the better ones more often than the worse.
    fn write_ranking(
        &self,
        run: usize,
        query: &Query,
        rng: &mut impl Rng,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let looseness = 1.0 + run as f64;
        let mut scored: Vec<(bool, f64, usize)> = (0..query.grades.len())
            .map(|document| {
                let grade = f64::from(query.grades[document]);
                (document % self.runs == run, grade + looseness * (rng.random::<f64>() * 2.0 - 1.0), document)
            })
            .collect();
        let by_score = |a: &(bool, f64, usize), b: &(bool, f64, usize)| b.1.total_cmp(&a.1);
        scored.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| by_score(a, b)));
        scored.truncate(self.depth);
        scored.sort_by(by_score);
        for (rank, (_, score, document)) in scored.iter().enumerate() {
            let id = query.document(*document);
            writeln!(out, "{} Q0 {id} {} {score:.6} system-{}", query.id, rank + 1, run + 1)?;
        }
        Ok(())
    }
}

impl Query {
    fn document(&self, number: usize) -> String {
        format!("{}-d{}", self.id, number + 1)
    }
}

/// Returns a document's text: words by their frequency, and the more of the query's words the higher its grade.
fn text(query: &Query, grade: Grade, words: &Vocabulary, rng: &mut impl Rng) -> String {
    let length = rng.random_range(60..=100);
    let share = f64::from(grade) / 3.0 * 0.8 + 0.1;
    let mut text: Vec<&str> = (0..length).map(|_| words.draw(rng)).collect();
    for word in &query.words {
        if rng.random::<f64>() < share {
            let at = rng.random_range(0..length);
            text[at] = word;
        }
    }
    text.join(" ")
}
