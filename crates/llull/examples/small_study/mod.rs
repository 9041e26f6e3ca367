//! Two documents and one query, for examples that are about something else.

use llull::StudyBuilder;
use llull::core::{Document, Ranking, Run, Topic, Topics};

/// Returns a study in memory that lacks only its judge.
pub(crate) fn small_study() -> StudyBuilder {
    let document = |id: &str, text: &str| Document { id: id.into(), title: String::new(), text: text.into() };
    let mut run = Run::new("mine");
    run.insert("q1".to_owned(), Ranking::from_ordered([("d2", 2.0), ("d1", 1.0)]));
    llull::Study::builder()
        .topics(Topics::from_iter([Topic { id: "q1".into(), text: "bloom filters".into() }]))
        .corpus(vec![
            document("d1", "Bloom filters answer: perhaps, or no."),
            document("d2", "Coffee filters."),
        ])
        .run(run)
}
