//! How near in meaning changed queries and documents are to what they were, if an encoder is to tell.

use anyhow::Result;
use llull::encoder::Encoder;
use llull::report::{ChangedMeaning, ParaphraseMeaning};
use llull::{Inputs, JudgeProbe, Study, StudyEvidence};

use crate::args::AuditArgs;
use crate::commands::{Context, EncodingProgress, encoder};

/// An encoder that tells how near changed texts are to what they were.
pub(super) struct Meaning<'a> {
    context: &'a Context,
    threshold: f64,
    encoder: Box<dyn Encoder>,
}

impl<'a> Meaning<'a> {
    /// Loads the encoder that is asked for, here or in llull.toml; `None` if none is, or nothing is probed.
    pub(super) fn asked(context: &'a Context, args: &AuditArgs, study: &Study) -> Result<Option<Self>> {
        let name = args.encoder.as_ref().or(study.settings().contamination.encoder.as_ref());
        let Some(name) = name.filter(|_| !args.probe.is_empty()) else { return Ok(None) };
        let encoder = encoder((context.printer, &context.environment), name, None)?;
        let threshold = args.paraphrase_cosine.unwrap_or(study.settings().contamination.least_cosine());
        Ok(Some(Self { context, threshold, encoder }))
    }

    /// Leaves out queries whose new wording means something else, before judges are asked about them.
    pub(super) fn of_paraphrases(
        &self,
        study: &Study,
        inputs: &mut Inputs,
        probes: &[JudgeProbe],
    ) -> Result<Option<ParaphraseMeaning>> {
        if !probes.contains(&JudgeProbe::Contamination) {
            return Ok(None);
        }
        let progress = EncodingProgress::new(self.context.printer);
        let mut encoded = |at| progress.encoded(at);
        let found = study.keep_near_paraphrases(inputs, self.threshold, (&*self.encoder, &mut encoded))?;
        for far in found.iter().flat_map(|found| &found.far) {
            self.context.printer.warn(format!(
                "query {}: its paraphrase has a cosine of {:.3}, below {}, so it means something else, and \
                 contamination leaves it out",
                far.query, far.cosine, self.threshold
            ));
        }
        Ok(found)
    }

    /// Says how near documents that were changed are to what they were, beside paraphrases.
    pub(super) fn of_probes(
        &self,
        study: &Study,
        evidence: &StudyEvidence,
        paraphrases: Option<ParaphraseMeaning>,
    ) -> Result<ChangedMeaning> {
        let progress = EncodingProgress::new(self.context.printer);
        let mut encoded = |at| progress.encoded(at);
        let changed = study.probe_meanings(evidence, (&*self.encoder, &mut encoded))?;
        Ok(ChangedMeaning { encoder: self.encoder.name().to_owned(), paraphrases, changed })
    }
}
