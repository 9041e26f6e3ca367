//! Checks that parameters are valid for a measure.

use super::arguments::refused;
use super::error::MeasureError;
use crate::definition::{Definition, Suffix};
use crate::measure::Measure;
use crate::parameters::{ALL_PARAMETERS, EXCLUSIVE, MIN_REL, Parameters, REL};

impl Definition {
    /// The measure with these parameters.
    ///
    /// ```
    /// use llull_metrics::{Cutoff, Parameters, definitions};
    ///
    /// let precision = definitions().find(|definition| definition.name() == "P").unwrap();
    /// let parameters = Parameters { cutoff: Cutoff::new(5), ..precision.defaults() };
    /// assert_eq!(precision.measure(parameters)?.to_string(), "P@5");
    /// assert!(precision.measure(precision.defaults()).is_err(), "it needs a cutoff");
    /// # Ok::<(), llull_metrics::MeasureError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the measure has no such parameter, or if one that it needs is missing.
    pub fn measure(&'static self, parameters: Parameters) -> Result<Measure, MeasureError> {
        let text = || self.name.to_owned();
        if parameters.cutoff.is_some() && !self.takes_cutoff() {
            return Err(self.no_cutoff(self.name));
        }
        if parameters.recall.is_some() && self.suffix != Suffix::RecallLevel {
            return Err(self.no_parameter(self.name, "recall"));
        }
        let written = |parameters: &Parameters| {
            ALL_PARAMETERS.map(|parameter| parameter.written(parameters).map(|value| (parameter.name, value)))
        };
        let changed = |(given, default)| if given == default { None } else { given };
        let pairs = written(&parameters).into_iter().zip(written(&self.defaults));
        for (name, _) in pairs.filter_map(changed) {
            if self.parameter(name).is_none() {
                return Err(self.no_parameter(self.name, name));
            }
        }
        for (first, second) in EXCLUSIVE {
            let is_set = |name| self.parameter(name).is_some_and(|one| one.written(&parameters).is_some());
            if is_set(first) && is_set(second) {
                return Err(MeasureError::Together { text: text(), first, second });
            }
        }
        self.complete(self.name, parameters)
    }

    /// The measure that `text` means, which gives these parameters.
    pub(super) fn complete(
        &'static self,
        text: &str,
        parameters: Parameters,
    ) -> Result<Measure, MeasureError> {
        let missing =
            |parameter| MeasureError::Needed { text: text.to_owned(), parameter, example: self.example() };
        if self.suffix == Suffix::Cutoff && parameters.cutoff.is_none() {
            return Err(self.needs_cutoff(text));
        }
        if self.suffix == Suffix::RecallLevel && parameters.recall.is_none() {
            return Err(missing("a recall level"));
        }
        let unset = self.parameters.iter().find(|one| one.needed && one.written(&parameters).is_none());
        if parameters.min_rel > 0 && parameters.rel.is_some() {
            let (first, second) = (REL.name, MIN_REL.name);
            return Err(MeasureError::Together { text: text.to_owned(), first, second });
        }
        let highest = parameters.max_rel.map(|highest| highest.grade());
        if parameters.min_rel > 0 && highest.is_some_and(|highest| highest <= parameters.min_rel) {
            return Err(refused(text, MIN_REL.name, &parameters.min_rel.to_string(), MIN_REL.values));
        }
        match unset {
            Some(parameter) => Err(missing(parameter.name)),
            None => Ok(Measure::unchecked(self, parameters)),
        }
    }

    pub(super) fn needs_cutoff(&self, text: &str) -> MeasureError {
        MeasureError::CutoffNeeded { text: text.to_owned(), example: self.example() }
    }

    pub(super) fn no_cutoff(&self, text: &str) -> MeasureError {
        MeasureError::NoCutoff { text: text.to_owned(), family: self.name, example: self.example() }
    }

    pub(super) fn no_parameter(&self, text: &str, parameter: &str) -> MeasureError {
        MeasureError::Parameter {
            text: text.to_owned(),
            family: self.name,
            parameter: parameter.to_owned(),
            accepted: self.accepted(),
        }
    }

    /// The parameters that it has, for messages.
    fn accepted(&self) -> String {
        let mut accepted: Vec<&str> = self.parameters.iter().map(|parameter| parameter.example).collect();
        match (self.suffix, accepted.is_empty()) {
            (Suffix::None, true) => return "nothing".to_owned(),
            (Suffix::Cutoff | Suffix::OptionalCutoff, true) => return "only a cutoff".to_owned(),
            (Suffix::RecallLevel, _) => accepted.push("a recall level behind the @"),
            _ => {}
        }
        match accepted.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{}, and {last}", rest.join(", ")),
            _ => accepted.concat(),
        }
    }
}
