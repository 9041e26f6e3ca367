//! `llull diff`: the choice of what is compared, and its output.

use anyhow::{Result, bail};

use super::files::is_file;
use super::printed::print;
use super::{files, sample, study};
use crate::args::DiffArgs;
use crate::commands::Context;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &DiffArgs) -> Result<Exit> {
    if let (Some(a), Some(b)) = (&args.a, &args.b)
        && is_file(a)
        && is_file(b)
    {
        print(context, &files::compared(context, args, [a, b])?)?;
        return Ok(Exit::Fine);
    }
    if !context.global.study.join(llull::config::FILE_NAME).is_file() {
        let typed = [&args.a, &args.b].into_iter().flatten().find(|side| !is_file(side));
        let absent = typed.map_or_else(String::new, |side| format!("{side}: there is no such file, and "));
        bail!(
            "{absent}{} holds no study ({}) whose judges could be compared. Name two files of labels:\n  \
             llull diff A B",
            context.global.study.display(),
            llull::config::FILE_NAME
        );
    }
    match args.sample {
        Some(wanted) => sample::run(context, args, wanted),
        None => study::run(context, args),
    }
}
