//! A reporter without output.

use crate::event::{Event, Reporter};

/// A reporter that ignores all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Reporter for Silent {
    fn event(&self, _: Event<'_>) {}
}
