//! The settings of a program of the user's that retrieves or judges.

use std::time::Duration;

use serde::Serialize;

use crate::server_limits::time_limit;

/// The default time limit of a program for all queries, in seconds, and the highest: a week.
const TIME: (f64, f64) = (600.0, 604_800.0);

/// A program that retrieves or judges. One that retrieves reads queries from standard input and prints results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CommandSettings {
    /// The program and its arguments. No shell reads them.
    pub command: Vec<String>,
    /// The variables of the environment that it gets, besides the usual ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// The time limit in seconds: for all queries, or for one question if it judges.
    pub timeout: f64,
}

impl CommandSettings {
    pub(crate) fn of(
        command: &[String],
        env: Option<&[String]>,
        timeout: Option<f64>,
    ) -> Result<Self, String> {
        if command.first().is_none_or(String::is_empty) {
            return Err(
                "`command` is empty; name a program and its arguments, as in [\"python3\", \"mine.py\"]"
                    .into(),
            );
        }
        if let Some(word) = command.iter().find(|word| word.contains('\0')) {
            return Err(format!("{word:?} cannot be a word of a command: it has a character 0"));
        }
        let env = env.unwrap_or_default();
        if let Some(name) = env.iter().find(|name| name.is_empty() || name.contains(['=', '\0'])) {
            return Err(format!("`env` takes names of variables, such as [\"PGHOST\"]; {name:?} is no name"));
        }
        let timeout = time_limit(timeout, TIME)?;
        Ok(Self { command: command.to_vec(), env: env.to_vec(), timeout })
    }

    /// Returns the time limit for all queries, or for one question.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs_f64(self.timeout)
    }
}
