//! The figures of a system, by query and over all queries.

use llull::metrics::{
    Aggregation, DiversityScores, JudgesScores, PreferenceScores, Relevant, Scores, TopicFigures,
    TrecEvalMeasure, ZScores,
};

/// The figures of one system.
pub(crate) struct SystemRows<'a> {
    /// The system.
    pub(super) run: &'a str,
    /// The measures, one for each column.
    pub(super) columns: Vec<Column>,
    /// The figures of each query.
    pub(super) topics: Vec<TopicRow<'a>>,
    /// The figures over all queries, one for each column.
    pub(super) overall: Vec<Overall>,
    /// How many queries it does not answer.
    pub(super) missing: usize,
    /// Whether trec_eval prints the number of queries for these labels, even if it is no chosen measure.
    pub(super) prints_query_count: bool,
}

/// The figures of one query.
pub(super) struct TopicRow<'a> {
    pub(super) topic: &'a str,
    /// How many judges its figures are means over, if there may be several.
    pub(super) judges: Option<u32>,
    /// One for each column; `None` if the measure is undefined for this query.
    pub(super) values: Vec<Option<f64>>,
}

/// A figure over all queries.
pub(super) struct Overall {
    /// `None` if it is undefined.
    pub(super) value: Option<f64>,
    /// How many queries it is over.
    pub(super) n: usize,
    /// The number of documents that the measure read, and the number of them without a label, if both are known.
    pub(super) unjudged: Option<(u64, u64)>,
    /// How many queries have no z-score, and are left out of the mean.
    pub(super) left_out: Option<usize>,
}

/// A measure's names, and how its figures are printed.
pub(super) struct Column {
    /// llull's name.
    pub(super) name: String,
    /// trec_eval's name, or llull's if it has none.
    pub(super) trec_eval: String,
    /// Whether it is a count, and printed as a whole number.
    pub(super) counts: bool,
    /// Whether trec_eval has figures of runs only, and none of queries.
    pub(super) of_run: bool,
    /// Whether a larger figure is no better one, so that systems are sorted from the smallest.
    pub(super) ascending: bool,
}

impl Column {
    fn new(named: &TrecEvalMeasure) -> Self {
        let TrecEvalMeasure { name, measure } = named;
        Self {
            name: measure.to_string(),
            trec_eval: name.clone(),
            counts: measure.aggregation() == Aggregation::Sum,
            of_run: !measure.has_topic_figures(),
            ascending: !measure.ranks_systems(),
        }
    }
}

impl<'a> SystemRows<'a> {
    /// Under one set of labels.
    pub(crate) fn of_scores(scores: &'a Scores, named: &[TrecEvalMeasure], answered_only: bool) -> Self {
        Self::new(scores, named.iter().map(Column::new), |_| None, answered_only)
    }

    /// Under the labels of several judges.
    pub(super) fn of_judges(
        scores: &'a JudgesScores,
        named: &[TrecEvalMeasure],
        level: Relevant,
        answered_only: bool,
    ) -> Self {
        let columns = named.iter().map(|named| {
            let trec_eval = named.measure.trec_eval_name_over_judges(level);
            Column { trec_eval: trec_eval.unwrap_or_else(|| named.name.clone()), ..Column::new(named) }
        });
        Self::new(scores, columns, |topic| Some(topic.judges), answered_only)
            .with_query_count()
            .with_unjudged(|at| scores.unjudged(at))
    }

    /// Under preferences.
    pub(super) fn of_preferences(scores: &'a PreferenceScores, answered_only: bool) -> Self {
        let columns = scores.measures.iter().map(|measure| Column {
            name: measure.name().to_owned(),
            trec_eval: measure.name().to_owned(),
            counts: measure.aggregation() == Aggregation::Sum,
            of_run: false,
            ascending: false,
        });
        Self::new(scores, columns, |topic| Some(topic.groups), answered_only).with_query_count()
    }

    /// Under labels of subtopics.
    pub(super) fn of_diversity(scores: &'a DiversityScores, answered_only: bool) -> Self {
        let columns = scores.measures.iter().map(|measure| {
            let name = measure.to_string();
            Column { trec_eval: name.clone(), name, counts: false, of_run: false, ascending: false }
        });
        Self::new(scores, columns, |_| None, answered_only)
            .with_query_count()
            .with_unjudged(|at| scores.unjudged(at))
    }

    fn new<T: TopicFigures>(
        scores: &'a Scores<T>,
        columns: impl Iterator<Item = Column>,
        judges: impl Fn(&T) -> Option<u32>,
        answered_only: bool,
    ) -> Self {
        let columns: Vec<Column> = columns.collect();
        let topics = scores.topics.iter().filter(|topic| topic.answered() || !answered_only);
        let topics: Vec<TopicRow<'a>> = topics
            .map(|topic| TopicRow {
                topic: topic.topic(),
                judges: judges(topic),
                values: (0..columns.len()).map(|at| Some(topic.value(at))).collect(),
            })
            .collect();
        let overall = |at| Overall {
            value: if answered_only { scores.mean_of_answered(at) } else { scores.mean(at) },
            n: topics.len(),
            unjudged: None,
            left_out: None,
        };
        Self {
            run: &scores.run,
            overall: (0..columns.len()).map(overall).collect(),
            missing: scores.missing(),
            prints_query_count: false,
            columns,
            topics,
        }
    }

    fn with_query_count(self) -> Self {
        Self { prints_query_count: true, ..self }
    }

    fn with_unjudged(mut self, unjudged: impl Fn(usize) -> (u64, u64)) -> Self {
        for (at, overall) in self.overall.iter_mut().enumerate() {
            overall.unjudged = Some(unjudged(at));
        }
        self
    }

    /// Z-scores. A query without one is left out of the mean.
    pub(super) fn of_z_scores(scores: &'a ZScores, named: &[TrecEvalMeasure], answered_only: bool) -> Self {
        let topics = || scores.topics.iter().filter(|topic| topic.answered || !answered_only);
        let rows = topics().map(|topic| {
            let values = topic.cells.iter().map(|cell| cell.value()).collect();
            TopicRow { topic: &topic.topic, judges: None, values }
        });
        let figure = |at| {
            let figure = if answered_only { scores.mean_of_answered(at) } else { scores.mean(at) };
            let topics = topics().count();
            Overall {
                value: figure.map(|figure| figure.value),
                n: figure.map_or(0, |figure| figure.topics),
                unjudged: None,
                left_out: Some(figure.map_or(topics, |figure| figure.missing)),
            }
        };
        let columns = named.iter().map(|named| Column {
            name: format!("Z({})", named.measure),
            // trec_eval pads the name before it puts the Z in front.
            trec_eval: format!("Z{:<22}", named.name),
            counts: false,
            of_run: !named.measure.has_topic_figures(),
            ascending: !named.measure.ranks_systems(),
        });
        Self {
            run: &scores.run,
            columns: columns.collect(),
            topics: rows.collect(),
            overall: (0..named.len()).map(figure).collect(),
            missing: scores.topics.iter().filter(|topic| !topic.answered).count(),
            prints_query_count: false,
        }
    }
}
