//! A sample for annotators of plain labels and runs.

use llull_core::{DrawnSample, Label, LabelSet, Qrels, Run, SampleDesign};
use llull_data::DataError;
use llull_people::sampling::{SampleError, SamplePlan, SampleRequest, SamplingFrame, sample_id};
use serde_json::{Value, json};

/// What so many labels are worth, and the sample if a number is drawn.
#[derive(Debug)]
pub struct FileSample {
    /// The plan.
    pub plan: SamplePlan,
    /// The number of units that are drawn: pairs, or queries.
    pub number: Option<usize>,
    /// The sample and its identifier.
    pub drawn: Option<(DrawnSample, String)>,
}

/// Why there is no sample.
#[derive(Debug, thiserror::Error)]
pub enum FileSampleError {
    /// It cannot be planned or drawn.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// It has no identifier.
    #[error(transparent)]
    Data(#[from] DataError),
}

impl FileSample {
    /// Plans a sample, and draws it if there is a number: of pairs, or of queries if the design names these. `width` is
    /// that of the interval to propose a number for.
    ///
    /// # Errors
    /// Returns an error if the measure cannot be corrected so, or there is not so much to draw.
    pub fn new(
        labels: &Qrels,
        runs: &[Run],
        request: SampleRequest,
        number: Option<usize>,
        width: Option<f64>,
    ) -> Result<Self, FileSampleError> {
        let is_named = request.design.is_some();
        let frame = SamplingFrame::new(&one_judges_labels(labels), runs, request)?;
        let units = |number| match frame.design() {
            SampleDesign::Queries if !is_named => frame.queries_of(number),
            _ => Ok(number),
        };
        let number = number.map(units).transpose()?;
        let plan = frame.plan(number, width)?;
        let drawn = match number {
            None => None,
            Some(number) => {
                let sample = frame.draw(number)?;
                let id = sample_id(&sample)?;
                Some((sample, id))
            }
        };
        Ok(Self { plan, number, drawn })
    }

    /// Returns the JSON of `llull sample`.
    pub fn json(&self) -> Value {
        let drawn = self.drawn.as_ref();
        let drawn = drawn.map(|(sample, id)| json!({"id": id, "frame": sample.units.len()}));
        json!({"plan": self.plan, "sample": drawn})
    }
}

/// One judge's grades as labels.
fn one_judges_labels(qrels: &Qrels) -> LabelSet {
    let mut labels = LabelSet::default();
    for (query, documents) in qrels.iter() {
        for (document, grade) in documents {
            let label = Label::of_grade(*grade);
            labels.record(query, document, Some(label));
        }
    }
    labels
}
