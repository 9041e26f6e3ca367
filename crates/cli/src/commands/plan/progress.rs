//! Progress of a long simulation.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use llull::report::text::count;

use crate::printer::Printer;

/// How often a line is printed if no bar can be drawn.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The progress of a simulation: a bar on a terminal, a line now and then elsewhere.
pub(super) struct Simulating {
    printer: Printer,
    bar: Option<ProgressBar>,
    total: u32,
    done: AtomicU32,
    last_line: Mutex<Instant>,
}

impl Simulating {
    pub(super) fn new(printer: Printer, total: u32) -> Self {
        let template = "simulating {bar:32} {human_pos}/{human_len} [{elapsed} left {eta}]";
        let bar = printer.bar(u64::from(total), template);
        Self { printer, bar, total, done: AtomicU32::new(0), last_line: Mutex::new(Instant::now()) }
    }

    pub(super) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(bar) = &self.bar {
            bar.inc(1);
        } else if done < self.total
            && let Ok(mut last) = self.last_line.try_lock()
            && last.elapsed() >= LINE_EVERY
        {
            *last = Instant::now();
            self.printer.note(format!("  {} of {} queries simulated", count(done), count(self.total)));
        }
    }

    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
