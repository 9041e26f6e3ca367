//! `llull serve`: shows a study as pages of a local server.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use anyhow::Result;
use llull::report::text::seconds;
use llull_web::{ReadingStage, ServeOptions, Server};

use super::Context;
use crate::args::ServeArgs;
use crate::exit::Exit;
use crate::interrupt::Interruption;
use crate::printer::Printer;

/// How long reading may take before it is worth a note.
const QUIET: Duration = Duration::from_secs(2);

pub(crate) fn run(context: &Context, args: ServeArgs) -> Result<Exit> {
    let study = context.study_as_last_run(llull::config::Overrides::default())?;
    // Signals are caught before the address is printed: who has read it may end the server.
    let mut interruption = Interruption::catch()?;
    if !args.listen.is_loopback() {
        context.printer.warn(format!(
            "{} is not this machine's own address: what is sent there is not encrypted, and whoever reads the token \
             on its way sees the study",
            args.listen
        ));
    }
    let mut server = Server::open(study, &listening(args.listen, args.port, args.allow_host))?;
    context.printer.result(server.url())?;
    context.printer.note("open this address in a browser; Ctrl-C ends the server");
    let mut progress = Progress { printer: context.printer, began: Instant::now(), last: ReadingStage::Read };
    let mut ended = false;
    server.wait_until_read(|stage| {
        progress.show(stage);
        ended = interruption.has_come();
        !ended
    })?;
    if !ended {
        progress.end();
        interruption.wait();
    }
    server.stop();
    Ok(Exit::Fine)
}

/// Progress of reading a study, of which a small one has none.
struct Progress {
    printer: Printer,
    began: Instant,
    /// The last stage that was printed; `Read` before any.
    last: ReadingStage,
}

impl Progress {
    fn show(&mut self, stage: ReadingStage) {
        if self.began.elapsed() >= QUIET && stage != self.last && stage != ReadingStage::Read {
            self.printer.note(format!("reading the study: {stage}"));
            self.last = stage;
        }
    }

    fn end(&self) {
        if self.last != ReadingStage::Read {
            self.printer.note(format!("read the study in {}", seconds(self.began.elapsed())));
        }
    }
}

/// Where a server listens, and under which names.
pub(crate) fn listening(listen: IpAddr, port: u16, hosts: Vec<String>) -> ServeOptions {
    ServeOptions { listen, port, hosts, ..ServeOptions::default() }
}
