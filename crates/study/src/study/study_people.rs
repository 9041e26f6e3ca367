//! The annotators of a study: samples, sheets and answers.

use std::path::Path;

use llull_config::JudgeKind;
use llull_core::DrawnSample;
use llull_data::{SheetRow, read_sheet, shown_path};
use llull_metrics::Measure;
use llull_people::sampling::{SampleChoice, SampleRequest, SamplingFrame, sample_id, sheet_rows};
use llull_runner::HumanJudge;

use super::steps::Study;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;
use crate::people::{
    PeopleComparisons, PeopleError, PeopleLabels, PooledCases, SheetTaken, StudySample, keep, kept, kept_as,
    people_comparisons, people_labels, person_name, refuse_all_reviewers, take_sheet,
};

/// The annotators of a study: their sample, and their answers.
#[derive(Clone, Copy)]
pub struct StudyPeople<'a>(&'a Study);

impl Study {
    /// Returns the annotators of the study.
    pub fn people(&self) -> StudyPeople<'_> {
        StudyPeople(self)
    }
}

impl StudyPeople<'_> {
    /// Returns the frame of a sample: the pairs of the pool that the measure reads.
    ///
    /// # Errors
    /// Returns an error if the measure or the systems do not allow the sample.
    pub fn sampling_frame(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
        request: SampleRequest,
    ) -> Result<SamplingFrame, StudyError> {
        self.without_base()?;
        Ok(SamplingFrame::new(&evidence.labels, &inputs.runs, request)?)
    }

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
            return Err(PeopleError::SampleThere {
                path: self.0.folder().private_dir().join("sample.tsv"),
                labelled: people.labels.labelled(),
                drawn: people.sample.drawn(),
                id: people.sample.id,
            }
            .into());
        }
        keep(self.0.folder(), sample)
    }

    /// Returns the rows of a sample's sheet, with the texts of the pool if they are known.
    pub fn sheet_rows(&self, evidence: &StudyEvidence, sample: &DrawnSample) -> Vec<SheetRow> {
        let cases = PooledCases::of(&evidence.pooled);
        let known = evidence.pooled.cases().any(|case| case.document().is_some());
        sheet_rows(sample, |query, document| {
            let case = cases.get(query, document).filter(|_| known)?;
            Some((case.topic.text.clone(), case.texts().next().unwrap_or_default().into_owned()))
        })
    }

    /// Reads a sheet that an annotator filled in, and appends its labels to the ledger: all of them, or none if a row
    /// is invalid. A label that differs from the annotator's earlier one corrects it.
    ///
    /// # Errors
    /// Returns an error that names the line if a row was changed, its pair was not drawn, or its grade is no grade of
    /// the rubric. Also if the name is a judge's, or the ledger cannot be written.
    pub fn take_sheet(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
        file: &Path,
        rater: &str,
    ) -> Result<SheetTaken, StudyError> {
        self.without_base()?;
        // The name on an older sheet may be too long for the pages of a review.
        refuse_all_reviewers(rater)?;
        self.no_judges_name(rater)?;
        let current = self.sample()?.ok_or(PeopleError::NoSample)?;
        let sheet = read_sheet(file)?;
        let sample = kept_as(self.0.folder(), &sheet.draw)?.ok_or_else(|| PeopleError::OtherSample {
            file: shown_path(file),
            draw: sheet.draw.clone(),
            known: current.id,
        })?;
        let rubric = &inputs.rubric;
        let rater = HumanJudge::new(rater, rubric.hash, rubric.scale);
        self.0.write_ledger(&mut |ledger| {
            take_sheet(file, &sheet, &sample, &rater, rubric, &evidence.pooled, ledger)
        })
    }

    /// Returns the name under which an annotator reviews.
    ///
    /// # Errors
    /// Returns an error if it is invalid, or that of a judge of the study.
    pub fn reviewer(&self, name: &str) -> Result<String, StudyError> {
        let name = person_name(name)?;
        self.no_judges_name(&name)?;
        Ok(name)
    }

    fn no_judges_name(&self, name: &str) -> Result<(), PeopleError> {
        let settings = self.0.settings();
        // The judge of this annotator may have the annotator's name.
        let is_other = |kind: &JudgeKind| !matches!(kind, JudgeKind::Person { person } if person == name);
        let mut judges = settings.judges.iter().chain(&settings.graders);
        match judges.any(|judge| judge.name == name && is_other(&judge.kind)) {
            true => Err(PeopleError::NameOfJudge(name.to_owned())),
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
    ) -> Result<Option<PeopleLabels>, StudyError> {
        self.without_base()?;
        let Some(sample) = self.sample()? else { return Ok(None) };
        self.0.read_ledger(&mut |ledger| {
            people_labels(&sample, &inputs.rubric, &evidence.pooled, ledger).map(Some)
        })
    }

    /// Returns the annotators' comparisons of two documents, from reviews. No label and no tier depends on them.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn comparisons(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
    ) -> Result<PeopleComparisons, StudyError> {
        self.0.read_ledger(&mut |ledger| people_comparisons(&inputs.rubric, &evidence.pooled, ledger))
    }

    /// Refuses a sample in a study with existing labels.
    ///
    /// # Errors
    /// Returns an error if the study has a `base`.
    pub fn without_base(&self) -> Result<(), StudyError> {
        match self.0.settings().base {
            Some(_) => Err(PeopleError::BesideBase.into()),
            None => Ok(()),
        }
    }
}
