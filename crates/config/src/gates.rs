//! The conditions of `[gates]`, which can fail a build.

use std::collections::BTreeMap;

use llull_metrics::WrittenMeasure;
use llull_report::check_comparable;
use llull_stats::{Gate, GateSubject};
use serde::Deserialize;

use crate::{error::ConfigError, place::Place, spanned::Spanned};

/// One bound of a gate, or several.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "expected a bound such as \">= -0.01\", or a list of bounds")]
pub enum GateBounds {
    /// `">= -0.01"`
    One(String),
    /// `[">= -0.01", "<= 0.2"]`
    Several(Vec<String>),
}

impl GateBounds {
    fn all(&self) -> &[String] {
        match self {
            Self::One(bound) => std::slice::from_ref(bound),
            Self::Several(bounds) => bounds,
        }
    }
}

/// Reads the gates, whose measures stay as written.
pub(crate) fn gates(
    written: &BTreeMap<String, Spanned<GateBounds>>,
    systems: usize,
    at: &Place<'_>,
) -> Result<Vec<Gate>, ConfigError> {
    let mut gates = Vec::new();
    for (subject, bounds) in written {
        let wrong = |why: String| at.wrong(bounds, format!("[gates] {subject:?}: {why}"));
        if bounds.get_ref().all().is_empty() {
            return Err(wrong(
                "the list has no bound; write one, such as \">= -0.01\", or remove the line".into(),
            ));
        }
        for bound in bounds.get_ref().all() {
            gates.push(gate(subject, bound, systems).map_err(&wrong)?);
        }
    }
    Ok(gates)
}

fn gate(subject: &str, bound: &str, systems: usize) -> Result<Gate, String> {
    if subject.contains(['<', '>']) || !bound.trim_start().starts_with(['<', '>']) {
        return Err(format!(
            "{bound:?} is no bound: write the measure before the equals sign, and >=, >, <= or < with a number after \
             it, as in \"low(nDCG@10)\" = \">= -0.01\""
        ));
    }
    let gate: Gate = format!("{subject} {bound}").parse().map_err(|error| format!("{error}"))?;
    let measure: WrittenMeasure = gate.measure().parse().map_err(|error| format!("{error}"))?;
    if gate.subject() == GateSubject::Difference {
        if systems < 2 {
            return Err(format!(
                "there is no second system to compare with; for the system's own figure write \"value({})\"",
                gate.measure()
            ));
        }
        check_comparable(&measure.at_level(Default::default())).map_err(|error| error.to_string())?;
    }
    Ok(gate)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::{file::StudyFile, overrides::Overrides, settings::Settings};

    fn read(systems: usize, gates: &str) -> Result<Vec<String>, String> {
        let systems: String =
            (0..systems).map(|n| format!("[[systems]]\nname = \"s{n}\"\nrun = \"s{n}.run\"\n")).collect();
        let judge = "[[judges]]\nname = \"known\"\nmodel = \"replay\"\nlabels = \"known.qrels\"\n";
        let text = format!("topics = \"topics.tsv\"\n[gates]\n{gates}\n{systems}{judge}");
        let path = Path::new("llull.toml");
        let file = StudyFile::parse(&text, path).map_err(|error| error.to_string())?;
        let settings = Settings::resolve(file, &text, path, &Overrides::default());
        let gates = settings.map_err(|error| error.to_string())?.gates;
        Ok(gates.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_gate_has_one_bound_or_several() {
        let gates = "\"low(nDCG@10)\" = \">= -0.01\"\n\"value(P@5)\" = [\"> 0.2\", \"<=0.9\"]";
        let expected = ["low(nDCG@10) >= -0.01", "value(P@5) > 0.2", "value(P@5) <= 0.9"];
        assert_eq!(read(2, gates).unwrap(), expected);
        assert_eq!(read(1, "\"value(RR)\" = \"> 0.2\"").unwrap(), ["value(RR) > 0.2"]);
        assert_eq!(read(2, "\"value(NumRet)\" = \"> 0\"").unwrap(), ["value(NumRet) > 0"]);
    }

    #[test]
    fn a_wrong_gate_names_its_line_and_its_key() {
        let wrong = |systems: usize, gates: &str, phrases: &[&str]| {
            let error = read(systems, gates).unwrap_err();
            for phrase in phrases {
                assert!(error.contains(phrase), "{phrase:?} is not in {error}");
            }
        };
        wrong(
            2,
            "\"nDCG@10\" = \">= 0\"\n\"low(nDCG@10)\" = \"0.01\"",
            &["llull.toml", "line 4", "\"low(nDCG@10)\": \"0.01\" is no bound"],
        );
        wrong(2, "\"nDCG@10 >= 0\" = \">= 0\"", &["line 3", "write the measure before the equals sign"]);
        wrong(2, "\"low(nDCG@10)\" = \">= much\"", &["\"much\"", "is not a number"]);
        wrong(2, "\"low(nDCQ@10)\" = \">= 0\"", &["line 3", "nDCQ"]);
        wrong(2, "\"low()\" = \">= 0\"", &["has no measure"]);
        wrong(2, "\"nDCG@10\" = []", &["the list has no bound"]);
        wrong(2, "\"nDCG@10\" = 0.1", &["expected a bound such as"]);
        wrong(2, "NumRet = \">= 0\"", &["NumRet", "line 3"]);
        wrong(1, "\"low(nDCG@10)\" = \">= 0\"", &["no second system", "value(nDCG@10)"]);
    }
}
