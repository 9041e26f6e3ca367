//! Databases of tests on the PostgreSQL server.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::future::Future;

use llull::core::Document;
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, NoTls};

use crate::addresses::address;

/// A new database on the server of `LLULL_POSTGRES`.
pub struct Database {
    runtime: Runtime,
    client: Client,
    address: String,
}

impl Database {
    /// Makes a database, which must not be there.
    ///
    /// # Panics
    /// Panics if it cannot be made.
    pub fn create(name: &str) -> Self {
        let server = Self::at(address("LLULL_POSTGRES"));
        server.execute(&format!("CREATE DATABASE {name}"));
        let (server, _) = server.address.rsplit_once('/').unwrap();
        Self::at(format!("{server}/{name}"))
    }

    fn at(address: String) -> Self {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let client = runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
            tokio::spawn(connection);
            client
        });
        Self { runtime, client, address }
    }

    /// Returns its address, with the password.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Runs statements.
    ///
    /// # Panics
    /// Panics if the server does not take them.
    pub fn execute(&self, sql: &str) {
        self.wait(self.client.batch_execute(sql));
    }

    /// Inserts documents into a table with the columns `id`, `title`, `body` and, of pgvector's type, `embedding`: the
    /// vector of each, or none.
    ///
    /// # Panics
    /// Panics if the server does not take them.
    pub fn insert<'a>(
        &self,
        table: &str,
        documents: impl IntoIterator<Item = (&'a Document, Option<&'a [f32]>)>,
    ) {
        let sql =
            format!("INSERT INTO {table} (id, title, body, embedding) VALUES ($1, $2, $3, $4::text::vector)");
        let insert = self.wait(self.client.prepare(&sql));
        self.execute("BEGIN");
        for (Document { id, title, text }, vector) in documents {
            let vector = vector.map(|vector| format!("{vector:?}"));
            self.wait(self.client.execute(&insert, &[id, title, text, &vector]));
        }
        self.execute("COMMIT");
    }

    fn wait<T>(&self, asked: impl Future<Output = Result<T, tokio_postgres::Error>>) -> T {
        self.runtime.block_on(asked).unwrap_or_else(|error| panic!("{error:?}"))
    }
}
