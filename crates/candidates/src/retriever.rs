//! Retrievers: systems that llull can ask itself.

use std::error::Error;

use llull_core::{Ranking, Run, Topic, Topics};
use rayon::prelude::*;

/// A system that answers topics with ranked documents.
pub trait Retriever: Send + Sync {
    /// Its name; a run made with it has the same.
    fn name(&self) -> &str;

    /// The best `depth` documents for a topic, fewer when fewer match, none when none does.
    ///
    /// # Errors
    /// When the system cannot answer. No result is not an error.
    fn retrieve(&self, topic: &Topic, depth: usize) -> Result<Ranking, RetrieveError>;
}

/// Why a retriever could not answer.
#[derive(Debug, thiserror::Error)]
#[error("retriever {retriever:?} cannot answer topic {topic:?}: {source}")]
pub struct RetrieveError {
    /// The retriever's name.
    pub retriever: String,
    /// The topic's identifier.
    pub topic: String,
    /// The reason.
    #[source]
    pub source: Box<dyn Error + Send + Sync>,
}

/// Asks a retriever every topic, several at once, and makes a run of its answers, in the order of the topics.
///
/// # Errors
/// The first error in the order of the topics; nothing partial is returned.
pub fn retrieve_all(retriever: &dyn Retriever, topics: &Topics, depth: usize) -> Result<Run, RetrieveError> {
    let topics: Vec<&Topic> = topics.iter().collect();
    let answers: Vec<_> = topics.par_iter().map(|topic| retriever.retrieve(topic, depth)).collect();
    let mut run = Run::new(retriever.name());
    for (topic, answer) in topics.into_iter().zip(answers) {
        run.insert(topic.id.as_str(), answer?);
    }
    Ok(run)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers with the topic's own words as documents, and fails where there are none.
    struct Echo;

    impl Retriever for Echo {
        fn name(&self) -> &str {
            "echo"
        }

        fn retrieve(&self, topic: &Topic, depth: usize) -> Result<Ranking, RetrieveError> {
            if topic.text.is_empty() {
                let source = Box::from("nothing was said");
                return Err(RetrieveError { retriever: "echo".into(), topic: topic.id.clone(), source });
            }
            let words = topic.text.split(' ').enumerate();
            Ok(Ranking::from_scored(words.map(|(place, word)| (word, -(place as f64))).take(depth)))
        }
    }

    fn topics(texts: &[&str]) -> Topics {
        let numbered = texts.iter().enumerate();
        numbered.map(|(number, text)| Topic { id: format!("q{number}"), text: (*text).into() }).collect()
    }

    #[test]
    fn a_run_has_the_topics_order_and_the_depth() {
        let texts: Vec<String> = (0..200).map(|number| format!("w{number} x y z")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let run = retrieve_all(&Echo, &topics(&texts), 3).unwrap();
        assert_eq!(run.name, "echo");
        for (number, (topic, ranking)) in run.iter().enumerate() {
            assert_eq!(topic, format!("q{number}"));
            assert_eq!(ranking.len(), 3);
            assert_eq!(ranking.get(1).unwrap().document, format!("w{number}"));
        }
    }

    #[test]
    fn the_first_failing_topic_is_named() {
        let error = retrieve_all(&Echo, &topics(&["a", "", "b", ""]), 3).unwrap_err();
        assert_eq!(error.to_string(), "retriever \"echo\" cannot answer topic \"q1\": nothing was said");
    }
}
