//! Finds answers from before the study's rubric, prompt or model changed.
//!
//! The ledger has them, but the study does not use them any more.

use std::collections::BTreeMap;
use std::fmt;

use llull_config::Folder;
use llull_core::{Hash, JudgeSpec, Outcome};
use llull_report::text::count;
use llull_store::{Detail, JudgeId, LedgerReader};

use crate::error::StudyError;
use crate::evidence::StudyEvidence;
use crate::saved::{is_saved, saved_prompt_name};

/// Answers in the ledger of a judge with an earlier specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierAnswers {
    /// The judge of the study that gave them, or would give them now.
    pub judge: String,
    /// The changes since, in words.
    pub changed: Vec<String>,
    /// The number of verdicts.
    pub verdicts: u64,
    /// The command that shows them.
    pub to_see: String,
}

impl fmt::Display for EarlierAnswers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { judge, changed, verdicts, to_see } = self;
        write!(
            f,
            "judge {judge}: changed since {} answers in the ledger were given, which are not used here: {}; {to_see}",
            count(*verdicts),
            changed.join(", ")
        )
    }
}

/// Returns the earlier answers of each judge with open questions: those of judges with the same name or model in the
/// same paradigm.
///
/// # Errors
/// Returns an error if the ledger cannot be read.
pub(crate) fn earlier_answers(
    folder: &Folder,
    evidence: &StudyEvidence,
    ledger: &dyn LedgerReader,
) -> Result<Vec<EarlierAnswers>, StudyError> {
    let all = ledger.judges()?;
    let mut pairs = Vec::new();
    for judge in evidence.panel().filter(|judge| judge.open() > 0) {
        let now = judge.spec();
        for earlier in &all {
            let then = &earlier.spec;
            let same = then.model == now.model || earlier.name == judge.name();
            let asked = evidence.panel().any(|asked| asked.spec().fingerprint() == then.fingerprint());
            if same && !asked && then.sampling.is_some() && then.paradigm == now.paradigm {
                pairs.push((judge, earlier));
            }
        }
    }
    if pairs.is_empty() {
        return Ok(Vec::new());
    }
    let judges: Vec<JudgeId> = pairs.iter().map(|(_, earlier)| earlier.id).collect();
    let mut verdicts: BTreeMap<JudgeId, u64> = BTreeMap::new();
    ledger.scan(Some(&judges), Detail::Facts, &mut |judge, attempt| {
        *verdicts.entry(judge).or_default() +=
            u64::from(matches!(attempt.answer.outcome, Outcome::Judged { .. }));
        Ok(())
    })?;
    let found = pairs.into_iter().filter_map(|(judge, earlier)| {
        let verdicts = verdicts.get(&earlier.id).copied().filter(|verdicts| *verdicts > 0)?;
        let (then, now) = (&earlier.spec, judge.spec());
        let (changed, to_see) = (changed(then, now), to_see(folder, then, now));
        Some(EarlierAnswers { judge: judge.name().to_owned(), changed, verdicts, to_see })
    });
    Ok(found.collect())
}

/// Describes the changes.
pub(crate) fn changed(then: &JudgeSpec, now: &JudgeSpec) -> Vec<String> {
    let mut words = Vec::new();
    if then.rubric_hash != now.rubric_hash {
        words.push(format!("the rubric ({} then, {} now)", short(then.rubric_hash), short(now.rubric_hash)));
    }
    match (then.prompt_hash == now.prompt_hash, then.prompt == now.prompt) {
        (true, _) => {}
        (false, true) => words.push(format!("the text of the prompt {}", now.prompt)),
        (false, false) => words.push(format!("the prompt ({} then, {} now)", then.prompt, now.prompt)),
    }
    if then.model != now.model {
        words.push(format!("the model ({} then, {} now)", then.model, now.model));
    }
    if then.sampling != now.sampling {
        words.push("sampling (temperature, top_p, max_tokens or seed)".to_owned());
    }
    if words.is_empty() {
        words.push("a setting, such as document_tokens".to_owned());
    }
    words
}

fn to_see(folder: &Folder, then: &JudgeSpec, now: &JudgeSpec) -> String {
    let rubric = then.rubric_hash != now.rubric_hash;
    if rubric && !is_saved(folder, then.rubric_hash) {
        return "the old rubric was not saved; put it back to see them".to_owned();
    }
    if then.sampling != now.sampling || then.options != now.options {
        return "put the old setting back to see them".to_owned();
    }
    let mut flags = Vec::new();
    if rubric {
        flags.push(format!("--rubric-hash {}", short(then.rubric_hash)));
    }
    if then.prompt_hash != now.prompt_hash {
        let Some(prompt) = saved_prompt_name(folder, then) else {
            return "the old prompt was not saved; put it back to see them".to_owned();
        };
        flags.push(format!("--prompt {prompt}"));
    }
    if then.model != now.model {
        flags.push(format!("--judge {}", then.model));
    }
    format!("llull report {} shows them", flags.join(" "))
}

/// Returns the beginning of a hash, in its shown form.
pub(crate) fn short(hash: Hash) -> String {
    hash.to_string().chars().take(8).collect()
}
