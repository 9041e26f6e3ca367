//! Handles Ctrl-C, SIGTERM and SIGHUP.
//!
//! While judges run, the first stops sending requests and waits for pending replies, and the second drops them. At any
//! other time nothing would be lost, and the process ends at once. Before any signal ends it, programs that it started
//! are ended, and temporary files removed.

use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

use llull::runner::Cancel;

/// How long a process may take to end after the second interruption.
const PATIENCE: Duration = Duration::from_millis(800);

/// The run that signals interrupt, and the number of its interruptions. `None` before any request.
static RUN: Mutex<Option<(Cancel, u32)>> = Mutex::new(None);

/// Lets signals interrupt a run, instead of any run before.
pub(crate) fn on_ctrl_c(cancel: &Cancel) {
    *RUN.lock().unwrap_or_else(PoisonError::into_inner) = Some((cancel.clone(), 0));
    end_programs_on_signals();
}

/// Handles signals from here on: programs and temporary files do not outlive this process. Commands that start no
/// program and send no request do not handle signals.
pub(crate) fn end_programs_on_signals() {
    static HANDLED: Once = Once::new();
    HANDLED.call_once(handle);
}

#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "main may be waiting for a file that never comes")]
fn handle() {
    use signal_hook::consts::{SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
    use signal_hook::iterator::Signals;

    // Signals that end any process, and that are not used to interrupt a run.
    const AT_ONCE: [i32; 4] = [SIGALRM, SIGQUIT, SIGUSR1, SIGUSR2];

    // Without a handler every signal ends the process, which loses no more than the answers in flight.
    let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM].iter().chain(&AT_ONCE)) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if AT_ONCE.contains(&signal) || end_now() {
                leave_nothing();
                // The process ends by the signal, as shells expect: 130, 143 or 129.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
                std::process::exit(128 + signal);
            }
        }
    });
}

#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "main may be waiting for a file that never comes")]
fn handle() {
    let _ = ctrlc::set_handler(|| {
        if end_now() {
            leave_nothing();
            std::process::exit(130);
        }
    });
}

/// Passes an interruption on to the run. Returns whether the process should end: no run is active, or this is not the
/// first interruption and pending requests were dropped.
fn end_now() -> bool {
    let mut run = RUN.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((cancel, interruptions)) = &mut *run else { return true };
    *interruptions += 1;
    let running = cancel.interrupt();
    if running && *interruptions > 1 {
        // The run drops pending requests and prints its progress; the ledger has the rest already.
        std::thread::sleep(PATIENCE);
    }
    !running || *interruptions > 1
}

/// Ends the programs that this process has started, and removes its temporary files.
fn leave_nothing() {
    llull::program::end_all();
    llull::data::remove_unfinished();
}

/// A signal that ends a command which would go on for ever, and which it waits for.
pub(crate) struct Interruption {
    #[cfg(unix)]
    signals: signal_hook::iterator::Signals,
    #[cfg(not(unix))]
    came: std::sync::mpsc::Receiver<()>,
}

impl Interruption {
    /// Catches Ctrl-C, SIGTERM and SIGHUP from here on.
    ///
    /// # Errors
    /// Returns an error if the system does not allow to catch them.
    #[cfg(unix)]
    pub(crate) fn catch() -> std::io::Result<Self> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        Ok(Self { signals: signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])? })
    }

    /// Catches Ctrl-C from here on.
    ///
    /// # Errors
    /// Returns an error if the system does not allow to catch it.
    #[cfg(not(unix))]
    pub(crate) fn catch() -> std::io::Result<Self> {
        let (say, came) = std::sync::mpsc::channel();
        ctrlc::set_handler(move || drop(say.send(()))).map_err(std::io::Error::other)?;
        Ok(Self { came })
    }

    /// Whether one has come. It comes only once: do not wait for it afterwards.
    pub(crate) fn has_come(&mut self) -> bool {
        #[cfg(unix)]
        return self.signals.pending().next().is_some();
        #[cfg(not(unix))]
        return self.came.try_recv().is_ok();
    }

    /// Returns when one has come.
    pub(crate) fn wait(self) {
        #[cfg(unix)]
        {
            let mut signals = self.signals;
            let _ = signals.forever().next();
        }
        #[cfg(not(unix))]
        let _ = self.came.recv();
    }
}
