//! Checks for prompts that a server cuts before the judge reads them.

use crate::finding::Finding;
use crate::{AuditedJudge, CheckKind, CheckOutcome};

/// Returns the share of prompts that the judge's server seems to have cut. Such a judge has not read the whole
/// document.
pub(crate) fn cut_prompts(judge: &AuditedJudge) -> Option<Finding> {
    let found = judge.cut_prompts.filter(|found| found.cut > 0 && found.counted >= found.cut)?;
    let figures = match found.limit {
        Some(tokens) => format!(
            "The judge does not read whole documents: for {} of {} prompts of different lengths, the server reports \
             the same {tokens} tokens.",
            found.cut, found.counted
        ),
        None => format!(
            "The judge does not read whole documents: for {} of {} prompts, the server reports under half the tokens \
             of the document.",
            found.cut, found.counted
        ),
    };
    Some(Finding {
        n: found.counted,
        value: Some(found.cut as f64 / found.counted as f64),
        at_least: CheckOutcome::Failed,
        remedy: "Raise the server's context length (Ollama: num_ctx or OLLAMA_CONTEXT_LENGTH) or lower \
                 document_tokens. Then judge again under another model name or in a new ledger.",
        ..Finding::of_figures(CheckKind::CutPrompts, figures)
    })
}

#[cfg(test)]
mod tests {
    use llull_core::Seed;

    use crate::{
        AuditOptions, AuditedCollection, AuditedJudge, CheckKind, CheckOutcome, CutPrompts, judge_checks,
    };

    fn audited(cut_prompts: Option<CutPrompts>) -> Vec<crate::JudgeCheck> {
        let judge = AuditedJudge { judge: "m".to_owned(), cut_prompts, ..AuditedJudge::default() };
        judge_checks(&[judge], &AuditedCollection::default(), &AuditOptions::new(Seed(1)))
    }

    /// 30,800 tokens were estimated, 258 reported for every request, and every check passed.
    #[test]
    fn a_judge_with_cut_prompts_is_unreliable() {
        let checks = audited(Some(CutPrompts { counted: 40, cut: 40, limit: Some(258) }));
        let check = checks.iter().find(|check| check.kind == CheckKind::CutPrompts).unwrap();
        assert_eq!((check.outcome, check.value, check.n), (CheckOutcome::Failed, Some(1.0), 40));
        for word in ["258 tokens", "num_ctx", "OLLAMA_CONTEXT_LENGTH"] {
            assert!(check.finding.contains(word) || check.remedy.contains(word), "{check:?}");
        }
        assert!(audited(None).iter().all(|check| check.kind != CheckKind::CutPrompts));
    }
}
