//! `llull ledger show`: the attempts at a pair, word for word.

use std::time::{Duration, UNIX_EPOCH};

use anyhow::{Result, bail};
use httpdate::HttpDate;
use llull::config::Overrides;
use llull::core::{Attempt, Outcome, Scale, Verdict};
use llull::report::text::{count, counted};
use llull::store::{Detail, LedgerJudge};
use llull::{AskedPrompt, PreviewMessage, RecordedAttempt};
use serde::Serialize;

use super::Context;
use crate::exit::Exit;

/// An attempt as JSON shows it.
#[derive(Serialize)]
struct Shown<'a> {
    /// The number of the attempt in the ledger.
    number: u64,
    judge: &'a str,
    #[serde(flatten)]
    attempt: &'a Attempt,
    /// What was sent; null if it cannot be made again exactly.
    messages: Option<&'a [PreviewMessage]>,
    /// Why it cannot.
    prompt_unknown: Option<&'a str>,
}

pub(crate) fn run(context: &Context, query: &str, document: Option<&str>, judges: &[String]) -> Result<Exit> {
    let study = context.study_as_last_run(Overrides::default())?;
    let known = super::judge::load_study(context, &study)?;
    let registered = study.ledger().judges()?;
    if let Some(unknown) = judges.iter().find(|name| !registered.iter().any(|judge| judge.name == **name)) {
        let names: Vec<&str> = registered.iter().map(|judge| judge.name.as_str()).collect();
        bail!("the ledger has no judge {unknown:?}; it has {}", names.join(", "));
    }
    let judge_of = |id| registered.iter().find(|judge| judge.id == id);
    let is_asked = |judge: &LedgerJudge| judges.is_empty() || judges.contains(&judge.name);
    let (mut place, mut places) = (0, Vec::new());
    study.ledger().follow(0, &mut |judge, attempt| {
        place += 1;
        let about = attempt.topic == query && document.is_none_or(|document| is_about(attempt, document));
        if about && judge_of(judge).is_some_and(is_asked) {
            places.push(place);
        }
    })?;
    if places.is_empty() {
        let pair = document.map_or(String::new(), |document| format!(" and document {document:?}"));
        bail!(
            "the ledger has no attempt at query {query:?}{pair}; llull pool lists the pairs of the study, and \
             llull prompt --query QUERY --document DOCUMENT shows what would be sent"
        );
    }
    let recorded = study.ledger().attempts_at(&places, Detail::Replies)?;
    let asked: Vec<(&RecordedAttempt, &str, AskedPrompt)> = recorded
        .iter()
        .map(|recorded| match judge_of(recorded.judge) {
            Some(judge) => {
                let prompt = study.attempts().prompt(&known.evidence.pooled, &judge.spec, &recorded.attempt);
                (recorded, judge.name.as_str(), prompt)
            }
            None => (recorded, "", AskedPrompt::Unknown("its judge is not known".to_owned())),
        })
        .collect();
    if context.global.json {
        let shown: Vec<Shown<'_>> = asked.iter().map(shown).collect();
        context.printer.json(&shown)?;
        return Ok(Exit::Fine);
    }
    for (recorded, judge, prompt) in &asked {
        let scale = judge_of(recorded.judge).map(|judge| judge.spec.scale);
        print(context, recorded, (judge, scale), prompt)?;
    }
    context.printer.note(counted(asked.len(), "attempt"));
    Ok(Exit::Fine)
}

fn is_about(attempt: &Attempt, document: &str) -> bool {
    attempt.document == document || attempt.documents.iter().any(|shown| shown == document)
}

fn shown<'a>((recorded, judge, prompt): &'a (&RecordedAttempt, &str, AskedPrompt)) -> Shown<'a> {
    let (messages, prompt_unknown) = match prompt {
        AskedPrompt::Exact(preview) => (Some(preview.messages.as_slice()), None),
        AskedPrompt::Unknown(why) => (None, Some(why.as_str())),
    };
    Shown { number: recorded.place, judge, attempt: &recorded.attempt, messages, prompt_unknown }
}

fn print(
    context: &Context,
    recorded: &RecordedAttempt,
    (judge, scale): (&str, Option<Scale>),
    prompt: &AskedPrompt,
) -> Result<()> {
    let attempt = &recorded.attempt;
    let printer = &context.printer;
    let documents = documents(attempt);
    printer.result(format!(
        "=== entry {} of the ledger: judge {judge}, {}",
        count(recorded.place),
        when(attempt)
    ))?;
    printer.result(format!("query {}, {}", attempt.topic, documents.join(", ")))?;
    if let Some(kind) = attempt.recheck_kind() {
        printer.result(format!("{kind}: it tests the judge and never votes"))?;
    }
    match prompt {
        AskedPrompt::Exact(preview) => {
            for message in &preview.messages {
                printer.result(format!("--- sent: {} ---\n{}", message.role, message.content))?;
            }
        }
        AskedPrompt::Unknown(why) => printer.result(format!("--- what was sent is not shown: {why} ---"))?,
    }
    if let Some(adjusted) = &attempt.answer.adjusted {
        printer.result(format!("--- parameters that the server refused ---\n{adjusted}"))?;
    }
    match &attempt.answer.reply {
        Some(reply) => printer.result(format!("--- came back ---\n{reply}"))?,
        None => printer.result("--- no reply as text ---")?,
    }
    printer.result(format!("--- {} ---\n", outcome(attempt, scale, &documents)))?;
    Ok(())
}

/// The documents in the order in which they were shown.
fn documents(attempt: &Attempt) -> Vec<String> {
    match attempt.documents.as_slice() {
        [] => vec![attempt.document.clone()],
        shown => shown.to_vec(),
    }
}

/// `Fri, 27 Nov 2026 01:44:10 GMT, 812 ms`, and where they are known the tokens, the cost and the request's identifier.
fn when(attempt: &Attempt) -> String {
    let at = Duration::from_millis(u64::try_from(attempt.at_ms).unwrap_or_default());
    let at = UNIX_EPOCH.checked_add(at).map_or_else(String::new, |at| HttpDate::from(at).to_string());
    let usage = &attempt.answer.usage;
    let tokens = usage.prompt_tokens.zip(usage.completion_tokens);
    let apart = |tokens: Option<u64>, what: &str| {
        tokens.filter(|tokens| *tokens > 0).map(|tokens| format!("{} {what}", count(tokens)))
    };
    let cached =
        [apart(usage.cached_tokens, "cached"), apart(usage.cache_written_tokens, "written to the cache")];
    let cached: Vec<String> = cached.into_iter().flatten().collect();
    let cached = if cached.is_empty() { String::new() } else { format!(" ({})", cached.join(", ")) };
    let thought = apart(usage.reasoning_tokens, "reasoning").map(|said| format!(" ({said})"));
    let thought = thought.unwrap_or_default();
    let tokens =
        tokens.map(|(sent, got)| format!(", {} tokens in{cached}, {} out{thought}", count(sent), count(got)));
    let cost = attempt.answer.cost_usd.map(|cost| format!(", ${cost:.6}"));
    let request = attempt.answer.request_id.as_ref().map(|id| format!(", request {id}"));
    let (tokens, cost, request) =
        (tokens.unwrap_or_default(), cost.unwrap_or_default(), request.unwrap_or_default());
    format!("{at}, {} ms{tokens}{cost}{request}", count(attempt.latency_ms))
}

/// What the attempt came to.
fn outcome(attempt: &Attempt, scale: Option<Scale>, documents: &[String]) -> String {
    match &attempt.answer.outcome {
        Outcome::Judged { verdict: Verdict::Graded(verdict) } => {
            let expected = scale.and_then(|scale| Some((scale, verdict.expected_grade(scale)?)));
            let expected = expected.map_or_else(String::new, |(scale, expected)| {
                let each = scale.grades().zip(&verdict.probabilities);
                let each: Vec<String> =
                    each.map(|(grade, share)| format!("P({grade}) = {share:.2}")).collect();
                format!(", expected grade {expected:.2}: {}", each.join(", "))
            });
            format!("grade {}{expected}", verdict.grade)
        }
        Outcome::Judged { verdict: Verdict::Compared(verdict) } => verdict.order_text(documents),
        Outcome::Unusable(found) if found.reason.is_refusal() => {
            format!("refused: {} ({})", found.reason, found.detail)
        }
        Outcome::Unusable(found) => format!("unparsable: {} ({})", found.reason, found.detail),
        Outcome::Failed(failure) => format!("failed: {} ({})", failure.kind, failure.message),
    }
}
