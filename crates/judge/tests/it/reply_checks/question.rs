//! A question that is read has words and, if an answer is expected, an answer.

use llull_judge::{QuestionCategory, RawReply, read_question};

/// Checks a reply. Returns whether a question was read.
pub(crate) fn check(text: &str) -> bool {
    let mut any = false;
    for category in QuestionCategory::ALL {
        match read_question(&RawReply { text, cut_off: false, refused: false }, category) {
            Ok(written) => {
                any |= written.is_some();
                assert!(written.is_none_or(|written| !written.question.trim().is_empty()));
                let more = format!("{text}\nor not");
                let reply = RawReply { text: &more, cut_off: false, refused: false };
                assert!(read_question(&reply, category).is_err());
            }
            Err(unusable) => assert!(unusable.detail.chars().count() <= 200),
        }
    }
    any
}
