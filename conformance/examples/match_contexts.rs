//! Judges contexts by llull's token overlap, for `beside_evret.py`.
//!
//! Standard input has JSON lines, one `{"judge", "min_tokens", "threshold", "query_boost", "query", "expected",
//! "retrieved"}` each. Standard output has a line `true step` or `false step` for each.

use std::io::{BufRead as _, Write as _};

use llull::judge::{OverlapOptions, TokenOverlap};
use serde_json::Value;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let context: Value = serde_json::from_str(&line?)?;
        let text = |name: &str| context[name].as_str().ok_or(format!("no {name}"));
        let evret = text("judge")? == "token-overlap-evret";
        let usual = if evret { OverlapOptions::of_evret() } else { OverlapOptions::default() };
        let options = OverlapOptions {
            min_tokens: context["min_tokens"].as_u64().ok_or("no min_tokens")? as usize,
            threshold: context["threshold"].as_f64().ok_or("no threshold")?,
            query_boost: context["query_boost"].as_bool().ok_or("no query_boost")?,
            ..usual
        };
        let judge = TokenOverlap::new(options)?;
        let found = judge.judge_all(text("query")?, &[text("expected")?], &[text("retrieved")?]);
        let found = found.first().ok_or("not judged")?;
        writeln!(out, "{} {}", found.matches, found.step)?;
    }
    Ok(())
}
