//! Pieces of a file parsed side by side and put together in the order of the file.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::{DataError, chunks::Chunks};

/// How many pieces may be parsed ahead of the one that is put together next. It bounds the memory.
const AHEAD: u64 = 32;

/// On how many cores a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cores {
    /// All that rayon has.
    All,
    /// The calling thread alone.
    One,
}

/// Has `parse` make something of every piece, which it is told by its index from 0, and gives the results to `merge` in the order of
/// the file. What comes of it does not depend on the number of threads. `parse` fills a result anew that was merged, or a fresh one.
///
/// Whoever is free takes the next piece from the file, so that reading and decompressing, which only one can do at a time,
/// go on while others parse.
///
/// # Errors
/// The first in the order of the file: that of `merge`, or that reading fails.
pub(crate) fn in_order<P: Default + Send>(
    chunks: Chunks,
    cores: Cores,
    parse: impl Fn(u64, &[u8], &mut P) + Sync,
    merge: impl FnMut(&mut P) -> Result<(), DataError> + Send,
) -> Result<(), DataError> {
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
            // Most files are one piece, for which nobody needs to be woken.
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

struct Work<A, P, M> {
    chunks: Mutex<Chunks>,
    parse: A,
    order: Mutex<Order<P, M>>,
    /// Signalled when `next` moves or `stopped` is set.
    moved: Condvar,
}

struct Order<P, M> {
    /// The piece that is put together next.
    next: u64,
    /// Those behind it that are parsed already.
    early: BTreeMap<u64, Result<P, DataError>>,
    /// Results that were merged.
    spare: Vec<P>,
    merge: M,
    outcome: Result<(), DataError>,
    stopped: bool,
}

impl<A, P, M> Work<A, P, M>
where
    P: Default,
    A: Fn(u64, &[u8], &mut P),
    M: FnMut(&mut P) -> Result<(), DataError>,
{
    /// Parses piece after piece, at most so many, until there are no more.
    fn take_part(&self, most: usize) {
        let _departure = Departure(self);
        let mut buffer = Vec::new();
        for _ in 0..most {
            let taken = locked(&self.chunks).next(&mut buffer);
            let Some((index, read)) = taken else { return };
            let parsed = read.map(|length| {
                let mut parsed = locked(&self.order).spare.pop().unwrap_or_default();
                (self.parse)(index, buffer.get(..length).unwrap_or_default(), &mut parsed);
                parsed
            });
            if !self.hand_in(index, parsed) {
                return;
            }
        }
    }

    /// Puts together what is ready. `false` when the rest is not needed.
    fn hand_in(&self, index: u64, parsed: Result<P, DataError>) -> bool {
        let mut order = locked(&self.order);
        // The piece that all wait for is in the hands of a thread that does not wait, since it is the next.
        while !order.stopped && index >= order.next + AHEAD {
            order = self.moved.wait(order).unwrap_or_else(PoisonError::into_inner);
        }
        if order.stopped {
            return false;
        }
        order.early.insert(index, parsed);
        let order = &mut *order;
        while let Some(parsed) = order.early.remove(&order.next) {
            order.next += 1;
            order.outcome = parsed.and_then(|mut parsed| {
                (order.merge)(&mut parsed)?;
                order.spare.push(parsed);
                Ok(())
            });
            if order.outcome.is_err() {
                order.stopped = true;
                break;
            }
        }
        self.moved.notify_all();
        !order.stopped
    }
}

/// A thread that panics leaves a piece undone: nobody may wait for it.
struct Departure<'a, A, P, M>(&'a Work<A, P, M>);

impl<A, P, M> Drop for Departure<'_, A, P, M> {
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
