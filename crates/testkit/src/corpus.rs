//! A collection with topics and runs, of any size, out of nothing but a seed.

use std::{
    collections::BTreeSet,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use llull_core::{Grade, Seed};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use crate::words::Words;

/// How many different words the collection knows.
const VOCABULARY: usize = 20_000;

/// The size of a synthetic study. The default is the size at which llull is measured: 1,000 topics and 104,855
/// pairs in the pool of three runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyntheticStudy {
    /// How many topics.
    pub topics: usize,
    /// How many pairs of topic and document the runs have between them, over all topics. Each pair's document is its
    /// own, so this is also the size of the corpus.
    pub pairs: usize,
    /// How many runs.
    pub runs: usize,
    /// How many documents a run returns for a topic; pooling at this depth or deeper gives exactly [`pairs`](Self::pairs).
    pub depth: usize,
    /// The source of it all.
    pub seed: Seed,
}

/// Where the files of a synthetic study are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntheticFiles {
    /// Topics: identifier, tab, text.
    pub topics: PathBuf,
    /// Documents, in BEIR's JSON lines.
    pub corpus: PathBuf,
    /// Runs in TREC's format, `system-1.run` the best.
    pub runs: Vec<PathBuf>,
    /// The true grades, 0 to 3, as TREC qrels.
    pub truth: PathBuf,
    /// How many pairs there are.
    pub pairs: usize,
}

impl Default for SyntheticStudy {
    fn default() -> Self {
        Self { topics: 1000, pairs: 104_855, runs: 3, depth: 50, seed: Seed(1) }
    }
}

/// One topic in the making.
struct Drawn {
    id: String,
    words: Vec<String>,
    /// The true grade of each of its documents.
    grades: Vec<Grade>,
}

impl SyntheticStudy {
    /// Writes `topics.tsv`, `corpus.jsonl`, `truth.qrels` and the runs into `dir`, which it makes. Documents have 60 to
    /// 100 words with the frequencies of a language; the higher a document's true grade, the more of the topic's words
    /// it holds and the higher the runs tend to rank it, each run more loosely than the one before.
    ///
    /// # Errors
    /// `InvalidInput` when the runs cannot return so many pairs between them, or so few; else when writing fails.
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
        let words = Words::new(VOCABULARY);
        for number in 0..self.topics {
            // a stream for each topic: the first topics of a small study are those of a large one
            let mut rng = ChaCha8Rng::seed_from_u64(self.seed.stream(&format!("synthetic topic {number}")));
            let topic = self.topic(number, &words, &mut rng);
            writeln!(topics, "{}\t{}", topic.id, topic.words.join(" "))?;
            for (document, grade) in topic.grades.iter().enumerate() {
                let id = topic.document(document);
                let line = json!({ "_id": id, "title": "", "text": text(&topic, *grade, &words, &mut rng) });
                writeln!(corpus, "{line}")?;
                writeln!(truth, "{} 0 {id} {grade}", topic.id)?;
            }
            for (run, out) in runs.iter_mut().enumerate() {
                self.write_ranking(run, &topic, &mut rng, out)?;
            }
        }
        runs.into_iter().chain([topics, corpus, truth]).try_for_each(|mut file| file.flush())?;
        Ok(files)
    }

    fn check(&self) -> io::Result<()> {
        let wrong = |message: String| Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        if self.topics == 0 || self.runs == 0 || self.depth == 0 {
            return wrong(String::from("a synthetic study has at least one topic, one run and depth 1"));
        }
        let (fewest, most) = (self.pairs / self.topics, self.pairs.div_ceil(self.topics));
        if fewest < self.depth || most > self.runs * self.depth {
            return wrong(format!(
                "{} runs of depth {} give {} to {} pairs a topic; {} pairs over {} topics do not fit",
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

    fn topic(&self, number: usize, words: &Words, rng: &mut impl Rng) -> Drawn {
        let mut about = BTreeSet::new();
        let length = rng.random_range(3..=6);
        while about.len() < length {
            about.insert(words.draw_content(rng).to_owned());
        }
        // the remainder goes to the first topics, one each
        let documents = self.pairs / self.topics + usize::from(number < self.pairs % self.topics);
        // most of what is pooled is not relevant: 62, 20, 12 and 6 of a hundred
        let grade = |draw: f64| [0.62, 0.82, 0.94].iter().filter(|bound| draw >= **bound).count() as Grade;
        let grades = (0..documents).map(|_| grade(rng.random())).collect();
        Drawn { id: format!("q{}", number + 1), words: about.into_iter().collect(), grades }
    }

    /// The documents that a run returns: every `runs`-th one is its own, so that all runs together return all, and the
    /// rest it shares with the others, the better ones rather than the worse.
    fn write_ranking(
        &self,
        run: usize,
        topic: &Drawn,
        rng: &mut impl Rng,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let looseness = 1.0 + run as f64;
        let mut scored: Vec<(bool, f64, usize)> = (0..topic.grades.len())
            .map(|document| {
                let grade = f64::from(topic.grades[document]);
                (document % self.runs == run, grade + looseness * (rng.random::<f64>() * 2.0 - 1.0), document)
            })
            .collect();
        let by_score = |a: &(bool, f64, usize), b: &(bool, f64, usize)| b.1.total_cmp(&a.1);
        scored.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| by_score(a, b)));
        scored.truncate(self.depth);
        scored.sort_by(by_score);
        for (rank, (_, score, document)) in scored.iter().enumerate() {
            let id = topic.document(*document);
            writeln!(out, "{} Q0 {id} {} {score:.6} system-{}", topic.id, rank + 1, run + 1)?;
        }
        Ok(())
    }
}

impl Drawn {
    fn document(&self, number: usize) -> String {
        format!("{}-d{}", self.id, number + 1)
    }
}

/// A document's text: words as they come, and of the topic's words the more the higher the grade.
fn text(topic: &Drawn, grade: Grade, words: &Words, rng: &mut impl Rng) -> String {
    let length = rng.random_range(60..=100);
    let share = f64::from(grade) / 3.0 * 0.8 + 0.1;
    let mut text: Vec<&str> = (0..length).map(|_| words.draw(rng)).collect();
    for word in &topic.words {
        if rng.random::<f64>() < share {
            let at = rng.random_range(0..length);
            text[at] = word;
        }
    }
    text.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> SyntheticStudy {
        SyntheticStudy { topics: 7, pairs: 7 * 21 + 3, runs: 3, depth: 10, seed: Seed(5) }
    }

    fn read(path: &Path) -> String {
        fs_err::read_to_string(path).unwrap()
    }

    #[test]
    fn the_runs_return_exactly_the_pairs_asked_for() {
        let dir = tempfile::tempdir().unwrap();
        let files = small().write(dir.path()).unwrap();
        let mut pairs = BTreeSet::new();
        for run in &files.runs {
            let text = read(run);
            assert_eq!(text.lines().count(), 7 * 10);
            for line in text.lines() {
                let fields: Vec<_> = line.split(' ').collect();
                assert_eq!(fields.len(), 6);
                pairs.insert((fields[0].to_owned(), fields[2].to_owned()));
            }
        }
        assert_eq!(pairs.len(), 150);
        assert_eq!(read(&files.corpus).lines().count(), 150);
        assert_eq!(read(&files.truth).lines().count(), 150);
        assert_eq!(read(&files.topics).lines().count(), 7);
    }

    #[test]
    fn documents_have_sixty_to_a_hundred_words() {
        let dir = tempfile::tempdir().unwrap();
        let files = small().write(dir.path()).unwrap();
        for line in read(&files.corpus).lines() {
            let document: serde_json::Value = serde_json::from_str(line).unwrap();
            let words = document["text"].as_str().unwrap().split(' ').count();
            assert!((60..=100).contains(&words), "{words}");
        }
    }

    #[test]
    fn the_same_seed_writes_the_same_bytes_and_another_does_not() {
        let (one, two, other) =
            (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let first = small().write(one.path()).unwrap();
        let second = small().write(two.path()).unwrap();
        let third = SyntheticStudy { seed: Seed(6), ..small() }.write(other.path()).unwrap();
        assert_eq!(read(&first.corpus), read(&second.corpus));
        assert_eq!(read(&first.runs[2]), read(&second.runs[2]));
        assert_ne!(read(&first.corpus), read(&third.corpus));
    }

    #[test]
    fn the_first_run_ranks_better_than_the_last() {
        let dir = tempfile::tempdir().unwrap();
        let study = SyntheticStudy { topics: 60, pairs: 60 * 21, ..small() };
        let files = study.write(dir.path()).unwrap();
        let truth: std::collections::BTreeMap<_, i32> = read(&files.truth)
            .lines()
            .map(|line| {
                let fields: Vec<_> = line.split(' ').collect();
                (fields[2].to_owned(), fields[3].parse().unwrap())
            })
            .collect();
        let gain = |run: &Path| -> i32 {
            let text = read(run);
            let top = text
                .lines()
                .map(|line| line.split(' ').collect::<Vec<_>>())
                .filter(|fields| fields[3] == "1");
            top.map(|fields| truth[fields[2]]).sum()
        };
        assert!(gain(&files.runs[0]) > gain(&files.runs[2]));
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        for study in [
            SyntheticStudy { pairs: 7 * 31, ..small() },
            SyntheticStudy { pairs: 7 * 9, ..small() },
            SyntheticStudy { topics: 0, ..small() },
        ] {
            assert_eq!(study.write(dir.path()).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        }
    }
}
