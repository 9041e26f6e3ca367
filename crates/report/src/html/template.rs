//! The page's templates, their filters, and their escaping.

use std::fmt::Write as _;

use minijinja::{Environment, Error, Value};

use crate::template::environment;
use crate::text::{
    ABSENT, brief_figure, brief_percent, dollars, escape_html, probability, table_difference, table_figure,
};

const PAGE: &str = include_str!("../../templates/report.html.j2");
const SITE_NAV: &str = include_str!("../../templates/site_nav.html.j2");
const DISAGREEMENTS: &str = include_str!("../../templates/disagreements.html.j2");
const QUERY: &str = include_str!("../../templates/query.html.j2");
const DIFFERENCE: &str = include_str!("../../templates/difference.html.j2");
/// The style of the page, in light and dark, on a screen and in print.
pub const STYLE: &str = include_str!("../../templates/report.css");

/// The most bytes of one text on the page; a longer text is cut, visibly.
const TEXT: usize = 2_000;

/// The templates of the page, for a server that adds its own. Printed text is [escaped](crate::text::escape_html) and
/// cut to a length that a page has room for. The filter `drawn` exempts HTML that was rendered by this environment.
///
/// # Errors
/// Returns an error if a template is broken, which no shipped one is.
pub fn templates() -> Result<Environment<'static>, Error> {
    let mut environment = environment(Value::from, escape_and_cut)?;
    environment.add_filter("probability", |value: Option<f64>| probability(value));
    environment.add_filter("grade", |value: Option<i64>| {
        value.map_or_else(|| "none".to_owned(), |grade| grade.to_string())
    });
    // Numbers for people: three decimals in tables, two in sentences, and no decimals of a percentage.
    environment.add_filter("measure", |value: Option<f64>| table_figure(value));
    environment.add_filter("difference", |value: Option<f64>| table_difference(value));
    environment.add_filter("percent", |value: Option<f64>| brief_percent(value));
    environment.add_filter("brief", |value: Option<f64>| brief_figure(value));
    environment.add_filter("to", |low: Option<f64>, high: Option<f64>| range(low, high, table_figure));
    environment
        .add_filter("signed_to", |low: Option<f64>, high: Option<f64>| range(low, high, table_difference));
    environment.add_filter("brief_to", |low: Option<f64>, high: Option<f64>| range(low, high, brief_figure));
    environment.add_filter("price", |usd: f64| dollars(usd));
    environment.add_filter("unbroken", |text: &str| Value::from_safe_string(unbroken(&escape_and_cut(text))));
    environment.add_global("style", Value::from_safe_string(STYLE.to_owned()));
    environment.add_template("report.html", PAGE)?;
    environment.add_template("query.html", QUERY)?;
    environment.add_template("site_nav.html", SITE_NAV)?;
    environment.add_template("disagreements.html", DISAGREEMENTS)?;
    environment.add_template("difference.html", DIFFERENCE)?;
    Ok(environment)
}

/// Returns an interval in words: `0.593 to 0.717`.
fn range(low: Option<f64>, high: Option<f64>, number: fn(f64) -> String) -> String {
    low.zip(high)
        .map_or_else(|| ABSENT.to_owned(), |(low, high)| format!("{} to {}", number(low), number(high)))
}

fn escape_and_cut(text: &str) -> String {
    let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= TEXT).unwrap_or(text.len());
    let cut = if end < text.len() { " … (cut)" } else { "" };
    escape_html(&text[..end]) + cut
}

/// Keeps flags such as `--ignore-checks`, and numbers with their milliseconds, on one line of an escaped text.
fn unbroken(escaped: &str) -> String {
    let mut out = String::with_capacity(escaped.len());
    for (at, word) in escaped.split(' ').enumerate() {
        let is_unit = word.strip_prefix("ms").is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        match at {
            0 => {}
            _ if is_unit && out.ends_with(|c: char| c.is_ascii_digit()) => out.push_str("&nbsp;"),
            _ => out.push(' '),
        }
        // A flag may be in parentheses.
        let start = word.find(|c: char| c != '(').unwrap_or(0);
        let (before, rest) = word.split_at(start);
        let is_flag =
            rest.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
        if is_flag {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(rest.len());
            let (flag, rest) = rest.split_at(end);
            // Writing to a String does not fail.
            let _ = write!(out, "{before}<span class=\"whole\">{flag}</span>{rest}");
        } else {
            out.push_str(word);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::unbroken;

    #[test]
    fn flags_and_times_stay_on_one_line() {
        for (text, wanted) in [
            ("use --ignore-checks.", "use <span class=\"whole\">--ignore-checks</span>."),
            ("(--verbose) and (no)", "(<span class=\"whole\">--verbose</span>) and (no)"),
            ("in 14 ms, or", "in 14&nbsp;ms, or"),
            ("--&gt;&lt;b&gt; -- 3 msx ms", "--&gt;&lt;b&gt; -- 3 msx ms"),
            (" two  gaps ", " two  gaps "),
        ] {
            assert_eq!(unbroken(text), wanted);
        }
    }
}
