//! Ctrl-C: the first stops sending requests and waits for pending answers, the second drops them.

use llull::runner::Cancel;

/// Lets Ctrl-C and SIGTERM interrupt a run.
pub(crate) fn on_ctrl_c(cancel: &Cancel) {
    let cancel = cancel.clone();
    // Setting a second handler fails, which is fine: one process judges once.
    let _ = ctrlc::set_handler(move || cancel.interrupt());
}
