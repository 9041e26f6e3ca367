//! A student in a file.

use llull_core::{Grade, JsonFault, Scale};

use super::features::{STUDENT_FEATURES, STUDENT_MEANING};
use super::model::{Student, StudentLessons};

const FORMAT: &str = "llull student";
const VERSION: u32 = 1;

/// Why a file is no student, or none for a study.
#[derive(Debug, thiserror::Error)]
pub enum StudentError {
    /// It is not the JSON of one.
    #[error("not a student that llull train --student wrote: {0}")]
    Json(JsonFault),
    /// It is of another kind or version.
    #[error(
        "this is {format:?} of version {version}, and this llull reads {FORMAT:?} of version {VERSION}: train it again"
    )]
    Format {
        /// The name of the file's format.
        format: String,
        /// Its version.
        version: u32,
    },
    /// No student can have such numbers.
    #[error("{0}; train it again")]
    Numbers(&'static str),
    /// It was learnt for other grades.
    #[error(
        "it gives grades from {} to {}, and the rubric's are from {} to {}: train one on labels under this rubric",
        .student.0, .student.1, .rubric.low(), .rubric.high()
    )]
    Scale {
        /// The student's lowest and highest grade.
        student: (Grade, Grade),
        /// The rubric's scale.
        rubric: Scale,
    },
}

/// The names of a student's features, in their order.
fn features(has_encoder: bool) -> impl Iterator<Item = &'static str> {
    STUDENT_FEATURES.into_iter().chain(has_encoder.then_some(STUDENT_MEANING))
}

impl Student {
    /// Makes a student of fitted values: means, spreads and weights in the order of [`STUDENT_FEATURES`], and of
    /// [`STUDENT_MEANING`] if there is an encoder.
    ///
    /// # Errors
    /// Returns an error if the number of values differs, a number is not finite, or a spread is not above 0. So it
    /// does if thresholds fall, or are not one for each grade above the lowest.
    pub fn new(
        [means, spreads, weights]: [Vec<f64>; 3],
        (thresholds, noise): (Vec<f64>, Option<f64>),
        encoder: Option<&str>,
        scale: Scale,
        lessons: StudentLessons,
    ) -> Result<Self, StudentError> {
        let student = Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            features: features(encoder.is_some()).map(str::to_owned).collect(),
            encoder: encoder.map(str::to_owned),
            means,
            spreads,
            weights,
            thresholds,
            noise,
            scale: (scale.low(), scale.high()),
            lessons,
        };
        student.check()?;
        Ok(student)
    }

    /// Returns it as JSON.
    ///
    /// # Errors
    /// Never fails for a student that was made by [`new`](Self::new).
    pub fn to_json(&self) -> Result<String, StudentError> {
        serde_json::to_string_pretty(self).map_err(|error| StudentError::Json(JsonFault::from(&error)))
    }

    /// Reads one.
    ///
    /// # Errors
    /// Returns an error if the text is no student, or none of this version.
    pub fn from_json(text: &str) -> Result<Self, StudentError> {
        let wrong = |error| StudentError::Json(JsonFault::from(&error));
        let student: Self = serde_json::from_str(text).map_err(wrong)?;
        if (student.format.as_str(), student.version) != (FORMAT, VERSION) {
            return Err(StudentError::Format { format: student.format, version: student.version });
        }
        student.check()?;
        Ok(student)
    }

    /// Checks that it grades on this scale.
    ///
    /// # Errors
    /// Returns [`StudentError::Scale`] if it does not.
    pub fn check_scale(&self, rubric: Scale) -> Result<(), StudentError> {
        match self.scale == (rubric.low(), rubric.high()) {
            true => Ok(()),
            false => Err(StudentError::Scale { student: self.scale, rubric }),
        }
    }

    fn check(&self) -> Result<(), StudentError> {
        let wrong = |what| Err(StudentError::Numbers(what));
        if !self.features.iter().map(String::as_str).eq(features(self.encoder.is_some())) {
            return wrong("its features are not those of this llull");
        }
        let numbers = [&self.means, &self.spreads, &self.weights];
        if numbers.iter().any(|numbers| numbers.len() != self.features.len()) {
            return wrong("it has not a mean, a spread and a weight for each feature");
        }
        if numbers.into_iter().chain([&self.thresholds]).flatten().any(|number| !number.is_finite()) {
            return wrong("one of its numbers is not finite");
        }
        if self.noise.is_some_and(|noise| !(noise.is_finite() && noise > 0.0)) {
            return wrong("its noise is not above 0");
        }
        if self.spreads.iter().any(|spread| *spread <= 0.0) {
            return wrong("a spread is not above 0");
        }
        let grades = i64::from(self.scale.1) - i64::from(self.scale.0);
        let rising = self.thresholds.windows(2).all(|two| two[0] <= two[1]);
        if !rising || grades < 1 || self.thresholds.len() as i64 != grades {
            return wrong(
                "it has not one threshold for each grade above the lowest, none below the one before",
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use llull_core::Document;

    use super::*;
    use crate::baseline::IdfBuilder;
    use crate::student::features::Meanings;
    use crate::student::model::{HeldOutAgreement, StudentGrade, UngradedReason};

    fn lessons() -> StudentLessons {
        let agreement =
            HeldOutAgreement { rho: Some(0.3), rho_interval: None, kappa: None, kappa_quadratic: None };
        StudentLessons {
            labels: "people".into(),
            pairs: 20,
            queries: 5,
            trained_on: Default::default(),
            held_out: agreement,
            similarity: agreement,
        }
    }

    fn student() -> Student {
        let weights = vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let numbers = [vec![0.5; 9], vec![0.25; 9], weights];
        Student::new(numbers, (vec![-1.0, 0.0, 1.0], Some(0.5)), None, Scale::new(0, 3).unwrap(), lessons())
            .unwrap()
    }

    #[test]
    fn a_student_comes_back_from_its_file_and_grades_the_same() {
        let text = student().to_json().unwrap();
        let read = Student::from_json(&text).unwrap();
        assert_eq!(read, student());
        let mut idf = IdfBuilder::new(["vacuum cleaner"]);
        idf.add("vacuum");
        idf.add("cleaner");
        let idf = idf.finish();
        let scale = Scale::new(0, 3).unwrap();
        let grade = |text: &str| {
            let document = Document { id: "d".into(), title: String::new(), text: text.into() };
            read.grade("vacuum cleaner", &document, &idf, &Meanings::default(), scale).unwrap()
        };
        // (coverage - .5) / .25: 2, 0 and -2.
        assert_eq!(grade("a vacuum cleaner"), StudentGrade { grade: 3, score: 2.0 });
        assert_eq!(grade("a vacuum"), StudentGrade { grade: 2, score: 0.0 });
        assert_eq!(grade("a cat"), StudentGrade { grade: 0, score: -2.0 });
        assert_eq!(read.hash(&idf), student().hash(&idf));
        let other = Student { thresholds: vec![-1.0, 0.0, 1.5], ..student() };
        assert_ne!(other.hash(&idf), student().hash(&idf));
        assert!(read.check_scale(scale).is_ok() && read.check_scale(Scale::new(0, 1).unwrap()).is_err());
    }

    #[test]
    fn nearness_in_meaning_is_a_feature_of_who_was_taught_with_an_encoder() {
        let scale = Scale::new(0, 3).unwrap();
        let mut weights = vec![0.0; 10];
        weights[9] = 1.0;
        let numbers = [vec![0.5; 10], vec![0.25; 10], weights];
        let taught =
            |encoder| Student::new(numbers.clone(), (vec![-1.0, 0.0, 1.0], None), encoder, scale, lessons());
        assert!(taught(None).is_err(), "ten numbers, and nine features");
        let student = taught(Some("minilm")).unwrap();
        assert_eq!(student.features[9], "meaning");
        let read = Student::from_json(&student.to_json().unwrap()).unwrap();
        assert_eq!(read, student);
        let idf = IdfBuilder::new(["vacuum cleaner"]).finish();
        assert_ne!(read.hash(&idf), taught(Some("other")).unwrap().hash(&idf));
        let mut meanings = Meanings::default();
        meanings.insert("vacuum", "A title\na hoover", 0.75);
        let grade = |text: &str| {
            let document = Document { id: "d".into(), title: "A title".into(), text: text.into() };
            read.grade("vacuum", &document, &idf, &meanings, scale)
        };
        assert_eq!(grade("a hoover"), Ok(StudentGrade { grade: 3, score: 1.0 }));
        assert_eq!(grade("a cat"), Err(UngradedReason::NoVector));
        let file = student.to_json().unwrap().replace("\"encoder\": \"minilm\",", "");
        assert!(Student::from_json(&file).unwrap_err().to_string().contains("not those of this llull"));
    }

    #[test]
    fn what_is_no_student_is_refused() {
        let text = student().to_json().unwrap();
        let refused =
            |from: &str, to: &str| Student::from_json(&text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(refused("\"version\": 1", "\"version\": 2").contains("of version 2, and this llull reads"));
        assert!(refused("llull student", "llull learner").contains("llull learner"));
        assert!(refused("\"window\"", "\"door\"").contains("not those of this llull"));
        assert!(refused("0.25", "0.0").contains("a spread is not above 0"));
        assert!(refused("\"noise\": 0.5", "\"noise\": -1.0").contains("its noise is not above 0"));
        assert!(refused("0.25", "1e999").contains("not a student that"));
        assert!(refused("-1.0", "5.0").contains("one threshold for each grade"));
        assert!(refused("\"features\"", "\"evil\": 1, \"features\"").contains("unknown field"));
        assert!(Student::from_json("{}").is_err() && Student::from_json("").is_err());
    }
}
