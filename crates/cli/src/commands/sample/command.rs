//! Chooses the task of `llull sample`.

use anyhow::Result;

use super::{of_files, of_study};
use crate::args::SampleArgs;
use crate::commands::{Context, no_study_flag, not_beside_json};
use crate::exit::{Exit, refuse};

pub(in crate::commands) fn run(context: &Context, args: &SampleArgs) -> Result<Exit> {
    not_beside_json(context, args.output.as_deref())?;
    if args.status {
        return of_study::status(context, args);
    }
    match (&args.read, &args.frame, args.files.is_empty()) {
        (Some(sheet), Some(frame), _) => {
            no_study_flag(args.study.first())?;
            of_files::read(context, args, sheet, frame)
        }
        (Some(sheet), None, _) => of_study::read(context, args, sheet),
        (None, _, false) => {
            no_study_flag(args.study.first())?;
            of_files::draw(context, args)
        }
        (None, Some(_), true) => {
            refuse!("--frame is for plain files: a study keeps its sample in .llull/sample.tsv; leave it out")
        }
        (None, None, true) => of_study::draw(context, args),
    }
}
