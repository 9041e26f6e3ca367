//! How a person's answer came about, as the ledger keeps it beside the answer: in the place of a reply.

use llull_core::Grade;
use serde::{Deserialize, Serialize};

/// The name of the queue that is a sample.
pub(crate) const SAMPLE_QUEUE: &str = "sample";

/// The name of the queue that is all pairs in random order.
pub(crate) const RANDOM_QUEUE: &str = "random";

/// What a person wrote, and how the question was drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AnswerRecord {
    /// The queue that the question was taken from; none where a sheet was filled in, which is always a sample's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) queue: Option<String>,
    /// The sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sample: Option<String>,
    /// The pair's number in the sample's frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<usize>,
    /// The grade; none where an answer is taken back.
    pub(crate) grade: Option<Grade>,
    /// What the person noted.
    #[serde(default)]
    pub(crate) note: String,
}

impl AnswerRecord {
    /// Returns the record as text.
    pub(crate) fn written(&self) -> String {
        // A record has nothing that JSON cannot express.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a record; `None` if the text is none.
    pub(crate) fn read(reply: Option<&str>) -> Option<Self> {
        serde_json::from_str(reply?).ok()
    }

    /// Whether the question was drawn by chance: only such answers correct figures. Who is shown a pair because judges
    /// disagree on it knows something of their answers.
    pub(crate) fn is_sampled(&self) -> bool {
        self.queue.as_deref().is_none_or(|queue| [SAMPLE_QUEUE, RANDOM_QUEUE].contains(&queue))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_of_a_sheet_is_sampled_and_one_of_another_queue_is_not() {
        let read = |text: &str| AnswerRecord::read(Some(text)).unwrap();
        assert!(read(r#"{"sample":"s1","number":3,"grade":2,"note":""}"#).is_sampled());
        assert!(read(r#"{"queue":"sample","sample":"s1","number":3,"grade":2,"note":"x"}"#).is_sampled());
        assert!(read(r#"{"queue":"random","grade":1}"#).is_sampled());
        assert!(!read(r#"{"queue":"disagreement","grade":null}"#).is_sampled());
        assert_eq!(AnswerRecord::read(Some("2")), None);
        let record = read(r#"{"queue":"disagreement","grade":1,"note":"\""}"#);
        assert_eq!(read(&record.written()), record);
    }
}
