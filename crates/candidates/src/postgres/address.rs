//! The address of a PostgreSQL server.

use std::fmt;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use super::error::PostgresError;

/// The longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The address of a PostgreSQL server, with the user's name. It may hold a password, which is never shown.
#[derive(Clone)]
pub struct PostgresAddress {
    pub(super) config: Config,
    /// The variable that holds it, which is shown in its place.
    variable: Option<String>,
}

impl PostgresAddress {
    /// Reads an address: `postgresql://user:password@host:5432/database`, or `host=... user=... dbname=...`.
    ///
    /// # Errors
    /// Returns an error, without the text, if it is not an address, or requires a connection by TLS.
    pub fn parse(text: &str) -> Result<Self, PostgresError> {
        let mut config: Config = text.trim().parse().map_err(|_| PostgresError::NoAddress)?;
        if config.get_hosts().is_empty() {
            return Err(PostgresError::NoAddress);
        }
        match config.get_ssl_mode() {
            SslMode::Disable | SslMode::Prefer => config.ssl_mode(SslMode::Disable),
            _ => {
                return Err(PostgresError::Problem(
                    "the address has sslmode=require, and llull has no TLS for PostgreSQL: go through a tunnel (ssh \
                     -L, cloud-sql-proxy), and leave sslmode out"
                        .to_owned(),
                ));
            }
        };
        config.application_name("llull").connect_timeout(CONNECT_TIMEOUT);
        Ok(Self { config, variable: None })
    }

    /// Returns the same address, shown by the name of its environment variable: users may not know the variable's
    /// value.
    #[must_use]
    pub fn in_variable(self, variable: &str) -> Self {
        Self { variable: Some(variable.to_owned()), ..self }
    }
}

impl fmt::Display for PostgresAddress {
    /// Shows host, the number in its place where the address has one, port and database; or the variable with the
    /// address.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(variable) = &self.variable {
            return write!(f, "the address in {variable}");
        }
        let ports = self.config.get_ports();
        for (place, host) in self.config.get_hosts().iter().enumerate() {
            let port = ports.get(place).or(ports.first()).copied().unwrap_or(5432);
            let before = if place == 0 { "" } else { ", " };
            match host {
                Host::Tcp(name) => write!(f, "{before}{name}:{port}")?,
                #[cfg(unix)]
                Host::Unix(path) => write!(f, "{before}{}:{port}", path.display())?,
            }
            if let Some(number) = self.config.get_hostaddrs().get(place) {
                write!(f, " at {number}")?;
            }
        }
        match self.config.get_dbname() {
            Some(database) => write!(f, ", database {database}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresAddress({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        for text in [
            "postgresql://me:topsecret@db.example:6000/docs",
            "host=db.example port=6000 user=me password=topsecret dbname=docs sslmode=prefer\n",
        ] {
            let address = PostgresAddress::parse(text).unwrap();
            assert_eq!(format!("{address} {address:?}").matches("topsecret").count(), 0);
            assert_eq!(address.to_string(), "db.example:6000, database docs");
        }
        let numbered = PostgresAddress::parse("host=db.example hostaddr=10.0.0.7 dbname=docs").unwrap();
        assert_eq!(numbered.to_string(), "db.example:5432 at 10.0.0.7, database docs");
        for text in
            ["topsecret", "", "postgresql://me:topsecret@h:port/x", "host=h topsecret=1", "user=topsecret"]
        {
            let said = format!("{:?}", PostgresAddress::parse(text).unwrap_err());
            assert_eq!(said, "NoAddress", "{text}");
        }
    }

    #[test]
    fn a_connection_by_tls_is_refused() {
        let wants = PostgresAddress::parse("postgresql://me@h/x?sslmode=require").unwrap_err();
        assert!(wants.to_string().contains("no TLS"), "{wants}");
        assert_eq!(PostgresAddress::parse("postgresql://h").unwrap().to_string(), "h:5432");
    }
}
