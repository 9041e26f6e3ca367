//! How a person's answer came about, as the ledger keeps it beside the answer: in the place of a reply.

use llull_core::{Grade, PairChoice};
use serde::{Deserialize, Serialize};

/// The name of the queue that is a sample.
pub const SAMPLE_QUEUE: &str = "sample";
/// The name of the queue of a sample's pairs on which people disagree.
pub const ADJUDICATE_QUEUE: &str = "adjudicate";

/// What an answer counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerKind {
    /// Its question was drawn by chance: it is a label of the sample.
    Sampled,
    /// It settles a pair that was drawn by chance and on which people disagree.
    Settling,
    /// Its question was picked by a rule: it corrects no figure. Who is shown a pair because judges disagree on it
    /// knows something of their answers.
    Picked,
}

/// The name of the queue that is all pairs in random order.
pub const RANDOM_QUEUE: &str = "random";

/// What a person wrote, and how the question was drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerRecord {
    /// The queue that the question was taken from; none where a sheet was filled in, which is always a sample's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
    /// The sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<String>,
    /// The pair's number in the sample's frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// Of a comparison in random order: the seed that drew it, and from how many pairs. Its sides are drawn by the
    /// seed, too; on which each document was is in the attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<PairDraw>,
    /// The sheet of a queue that the answer was read from, by how its pairs were drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The grade; none where documents are compared, or an answer is taken back.
    pub grade: Option<Grade>,
    /// Which of two documents is better, as they were shown; none where one is graded, or an answer is taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<PairChoice>,
    /// What the person noted.
    #[serde(default)]
    pub note: String,
}

/// How a pair was drawn whose documents are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairDraw {
    /// The seed.
    pub seed: u64,
    /// The number of pairs that could be drawn.
    pub pairs: usize,
}

impl AnswerRecord {
    /// Returns the record as text.
    pub fn written(&self) -> String {
        // A record has nothing that JSON cannot express.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a record; `None` if the text is none.
    pub fn read(reply: Option<&str>) -> Option<Self> {
        serde_json::from_str(reply?).ok()
    }

    /// Returns what the answer counts for.
    pub fn kind(&self) -> AnswerKind {
        match self.queue.as_deref() {
            None | Some(SAMPLE_QUEUE | RANDOM_QUEUE) => AnswerKind::Sampled,
            Some(ADJUDICATE_QUEUE) => AnswerKind::Settling,
            Some(_) => AnswerKind::Picked,
        }
    }

    /// Returns what an answer with this text in the place of a reply counts for. One that is not of llull's making was
    /// imported from a sheet.
    pub fn kind_of(reply: Option<&str>) -> AnswerKind {
        Self::read(reply).map_or(AnswerKind::Sampled, |record| record.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_of_a_sheet_is_sampled_and_one_of_another_queue_is_not() {
        let read = |text: &str| AnswerRecord::read(Some(text)).unwrap();
        let kind = |text: &str| read(text).kind();
        assert_eq!(kind(r#"{"sample":"s1","number":3,"grade":2,"note":""}"#), AnswerKind::Sampled);
        let drawn = r#"{"queue":"sample","sample":"s1","number":3,"grade":2,"note":"x"}"#;
        assert_eq!(kind(drawn), AnswerKind::Sampled);
        let compared =
            r#"{"queue":"random","number":3,"draw":{"seed":42,"pairs":9},"grade":null,"choice":"lhs"}"#;
        assert_eq!(kind(compared), AnswerKind::Sampled);
        assert_eq!(
            kind(r#"{"queue":"adjudicate","sample":"s1","number":3,"grade":2}"#),
            AnswerKind::Settling
        );
        assert_eq!(kind(r#"{"queue":"disagreement","grade":null}"#), AnswerKind::Picked);
        assert_eq!(AnswerRecord::kind_of(Some("2")), AnswerKind::Sampled);
        assert_eq!(AnswerRecord::read(Some("2")), None);
        let record = read(r#"{"queue":"disagreement","grade":1,"note":"\""}"#);
        assert_eq!(read(&record.written()), record);
    }
}
