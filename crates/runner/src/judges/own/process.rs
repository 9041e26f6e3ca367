//! A judge of the user's own that is a program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use futures::future::BoxFuture;
use llull_core::{Failure, FailureKind};
use llull_program::{Conversation, Heard, Program};
use rustc_hash::FxHashMap;
use tokio::sync::{RwLock, oneshot};

use super::channel::OwnChannel;
use super::reading::{answered, quote};

/// The longest line that is read, in bytes.
const LONGEST: usize = 8 * 1024 * 1024;

/// How often a program may end in a row without having answered anything.
const FRUITLESS: u32 = 3;

/// How often a program may end in all.
const ENDS: u32 = 20;

/// Sends questions to a program that keeps running. It gets new questions while others are open, and may answer in any
/// order.
///
/// If a line names no open question while several are open, the line's question is unknown. The program is then
/// restarted, and from then on gets one question at a time, so that every line answers that one. The same happens if
/// it ends with several questions open. The number of restarts is limited.
pub struct ProcessChannel {
    state: Arc<Mutex<State>>,
    timeout: Duration,
    /// Whether it gets one question at a time; until then questions share the lock.
    alone: Arc<AtomicBool>,
    turn: RwLock<()>,
}

/// The outcome of a question.
enum Came {
    /// A line that answers it, or any output while it was the only open question.
    Line(Vec<u8>),
    /// It has to be repeated, alone.
    Unclear,
    Failed(Failure),
}

struct State {
    program: Program,
    conversation: Option<Conversation>,
    /// The number of this start; lines of earlier starts do not count.
    start: u64,
    open: FxHashMap<String, oneshot::Sender<Came>>,
    /// The highest identifier that was sent.
    sent: u64,
    answered_since_start: bool,
    fruitless: u32,
    ends: u32,
    /// Why it is not started any more.
    given_up: Option<String>,
    answered_twice: usize,
}

impl ProcessChannel {
    /// Sets up a program, which is started at the first question. A question that is open for longer than `timeout`
    /// has failed, and the program is restarted.
    pub fn new(program: Program, timeout: Duration) -> Self {
        let state = State {
            program,
            conversation: None,
            start: 0,
            open: FxHashMap::default(),
            sent: 0,
            answered_since_start: false,
            fruitless: 0,
            ends: 0,
            given_up: None,
            answered_twice: 0,
        };
        Self { state: Arc::new(Mutex::new(state)), timeout, alone: Arc::default(), turn: RwLock::default() }
    }

    /// Asks once.
    async fn once(&self, id: &str, question: Vec<u8>) -> Came {
        let (send, answer) = oneshot::channel();
        let start = match lock(&self.state).say(id, question, send, (&self.state, &self.alone)) {
            Ok(start) => start,
            Err(failure) => return Came::Failed(failure),
        };
        // A question that is dropped is not open any more.
        let _open = Open { state: &self.state, id };
        match tokio::time::timeout(self.timeout, answer).await {
            Ok(Ok(came)) => came,
            Ok(Err(_)) => Came::Failed(Failure::new(FailureKind::Connection, "its program was ended")),
            Err(_) => {
                let limit = self.timeout.as_secs_f64();
                let said = format!("its program gave no answer within {limit} s, and was ended");
                let mut state = lock(&self.state);
                state.open.remove(id);
                if state.start == start && state.conversation.is_some() {
                    state.over(&self.alone, &said);
                }
                Came::Failed(Failure::new(FailureKind::Timeout, said))
            }
        }
    }
}

impl OwnChannel for ProcessChannel {
    fn ask(&self, id: String, question: Vec<u8>) -> BoxFuture<'_, Result<Vec<u8>, Failure>> {
        Box::pin(async move {
            loop {
                let alone = self.alone.load(Ordering::Acquire);
                let came = if alone {
                    let _turn = self.turn.write().await;
                    self.once(&id, question.clone()).await
                } else {
                    let _turn = self.turn.read().await;
                    self.once(&id, question.clone()).await
                };
                match came {
                    Came::Line(line) => return Ok(line),
                    Came::Failed(failure) => return Err(failure),
                    Came::Unclear => {}
                }
            }
        })
    }

    fn names_questions(&self) -> bool {
        true
    }

    fn notices(&self) -> Vec<String> {
        let state = lock(&self.state);
        let twice = (state.answered_twice > 0).then(|| {
            "its program printed lines that answer a question again; the first answer counts: print one line for each \
             question"
                .to_owned()
        });
        let alone = self.alone.load(Ordering::Acquire).then(|| {
            "its program printed a line that answers no open question, or ended while several were open; since then it \
             is asked one question at a time. llull doctor --judge NAME tests it"
                .to_owned()
        });
        twice.into_iter().chain(alone).collect()
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A question that waits for its answer.
struct Open<'a> {
    state: &'a Mutex<State>,
    id: &'a str,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        lock(self.state).open.remove(self.id);
    }
}

impl State {
    /// Sends a question to the program, which is started if it does not run. Returns which start that is.
    fn say(
        &mut self,
        id: &str,
        question: Vec<u8>,
        answer: oneshot::Sender<Came>,
        (own, alone): (&Arc<Mutex<Self>>, &Arc<AtomicBool>),
    ) -> Result<u64, Failure> {
        if let Some(why) = &self.given_up {
            return Err(Failure::new(FailureKind::NotFound, why));
        }
        if self.conversation.is_none() {
            self.start += 1;
            self.answered_since_start = false;
            let (start, state, alone) = (self.start, Arc::downgrade(own), Arc::clone(alone));
            let hear = move |heard| hear(&state, &alone, start, heard);
            let started = Conversation::start(&self.program, LONGEST, hear).map_err(|error| {
                let program = self.program.words.first().map_or("", String::as_str);
                let said = format!(
                    "its program {program:?} cannot be started: {error}. A program is found by PATH, or by its path \
                     from the study's folder if that has a /"
                );
                Failure::new(FailureKind::NotFound, said)
            })?;
            self.conversation = Some(started);
        }
        if let Some(conversation) = &self.conversation {
            conversation.say(question);
        }
        self.sent = self.sent.max(id.parse().unwrap_or(0));
        self.open.insert(id.to_owned(), answer);
        Ok(self.start)
    }

    /// Ends the program, which is restarted for the next question if it has not ended too often.
    fn over(&mut self, alone: &AtomicBool, why: &str) {
        self.conversation = None;
        self.start += 1;
        self.ends += 1;
        self.fruitless = if self.answered_since_start { 0 } else { self.fruitless + 1 };
        if self.open.len() > 1 {
            alone.store(true, Ordering::Release);
        }
        if self.fruitless >= FRUITLESS {
            self.given_up = Some(format!(
                "its program is not started again, after {FRUITLESS} times in a row without an answer; the last time: \
                 {why}"
            ));
        } else if self.ends >= ENDS {
            self.given_up =
                Some(format!("its program is not started again, after {ENDS} times; the last time: {why}"));
        }
        self.tell_all(|| Came::Failed(Failure::new(FailureKind::Connection, why)));
    }

    /// A line, or the beginning of one, that answers no open question.
    fn stray(&mut self, alone: &AtomicBool, came: Came) {
        if self.open.len() > 1 {
            alone.store(true, Ordering::Release);
            self.conversation = None;
            self.start += 1;
            self.tell_all(|| Came::Unclear);
        } else if let Some((_, only)) = self.open.drain().next() {
            let _ = only.send(came);
        }
    }

    fn tell_all(&mut self, came: impl Fn() -> Came) {
        for (_, open) in self.open.drain() {
            let _ = open.send(came());
        }
    }
}

/// Handles a line, or the end, of one start of the program.
fn hear(state: &Weak<Mutex<State>>, alone: &AtomicBool, start: u64, heard: Heard) {
    let Some(state) = state.upgrade() else { return };
    let mut state = lock(&state);
    if state.start != start {
        return;
    }
    match heard {
        Heard::Line(line) => {
            let id = answered(&line);
            if let Some(open) = id.as_ref().and_then(|id| state.open.remove(id)) {
                state.answered_since_start = true;
                let _ = open.send(Came::Line(line));
            } else if id.and_then(|id| id.parse::<u64>().ok()).is_some_and(|id| id >= 1 && id <= state.sent) {
                state.answered_twice += 1;
            } else {
                state.stray(alone, Came::Line(line));
            }
        }
        Heard::TooLong => {
            let said = format!("its program printed a line of more than {} MiB", LONGEST / 1024 / 1024);
            state.stray(alone, Came::Failed(Failure::new(FailureKind::Rejected, said)));
        }
        Heard::Ended(ended) => {
            let said = ended.said.lines().map(quote).collect::<Vec<_>>().join(" | ");
            let ended = llull_program::Ended { said: String::new(), ..ended };
            let said = if said.is_empty() { said } else { format!("; it said: {said}") };
            state.over(alone, &format!("its program {ended}{said}"));
        }
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// The beginning of scripts that answer: `id` is that of the line that was read.
    const READ: &str = "answer() { echo \"{\\\"id\\\":\\\"$1\\\",\\\"grade\\\":$1}\"; }\nnext() { \
        read -r line || exit 0; \
         id=${line#*:\\\"}; id=${id%%\\\"*}; }\n";

    fn channel(script: &str, timeout: Duration) -> (tempfile::TempDir, ProcessChannel) {
        let dir = tempfile::tempdir().unwrap();
        let program = Program {
            words: vec!["sh".into(), "-c".into(), format!("echo start >> starts\n{READ}{script}")],
            dir: dir.path().to_owned(),
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        };
        (dir, ProcessChannel::new(program, timeout))
    }

    fn starts(dir: &tempfile::TempDir) -> usize {
        fs_err::read_to_string(dir.path().join("starts")).unwrap().lines().count()
    }

    /// Asks these questions at once.
    fn ask(channel: &ProcessChannel, ids: std::ops::RangeInclusive<u32>) -> Vec<Result<String, Failure>> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let all = ids.map(|id| async move {
            let question = format!("{{\"id\":\"{id}\"}}").into_bytes();
            channel.ask(id.to_string(), question).await.map(|line| String::from_utf8(line).unwrap())
        });
        runtime.block_on(futures::future::join_all(all))
    }

    fn answer(id: u32) -> String {
        format!("{{\"id\":\"{id}\",\"grade\":{id}}}")
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn questions_are_pipelined_and_answered_in_any_order() {
        // It reads three lines before it answers any, the last one first.
        let script = "while :; do next; a=$id; next; b=$id; next; answer $id; answer $b; answer $a; done";
        let (dir, channel) = channel(script, LONG);
        for first in [1, 4] {
            let answers = ask(&channel, first..=first + 2);
            let answers: Vec<String> = answers.into_iter().map(Result::unwrap).collect();
            assert_eq!(answers, [answer(first), answer(first + 1), answer(first + 2)]);
        }
        assert_eq!((starts(&dir), channel.notices().len()), (1, 0));
    }

    /// Questions with an unclear line are repeated one at a time, so that a line belongs to one question.
    #[test]
    fn a_line_without_a_question_is_that_of_the_only_one() {
        let script = "while :; do next; if [ $id = 2 ]; then echo 'grade: 2'; else answer $id; fi; done";
        let (dir, channel) = channel(script, LONG);
        let answers: Vec<String> = ask(&channel, 1..=4).into_iter().map(Result::unwrap).collect();
        assert_eq!(answers, [answer(1), "grade: 2".to_owned(), answer(3), answer(4)]);
        assert_eq!((starts(&dir), channel.notices().len()), (2, 1));
    }

    #[test]
    fn the_first_answer_counts() {
        let (_dir, channel) = channel("while :; do next; answer $id; answer $id; done", LONG);
        assert_eq!(ask(&channel, 1..=1)[0].as_ref().unwrap(), &answer(1));
        assert_eq!(ask(&channel, 2..=2)[0].as_ref().unwrap(), &answer(2));
        assert!(channel.notices()[0].contains("answer a question again"), "{:?}", channel.notices());
    }

    #[test]
    fn it_is_started_a_bounded_number_of_times() {
        let (dir, channel) = channel("next; echo no model >&2; exit 3", LONG);
        let last = (1..=5).map(|id| ask(&channel, id..=id).remove(0).unwrap_err()).last().unwrap();
        assert_eq!(last.kind, FailureKind::NotFound);
        let why = "3 times in a row without an answer; the last time: its program ended with exit status: 3; it said: \
                   no model";
        assert!(last.message.contains(why), "{last}");
        assert_eq!(starts(&dir), 3);
    }

    #[test]
    fn one_that_ends_now_and_then_is_started_again() {
        let script = "next; answer $id; next; exit 1";
        let (dir, channel) = channel(script, LONG);
        for id in [1, 3, 5, 7, 9] {
            assert_eq!(ask(&channel, id..=id)[0].as_ref().unwrap(), &answer(id));
            assert_eq!(ask(&channel, id + 1..=id + 1)[0].as_ref().unwrap_err().kind, FailureKind::Connection);
        }
        assert_eq!(starts(&dir), 5);
    }

    #[test]
    fn one_that_hangs_is_ended() {
        let script = "while :; do next; if [ $id = 1 ]; then sleep 600; fi; answer $id; done";
        let (dir, mut channel) = channel(script, LONG);
        assert_eq!(ask(&channel, 2..=2)[0].as_ref().unwrap(), &answer(2));
        // Only silence has to be waited for.
        channel.timeout = Duration::from_secs(1);
        let began = Instant::now();
        let failure = ask(&channel, 1..=1).remove(0).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Timeout, "{failure}");
        assert!(began.elapsed() < LONG);
        channel.timeout = LONG;
        assert_eq!(ask(&channel, 3..=3)[0].as_ref().unwrap(), &answer(3));
        assert_eq!(starts(&dir), 2);
    }

    #[test]
    fn a_program_that_is_not_there_ends_the_judge() {
        let program =
            Program { words: vec!["llull-no-such-program".into()], dir: "/".into(), environment: Vec::new() };
        let failure = ask(&ProcessChannel::new(program, LONG), 1..=1).remove(0).unwrap_err();
        assert_eq!(failure.kind, FailureKind::NotFound);
        assert!(failure.message.contains("\"llull-no-such-program\" cannot be started"), "{failure}");
    }
}
