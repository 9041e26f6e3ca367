//! The annotators of a study: samples and answers.

use llull_config::JudgeKind;
use llull_core::DrawnSample;
use llull_metrics::Measure;
use llull_people::sampling::{SampleChoice, SampleRequest, sample_id};

use super::steps::Study;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;
use crate::people::{
    HumanComparisons, HumanLabels, HumanLabelsError, StudySample, annotator_name, human_comparisons,
    human_labels, keep, kept, kept_as, refuse_all_annotators,
};

/// The annotators of a study: their sample, and their answers.
#[derive(Clone, Copy)]
pub struct StudyAnnotators<'a>(&'a Study);

impl Study {
    /// Returns the annotators of the study.
    pub fn annotators(&self) -> StudyAnnotators<'_> {
        StudyAnnotators(self)
    }
}

impl StudyAnnotators<'_> {
    /// Returns the frame for the first of these measures that a sample can correct, and the reasons.
    ///
    /// # Errors
    /// Returns an error if no sample corrects any of them.
    pub fn sample_choice(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
        measures: &[Measure],
        request: &SampleRequest,
    ) -> Result<SampleChoice, StudyError> {
        self.without_base()?;
        Ok(SampleChoice::of(&evidence.labels, &inputs.runs, measures, request)?)
    }

    /// Returns the study's sample; `None` if none was drawn.
    ///
    /// # Errors
    /// Returns an error if its file cannot be read.
    pub fn sample(&self) -> Result<Option<StudySample>, StudyError> {
        kept(self.0.folder())
    }

    /// Returns the sample of this name; `None` if the study has not drawn it.
    ///
    /// # Errors
    /// Returns an error if its file is behind a link, or broken.
    pub fn sample_named(&self, id: &str) -> Result<Option<StudySample>, StudyError> {
        kept_as(self.0.folder(), id)
    }

    /// Saves a sample as the study's. An existing one is replaced only if that is requested, because the number of
    /// labels is fixed before anyone looks at the results. The same sample again changes nothing.
    ///
    /// # Errors
    /// Returns an error if there is another sample, the study is in memory, or the file cannot be written.
    pub fn keep_sample(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
        sample: &DrawnSample,
        replace: bool,
    ) -> Result<StudySample, StudyError> {
        if let Some(people) = self.labels(inputs, evidence)?.filter(|_| !replace)
            && people.sample.id != sample_id(sample)?
        {
            return Err(HumanLabelsError::Problem(format!(
                "{}: this study has a sample, {}, of which {} of {} pairs are labelled. The number of labels is fixed \
                 before anybody looks: a second draw after the first look needs an interval that holds however often \
                 one looks. Finish it (llull sample -o SHEET writes its sheet again), or begin anew with --replace: \
                 its labels stay in the ledger and count no more",
                self.0.folder().private_dir().join("sample.tsv").display(),
                people.sample.id,
                people.labels.labelled(),
                people.sample.drawn()
            ))
            .into());
        }
        keep(self.0.folder(), sample)
    }

    /// Returns the name under which an annotator reviews.
    ///
    /// # Errors
    /// Returns an error if it is invalid, or that of a judge of the study.
    pub fn annotator(&self, name: &str) -> Result<String, StudyError> {
        let name = annotator_name(name)?;
        self.check_annotator(&name)?;
        Ok(name)
    }

    /// Refuses the empty name, the names of judges, and that of all annotators together. Other names than those of a
    /// review are accepted: one on an older sheet may be too long for its pages.
    ///
    /// # Errors
    /// Returns an error if it is such a name.
    pub fn check_annotator(&self, name: &str) -> Result<(), StudyError> {
        refuse_all_annotators(name)?;
        if name.trim().is_empty() {
            return Err(HumanLabelsError::Name { name: name.to_owned(), why: "it is empty" }.into());
        }
        let settings = self.0.settings();
        // The judge of this annotator may have the annotator's name.
        let is_other =
            |kind: &JudgeKind| !matches!(kind, JudgeKind::Annotator { annotator } if annotator == name);
        let mut judges = settings.judges.iter().chain(&settings.graders);
        match judges.any(|judge| judge.name == name && is_other(&judge.kind)) {
            true => Err(HumanLabelsError::Problem(format!(
                "{name:?} is a judge of this study; give the annotator another name"
            ))
            .into()),
            false => Ok(()),
        }
    }

    /// Returns the study's sample with its human labels; `None` if none was drawn.
    ///
    /// # Errors
    /// Returns an error if the sample or the ledger cannot be read.
    pub fn labels(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
    ) -> Result<Option<HumanLabels>, StudyError> {
        self.without_base()?;
        let Some(sample) = self.sample()? else { return Ok(None) };
        self.0
            .ledger
            .read(&mut |ledger| human_labels(&sample, &inputs.rubric, &evidence.pooled, ledger).map(Some))
    }

    /// Returns the annotators' comparisons of two documents, from reviews. No label and no tier depends on them.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn comparisons(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
    ) -> Result<HumanComparisons, StudyError> {
        self.0.ledger.read(&mut |ledger| human_comparisons(&inputs.rubric, &evidence.pooled, ledger))
    }

    /// Refuses a sample in a study with existing labels.
    ///
    /// # Errors
    /// Returns an error if the study has a `base`.
    pub fn without_base(&self) -> Result<(), StudyError> {
        match &self.0.settings().base {
            Some(base) if base.kept.is_some() => Err(HumanLabelsError::Problem(
                "the last run kept labels of an earlier report (--changed), and a sample is drawn among pairs whose \
                 answers are in the ledger: llull run without --changed judges the others"
                    .to_owned(),
            )
            .into()),
            Some(_) => Err(HumanLabelsError::Problem(
                "labels that exist (base) stand among the judges' in this study, and what corrects figures by a \
                 sample takes all labels for one judge's: draw the sample in a study without base"
                    .to_owned(),
            )
            .into()),
            None => Ok(()),
        }
    }
}
