//! Systems that llull queries while it retrieves; their results are saved.

use llull_candidates::versions;
use llull_core::KeyBuilder;
use serde::Serialize;

use crate::command::CommandSettings;
use crate::postgres::PostgresSettings;
use crate::remote::RemoteSettings;

/// The program or server. Each kind returns a line of JSON for each query, which is saved until an input changes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum LiveSource {
    /// A program of the user's own.
    Command(CommandSettings),
    /// A PostgreSQL server.
    Postgres(PostgresSettings),
    /// An HTTP server.
    Remote(Box<RemoteSettings>),
}

impl LiveSource {
    /// Adds the inputs of results to the key under which they are saved. The request rate is not one of them.
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
