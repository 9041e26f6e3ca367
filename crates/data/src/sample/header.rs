//! The header lines of a sample, `# name: value`.

use llull_core::{DrawnSample, SampleDesign, Seed};

use crate::DataError;
use crate::lines::Line;

/// The values in the header lines.
#[derive(Default)]
pub(super) struct Header {
    /// The number of pairs in the frame, and the header line with it.
    frame: Option<(usize, u64)>,
}

impl Header {
    /// Takes one line, which begins with `#`.
    pub(super) fn take(&mut self, line: &Line<'_>, sample: &mut DrawnSample) -> Result<(), DataError> {
        let text = line.text.trim_ascii().trim_start_matches('#').trim_ascii();
        let Some((name, value)) = text.split_once(':') else { return Ok(()) };
        let (name, value) = (name.trim_ascii(), value.trim_ascii());
        match name {
            "llull-sample" => version(line, value)?,
            "design" => sample.design = Some(design(line, value)?),
            "seed" => sample.seed = Some(Seed(number(line, "seed", value)?)),
            "frame" => self.frame = Some((number(line, "frame", value)? as usize, line.number)),
            _ => sample.notes.push((name.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    /// Checks the number of pairs against that in the header.
    pub(super) fn check(&self, file: &str, found: usize) -> Result<(), DataError> {
        match self.frame {
            Some((said, line)) if said != found => {
                let line = Line { text: "", number: line, file };
                Err(line.wrong(
                    None,
                    format!("a frame of {said} pairs"),
                    &format!("one of {found}, which are the pairs that follow"),
                    "Lines were cut off or added: the file must list every pair that could be drawn, as it was written",
                ))
            }
            _ => Ok(()),
        }
    }
}

fn version(line: &Line<'_>, value: &str) -> Result<(), DataError> {
    match value.parse::<u32>() {
        Ok(version) if (1..=VERSION).contains(&version) => Ok(()),
        _ => Err(line.bad_column(
            1,
            "llull-sample",
            value,
            &format!("a version up to {VERSION}"),
            "A newer llull wrote this file: use that one",
        )),
    }
}

fn design(line: &Line<'_>, value: &str) -> Result<SampleDesign, DataError> {
    SampleDesign::from_name(value).ok_or_else(|| {
        let known = SampleDesign::ALL.map(SampleDesign::name).join(", ");
        line.bad_column(1, "design", value, &format!("one of {known}"), "")
    })
}

fn number(line: &Line<'_>, name: &'static str, value: &str) -> Result<u64, DataError> {
    value.parse().map_err(|_| line.bad_column(1, name, value, "a whole number from 0 up", ""))
}

/// The newest version that is read, and the one that is written.
pub(super) const VERSION: u32 = 1;
