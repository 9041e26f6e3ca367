//! `llull serve`: shows a study as pages of a local server.

use anyhow::Result;
use llull_web::Server;

use super::Context;
use crate::args::ServeArgs;
use crate::exit::Exit;
use crate::interrupt::Interruption;

pub(crate) fn run(context: &Context, args: ServeArgs) -> Result<Exit> {
    let study = context.study_as_last_run(llull::config::Overrides::default())?;
    // Signals are caught before the address is printed: who has read it may end the server.
    let mut interruption = Interruption::catch()?;
    let options = args.server.options();
    if !options.listen.is_loopback() {
        context.printer.warn(format!(
            "{} is not this machine's own address: what is sent there is not encrypted, and whoever reads the token \
             on its way sees the study",
            options.listen
        ));
    }
    let mut server = Server::open(study, &options)?;
    context.printer.result(server.url())?;
    context.printer.note("open this address in a browser; Ctrl-C ends the server");
    let bar = context.printer.bar(0, "reading the study: {msg} [{elapsed}]");
    let mut ended = false;
    let read = server.wait_until_read(|stage| {
        if let Some(bar) = &bar {
            bar.set_message(stage.to_string());
            bar.tick();
        }
        ended = interruption.has_come();
        !ended
    });
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    read?;
    if !ended {
        interruption.wait();
    }
    server.stop();
    Ok(Exit::Fine)
}
