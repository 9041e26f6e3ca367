//! Reads human labels of a random sample from files.

use std::path::Path;

use anyhow::Result;
use llull::core::{DrawnSample, Qrels, Run};
use llull::data::read_sample;
use llull::files::read_labels_with;
use llull::human_labels::{CorrectionError, CorrectionOptions, Corrector, SampledHow};
use llull::metrics::Measure;
use llull::stats::Looks;

use super::context::Context;
use crate::args::{HumanLabelFlags, LabelReading};
use crate::exit::{Usage, refuse};

/// Human labels, and their draw.
pub(crate) struct HumanSample {
    labels: Qrels,
    sampled: Sampled,
    options: CorrectionOptions,
}

/// The draw of human labels.
pub(crate) enum Sampled {
    Pairs,
    Queries,
    File(DrawnSample),
}

impl Sampled {
    /// Reads the value of `--sampled`: pairs, queries, or a file of probabilities.
    pub(crate) fn read(context: &Context, sampled: &Path) -> Result<Self> {
        Ok(match sampled.to_str() {
            Some("pairs") => Self::Pairs,
            Some("queries") => Self::Queries,
            _ => Self::File(read_sample(sampled, &context.global.columns)?),
        })
    }

    pub(crate) fn how(&self) -> SampledHow<'_> {
        match self {
            Self::Pairs => SampledHow::Pairs,
            Self::Queries => SampledHow::Queries,
            Self::File(sample) => SampledHow::Drawn(sample),
        }
    }
}

impl HumanSample {
    /// Reads the labels and the file of probabilities, if there are any.
    pub(crate) fn read(
        context: &Context,
        args: &HumanLabelFlags,
        reading: &LabelReading,
        confidence: f64,
    ) -> Result<Option<Self>> {
        let Some(human) = &args.human else {
            if args.anytime.is_some() {
                refuse!("--anytime needs human labels: name their file with --human");
            }
            return Ok(None);
        };
        let Some(sampled) = &args.sampled else {
            refuse!(
                "--human needs --sampled, which states how the labels were drawn: pairs, queries, or a file of \
                 probabilities. Labels picked by hand are no sample: however many there are, they tell nothing about \
                 unlabelled documents"
            );
        };
        let labels = read_labels_with(human, reading.options(&context.global.columns))?;
        context.printer.remarks(labels.notes.iter());
        let sampled = Sampled::read(context, sampled)?;
        let options = CorrectionOptions { estimand: args.estimand, confidence, looks: looks(args) };
        Ok(Some(Self { labels: labels.value, sampled, options }))
    }

    /// Prepares the correction of figures, or of differences, by these measures, and prints notes about ignored labels.
    /// A measure that such a sample cannot correct is wrong usage.
    pub(crate) fn corrector<'a>(
        &'a self,
        context: &Context,
        judge: &'a Qrels,
        runs: &'a [Run],
        (measures, differences): (&[Measure], bool),
    ) -> Result<Corrector<'a>> {
        let how = self.sampled.how();
        let refused = |error: CorrectionError| Usage(format!("--human: {error}"));
        let corrector = Corrector::new(judge, runs, &self.labels, how, self.options).map_err(refused)?;
        for measure in measures {
            corrector.check(measure, differences).map_err(refused)?;
        }
        context.printer.warnings(corrector.notes());
        Ok(corrector)
    }
}

/// Returns how often intervals are read while labels arrive.
pub(crate) fn looks(args: &HumanLabelFlags) -> Looks {
    args.anytime.map_or(Looks::Once, |labels| Looks::AnyTime { narrowest_at: labels as usize })
}

/// Refuses human labels from files in a study, which has its own.
pub(crate) fn refuse_in_study(args: &HumanLabelFlags) -> Result<()> {
    if args.human.is_some() {
        refuse!(
            "--human corrects figures of plain files: name the judge's qrels and the runs, too. A study's labels are \
             those of `llull label --qrels` and its runs"
        );
    }
    Ok(())
}
