//! Chooses the judges of a side.

use llull_config::{JudgeKind, JudgeSettings};
use llull_core::JudgeSpec;

use super::known_judge::KnownJudge;
use super::study_side::StudySide;
use crate::error::StudyError;

/// The available judges.
pub(super) struct Choice<'a> {
    pub(super) side: &'a StudySide,
    /// The study's judges, and their present specifications.
    pub(super) configured: &'a [JudgeSettings],
    pub(super) now: &'a [JudgeSpec],
    pub(super) known: &'a [KnownJudge],
}

/// A judge of a side.
#[derive(Debug, Clone)]
pub(super) struct ChosenJudge {
    /// The study's judge that it is, or whose texts it sees; under its name here.
    pub(super) settings: JudgeSettings,
    /// Its earlier specification; `None` for the study's present judge.
    pub(super) before: Option<JudgeSpec>,
}

/// The judges of a side, and notes about left-out ones.
pub(super) type ChosenPanel = (Vec<ChosenJudge>, Vec<String>);

/// Finds an earlier specification of one of the study's judges; it gets the present one.
type Choose<'a> = dyn FnMut(&JudgeSettings, Option<&JudgeSpec>) -> Result<Option<JudgeSpec>, StudyError> + 'a;

impl Choice<'_> {
    /// Returns the judges of the side.
    ///
    /// # Errors
    /// Returns an error that lists the ledger's judges if there is no such judge, or several.
    pub(super) fn judges(&self) -> Result<ChosenPanel, StudyError> {
        let mut notes = Vec::new();
        match self.side {
            StudySide::Now => {
                let now = |settings: &JudgeSettings| ChosenJudge { settings: settings.clone(), before: None };
                Ok((self.configured.iter().map(now).collect(), notes))
            }
            StudySide::Earlier => self
                .of_configured(&mut |settings, _| Ok(self.earlier(settings, &mut notes)))
                .map(|(chosen, mut absent)| {
                    absent.append(&mut notes);
                    (chosen, absent)
                }),
            StudySide::Judges { names, .. } if names.is_empty() => {
                self.of_configured(&mut |settings, now| self.one(&settings.name, self.related(settings), now))
            }
            StudySide::Judges { names, .. } => {
                let chosen = names.iter().map(|name| self.named(name)).collect::<Result<_, _>>()?;
                Ok((chosen, notes))
            }
        }
    }

    /// One judge for each of the study's language models; those without one are left out, with a note.
    fn of_configured(&self, choose: &mut Choose<'_>) -> Result<ChosenPanel, StudyError> {
        let (mut chosen, mut absent) = (Vec::new(), Vec::new());
        for (at, settings) in self.configured.iter().enumerate() {
            let found = match is_prompted(settings) {
                true => choose(settings, self.now.get(at))?,
                false => None,
            };
            match found {
                Some(before) => {
                    chosen.push(ChosenJudge { settings: settings.clone(), before: Some(before) });
                }
                None => absent.push(settings.name.as_str()),
            }
        }
        if chosen.is_empty() {
            return Err(self.error("the ledger has no such answers of the study's judges"));
        }
        let note = (!absent.is_empty()).then(|| {
            format!(
                "{}: these labels are of {} of {} judges; without such answers: {}",
                self.side,
                chosen.len(),
                self.configured.len(),
                absent.join(", ")
            )
        });
        Ok((chosen, note.into_iter().collect()))
    }

    /// The language models in the ledger with the name or model of a judge of the study, and with the marks of the
    /// side.
    fn related(&self, judge: &JudgeSettings) -> Vec<&KnownJudge> {
        let same = |known: &&KnownJudge| known.is_called(&judge.name) || known.is_called(&judge.model);
        self.known.iter().filter(same).filter(|known| self.has_marks(known)).collect()
    }

    fn has_marks(&self, known: &KnownJudge) -> bool {
        match self.side {
            StudySide::Judges { marks, .. } => marks.iter().all(|mark| known.has(mark)),
            StudySide::Now | StudySide::Earlier => true,
        }
    }

    /// The judge's last specification before the present one.
    fn earlier(&self, settings: &JudgeSettings, notes: &mut Vec<String>) -> Option<JudgeSpec> {
        let is_now = |known: &KnownJudge| {
            self.now.iter().any(|spec| spec.fingerprint() == known.judge.spec.fingerprint())
        };
        let mut before = self.related(settings);
        before.retain(|known| !is_now(known));
        let last = before.pop()?;
        if !before.is_empty() {
            let others: Vec<String> = before.iter().map(|known| known.line().trim().to_owned()).collect();
            notes.push(format!(
                "earlier means the last settings before these; the ledger has more, which you can name: {}",
                others.join("; ")
            ));
        }
        Some(last.judge.spec.clone())
    }

    /// The judge of this name: the study's own by default.
    fn named(&self, name: &str) -> Result<ChosenJudge, StudyError> {
        let own = self.configured.iter().position(|judge| judge.name == name || judge.model == name);
        let plain = matches!(self.side, StudySide::Judges { marks, .. } if marks.is_empty());
        if let Some(settings) = own.filter(|_| plain).and_then(|at| self.configured.get(at)) {
            return Ok(ChosenJudge { settings: settings.clone(), before: None });
        }
        let known: Vec<&KnownJudge> =
            self.known.iter().filter(|known| known.is_called(name) && self.has_marks(known)).collect();
        let like = own.or_else(|| {
            let model = known.first().map(|known| known.judge.spec.model.as_str());
            let prompted = || self.configured.iter().enumerate().filter(|(_, judge)| is_prompted(judge));
            let same = prompted().find(|(_, judge)| Some(judge.model.as_str()) == model);
            same.or_else(|| prompted().next()).map(|(at, _)| at)
        });
        let Some((at, like)) = like.and_then(|at| Some((at, self.configured.get(at)?))) else {
            return Err(self.error(
                "no judge of llull.toml is a language model, so it is not known how much of a document was shown",
            ));
        };
        let Some(before) = self.one(name, known, self.now.get(at))? else {
            return Err(self.error("there is no such judge, and no such file"));
        };
        let settings = JudgeSettings { name: name.to_owned(), ..like.clone() };
        Ok(ChosenJudge { settings, before: Some(before) })
    }

    /// The only one, or the one with the fewest differences from the present judge.
    fn one(
        &self,
        name: &str,
        mut known: Vec<&KnownJudge>,
        now: Option<&JudgeSpec>,
    ) -> Result<Option<JudgeSpec>, StudyError> {
        let apart = |known: &KnownJudge| now.map_or(0, |now| differences(&known.judge.spec, now));
        known.sort_by_key(|known| apart(known));
        match known.as_slice() {
            [] => Ok(None),
            [first, second, ..] if apart(first) == apart(second) => {
                Err(self.error(&format!("several judges in the ledger are {name} and have this")))
            }
            [first, ..] => Ok(Some(first.judge.spec.clone())),
        }
    }

    fn error(&self, problem: &str) -> StudyError {
        let lines: Vec<String> = self.known.iter().map(KnownJudge::line).collect();
        let names: Vec<&str> = self.configured.iter().map(|judge| judge.name.as_str()).collect();
        let ledger = match lines.as_slice() {
            [] => "The ledger has no answers of a language model. ".to_owned(),
            lines => format!("The ledger has\n{}\n", lines.join("\n")),
        };
        StudyError::Problem(format!(
            "{}: {problem}. {ledger}Name a file of labels, one of the ledger's, `now` for the study as it is, or a \
             judge of it: {}",
            self.side,
            names.join(", ")
        ))
    }
}

fn is_prompted(judge: &JudgeSettings) -> bool {
    matches!(judge.kind, JudgeKind::Prompted { .. })
}

/// The number of differences between two judges.
fn differences(one: &JudgeSpec, other: &JudgeSpec) -> usize {
    let differs = [
        one.rubric_hash != other.rubric_hash,
        one.prompt_hash != other.prompt_hash,
        one.model != other.model,
        one.sampling != other.sampling,
        one.options != other.options,
    ];
    differs.into_iter().filter(|differs| *differs).count()
}
