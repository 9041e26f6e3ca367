//! Checks that servers read whole prompts, by their reported tokens.

use std::collections::BTreeMap;

use llull_audit::CutPrompts;
use llull_config::{JudgeKind, JudgeSettings};
use llull_judge::{PromptCut, ServedPrompt, estimate_tokens, prompt_cut};
use llull_runner::{DocumentIndex, Evidence, JudgeEvidence};

use crate::evidence::StudyEvidence;

/// Returns the prompts that a judge's server seems to have cut; `None` without evidence of that, or if the judge is no
/// language model.
pub(super) fn cut_prompts(
    (settings, judge): (&JudgeSettings, &JudgeEvidence),
    answers: &Evidence,
    evidence: &StudyEvidence,
) -> Option<CutPrompts> {
    let JudgeKind::Prompted { .. } = settings.kind else { return None };
    let mut estimates: BTreeMap<DocumentIndex, u64> = BTreeMap::new();
    let mut estimate = |document: DocumentIndex| {
        *estimates.entry(document).or_insert_with(|| {
            let pooled = evidence.pooled.document(document);
            pooled.map_or(0, |document| u64::from(estimate_tokens(&document.text())))
        })
    };
    let mut prompts = Vec::new();
    for (question, tokens) in answers.questions().zip(judge.prompt_tokens()) {
        let Some((reported, cut)) = tokens else { continue };
        let shown = |tokens: u64| tokens.saturating_sub(u64::from(cut));
        let documents = question.documents.iter().map(|document| estimate(*document)).sum();
        let last = question.documents.last().map_or(0, |document| estimate(*document));
        prompts.push(ServedPrompt { documents: shown(documents), last: shown(last), reported });
    }
    let (cut, limit) = match prompt_cut(&prompts)? {
        PromptCut::AtLimit { tokens, prompts } => (prompts, Some(tokens)),
        PromptCut::FarBelow { prompts } => (prompts, None),
    };
    Some(CutPrompts { counted: prompts.len(), cut, limit })
}
