//! Ctrl-C, SIGTERM and SIGHUP. While judges are asked, the first stops sending requests and waits for pending answers,
//! and the second drops them. At any other time nothing would be lost, and the process ends at once.

use std::time::Duration;

use llull::runner::Cancel;

/// How long a process may take to end after the second interruption.
const PATIENCE: Duration = Duration::from_millis(800);

/// Lets signals interrupt a run.
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "main may be waiting for a file that never comes")]
pub(crate) fn on_ctrl_c(cancel: &Cancel) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let cancel = cancel.clone();
    // Without a handler every signal ends the process, which loses no more than the answers in flight.
    let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        let mut interruptions = Interruptions::default();
        for signal in signals.forever() {
            if interruptions.end_now(&cancel) {
                // The process ends by the signal, as shells expect: 130, 143 or 129.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
                std::process::exit(128 + signal);
            }
        }
    });
}

/// Lets Ctrl-C interrupt a run.
#[cfg(not(unix))]
#[expect(clippy::disallowed_methods, reason = "main may be waiting for a file that never comes")]
pub(crate) fn on_ctrl_c(cancel: &Cancel) {
    let cancel = cancel.clone();
    let mut interruptions = Interruptions::default();
    // Setting a second handler fails, which is fine: one process judges once.
    let _ = ctrlc::set_handler(move || {
        if interruptions.end_now(&cancel) {
            std::process::exit(130);
        }
    });
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
    /// Returns an error if the system lets nobody catch them.
    #[cfg(unix)]
    pub(crate) fn catch() -> std::io::Result<Self> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        Ok(Self { signals: signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])? })
    }

    /// Catches Ctrl-C from here on.
    ///
    /// # Errors
    /// Returns an error if the system lets nobody catch it.
    #[cfg(not(unix))]
    pub(crate) fn catch() -> std::io::Result<Self> {
        let (say, came) = std::sync::mpsc::channel();
        ctrlc::set_handler(move || drop(say.send(()))).map_err(std::io::Error::other)?;
        Ok(Self { came })
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

/// The interruptions so far.
#[derive(Default)]
struct Interruptions(u32);

impl Interruptions {
    /// Passes an interruption on to the run. Returns whether the process is to end: nothing is asked, or this is not
    /// the first interruption and what was in flight has been dropped.
    fn end_now(&mut self, cancel: &Cancel) -> bool {
        self.0 += 1;
        let running = cancel.interrupt();
        if running && self.0 > 1 {
            // The run drops what is in flight and says how far it came; the ledger has the rest already.
            std::thread::sleep(PATIENCE);
        }
        !running || self.0 > 1
    }
}
