//! Systems that are asked while llull retrieves, and whose answers are kept.

use llull_candidates::versions;
use llull_core::KeyBuilder;
use serde::Serialize;

use crate::command::CommandSettings;
use crate::postgres::PostgresSettings;
use crate::remote::RemoteSettings;

/// What is asked. Each kind answers in the same form, a line of JSON for each query, which is kept until something that
/// it depends on changes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum LiveSource {
    /// A program of the user's own.
    Command(CommandSettings),
    /// A PostgreSQL server.
    Postgres(PostgresSettings),
    /// A server that is asked over HTTP.
    Remote(Box<RemoteSettings>),
}

impl LiveSource {
    /// Adds what results depend on to the key under which they are kept: not how fast they are asked for.
    pub fn meaning(&self, key: KeyBuilder) -> KeyBuilder {
        let version = |kind, version| key.clone().text("kind", kind).number("version", version);
        match self {
            Self::Command(command) => {
                let key = version("command", versions::COMMAND);
                command.command.iter().fold(key, |key, word| key.text("word", word))
            }
            Self::Postgres(postgres) => {
                let encoder = postgres.encoder.as_deref().unwrap_or_default();
                let key = version("postgres", versions::POSTGRES);
                let key = key.text("address", &postgres.address).text("encoder", encoder);
                key.text("sql", postgres.query.sql())
            }
            Self::Remote(remote) => remote.meaning(version("remote", versions::REMOTE)),
        }
    }
}
