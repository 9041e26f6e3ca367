//! Parses chunks of a file in parallel, and merges them in order.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::{DataError, chunks::Chunks};

/// How many chunks may be parsed ahead of the one that is merged next. It bounds the memory.
const AHEAD: u64 = 32;

/// The number of cores on which a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cores {
    /// All cores that rayon uses.
    All,
    /// Only the calling thread.
    One,
}

/// Parses every chunk and passes the results to `merge` in the order of the file. So the outcome does not depend on
/// the number of threads. `parse` gets the chunk's number from 0, and its bytes or the error of reading them. It fills
/// a new result, or one that was merged already.
///
/// Any free thread takes the next chunk from the file. So one thread at a time reads and decompresses, while others
/// parse.
///
/// # Errors
/// Returns the first error of `merge`, in the order of the file.
pub(crate) fn in_order<P: Default + Send, E: Send>(
    chunks: Chunks,
    cores: Cores,
    parse: impl Fn(u64, Result<&[u8], DataError>, &mut P) + Sync,
    merge: impl FnMut(&mut P) -> Result<(), E> + Send,
) -> Result<(), E> {
    let work = Work {
        chunks: Mutex::new(chunks),
        parse,
        order: Mutex::new(Order {
            next: 0,
            early: BTreeMap::new(),
            spare: Vec::new(),
            merge,
            outcome: Ok(()),
            stopped: false,
        }),
        moved: Condvar::new(),
    };
    match cores {
        Cores::One => work.take_part(usize::MAX),
        Cores::All => {
            // Most files are a single chunk, for which no other thread needs to be woken.
            work.take_part(1);
            let helpers = if locked(&work.chunks).is_done() { 0 } else { rayon::current_num_threads() - 1 };
            if helpers > 0 {
                rayon::scope(|scope| {
                    for _ in 0..helpers {
                        scope.spawn(|_| work.take_part(usize::MAX));
                    }
                    work.take_part(usize::MAX);
                });
            } else {
                work.take_part(usize::MAX);
            }
        }
    }
    work.order.into_inner().unwrap_or_else(PoisonError::into_inner).outcome
}

struct Work<A, P, M, E> {
    chunks: Mutex<Chunks>,
    parse: A,
    order: Mutex<Order<P, M, E>>,
    /// Signalled when `next` moves or `stopped` is set.
    moved: Condvar,
}

struct Order<P, M, E> {
    /// The chunk that is merged next.
    next: u64,
    /// Later chunks that are parsed already.
    early: BTreeMap<u64, P>,
    /// Results that were merged.
    spare: Vec<P>,
    merge: M,
    outcome: Result<(), E>,
    stopped: bool,
}

impl<A, P, M, E> Work<A, P, M, E>
where
    P: Default,
    A: Fn(u64, Result<&[u8], DataError>, &mut P),
    M: FnMut(&mut P) -> Result<(), E>,
{
    /// Parses one chunk after the other, at most `most`, until there are no more.
    fn take_part(&self, most: usize) {
        let _departure = Departure(self);
        let mut buffer = Vec::new();
        for _ in 0..most {
            let taken = locked(&self.chunks).next(&mut buffer);
            let Some((index, read)) = taken else { return };
            let mut parsed = locked(&self.order).spare.pop().unwrap_or_default();
            let bytes = read.map(|length| buffer.get(..length).unwrap_or_default());
            (self.parse)(index, bytes, &mut parsed);
            if !self.hand_in(index, parsed) {
                return;
            }
        }
    }

    /// Merges results whose turn has come. Returns `false` if the rest is not needed.
    fn hand_in(&self, index: u64, parsed: P) -> bool {
        let mut order = locked(&self.order);
        // The chunk that all wait for is held by a thread that does not wait, since it is the next one.
        while !order.stopped && index >= order.next + AHEAD {
            order = self.moved.wait(order).unwrap_or_else(PoisonError::into_inner);
        }
        if order.stopped {
            return false;
        }
        order.early.insert(index, parsed);
        let order = &mut *order;
        while let Some(mut parsed) = order.early.remove(&order.next) {
            order.next += 1;
            order.outcome = (order.merge)(&mut parsed);
            order.spare.push(parsed);
            if order.outcome.is_err() {
                order.stopped = true;
                break;
            }
        }
        self.moved.notify_all();
        !order.stopped
    }
}

/// A thread that panics never finishes its chunk: no other thread may wait for it.
struct Departure<'a, A, P, M, E>(&'a Work<A, P, M, E>);

impl<A, P, M, E> Drop for Departure<'_, A, P, M, E> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            locked(&self.0.order).stopped = true;
            self.0.moved.notify_all();
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
