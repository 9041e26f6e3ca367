//! The socket, and the thread that answers there.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use llull::Study;
use tokio::runtime::Runtime;

use crate::access::Access;
use crate::error::ServeError;
pub(crate) use crate::guard::{HEADERS, header_of, not_admitted, out_of_place, text};
use crate::page_request::Reader;
use crate::reader::{Ready, start};
use crate::reading_stage::ReadingStage;
use crate::routes::router;

/// How long answers that are being sent may take when the server ends.
const PATIENCE: Duration = Duration::from_millis(300);

/// How long a connection may be idle. A browser opens a new one when it needs it.
const IDLE: Duration = Duration::from_secs(60);

/// The pause after a connection that could not be taken, as when the process has too many open files.
const RECOVERY: Duration = Duration::from_secs(1);

/// How often it is checked, while a study is read, whether that goes on.
const LOOK: Duration = Duration::from_millis(100);

/// Where a server listens.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// The address: this machine alone, unless changed.
    pub listen: IpAddr,
    /// The port; 0 for one that is free.
    pub port: u16,
    /// Further names that the server has, such as that of a proxy before it, with or without a port.
    pub hosts: Vec<String>,
    /// How long a connection may stay open without a request, and a request may take to arrive.
    pub idle: Duration,
}

impl Default for ServeOptions {
    fn default() -> Self {
        Self { listen: IpAddr::V4(Ipv4Addr::LOCALHOST), port: 0, hosts: Vec::new(), idle: IDLE }
    }
}

/// A server that shows a study.
#[derive(Debug)]
pub struct Server {
    url: String,
    runtime: Runtime,
    /// The study's first reading; `None` once it has ended.
    reading: Option<(Reader, Ready)>,
}

impl Server {
    /// Reads the study and shows it from here on, to those who open [`url`](Self::url).
    ///
    /// # Errors
    /// Returns an error if the study cannot be read, or the address cannot be listened at.
    pub fn start(study: Study, options: &ServeOptions) -> Result<Self, ServeError> {
        let mut server = Self::open(study, options)?;
        server.wait_until_read(|_| true)?;
        Ok(server)
    }

    /// Shows the study to those who open [`url`](Self::url), and returns at once. Until the study is read, every page
    /// says so and loads itself again.
    ///
    /// # Errors
    /// Returns an error if the address cannot be listened at.
    pub fn open(study: Study, options: &ServeOptions) -> Result<Self, ServeError> {
        let mut reading = None;
        let mut server = Self::of_pages(options, |access| {
            let (reader, ready) = start(study)?;
            let router = router(reader.clone(), access);
            reading = Some((reader, ready));
            Ok(router)
        })?;
        server.reading = reading;
        Ok(server)
    }

    /// Waits until the study is read. Calls `goes_on` now and then, with what is being read, and returns early once
    /// that is false.
    ///
    /// # Errors
    /// Returns an error if the study cannot be read.
    pub fn wait_until_read(
        &mut self,
        mut goes_on: impl FnMut(ReadingStage) -> bool,
    ) -> Result<(), ServeError> {
        while let Some((reader, ready)) = &self.reading {
            match ready.recv_timeout(LOOK) {
                Ok(read) => {
                    self.reading = None;
                    return read;
                }
                Err(RecvTimeoutError::Timeout) => {
                    if !goes_on(*reader.stage.borrow()) {
                        return Ok(());
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(ServeError::Start("the study's reader ended".to_owned()));
                }
            }
        }
        Ok(())
    }

    /// Serves these pages.
    pub(crate) fn of_pages(
        options: &ServeOptions,
        pages: impl FnOnce(Access) -> Result<Router, ServeError>,
    ) -> Result<Self, ServeError> {
        let wanted = SocketAddr::new(options.listen, options.port);
        let refused = |source| ServeError::Listen { address: wanted, source };
        let listener = TcpListener::bind(wanted).map_err(refused)?;
        listener.set_nonblocking(true).map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let access = Access::new(address, &options.hosts)?;
        let url = access.url(address);
        let router = pages(access)?;
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).enable_io().enable_time().build();
        let runtime = runtime.map_err(|error| ServeError::Start(error.to_string()))?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener).map_err(refused)?
        };
        runtime.spawn(serve(listener, router, options.idle));
        Ok(Self { url, runtime, reading: None })
    }

    /// The address to open, which holds the token.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Ends the server.
    pub fn stop(self) {
        self.runtime.shutdown_timeout(PATIENCE);
    }
}

/// Answers at a socket without end. axum's own `serve` keeps idle connections for ever, and so many of them would take
/// all that the process may open.
async fn serve(listener: tokio::net::TcpListener, router: Router, idle: Duration) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(RECOVERY).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut connection = http1::Builder::new();
            // Also the time between two requests counts, and a request that trickles in.
            connection.timer(TokioTimer::new()).header_read_timeout(idle);
            // No page has a date header. A clock before 1970 has no date that HTTP can write, and hyper would panic.
            connection.auto_date_header(false);
            // A client that hangs up in the middle of an answer does not get it, and gets no error either.
            let _ = connection.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}
