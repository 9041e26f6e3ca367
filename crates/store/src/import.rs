//! Imports an export into a ledger, without duplicates.
//!
//! All of a file is imported, or none of it.

use std::{
    collections::BTreeMap,
    io::{BufRead, Read as _},
    ops::ControlFlow,
};

use llull_core::{Attempt, JudgeSpec};
use rustc_hash::FxHashMap;

use crate::{
    Detail, JudgeId, LedgerJudge, LedgerReader, LedgerWriter, StoreError,
    export::{AttemptLine, JudgeLine, Line, VERSION},
    validity,
};

/// The longest line, in bytes, as of every other file. A compressed file may hold a line of any length.
const LONGEST_LINE: u64 = 64 << 20;

const TOO_LONG: &str = "it is longer than 64 MiB, and no attempt is; is this an export of llull?";

/// The number of attempts that are appended to the ledger at once.
const BATCH: usize = 1000;

/// The result of an import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportSummary {
    /// The number of judges in the file.
    pub judges: usize,
    /// The number of attempts that were added.
    pub added: u64,
    /// The number of attempts that the ledger had already.
    pub already_there: u64,
}

/// Adds the attempts of an [export](crate::export) that are not in the ledger yet.
///
/// Attempts are the same if all their fields are equal, the time of recording included, so importing a file twice
/// adds nothing the second time. Blank lines are allowed. The import takes 20 bytes of memory for each attempt of the
/// ledger.
///
/// # Errors
/// Returns [`StoreError::Line`] with the number of the first invalid line, and another error if the export cannot be
/// read or the ledger cannot be written. Nothing is imported then.
pub fn import(mut reader: impl BufRead, ledger: &mut dyn LedgerWriter) -> Result<ImportSummary, StoreError> {
    let mut summary = ImportSummary::default();
    ledger.atomically(&mut |ledger| {
        let mut import = Import { held: held(ledger)?, ..Import::default() };
        each_line(&mut reader, &mut |text| {
            import.line(text, ledger)?;
            Ok(ControlFlow::Continue(()))
        })?;
        import.flush(ledger)?;
        summary = import.summary;
        Ok(())
    })?;
    Ok(summary)
}

/// Copies a whole ledger, replies included, into one that has nothing else. A copy that is there already, whole or in
/// part, is completed.
///
/// # Errors
/// Returns [`StoreError::OtherAttempts`] if the target has attempts that the source lacks, and another error if a
/// ledger cannot be read or written. Nothing is copied then.
pub fn copy(from: &dyn LedgerReader, to: &mut dyn LedgerWriter) -> Result<ImportSummary, StoreError> {
    let mut summary = ImportSummary::default();
    to.atomically(&mut |to| {
        let mut import = Import { held: held(to)?, ..Import::default() };
        for LedgerJudge { id, name, spec } in from.judges()? {
            import.judge(JudgeLine { id: id.0, name, spec }, to).map_err(|refusal| refusal.at(0))?;
        }
        from.scan(None, Detail::Replies, &mut |judge, fact| {
            let line = AttemptLine { judge: judge.0, fact };
            import.attempt(line, to).map_err(|refusal| refusal.at(0))
        })?;
        import.flush(to)?;
        summary = import.summary;
        match import.held.values().map(|times| u64::from(*times)).sum() {
            0 => Ok(()),
            others => Err(StoreError::OtherAttempts(others)),
        }
    })?;
    Ok(summary)
}

/// Returns the judges of an [export](crate::export), with their numbers in the file. Reads no attempt: all judges come
/// before the first.
///
/// # Errors
/// Returns [`StoreError::Line`] with the number of the first invalid line, and another error if the export cannot be
/// read.
pub fn exported_judges(mut reader: impl BufRead) -> Result<Vec<LedgerJudge>, StoreError> {
    let (mut begun, mut judges) = (false, Vec::new());
    each_line(&mut reader, &mut |text| {
        Ok(match parsed(text, &mut begun)? {
            None => ControlFlow::Continue(()),
            Some(Line::Judge(JudgeLine { id, name, spec })) => {
                judges.push(LedgerJudge { id: JudgeId(id), name, spec });
                ControlFlow::Continue(())
            }
            Some(_) => ControlFlow::Break(()),
        })
    })?;
    Ok(judges)
}

/// Calls `each` with every line that is not blank, until it breaks.
fn each_line(
    reader: &mut impl BufRead,
    each: &mut dyn FnMut(&str) -> Result<ControlFlow<()>, Refusal>,
) -> Result<(), StoreError> {
    let (mut text, mut empty) = (String::new(), true);
    for line in 1.. {
        text.clear();
        let mut limited = reader.by_ref().take(LONGEST_LINE + 1);
        let read = limited.read_line(&mut text);
        // A character that the limit cuts is no fault of the file.
        if limited.limit() == 0 && !text.ends_with('\n') {
            return Err(Refusal::from(TOO_LONG).at(line));
        }
        if read.map_err(|source| StoreError::Read { line, source })? == 0 {
            break;
        }
        if !text.trim().is_empty() {
            empty = false;
            if each(&text).map_err(|refusal| refusal.at(line))?.is_break() {
                break;
            }
        }
    }
    match empty {
        true => Err(Refusal::from("the file is empty; an export begins with {\"llull_ledger\":4}").at(1)),
        false => Ok(()),
    }
}

/// Returns a line of an export; `None` for the header, which has to be the first.
fn parsed(text: &str, begun: &mut bool) -> Result<Option<Line>, Refusal> {
    let parsed = serde_json::from_str(text);
    if !*begun {
        return match parsed {
            Ok(Line::Header(version)) if (1..=VERSION).contains(&version) => {
                *begun = true;
                Ok(None)
            }
            Ok(Line::Header(version)) => Err(Refusal::from(format!(
                "the export has version {version}, and this llull reads up to {VERSION}; use a newer llull"
            ))),
            _ => Err("this is not a ledger export, which begins with {\"llull_ledger\":4}".into()),
        };
    }
    match parsed.map_err(|error| format!("expected a judge or an attempt: {error}"))? {
        Line::Header(_) => Err("a second header; import one export after the other".into()),
        line => Ok(Some(line)),
    }
}

/// The error of one line, or an error of the ledger.
enum Refusal {
    Line(String),
    Store(StoreError),
}

impl Refusal {
    fn at(self, line: u64) -> StoreError {
        match self {
            Self::Line(problem) => StoreError::Line { line, problem },
            Self::Store(error) => error,
        }
    }
}

impl<S: Into<String>> From<S> for Refusal {
    fn from(problem: S) -> Self {
        Self::Line(problem.into())
    }
}

/// The number of times that the ledger has each attempt, by the first half of its digest.
type Held = FxHashMap<[u8; 16], u32>;

#[derive(Default)]
struct Import {
    begun: bool,
    held: Held,
    digests: Digests,
    judges: BTreeMap<i64, (JudgeId, JudgeSpec)>,
    waiting: Vec<(JudgeId, Attempt)>,
    summary: ImportSummary,
}

impl Import {
    fn line(&mut self, text: &str, ledger: &mut dyn LedgerWriter) -> Result<(), Refusal> {
        match parsed(text, &mut self.begun)? {
            None | Some(Line::Header(_)) => Ok(()),
            Some(Line::Judge(judge)) => self.judge(judge, ledger),
            Some(Line::Attempt(attempt)) => self.attempt(attempt, ledger),
        }
    }

    fn judge(&mut self, judge: JudgeLine, ledger: &mut dyn LedgerWriter) -> Result<(), Refusal> {
        let id = ledger.register(&judge.name, &judge.spec).map_err(Refusal::Store)?;
        if self.judges.insert(judge.id, (id, judge.spec)).is_some() {
            return Err(format!("judge {} is described twice", judge.id).into());
        }
        self.summary.judges += 1;
        Ok(())
    }

    fn attempt(&mut self, line: AttemptLine, ledger: &mut dyn LedgerWriter) -> Result<(), Refusal> {
        let AttemptLine { judge, fact } = line;
        let Some((id, spec)) = self.judges.get(&judge) else {
            return Err(format!("judge {judge} is not described before its first attempt").into());
        };
        validity::check(spec, &fact)?;
        let id = *id;
        let digest = self.digests.of(id, &fact).map_err(Refusal::Store)?;
        match self.held.get_mut(&digest) {
            Some(times) if *times > 0 => {
                *times -= 1;
                self.summary.already_there += 1;
            }
            _ => {
                self.summary.added += 1;
                self.waiting.push((id, fact));
            }
        }
        if self.waiting.len() >= BATCH {
            self.flush(ledger).map_err(Refusal::Store)?;
        }
        Ok(())
    }

    fn flush(&mut self, ledger: &mut dyn LedgerWriter) -> Result<(), StoreError> {
        ledger.append(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }
}

fn held(ledger: &dyn LedgerReader) -> Result<Held, StoreError> {
    let (mut held, mut digests) = (Held::default(), Digests::default());
    ledger.scan(None, Detail::Replies, &mut |judge, attempt| {
        *held.entry(digests.of(judge, &attempt)?).or_default() += 1;
        Ok(())
    })?;
    Ok(held)
}

/// Digests of attempts.
#[derive(Default)]
struct Digests {
    /// The bytes of the attempt for hashing. A hasher that gets it token by token takes longer than the tokens.
    written: Vec<u8>,
}

impl Digests {
    fn of(&mut self, judge: JudgeId, attempt: &Attempt) -> Result<[u8; 16], StoreError> {
        self.written.clear();
        self.written.extend_from_slice(&judge.0.to_le_bytes());
        serde_json::to_writer(&mut self.written, attempt).map_err(|error| StoreError::Write(error.into()))?;
        let mut digest = [0; 16];
        digest.copy_from_slice(&blake3::hash(&self.written).as_bytes()[..16]);
        Ok(digest)
    }
}
