//! Chooses the measure of a study's sample, and pairs or whole queries.

use llull_core::{LabelSet, Run, SampleDesign};
use llull_metrics::Measure;

use super::error::SampleError;
use super::frame::SamplingFrame;
use super::request::SampleRequest;
use crate::human_labels::correctable;

/// A frame for the first measure that a sample can correct, and the reasons for the choice.
#[derive(Debug, Clone)]
pub struct SampleChoice {
    /// The frame.
    pub frame: SamplingFrame,
    /// The reasons for this measure, and for pairs or queries: a sentence each.
    pub why: Vec<String>,
}

impl SampleChoice {
    /// Chooses the first of a study's measures that a sample can correct. The measure of `request` is ignored; its
    /// design is used if it has one.
    ///
    /// # Errors
    /// Returns an error if no sample of these labels and runs can correct one of the measures.
    pub fn of(
        labels: &LabelSet,
        runs: &[Run],
        measures: &[Measure],
        request: &SampleRequest,
    ) -> Result<Self, SampleError> {
        let mut passed_over: Vec<SampleError> = Vec::new();
        for measure in measures {
            let request = SampleRequest { measure: *measure, ..request.clone() };
            match drawable(labels, runs, request) {
                Ok(frame) => {
                    let why = reasons(measures, &frame, &passed_over);
                    return Ok(Self { frame, why });
                }
                Err(error) if error.is_of_the_measure() => passed_over.push(error),
                Err(error) => return Err(error),
            }
        }
        match passed_over.pop() {
            None => Err(SampleError::Problem(
                "the study has no measure to draw a sample for; name one with -m".to_owned(),
            )),
            Some(only) if passed_over.is_empty() => Err(only),
            Some(last) => {
                passed_over.push(last);
                let reasons = passed_over.iter().map(ToString::to_string).collect::<Vec<_>>();
                Err(SampleError::Problem(format!(
                    "no sample corrects a measure of this study:\n  {}\nName a measure with -m, such as P@10, or \
                     label all pairs (llull review --queue random) and make that person a judge",
                    reasons.join("\n  ")
                )))
            }
        }
    }
}

/// The frame of a request, if some sample of it gives an interval.
fn drawable(labels: &LabelSet, runs: &[Run], request: SampleRequest) -> Result<SamplingFrame, SampleError> {
    correctable(&request.measure)?;
    let frame = SamplingFrame::new(labels, runs, request)?;
    frame.some_sample()?;
    Ok(frame)
}

fn reasons(measures: &[Measure], frame: &SamplingFrame, passed_over: &[SampleError]) -> Vec<String> {
    let measure = &frame.request.measure;
    let mut why = Vec::new();
    match (passed_over, measures) {
        ([], [_]) => {}
        ([], _) => why.push(format!("{measure} decides this study, so the sample is for it.")),
        (errors, _) => {
            why.extend(errors.iter().map(|error| format!("{error}.")));
            why.push(format!(
                "So the sample is for {measure}, and corrects no figure of the measures before it."
            ));
        }
    }
    why.push(match (frame.request.design, frame.design) {
        (Some(design), _) => format!("The design is {}, as requested.", design.name()),
        (None, SampleDesign::Queries) => format!(
            "{measure} of a query depends on all labels of that query, so whole queries are drawn and no single pairs."
        ),
        (None, SampleDesign::Unequal) => format!(
            "Differences in {measure} are corrected by single pairs, drawn by weight: pairs whose label counts more \
             are likelier."
        ),
        (None, _) => format!(
            "{measure} is a sum over documents, so single pairs are drawn: more of those whose label counts more."
        ),
    });
    why
}
