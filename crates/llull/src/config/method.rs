//! How the grades of a study's judges become a label, checked against its judges.

use llull_core::Paradigm;
use llull_label::panel::{PanelMethod, UnknownPanelMethod};

use super::{error::ConfigError, file::StudyFile, overrides::Overrides, panel_rule::PanelRule, place::Place};

/// Returns how so many judges' grades become a label, if that is said.
pub(super) fn method(
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
    if paradigm != Paradigm::Graded && overrides.method.is_none() {
        return Ok(None);
    }
    if paradigm != Paradigm::Graded {
        return Err(wrong(
            "it puts grades together, and here judges compare: their votes are put together by the tournament".into(),
        ));
    }
    match rule {
        PanelRule::By(PanelMethod::Best(few)) if judges > 0 && few > judges => {
            Err(wrong(format!("{rule} takes {few} judges, and the study has {judges}")))
        }
        rule => Ok(Some(rule)),
    }
}

/// Says that the file's method has nothing to put together.
pub(super) fn idle_method(
    file: &StudyFile,
    paradigm: Paradigm,
    method: Option<PanelRule>,
    judges: usize,
) -> Option<String> {
    let puts =
        |rule: &str| format!("method = \"{rule}\" puts the grades of several judges together, and here");
    match (method, &file.method) {
        (Some(method), _) if judges == 1 => {
            Some(format!("{} is one: it has no effect", puts(&method.to_string())))
        }
        (None, Some(written)) if paradigm != Paradigm::Graded => Some(format!(
            "{} judges compare, whose votes the tournament puts together: it has no effect",
            puts(written.get_ref())
        )),
        _ => None,
    }
}
