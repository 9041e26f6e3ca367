//! The steps of a study that people take part in.

use std::path::Path;
use std::sync::Arc;

use llull_config::JudgeKind;
use llull_core::{DrawnSample, Qrels, Seed};
use llull_data::{SheetRow, read_queue_sheet, read_sheet, shown_path};
use llull_metrics::Measure;
use llull_people::sampling::{SampleChoice, SampleRequest, SamplingFrame, sample_id, sheet_rows};
use llull_runner::{ExpectedAnswers, HumanJudge};

use super::steps::Study;
use crate::auditing::alarmed_pairs;
use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;
use crate::people::{
    PeopleComparisons, PeopleLabels, PooledCases, SheetTaken, StudySample, keep, kept, kept_as,
    people_comparisons, people_labels, take_sheet,
};
use crate::people_error::PeopleError;
use crate::people_status::{PeopleStatus, people_status};
use crate::queue_sheet_error::QueueSheetError;
use crate::review::{
    QueueSheetTaken, QueueSource, ReviewDesk, ReviewOptions, ReviewQueue, SheetOrigin, SheetReading,
    person_name, refuse_all_reviewers, take_queue_sheet,
};
use crate::trained_labels::TrainedQueries;

impl Study {
    /// Returns what a sample can be drawn from: what the measure reads of the pool.
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

    /// Returns what to draw a sample from for the first of these measures that a sample can correct, and why that one.
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
        kept(self.folder())
    }

    /// Keeps a sample as the study's. One that is there is replaced only if that is said: the number of labels is fixed
    /// before anybody looks. The same sample again changes nothing.
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
        if let Some(people) = self.people_labels(inputs, evidence)?.filter(|_| !replace)
            && people.sample.id != sample_id(sample)?
        {
            return Err(PeopleError::SampleThere {
                path: self.folder().private_dir().join("sample.tsv"),
                labelled: people.labels.labelled(),
                drawn: people.sample.drawn(),
                id: people.sample.id,
            }
            .into());
        }
        keep(self.folder(), sample)
    }

    /// Returns the rows of a sample's sheet, with the texts of the pool where they are known.
    pub fn sheet_rows(&self, evidence: &StudyEvidence, sample: &DrawnSample) -> Vec<SheetRow> {
        let cases = PooledCases::of(&evidence.pooled);
        let known = evidence.pooled.cases().any(|case| case.document().is_some());
        sheet_rows(sample, |query, document| {
            let case = cases.get(query, document).filter(|_| known)?;
            Some((case.topic.text.clone(), case.texts().next().unwrap_or_default().into_owned()))
        })
    }

    /// Reads a sheet that a person filled in, and appends its labels to the ledger: all of them, or none if a row is
    /// not usable. A label that differs from an earlier one of that person corrects it.
    ///
    /// # Errors
    /// Returns an error that names the line if a row is not as it was written, its pair was not drawn, or its grade is
    /// no grade of the rubric; and an error if the name is a judge's, or the ledger cannot be written.
    pub fn take_sheet(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
        file: &Path,
        rater: &str,
    ) -> Result<SheetTaken, StudyError> {
        self.without_base()?;
        // A sheet may have been labelled under a name that is too long for the pages of a review.
        refuse_all_reviewers(rater)?;
        self.no_judges_name(rater)?;
        let current = self.sample()?.ok_or(PeopleError::NoSample)?;
        let sheet = read_sheet(file)?;
        let sample = kept_as(self.folder(), &sheet.draw)?.ok_or_else(|| PeopleError::OtherSample {
            file: shown_path(file),
            draw: sheet.draw.clone(),
            known: current.id,
        })?;
        let rubric = &inputs.rubric;
        let rater = HumanJudge::new(rater, rubric.hash, rubric.scale);
        self.write_ledger(&mut |ledger| {
            take_sheet(file, &sheet, &sample, &rater, rubric, &evidence.pooled, ledger)
        })
    }

    /// Opens a desk at which people answer the pairs of a queue. Pairs that have a label already (base) are in none.
    ///
    /// # Errors
    /// Returns an error if the study has no texts, no sample and the sample is asked for, or nothing to answer; or if
    /// ledger or sample cannot be read.
    pub fn review(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
        options: &ReviewOptions,
    ) -> Result<ReviewDesk, StudyError> {
        // Where judges grade, what is settled beside labels that exist would count nowhere.
        let settles = matches!(options.queue, ReviewQueue::Adjudicate(_)) && evidence.compared.is_none();
        if settles || options.queue == ReviewQueue::Sample {
            self.without_base()?;
        }
        let (sample, seed) = (self.sample()?, Seed(self.settings().seed));
        let alarmed =
            (options.queue == ReviewQueue::Alarm).then(|| alarmed_pairs(self.settings(), inputs, evidence));
        let kept = inputs.base.as_ref().map(|base| &base.labels);
        let expected = options.expected.clone();
        let source = QueueSource { evidence, sample: sample.as_ref(), kept, alarmed, expected };
        ReviewDesk::open(self.place(), (&inputs.rubric, seed), &source, options)
    }

    /// Reads the sheet of a queue that a person filled in ([`ReviewDesk::sheet`]), and appends its answers to the
    /// ledger as those of a review; or none, if a row cannot be taken as it stands. `expected` is that of
    /// [`ReviewOptions::expected`].
    ///
    /// # Errors
    /// Returns an error that names the line if a row is not as it was written, its texts or the rubric have changed
    /// since, or its answer is none that can be given; and an error if the name is a judge's, or the ledger cannot be
    /// written.
    pub fn take_queue_sheet(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
        (file, person): (&Path, &str),
        expected: Option<Arc<ExpectedAnswers>>,
    ) -> Result<QueueSheetTaken, StudyError> {
        let person = &self.reviewer(person)?;
        let sheet = &read_queue_sheet(file)?;
        let unknown = || QueueSheetError::UnknownDraw { file: shown_path(file), draw: sheet.draw.clone() };
        let origin = &SheetOrigin::read(&sheet.draw).ok_or_else(unknown)?;
        let sample = origin.sample.as_ref().map(|id| self.sample_of_sheet(file, id, origin)).transpose()?;
        let (sample, kept, alarmed) = (sample.as_ref(), None, None);
        let source = QueueSource { evidence, sample, kept, alarmed, expected: expected.clone() };
        let reading = SheetReading { file, sheet, origin, person, expected };
        take_queue_sheet(self.place(), &inputs.rubric, &source, &reading)
    }

    /// The sample of a queue's sheet; what people disagree on is known of the current one alone.
    fn sample_of_sheet(
        &self,
        file: &Path,
        id: &str,
        origin: &SheetOrigin,
    ) -> Result<StudySample, StudyError> {
        self.without_base()?;
        let current = self.sample()?.ok_or(PeopleError::NoSample)?;
        let found = match origin.settles() {
            true => Some(current.clone()).filter(|sample| sample.id == *id),
            false => kept_as(self.folder(), id)?,
        };
        let (file, draw) = (shown_path(file), id.to_owned());
        Ok(found.ok_or(PeopleError::OtherSample { file, draw, known: current.id })?)
    }

    /// Returns the name that a person reviews under.
    ///
    /// # Errors
    /// Returns an error if nobody can have it, or it is that of a judge of the study.
    pub fn reviewer(&self, name: &str) -> Result<String, StudyError> {
        let name = person_name(name)?;
        self.no_judges_name(&name)?;
        Ok(name)
    }

    fn no_judges_name(&self, name: &str) -> Result<(), PeopleError> {
        let settings = self.settings();
        // A judge who is this person may be called as the person is.
        let is_other = |kind: &JudgeKind| !matches!(kind, JudgeKind::Person { person } if person == name);
        let mut judges = settings.judges.iter().chain(&settings.graders);
        match judges.any(|judge| judge.name == name && is_other(&judge.kind)) {
            true => Err(PeopleError::NameOfJudge(name.to_owned())),
            false => Ok(()),
        }
    }

    /// Returns the study's sample and what people say of it; `None` if none was drawn.
    ///
    /// # Errors
    /// Returns an error if the sample or the ledger cannot be read.
    pub fn people_labels(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
    ) -> Result<Option<PeopleLabels>, StudyError> {
        self.without_base()?;
        let Some(sample) = self.sample()? else { return Ok(None) };
        self.read_ledger(&mut |ledger| {
            people_labels(&sample, &inputs.rubric, &evidence.pooled, ledger).map(Some)
        })
    }

    /// Returns what people said of documents side by side, in [`Study::review`]. No label and no tier reads it.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub fn people_comparisons(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
    ) -> Result<PeopleComparisons, StudyError> {
        self.read_ledger(&mut |ledger| people_comparisons(&inputs.rubric, &evidence.pooled, ledger))
    }

    /// Returns how people's labelling stands now: progress, agreement, and the course of the decision as labels came
    /// in. The ledger is read for what people say; what judges say is that of `evidence`.
    ///
    /// # Errors
    /// Returns an error if sample, marks or ledger cannot be read, or intervals cannot be computed.
    pub fn people_status(
        &self,
        inputs: &Inputs,
        evidence: &StudyEvidence,
    ) -> Result<PeopleStatus, StudyError> {
        let people = match self.settings().base {
            Some(_) => None,
            None => self.people_labels(inputs, evidence)?,
        };
        self.read_ledger(&mut |ledger| {
            people_status(self.settings(), (self.folder(), ledger), inputs, evidence, people.as_ref())
        })
    }

    /// Returns the queries of these labels that judges of the study were trained on.
    pub fn trained_on(&self, labels: &Qrels) -> TrainedQueries {
        TrainedQueries::find(self.settings(), self.folder(), [labels])
    }

    /// Refuses a sample where labels that exist stand among the judges'.
    fn without_base(&self) -> Result<(), StudyError> {
        match self.settings().base {
            Some(_) => Err(PeopleError::BesideBase.into()),
            None => Ok(()),
        }
    }
}
