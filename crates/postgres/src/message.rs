//! The messages of a PostgreSQL server.

use std::error::Error as _;

/// Returns the message of a server, or of the connection to it.
pub fn message(error: &tokio_postgres::Error) -> String {
    if let Some(error) = error.as_db_error() {
        let also = [("; ", error.detail()), ("; ", error.hint())];
        let also: String =
            also.iter().filter_map(|(before, more)| Some(format!("{before}{}", (*more)?))).collect();
        return format!("{} (SQLSTATE {}){also}", error.message(), error.code().code());
    }
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}
