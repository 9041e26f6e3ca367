//! Describes the open questions of a judge.

use llull::report::text::{count, counted, dollars, percent};
use llull::{ComparedQuery, Estimate};

/// Describes the share of ties that an estimate assumes.
fn ties(estimate: &Estimate, queries: &[ComparedQuery]) -> String {
    let share = percent(estimate.ties.unwrap_or(0.0));
    let pairs = queries.iter().all(|topic| topic.window <= 2);
    match (estimate.ties, estimate.ties_answers) {
        (None, _) => String::new(),
        (Some(_), 0) if !pairs => String::new(),
        (Some(_), 0) => {
            format!(" if {share} of the answers are Neither, which is assumed until there are 30")
        }
        (Some(_), answers) if pairs => {
            format!(" if {share} of the answers are Neither, as of the {} so far", count(answers))
        }
        (Some(_), answers) => {
            format!(" if {share} of neighbours are tied, as in the {} answers so far", count(answers))
        }
    }
}

/// Describes the batches of a judge's open questions; `None` without any.
pub(crate) fn batch_text(estimate: &Estimate) -> Option<String> {
    if estimate.waves == 0 || estimate.prompt_tokens == 0 {
        return None;
    }
    // Grades have one wave, and another for replies that are unusable.
    let up_to = if estimate.waves > 1 { "up to " } else { "at least " };
    let waves = counted(estimate.waves, "wave");
    let hours = estimate.batch_hours?;
    let price = match estimate.batch_share {
        Some(share) => format!("this is {:.0}% of the usual price", 100.0 * share),
        None => "the price of batches at its server is unknown, so this is the usual price".to_owned(),
    };
    let least = estimate.batch_least.map_or_else(String::new, |least| {
        format!("; fewer than {least} requests are sent by themselves at the usual price")
    });
    Some(format!(
        "{}: batches in {up_to}{waves}, each promised within {hours} hours; {price}{least}",
        estimate.judge
    ))
}

fn range_text([low, high]: [u64; 2]) -> String {
    if low == high { count(low) } else { format!("{} to {}", count(low), count(high)) }
}

/// Describes the open questions of a judge: requests, tokens, price.
pub(crate) fn estimate_text(estimate: &Estimate, compared: Option<&[ComparedQuery]>) -> String {
    let most = estimate.calls_highest.unwrap_or(estimate.calls);
    if estimate.calls == 0 && (compared.is_some() || most == 0) {
        return format!("{}: nothing is left to ask", estimate.judge);
    }
    let calls = match compared {
        Some(queries) => format!(
            "about {} (95 in 100 simulated studies need {}{}, in up to {}){}",
            counted(estimate.calls, "request"),
            range_text([estimate.calls_low, estimate.calls_high]),
            ties(estimate, queries),
            counted(estimate.waves, "wave"),
            match (estimate.calls_lowest, estimate.calls_highest) {
                (Some(lowest), Some(highest)) => format!(
                    ", whatever it answers {} to {}, the most if that is always Neither",
                    count(lowest),
                    count(highest)
                ),
                _ => String::new(),
            }
        ),
        None if estimate.calls_lowest.is_some_and(|lowest| lowest < most) => format!(
            "{} to {}, by how much the other judges find hard",
            count(estimate.calls_lowest.unwrap_or(0)),
            counted(most, "request")
        ),
        None => counted(estimate.calls, "request"),
    };
    let calls = match estimate.rechecks {
        0 => calls,
        again => format!("{calls}, {} of them repeated to check its answers", count(again)),
    };
    if estimate.prompt_tokens == 0 {
        return format!("{}: {calls}, computed here", estimate.judge);
    }
    let (what, replies) = match estimate.reply_tokens {
        // A reranker's.
        _ if estimate.reply_tokens_at_most == 0 => ("queries and documents", String::new()),
        Some(tokens) => ("prompts", format!(", about {} of replies", count(tokens))),
        None => ("prompts", format!(", at most {} of replies", count(estimate.reply_tokens_at_most))),
    };
    let price = match (estimate.usd, estimate.usd_at_most) {
        (Some(usd), Some(most)) => format!("about ${}, at most ${}", dollars(usd), dollars(most)),
        (None, Some(most)) => format!("at most ${}", dollars(most)),
        _ => "price unknown; set price in llull.toml to see it".to_owned(),
    };
    format!(
        "{}: {calls}, about {} tokens of {what} ({}){replies}; {price}",
        estimate.judge,
        count(estimate.prompt_tokens),
        range_text(estimate.prompt_tokens_range)
    )
}
