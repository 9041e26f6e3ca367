//! One side of a difference: a labels file, or a study's judges.

use std::path::{Path, PathBuf};

use anyhow::Result;
use llull::agreement::NamedLabels;
use llull::report::PairDetails;
use llull::report::diff::LabelDiff;
use llull::{ALL_ANNOTATORS, Inputs, SideEvidence, Study, StudyEvidence, StudySide, read_rubric};

use super::files::is_file;
use crate::args::DiffArgs;
use crate::commands::{Context, named_labels};

/// One side of a difference.
pub(super) enum Side {
    File(NamedLabels),
    /// The human labels of the study's sample, of one annotator or of all.
    Annotators(NamedLabels),
    Judges(Box<SideEvidence>),
}

impl Side {
    /// Reads a side. `now` is the evidence of the study as it is.
    pub(super) fn read(
        context: &Context,
        args: &DiffArgs,
        study: &Study,
        inputs: &Inputs,
        now: &StudyEvidence,
        typed: &str,
    ) -> Result<Self> {
        let is_name = typed == ALL_ANNOTATORS || !is_file(typed);
        if let Some(labels) =
            now.human_labels.as_ref().filter(|_| is_name).and_then(|people| people.labels_of(typed))
        {
            return Ok(Self::Annotators(NamedLabels::new(typed, labels)));
        }
        if is_file(typed) {
            let file = PathBuf::from(typed);
            let options = args.label_reading.options(&context.global.columns);
            return Ok(Self::File(named_labels(context, &file, std::slice::from_ref(&file), options)?));
        }
        let side = parse(typed)?;
        let found = study.side(inputs, now, &side)?;
        context.printer.warnings(&found.notes);
        Ok(Self::Judges(Box::new(found)))
    }

    pub(super) fn labels(&self) -> NamedLabels {
        match self {
            Self::File(labels) | Self::Annotators(labels) => labels.clone(),
            Self::Judges(side) => side.labels(),
        }
    }

    fn details(&self, pairs: &[(&str, &str)]) -> Vec<PairDetails> {
        match self {
            Self::File(_) | Self::Annotators(_) => vec![PairDetails::default(); pairs.len()],
            Self::Judges(side) => side.evidence.pair_details(pairs, &[]),
        }
    }

    /// Whether systems can be measured under it. A sample lacks labels for most pairs, so it cannot.
    pub(super) fn measures(&self) -> bool {
        !matches!(self, Self::Annotators(_))
    }

    /// Describes the differences between the judges of two sides.
    pub(super) fn changes_to(&self, other: &Self) -> Vec<String> {
        match (self, other) {
            (Self::Judges(a), Self::Judges(b)) => a.changes_to(b),
            _ => Vec::new(),
        }
    }
}

/// Adds the answers of both sides' judges to each listed pair.
pub(super) fn explain(diff: &mut LabelDiff, a: &Side, b: &Side) {
    diff.pairs.explain(|pairs| {
        let both = a.details(pairs).into_iter().zip(b.details(pairs));
        both.map(|(a, b)| PairDetails {
            query_text: a.query_text.or(b.query_text),
            title: a.title.or(b.title),
            first: a.first,
            second: b.first,
        })
        .collect()
    });
}

/// Parses a typed side; a rubric's file after @ is replaced by its hash.
pub(super) fn parse(typed: &str) -> Result<StudySide> {
    let StudySide::Judges { names, marks } = StudySide::parse(typed) else {
        return Ok(StudySide::parse(typed));
    };
    let hash = |mark: String| -> Result<String> {
        match Path::new(&mark).is_file() {
            true => Ok(read_rubric(Path::new(&mark))?.hash.to_string()),
            false => Ok(mark),
        }
    };
    Ok(StudySide::Judges { names, marks: marks.into_iter().map(hash).collect::<Result<_>>()? })
}
