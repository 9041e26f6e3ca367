//! The record of an annotator's answer in the ledger.
//!
//! The ledger saves it in the place of a reply.

use llull_core::{Grade, PairChoice};
pub use llull_data::SAMPLE_QUEUE;
use serde::{Deserialize, Serialize};

/// The name of the queue of a sample's pairs on which annotators disagree.
pub const ADJUDICATE_QUEUE: &str = "adjudicate";

/// The use of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerKind {
    /// Its question was drawn at random: it is a label of the sample.
    Sampled,
    /// It settles a randomly drawn pair on which annotators disagree.
    Settling,
    /// Its question was picked by a rule: it corrects no figure. An annotator who sees a pair because judges disagree
    /// on it knows something about their answers.
    Picked,
}

/// The name of the queue of all pairs in random order.
pub const RANDOM_QUEUE: &str = "random";

/// An annotator's note, and the draw of the question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerRecord {
    /// The queue of the question; absent in answers from an old sheet, which is always a sample's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
    /// The sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<String>,
    /// The pair's number in the sample's frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// For a comparison in random order: the seed of the draw, and the number of pairs. The seed draws the sides, too;
    /// the attempt has each document's side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<PairDraw>,
    /// The draw of the sheet that contained the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The grade; absent if documents are compared, or an answer is taken back.
    pub grade: Option<Grade>,
    /// The better of two documents, as shown; absent if one is graded, or an answer is taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<PairChoice>,
    /// The annotator's note.
    #[serde(default)]
    pub note: String,
}

/// The draw of a pair of documents to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairDraw {
    /// The seed.
    pub seed: u64,
    /// The number of pairs in the frame.
    pub pairs: usize,
}

impl AnswerRecord {
    /// Returns the record as text.
    pub fn written(&self) -> String {
        // JSON can express every record.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Parses a record; `None` if the text is no record.
    pub fn read(reply: Option<&str>) -> Option<Self> {
        serde_json::from_str(reply?).ok()
    }

    /// Returns the sheet that contained the answer; `None` for an answer in the browser.
    pub fn of_sheet(&self) -> Option<&str> {
        // An old sheet has the name of its sample.
        let old = self.sample.as_deref().filter(|_| self.queue.is_none());
        self.sheet.as_deref().or(old)
    }

    /// Returns the use of the answer.
    pub fn kind(&self) -> AnswerKind {
        match self.queue.as_deref() {
            None | Some(SAMPLE_QUEUE | RANDOM_QUEUE) => AnswerKind::Sampled,
            Some(ADJUDICATE_QUEUE) => AnswerKind::Settling,
            Some(_) => AnswerKind::Picked,
        }
    }

    /// Returns the use of an answer with this text in the place of a reply. One that llull has not written was imported
    /// from a sheet.
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
