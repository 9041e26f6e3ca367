//! Lists names of queries, only the first of many.

use serde::{Deserialize, Serialize};

/// How many queries a list of names gives by name.
const NAMED: usize = 20;

/// Names of queries: how many there are, and the first of them.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Named {
    count: usize,
    names: Vec<String>,
}

impl Named {
    /// Keeps the first of these names.
    pub(crate) fn of(names: &[String]) -> Self {
        Self { count: names.len(), names: names.iter().take(NAMED).cloned().collect() }
    }

    pub(super) fn add(&mut self, name: &str) {
        self.count += 1;
        if self.names.len() < NAMED {
            self.names.push(name.to_owned());
        }
    }

    /// `q1, q2 and 3 more`.
    pub(crate) fn listed(&self) -> String {
        let more = self.count - self.names.len();
        let names = self.names.join(", ");
        if more == 0 { names } else { format!("{names} and {more} more") }
    }
}
