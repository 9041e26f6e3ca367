//! What a judge would still be asked, in words.

use llull::report::text::{count, counted, dollars, percent};
use llull::{ComparedQuery, Estimate};

/// Describes what a judge would still be asked: requests, tokens, price.
pub(crate) fn in_words(estimate: &Estimate, compared: Option<&[ComparedQuery]>) -> String {
    let most = estimate.calls_highest.unwrap_or(estimate.calls);
    if estimate.calls == 0 && (compared.is_some() || most == 0) {
        return format!("{}: nothing is left to ask", estimate.judge);
    }
    let calls = match compared {
        Some(queries) => format!(
            "about {} (simulated; 95 in 100 need at most {}{}){}",
            counted(estimate.calls, "request"),
            count(estimate.calls_high),
            match (estimate.ties, queries.iter().any(|topic| topic.window > 2)) {
                (Some(ties), _) => format!(", with ties in {} of answers, as so far", percent(ties)),
                (None, true) => String::new(),
                (None, false) => " of a judge that never answers Neither".to_owned(),
            },
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
        again => format!("{calls}, {} of them again to see how it answers", count(again)),
    };
    if estimate.prompt_tokens == 0 {
        return format!("{}: {calls}, computed here", estimate.judge);
    }
    let replies = match estimate.reply_tokens {
        Some(tokens) => format!("about {} of replies", count(tokens)),
        None => format!("at most {} of replies", count(estimate.reply_tokens_at_most)),
    };
    let price = match (estimate.usd, estimate.usd_at_most) {
        (Some(usd), Some(most)) => format!("about ${}, at most ${}", dollars(usd), dollars(most)),
        (None, Some(most)) => format!("at most ${}", dollars(most)),
        _ => "price unknown; set price in llull.toml to see it".to_owned(),
    };
    format!(
        "{}: {calls}, about {} tokens of prompts, {replies}; {price}",
        estimate.judge,
        count(estimate.prompt_tokens)
    )
}
