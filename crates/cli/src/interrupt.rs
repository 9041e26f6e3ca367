//! Ctrl-C: the first stops asking and waits for what is in flight, the second drops it.

use llull::runner::Cancel;

/// Lets Ctrl-C (and a polite kill) interrupt a run.
pub(crate) fn on_ctrl_c(cancel: &Cancel) {
    let cancel = cancel.clone();
    // A second handler cannot be set, and need not be: one process judges once.
    let _ = ctrlc::set_handler(move || cancel.interrupt());
}
