//! Retrievers: systems that llull can query itself.

use std::error::Error;

use llull_core::{Ranking, Run, Topic, Topics};
use rayon::prelude::*;

/// A system that answers queries with ranked documents.
pub trait Retriever: Send + Sync {
    /// Returns its name, which is also the name of its runs.
    fn name(&self) -> &str;

    /// Returns the best `depth` documents for a query, fewer if fewer match, none if none does.
    ///
    /// # Errors
    /// Returns an error if the system cannot answer. An empty result is not an error.
    fn retrieve(&self, topic: &Topic, depth: usize) -> Result<Ranking, RetrieveError>;
}

/// The reason why a retriever could not answer.
#[derive(Debug, thiserror::Error)]
#[error("retriever {retriever:?} cannot answer query {topic:?}: {source}")]
pub struct RetrieveError {
    /// The name of the retriever.
    pub retriever: String,
    /// The identifier of the query.
    pub topic: String,
    /// The reason.
    #[source]
    pub source: Box<dyn Error + Send + Sync>,
}

/// The results of a retriever for all queries.
#[derive(Debug)]
pub struct RetrievedAll {
    /// The rankings of the queries that were answered, in the order of the queries.
    pub run: Run,
    /// Why the other queries were not, in their order.
    pub failed: Vec<RetrieveError>,
}

impl RetrievedAll {
    /// A remark that names the unanswered queries; `None` if all are answered.
    pub fn remark(&self) -> Option<String> {
        let first = self.failed.first()?;
        let all = self.run.len() + self.failed.len();
        let more = if self.failed.len() > 1 { ", and others" } else { "" };
        Some(format!("{} of {all} queries failed and count as unanswered: {first}{more}", self.failed.len()))
    }
}

/// Retrieves documents for every query, in parallel. A query that fails loses itself alone.
///
/// # Errors
/// Returns the first error in the order of the queries if every query fails.
pub fn retrieve_all(
    retriever: &dyn Retriever,
    topics: &Topics,
    depth: usize,
) -> Result<RetrievedAll, RetrieveError> {
    let topics: Vec<&Topic> = topics.iter().collect();
    let answers: Vec<_> = topics.par_iter().map(|topic| retriever.retrieve(topic, depth)).collect();
    let mut all = RetrievedAll { run: Run::new(retriever.name()), failed: Vec::new() };
    for (topic, answer) in topics.into_iter().zip(answers) {
        match answer {
            Ok(ranking) => drop(all.run.insert(topic.id.as_str(), ranking)),
            Err(error) => all.failed.push(error),
        }
    }
    if all.run.is_empty() && !all.failed.is_empty() {
        return Err(all.failed.swap_remove(0));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A retriever that answers with the words of the query as documents, and fails if there are none.
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
        let run = retrieve_all(&Echo, &topics(&texts), 3).unwrap().run;
        assert_eq!(run.name, "echo");
        for (number, (topic, ranking)) in run.iter().enumerate() {
            assert_eq!(topic, format!("q{number}"));
            assert_eq!(ranking.len(), 3);
            assert_eq!(ranking.get(1).unwrap().document, format!("w{number}"));
        }
    }

    #[test]
    fn a_query_that_fails_loses_itself_alone() {
        let all = retrieve_all(&Echo, &topics(&["a", "", "b", ""]), 3).unwrap();
        assert_eq!(all.run.iter().map(|(topic, _)| topic).collect::<Vec<_>>(), ["q0", "q2"]);
        assert_eq!(
            all.remark().unwrap(),
            "2 of 4 queries failed and count as unanswered: retriever \"echo\" cannot answer query \"q1\": nothing was \
             said, and others"
        );
        assert_eq!(retrieve_all(&Echo, &topics(&["a"]), 3).unwrap().remark(), None);
        let error = retrieve_all(&Echo, &topics(&["", ""]), 3).unwrap_err();
        assert_eq!(error.to_string(), "retriever \"echo\" cannot answer query \"q0\": nothing was said");
        assert!(retrieve_all(&Echo, &topics(&[]), 3).unwrap().run.is_empty());
    }
}
