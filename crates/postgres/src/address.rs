//! The address of a PostgreSQL server.

use std::fmt;
use std::time::Duration;

use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::tls::NoTlsStream;
use tokio_postgres::{Client, Config, Connection, NoTls, Socket};

use crate::message::message;

/// The longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Why a text is no address of a PostgreSQL server that llull can use. The text is not shown: it may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// It is no address.
    #[error(
        "the address is not one of PostgreSQL, such as postgresql://user:password@host:5432/database; it is not shown, \
         since it may hold a password"
    )]
    NoAddress,
    /// It wants a connection by TLS.
    #[error(
        "the address has sslmode=require, and llull has no TLS for PostgreSQL: go through a tunnel (ssh -L, \
         cloud-sql-proxy), and leave sslmode out"
    )]
    WantsTls,
}

/// The address of a PostgreSQL server, with the user's name. It may hold a password, which is never shown.
#[derive(Clone)]
pub struct PostgresAddress {
    config: Config,
    /// The variable that holds it, which is shown in its place.
    variable: Option<String>,
}

impl PostgresAddress {
    /// Reads an address: `postgresql://user:password@host:5432/database`, or `host=... user=... dbname=...`.
    ///
    /// # Errors
    /// Returns an error, without the text, if it is not an address, or requires a connection by TLS.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let mut config: Config = text.trim().parse().map_err(|_| AddressError::NoAddress)?;
        if config.get_hosts().is_empty() {
            return Err(AddressError::NoAddress);
        }
        match config.get_ssl_mode() {
            SslMode::Disable | SslMode::Prefer => config.ssl_mode(SslMode::Disable),
            _ => return Err(AddressError::WantsTls),
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

    /// Connects. The caller runs the connection, which ends with the client.
    ///
    /// # Errors
    /// Returns the server's reason, or why it cannot be reached.
    pub async fn connect(&self) -> Result<(Client, Connection<Socket, NoTlsStream>), String> {
        self.config.connect(NoTls).await.map_err(|error| message(&error))
    }
}

impl fmt::Display for PostgresAddress {
    /// Shows host, the number in its place where the address has one, port, database and options; or the variable with
    /// the address.
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
        if let Some(database) = self.config.get_dbname() {
            write!(f, ", database {database}")?;
        }
        match self.config.get_options() {
            Some(options) => write!(f, ", {options}"),
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
