//! Measuring runs under labels.

use llull_core::{Grade, Qrels, Ranking, Run, TopicQrels};
use rayon::prelude::*;

use crate::measure::Measure;
use crate::measures::{self, View, wants_ties_ascending};
use crate::parameter::Unjudged;
use crate::scores::{Cell, Scores, TopicScores};

/// Measures one run: every topic of `qrels` in their order, by every measure in the order given.
///
/// A topic that the run does not answer, or answers with no document, has figures of 0 and `answered: false`. Topics that only the run has are
/// listed in [`Scores::unlabelled`] and count nowhere.
pub fn evaluate(measures: &[Measure], qrels: &Qrels, run: &Run) -> Scores {
    Evaluator::new(measures, qrels).evaluate(run)
}

/// Measures several runs, on all cores; the result does not depend on how many there are. In the order of `runs`.
pub fn evaluate_all(measures: &[Measure], qrels: &Qrels, runs: &[Run]) -> Vec<Scores> {
    let evaluator = Evaluator::new(measures, qrels);
    runs.par_iter().map(|run| evaluator.evaluate(run)).collect()
}

/// Measures and labels, made ready to measure run after run. What it yields is what [`evaluate`] does.
pub struct Evaluator<'a> {
    measures: &'a [Measure],
    qrels: &'a Qrels,
    topics: Vec<Labelled<'a>>,
    highest: Grade,
}

impl<'a> Evaluator<'a> {
    /// Sorts the labels of each topic.
    pub fn new(measures: &'a [Measure], qrels: &'a Qrels) -> Self {
        let topics: Vec<(&str, &TopicQrels)> = qrels.iter().collect();
        let topics = topics.into_par_iter().with_min_len(16);
        let topics: Vec<Labelled<'_>> = topics.map(|(topic, labels)| Labelled::new(topic, labels)).collect();
        let highest = topics.iter().filter_map(|topic| topic.ideal.first().copied()).max().unwrap_or(1);
        Self { measures, qrels, topics, highest }
    }

    /// Measures one run, its topics on all cores.
    pub fn evaluate(&self, run: &Run) -> Scores {
        let topics = self.topics.par_iter().with_min_len(16);
        let score = |scratch: &mut Scratch, topic| self.score(topic, run, scratch);
        self.scores(run, topics.map_init(Scratch::default, score).collect())
    }

    /// Measures one run in the calling thread alone, where several runs are measured side by side.
    pub fn evaluate_alone(&self, run: &Run) -> Scores {
        let mut scratch = Scratch::default();
        self.scores(run, self.topics.iter().map(|topic| self.score(topic, run, &mut scratch)).collect())
    }

    fn score(&self, topic: &Labelled<'_>, run: &Run, scratch: &mut Scratch) -> TopicScores {
        score_topic(self.measures, topic, self.highest, run.ranking(topic.topic), scratch)
    }

    fn scores(&self, run: &Run, topics: Vec<TopicScores>) -> Scores {
        Scores::new(run, self.measures, topics, |topic| self.qrels.topic(topic).is_some())
    }
}

/// A topic's labels; of these the grades above 0, highest first, and how many are 0.
struct Labelled<'a> {
    topic: &'a str,
    labels: &'a TopicQrels,
    ideal: Vec<Grade>,
    zeros: usize,
}

impl<'a> Labelled<'a> {
    fn new(topic: &'a str, labels: &'a TopicQrels) -> Self {
        let mut zeros = 0;
        let mut ideal = Vec::new();
        for grade in labels.values() {
            match *grade {
                0 => zeros += 1,
                grade if grade > 0 => ideal.push(grade),
                _ => {}
            }
        }
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        Self { topic, labels, ideal, zeros }
    }
}

/// Grades are looked up once a ranking, and every measure reads them from here.
#[derive(Default)]
struct Scratch {
    grades: Vec<Option<Grade>>,
    ascending: Vec<Option<Grade>>,
    condensed: Vec<Option<Grade>>,
}

impl Scratch {
    fn look_up(&mut self, ranking: Option<&Ranking>, labels: &TopicQrels) {
        self.grades.clear();
        self.ascending.clear();
        self.condensed.clear();
        if let Some(ranking) = ranking {
            self.grades.extend(ranking.iter().map(|hit| labels.get(hit.document).copied()));
        }
    }

    /// Leaves out what nobody judged.
    fn condense(&mut self) {
        let judged = self.grades.iter().filter(|grade| grade.is_some_and(|grade| grade >= 0));
        self.condensed.extend(judged);
    }

    /// The official order has documents of one score in descending order, so turning each such run around is enough.
    fn turn_ties(&mut self, ranking: Option<&Ranking>) {
        self.ascending.extend_from_slice(&self.grades);
        let scores: Vec<f64> = ranking.into_iter().flat_map(Ranking::iter).map(|hit| hit.score).collect();
        let mut rest = self.ascending.as_mut_slice();
        for tied in scores.chunk_by(|a, b| a == b) {
            let (run, others) = std::mem::take(&mut rest).split_at_mut(tied.len());
            run.reverse();
            rest = others;
        }
    }
}

fn score_topic(
    measures: &[Measure],
    topic: &Labelled<'_>,
    highest: Grade,
    ranking: Option<&Ranking>,
    scratch: &mut Scratch,
) -> TopicScores {
    scratch.look_up(ranking, topic.labels);
    if measures.iter().any(wants_ties_ascending) {
        scratch.turn_ties(ranking);
    }
    if measures.iter().any(|measure| measure.unjudged() == Unjudged::Excluded) {
        scratch.condense();
    }
    let view = View {
        retrieved: &scratch.grades,
        ascending: &scratch.ascending,
        condensed: &scratch.condensed,
        ideal: &topic.ideal,
        zeros: topic.zeros,
        highest,
    };
    TopicScores {
        topic: topic.topic.to_owned(),
        answered: ranking.is_some_and(|ranking| !ranking.is_empty()),
        relevant: topic.ideal.len() as u32,
        cells: measures.iter().map(|measure| cell(measure, &view)).collect(),
    }
}

fn cell(measure: &Measure, view: &View<'_>) -> Cell {
    let seen = view.seen(measure);
    Cell {
        value: measures::value(measure, view),
        seen: seen.len() as u32,
        unjudged: seen.iter().filter(|grade| grade.is_none()).count() as u32,
    }
}
