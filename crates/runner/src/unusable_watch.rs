//! Detects judges that cannot answer. No I/O and no clock.
//!
//! A judge whose replies are all cut off, refused or of another form would cost money to the end. The watch reads
//! replies in the order of the questions and not in the order of arrival. So the verdict on a judge does not depend on
//! how many questions are in flight.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use llull_core::{Attempt, Outcome, Reason};

use crate::{
    index::TopicIndex,
    judge_stop::{JudgeStop, UnusableReplies},
    options::UnusableLimits,
};

/// Watches one judge's replies.
#[derive(Debug, Default)]
pub(crate) struct UnusableWatch {
    /// The tasks that were started and are not all settled, in the order of the questions.
    tasks: VecDeque<Task>,
    /// The turn of the first of them.
    first: u32,
    /// The unparsable replies since the last usable one, those of earlier runs included.
    row: Row,
    /// The first replies of this run.
    start: Start,
}

/// The replies of a task that was started.
#[derive(Debug)]
struct Task {
    topic: TopicIndex,
    unusable: Vec<UnusableReply>,
    judged: bool,
    settled: bool,
}

/// A reply that cannot be counted.
#[derive(Debug, Clone)]
struct UnusableReply {
    reason: Reason,
    detail: String,
    reply: Option<String>,
    topic: String,
    document: String,
    documents: usize,
}

/// Unusable replies by reason, with the latest of each.
#[derive(Debug, Default)]
struct Row {
    replies: u32,
    topics: BTreeSet<TopicIndex>,
    reasons: BTreeMap<Reason, (u32, Option<UnusableReply>)>,
}

#[derive(Debug, Default)]
struct Start {
    replies: u32,
    unusable: Row,
}

impl Row {
    fn add(&mut self, topic: TopicIndex, reason: Reason, times: u32, reply: Option<UnusableReply>) {
        self.replies = self.replies.saturating_add(times);
        self.topics.insert(topic);
        let of_reason = self.reasons.entry(reason).or_default();
        of_reason.0 = of_reason.0.saturating_add(times);
        of_reason.1 = reply.or_else(|| of_reason.1.take());
    }

    /// Returns the most frequent reason, with a reply that shows it.
    fn worst(&self) -> Option<&UnusableReply> {
        let shown = self.reasons.values().filter_map(|(times, reply)| Some((times, reply.as_ref()?)));
        // of several the first in the order of reports
        shown.rev().max_by_key(|(times, _)| **times).map(|(_, reply)| reply)
    }
}

impl UnusableWatch {
    /// Takes note of a task that was answered in an earlier run, before any that is started: with a verdict
    /// (`None`), or so often unusably.
    pub(crate) fn history(&mut self, topic: TopicIndex, unusable: Option<(Reason, u32)>) {
        match unusable {
            Some((reason, times)) => self.row.add(topic, reason, times, None),
            None => self.row = Row::default(),
        }
    }

    /// Takes note of a task that is started. Returns its turn.
    pub(crate) fn start(&mut self, topic: TopicIndex) -> u32 {
        let turn = self.first.saturating_add(u32::try_from(self.tasks.len()).unwrap_or(u32::MAX));
        self.tasks.push_back(Task { topic, unusable: Vec::new(), judged: false, settled: false });
        turn
    }

    /// Counts a reply. An unusable one does not count if the judge cannot have an answer, as a file of labels has none
    /// for other documents. Nor does a refusal of this one question count.
    pub(crate) fn reply(&mut self, turn: u32, attempt: &Attempt, counts: bool) {
        let Some(task) = self.task(turn) else { return };
        match &attempt.answer.outcome {
            Outcome::Judged { .. } => task.judged = true,
            Outcome::Unusable(unusable) if counts && !unusable.reason.is_refusal() => {
                task.unusable.push(UnusableReply {
                    reason: unusable.reason,
                    detail: unusable.detail.clone(),
                    reply: attempt.answer.reply.clone(),
                    topic: attempt.topic.clone(),
                    document: attempt.document.clone(),
                    documents: attempt.documents.len().max(1),
                });
            }
            Outcome::Unusable(_) | Outcome::Failed(_) => {}
        }
    }

    /// Counts a task that is not repeated.
    pub(crate) fn settle(&mut self, turn: u32) {
        if let Some(task) = self.task(turn) {
            task.settled = true;
        }
    }

    fn task(&mut self, turn: u32) -> Option<&mut Task> {
        self.tasks.get_mut(usize::try_from(turn.checked_sub(self.first)?).ok()?)
    }

    /// Reads the replies of settled tasks in the order of the questions. Returns why the judge is to be stopped, if
    /// it is.
    pub(crate) fn verdict(&mut self, judge: &str, limits: &UnusableLimits) -> Option<JudgeStop> {
        while self.tasks.front().is_some_and(|task| task.settled) {
            let Some(task) = self.tasks.pop_front() else { break };
            self.first = self.first.saturating_add(1);
            for reply in task.unusable {
                self.row.add(task.topic, reply.reason, 1, Some(reply.clone()));
                if self.start.replies < limits.first {
                    self.start.replies += 1;
                    self.start.unusable.add(task.topic, reply.reason, 1, Some(reply));
                }
                if let Some(stop) = self.exceeded(judge, limits) {
                    return Some(stop);
                }
            }
            if task.judged {
                self.row = Row::default();
                self.start.replies = self.start.replies.saturating_add(1);
            }
        }
        None
    }

    fn exceeded(&self, judge: &str, limits: &UnusableLimits) -> Option<JudgeStop> {
        let (row, start) = (&self.row, &self.start);
        let (found, of) = if row.replies >= limits.in_a_row && row.topics.len() >= limits.queries {
            (UnusableReplies::InARow { replies: row.replies, queries: row.topics.len() }, row)
        } else if start.unusable.replies > limits.first / 2 {
            let found = UnusableReplies::OfTheFirst {
                unusable: start.unusable.replies,
                replies: start.replies.min(limits.first),
            };
            (found, &start.unusable)
        } else {
            return None;
        };
        let shown = of.worst()?.clone();
        Some(JudgeStop {
            judge: judge.to_owned(),
            found,
            reason: shown.reason,
            detail: shown.detail,
            reply: shown.reply,
            topic: shown.topic,
            document: shown.document,
            documents: shown.documents,
        })
    }
}

#[cfg(test)]
mod tests {
    use llull_core::{Answer, GradedVerdict, Hash, Unusable, Verdict};

    use super::*;

    const LIMITS: UnusableLimits = UnusableLimits { in_a_row: 20, queries: 3, first: 100 };

    fn attempt(usable: bool, reason: Reason, place: usize) -> Attempt {
        let outcome = match usable {
            true => Outcome::Judged { verdict: Verdict::Graded(GradedVerdict::default()) },
            false => Outcome::Unusable(Unusable { reason, detail: "why".into() }),
        };
        let reply = Some(format!("reply {place}"));
        let answer = Answer { reply, ..outcome.into() };
        Attempt { document: format!("d{place}"), ..Attempt::new(Hash::of(b""), answer) }
    }

    /// Starts tasks of queries of `size` documents, has them answered in this order, and returns the verdict and after
    /// which answer it came.
    fn watched(
        usable: &[bool],
        size: usize,
        order: impl Iterator<Item = usize>,
    ) -> Option<(usize, JudgeStop)> {
        let mut watch = UnusableWatch::default();
        let turns: Vec<u32> =
            (0..usable.len()).map(|at| watch.start(TopicIndex((at / size) as u32))).collect();
        for (arrival, at) in order.enumerate() {
            watch.reply(turns[at], &attempt(usable[at], Reason::Malformed, at), true);
            watch.settle(turns[at]);
            if let Some(stop) = watch.verdict("j", &LIMITS) {
                return Some((arrival, stop));
            }
        }
        None
    }

    #[test]
    fn the_twentieth_unusable_reply_in_a_row_stops_a_judge() {
        let (arrival, stop) = watched(&[false; 60], 5, 0..60).unwrap();
        assert_eq!((arrival, stop.found), (19, UnusableReplies::InARow { replies: 20, queries: 4 }));
        assert_eq!((stop.reply.as_deref(), stop.document.as_str()), (Some("reply 19"), "d19"));
    }

    #[test]
    fn one_query_that_nobody_can_judge_stops_nobody() {
        let (arrival, stop) = watched(&[false; 60], 25, 0..60).unwrap();
        assert_eq!((arrival, stop.found), (50, UnusableReplies::InARow { replies: 51, queries: 3 }));
        assert_eq!(watched(&[false; 50], 25, 0..50), None, "two queries");
    }

    #[test]
    fn the_order_of_arrival_does_not_matter() {
        let expected = watched(&[false; 60], 5, 0..60).unwrap().1;
        for order in [
            Box::new((0..60_usize).rev()) as Box<dyn Iterator<Item = usize>>,
            Box::new((0..60_usize).map(|at| at * 7 % 60).map(|at| (at + 11) % 60)),
        ] {
            assert_eq!(watched(&[false; 60], 5, order).unwrap().1, expected);
        }
        // A usable reply in the middle splits the row, whenever it arrives.
        let usable: Vec<bool> = (0..38).map(|at| at == 19).collect();
        assert_eq!(watched(&usable, 5, (0..38).rev()), None);
    }

    #[test]
    fn more_than_half_of_the_first_hundred_stops_a_judge_and_half_does_not() {
        let half: Vec<bool> = (0..300).map(|at| at % 2 == 0).collect();
        assert_eq!(watched(&half, 5, 0..300), None);
        let more: Vec<bool> = (0..300).map(|at| at % 2 == 0 && at != 50).collect();
        let (arrival, stop) = watched(&more, 5, 0..300).unwrap();
        assert_eq!((arrival, stop.found), (99, UnusableReplies::OfTheFirst { unusable: 51, replies: 100 }));
        let later: Vec<bool> = (0..300).map(|at| at < 100 || at % 3 == 0).collect();
        assert_eq!(watched(&later, 5, 0..300), None, "later it takes a row");
    }

    #[test]
    fn an_earlier_run_counts_toward_the_row_and_the_first_new_reply_decides() {
        let history = |watch: &mut UnusableWatch| {
            for topic in 0..10 {
                watch.history(TopicIndex(topic), Some((Reason::CutOff, 2)));
            }
        };
        for usable in [false, true] {
            let mut watch = UnusableWatch::default();
            history(&mut watch);
            assert_eq!(watch.verdict("j", &LIMITS), None, "nothing was asked yet");
            for place in 10..20 {
                let turn = watch.start(TopicIndex(10));
                watch.reply(turn, &attempt(usable, Reason::CutOff, place), true);
                watch.settle(turn);
                let stop = watch.verdict("j", &LIMITS);
                assert_eq!(stop.is_some(), !usable, "{place}");
                if !usable {
                    break;
                }
            }
        }
    }

    #[test]
    fn what_a_file_does_not_know_is_not_counted() {
        let mut watch = UnusableWatch::default();
        for place in 0..200 {
            let turn = watch.start(TopicIndex(place));
            watch.reply(turn, &attempt(false, Reason::NoAnswer, 0), false);
            watch.settle(turn);
            assert_eq!(watch.verdict("j", &LIMITS), None);
        }
    }

    #[test]
    fn refusals_never_stop_a_judge_and_do_not_split_a_row() {
        for reason in [Reason::Refused, Reason::TooLong] {
            let mut watch = UnusableWatch::default();
            let mut reply = |place, reason| {
                let turn = watch.start(TopicIndex(place));
                watch.reply(turn, &attempt(false, reason, 0), true);
                watch.settle(turn);
                watch.verdict("j", &LIMITS)
            };
            assert!((0..200).all(|place| reply(place, reason).is_none()));
            let row = (0..40).find_map(|place| reply(place, [reason, Reason::CutOff][place as usize % 2]));
            assert_eq!(row.unwrap().found, UnusableReplies::InARow { replies: 20, queries: 20 });
        }
    }

    #[test]
    fn the_reply_that_is_shown_is_one_of_the_most_frequent_reason() {
        let mut watch = UnusableWatch::default();
        let mut stop = None;
        for place in 0..20 {
            let reason = if place % 4 == 3 { Reason::Declined } else { Reason::CutOff };
            let turn = watch.start(TopicIndex(place));
            watch.reply(turn, &attempt(false, reason, place as usize), true);
            watch.settle(turn);
            stop = stop.or(watch.verdict("j", &LIMITS));
        }
        let stop = stop.unwrap();
        assert_eq!((stop.reason, stop.document.as_str()), (Reason::CutOff, "d18"));
    }
}
