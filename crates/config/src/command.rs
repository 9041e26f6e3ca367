//! A program of the user's own, which retrieves or judges.

use std::time::Duration;

use serde::Serialize;

/// How long a program may take for all queries, in seconds, unless the study says otherwise.
const TIMEOUT: f64 = 600.0;

/// The longest time that can be asked for: a week.
const LONGEST: f64 = 604_800.0;

/// A program that retrieves, which is given queries on standard input and prints results, or one that judges.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CommandSettings {
    /// The program and its arguments, which no shell reads.
    pub command: Vec<String>,
    /// The variables of the environment that it is given beside the usual ones.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// How many seconds it may take for all queries; for one question, if it judges.
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
            return Err(format!("`env` has names of variables, as in [\"PGHOST\"]; {name:?} is none"));
        }
        let timeout = timeout.unwrap_or(TIMEOUT);
        if !(timeout > 0.0 && timeout <= LONGEST) {
            return Err(format!("timeout = {timeout} is not above 0 and at most {LONGEST} seconds"));
        }
        Ok(Self { command: command.to_vec(), env: env.to_vec(), timeout })
    }

    /// Returns how long it may take for all queries, or for one question.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs_f64(self.timeout)
    }
}
