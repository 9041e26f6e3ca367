//! Checks `method` against the study's judges.
//!
//! It combines the judges' grades to a label, or their votes to an order.

use llull_core::Paradigm;
use llull_label::panel::{PanelMethod, UnknownPanelMethod};

use crate::{error::ConfigError, file::StudyFile, overrides::Overrides, panel_rule::PanelRule, place::Place};

/// Returns the method for this number of judges, if one is set.
pub(crate) fn method(
    file: &StudyFile,
    overrides: &Overrides,
    paradigm: Paradigm,
    judges: usize,
    at: &Place<'_>,
) -> Result<Option<PanelRule>, ConfigError> {
    let wrong = |message: String| match (&overrides.method, &file.method) {
        (None, Some(written)) => at.wrong(written, format!("method: {message}")),
        _ => ConfigError::Override(format!("--method: {message}")),
    };
    let rule = match (overrides.method, &file.method) {
        (Some(rule), _) => rule,
        (None, Some(written)) => {
            written.get_ref().parse().map_err(|error: UnknownPanelMethod| wrong(error.to_string()))?
        }
        (None, None) => return Ok(None),
    };
    let compares = paradigm != Paradigm::Graded;
    match rule {
        PanelRule::JudgeAware | PanelRule::By(PanelMethod::Majority) if compares => Ok(Some(rule)),
        // The file's method for grades holds for another --paradigm.
        _ if compares && overrides.method.is_none() => Ok(None),
        _ if compares => Err(wrong(format!(
            "{rule} puts grades together, and here judges compare: their votes count by majority or judge-aware"
        ))),
        PanelRule::JudgeAware if overrides.method.is_none() && overrides.paradigm.is_some() => Ok(None),
        PanelRule::JudgeAware => Err(wrong(
            "judge-aware counts votes, and here judges grade; set paradigm = \"pairwise\" or \"listwise\", or take a \
             method of grades, such as ordinal"
                .into(),
        )),
        PanelRule::By(PanelMethod::Best(few)) if judges > 0 && few > judges => {
            Err(wrong(format!("{rule} takes {few} judges, and the study has {judges}")))
        }
        rule => Ok(Some(rule)),
    }
}

/// Returns notes about a method or weights of the file without effect: they do not apply to these judges, or votes
/// count by another rule.
pub(crate) fn idle_method(
    file: &StudyFile,
    paradigm: Paradigm,
    method: Option<PanelRule>,
    judges: usize,
) -> Vec<String> {
    let puts =
        |rule: &str| format!("method = \"{rule}\" puts the grades of several judges together, and here");
    let mut notes = Vec::new();
    match (method, &file.method) {
        (Some(PanelRule::JudgeAware), _) if (1..3).contains(&judges) => notes.push(format!(
            "method = \"judge-aware\" measures each judge by the others, which takes three; with {judges} it has no \
             effect"
        )),
        (Some(PanelRule::By(PanelMethod::Majority)), _) if judges == 1 && paradigm != Paradigm::Graded => {
            notes.push("method = \"majority\" counts the votes of several judges; with 1 it has no effect".into());
        }
        (Some(method), _) if judges == 1 => {
            notes.push(format!("{} is one: it has no effect", puts(&method.to_string())));
        }
        (None, Some(written)) if paradigm != Paradigm::Graded => notes.push(format!(
            "{} judges compare, whose votes count by majority or judge-aware: it has no effect",
            puts(written.get_ref())
        )),
        (None, Some(written)) if judges > 0 => notes.push(format!(
            "method = \"{}\" counts votes, and here judges grade: it has no effect",
            written.get_ref()
        )),
        _ => {}
    }
    let weighted = file.judges.iter().any(|judge| judge.get_ref().weight.is_some());
    if method == Some(PanelRule::JudgeAware) && judges > 2 && weighted {
        notes.push(
            "the judges' `weight` has no effect: method = \"judge-aware\" learns how much each judge's votes count"
                .into(),
        );
    }
    notes
}
