//! Reads `base` of llull.toml: existing labels, and the holes in them.
//!
//! Judges grade the holes, or all pairs; [`BaseCalibration`] maps their grades to the scale of these labels.

use std::fmt;
use std::path::Path;

use llull_core::Qrels;
use llull_data::{source_name, source_of_file};
use llull_label::{BaseCalibration, LEAST_OVERLAP};
use serde::de::{self, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::ConfigError;
use crate::label_file::LabelReading;
use crate::place::Place;
use crate::source::Source;
use crate::spanned::Spanned;

/// The error for `base` in a study whose judges compare.
pub const BASE_NEEDS_GRADES: &str = "base fills holes with grades, and judges that compare put documents in order, \
    which is no grade: set paradigm = \"graded\", or compare their labels with these (reference)";

/// The number of labelled pairs that judges grade again, by default.
const USUAL_OVERLAP: usize = 100;

/// `base = "FILE"`, or the table `[base]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BaseTable {
    /// Labels, as qrels.
    pub file: String,
    /// The source of these labels in labels that name one; by default the name of the file.
    pub name: Option<String>,
    /// The pairs that judges grade: `holes` (the default) or `all`.
    pub judge: Option<String>,
    /// The number of labelled pairs that judges grade again.
    pub overlap: Option<usize>,
    /// The map from judges' grades to the scale of these labels; `none` leaves the grades unchanged.
    pub calibrate: Option<String>,
    /// Whether decimal grades are rounded.
    pub round: Option<bool>,
    /// The grade that counts if a pair has several.
    pub repeats: Option<String>,
}

/// `base` as written.
#[derive(Debug, Clone)]
pub struct BaseEntry(pub BaseTable);

/// The pairs that judges grade in a study with existing labels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BaseScope {
    /// Pairs without a label, and a few labelled ones, by which the scales are fitted.
    #[default]
    Holes,
    /// All pairs that a system returned or that have a label.
    All,
}

/// Existing labels, and their use.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BaseSettings {
    /// The labels.
    pub labels: Source<Qrels>,
    /// How their grades are read.
    #[serde(skip_serializing_if = "LabelReading::is_usual")]
    pub reading: LabelReading,
    /// The source of these labels in labels that name one: one column of qrels.
    pub name: String,
    /// The pairs that judges grade.
    pub judge: BaseScope,
    /// The number of labelled pairs that judges grade again, for [`BaseScope::Holes`].
    pub overlap: usize,
    /// The map from judges' grades to the scale of these labels.
    pub calibrate: BaseCalibration,
    /// The report whose labels these are, if the study's own judges made them; `None` for a file of `llull.toml`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<KeptLabels>,
}

/// The labels of an earlier report that a run keeps (`--changed`), in the folder of saved reports.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptLabels {
    /// The report, as the user names it.
    pub report: String,
    /// The hash of the labels, whose file has it as its name.
    pub labels: String,
    /// The hash of what they depend on: texts, judges, settings.
    pub texts: String,
    /// Whether this command kept them, so that they hold; later commands check it.
    #[serde(skip)]
    pub is_new: bool,
}

impl BaseSettings {
    /// Returns labels of an earlier report: the study's judges made them, so nothing is calibrated.
    pub fn of_report(labels: Qrels, name: &str, kept: KeptLabels) -> Self {
        let kept = Some(kept);
        Self { overlap: 0, calibrate: BaseCalibration::None, kept, ..Self::new(labels, name) }
    }

    /// Returns the labels that an earlier command kept, which may no longer hold; `None` if this one did.
    pub fn recalled(&self) -> Option<&KeptLabels> {
        self.kept.as_ref().filter(|kept| !kept.is_new)
    }

    /// Returns the meaning of `base = "FILE"`: holes are judged, and the scales are fitted.
    pub fn new(labels: impl Into<Source<Qrels>>, name: &str) -> Self {
        Self {
            labels: labels.into(),
            reading: LabelReading::default(),
            name: source_name(name),
            judge: BaseScope::default(),
            overlap: USUAL_OVERLAP,
            calibrate: BaseCalibration::default(),
            kept: None,
        }
    }
}

/// Resolves `base`.
pub(crate) fn base(
    written: Option<&Spanned<BaseEntry>>,
    compares: bool,
    at: &Place<'_>,
) -> Result<Option<BaseSettings>, ConfigError> {
    let Some(written) = written else { return Ok(None) };
    let table = &written.get_ref().0;
    let wrong = |message: String| at.wrong(written, message);
    if compares {
        return Err(wrong(BASE_NEEDS_GRADES.to_owned()));
    }
    let judge = match table.judge.as_deref() {
        None | Some("holes") => BaseScope::Holes,
        Some("all") => BaseScope::All,
        Some(other) => {
            return Err(wrong(format!("base.judge = {other:?} is neither \"holes\" nor \"all\"")));
        }
    };
    let calibrate = table.calibrate.as_deref().map(str::parse::<BaseCalibration>).transpose();
    let calibrate = calibrate.map_err(|error| wrong(format!("base.calibrate: {error}")))?.unwrap_or_default();
    let overlap = match (table.overlap, calibrate) {
        (Some(few), BaseCalibration::Fitted(_)) if few < LEAST_OVERLAP && judge == BaseScope::Holes => {
            return Err(wrong(format!(
                "base.overlap = {few}: a common scale takes at least {LEAST_OVERLAP} pairs that both have labelled; \
                 raise it, or set calibrate = \"none\" to mix the grades as they are"
            )));
        }
        (Some(overlap), _) => overlap,
        (None, BaseCalibration::Fitted(_)) => USUAL_OVERLAP,
        (None, BaseCalibration::None) => 0,
    };
    let name = table.name.as_deref().map_or_else(|| source_of_file(Path::new(&table.file)), source_name);
    let reading = LabelReading::of(table.round, table.repeats.as_deref()).map_err(wrong)?;
    let labels = Source::file(&table.file);
    Ok(Some(BaseSettings { labels, reading, name, judge, overlap, calibrate, kept: None }))
}

impl<'de> Deserialize<'de> for BaseEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = BaseEntry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a file, or a table with `file`")
            }

            fn visit_str<E: de::Error>(self, file: &str) -> Result<BaseEntry, E> {
                Ok(BaseEntry(BaseTable { file: file.to_owned(), ..BaseTable::default() }))
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<BaseEntry, A::Error> {
                let table = BaseTable::deserialize(MapAccessDeserializer::new(map))?;
                if table.file.is_empty() {
                    return Err(de::Error::missing_field("file"));
                }
                Ok(BaseEntry(table))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use llull_label::CalibrationMethod;

    use super::*;
    use crate::{Overrides, Settings, StudyFile};

    const STUDY: &str =
        "topics = \"t\"\n[[systems]]\nname = \"s\"\nrun = \"r\"\n[[judges]]\nmodel = \"similarity\"\n";

    fn resolved(written: &str) -> Result<BaseSettings, String> {
        let text = format!("{written}\n{STUDY}");
        let path = Path::new("llull.toml");
        let file = StudyFile::parse(&text, path).map_err(|error| error.to_string())?;
        let settings = Settings::resolve(file, &text, path, &Overrides::default());
        Ok(settings.map_err(|error| error.to_string())?.base.unwrap())
    }

    #[test]
    fn a_file_alone_says_all_there_is() {
        let base = resolved("base = \"labels/human.qrels\"").unwrap();
        assert_eq!((base.labels.to_string().as_str(), base.name.as_str()), ("labels/human.qrels", "human"));
        assert_eq!(
            (base.judge, base.overlap, base.calibrate),
            (BaseScope::Holes, 100, BaseCalibration::default())
        );
        assert!(base.reading.is_usual());
    }

    #[test]
    fn every_key_is_read() {
        let base = resolved(
            "base = { file = \"h\", name = \"NIST 2019\", judge = \"all\", overlap = 50, calibrate = \"isotonic\", \
             round = true, repeats = \"median\" }",
        );
        let base = base.unwrap();
        assert_eq!((base.name.as_str(), base.judge, base.overlap), ("NIST_2019", BaseScope::All, 50));
        assert_eq!(base.calibrate, BaseCalibration::Fitted(CalibrationMethod::Isotonic));
        assert_eq!(base.reading.to_string(), "round repeats=median");
        let raw = resolved("base = { file = \"h\", calibrate = \"none\" }").unwrap();
        assert_eq!(
            (raw.calibrate, raw.overlap),
            (BaseCalibration::None, 0),
            "nothing is fitted, so no request is sent"
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let wrong = [
            ("base = { judge = \"all\" }", "missing field `file`"),
            ("base = { file = \"h\", judge = \"some\" }", "neither \"holes\" nor \"all\""),
            ("base = { file = \"h\", overlap = 29 }", "at least 30"),
            ("base = { file = \"h\", calibrate = \"mean\" }", "isotonic"),
            ("base = { file = \"h\", scale = 3 }", "unknown field `scale`"),
            ("base = 3", "a file, or a table with `file`"),
            ("paradigm = \"pairwise\"\nbase = \"h\"", "judges that compare"),
        ];
        for (written, expected) in wrong {
            let error = resolved(written).map(|_| ()).unwrap_err();
            assert!(error.contains(expected) && error.contains("line"), "{written}: {error}");
        }
    }
}
