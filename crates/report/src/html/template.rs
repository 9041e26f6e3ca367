//! The page's templates, their filters, and their escaping.

use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value,
    syntax::SyntaxConfig,
    value::{Serde, ValueKind},
};
use serde::{Deserialize, Serialize};

use crate::cost::{Dollars, Tokens};
use crate::coverage::Count;
use crate::text::{
    ABSENT, confidence, count, counted, difference, dollars, dollars_with_unknown, escape_html, figure,
    percent, probability, shorten, tokens_with_unknown,
};

const PAGE: &str = include_str!("../../templates/report.html.j2");
const QUERY: &str = include_str!("../../templates/query.html.j2");
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
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_syntax(syntax.build()?);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Custom("html".into()));
    environment.set_formatter(write_escaped);
    environment.add_filter("measure", |value: Option<f64>| figure(value));
    environment.add_filter("difference", |value: Option<f64>| difference(value));
    environment.add_filter("probability", |value: Option<f64>| probability(value));
    environment.add_filter("percent", |value: Option<f64>| percent(value));
    environment.add_filter("confidence", |value: f64| confidence(value));
    environment.add_filter("count", |value: Option<u64>| value.map_or_else(|| ABSENT.to_owned(), count));
    environment.add_filter("counted", |value: usize, one: &str| counted(value, one));
    environment.add_filter("grade", |value: Option<i64>| {
        value.map_or_else(|| "none".to_owned(), |grade| grade.to_string())
    });
    environment.add_filter("tokens", |value: Value| {
        let Tokens { known, unknown } = Tokens::deserialize(value)?;
        Ok(tokens_with_unknown(known, unknown))
    });
    environment.add_filter("dollars", |value: Value| {
        let Dollars { known, unknown } = Dollars::deserialize(value)?;
        Ok(dollars_with_unknown(known, unknown))
    });
    environment.add_filter("price", |usd: f64| dollars(usd));
    environment.add_filter("total", |value: Value| {
        Ok(count(Vec::<Count>::deserialize(value)?.iter().map(|count| count.count).sum::<u64>()))
    });
    environment.add_filter("short", |value: &str, most: usize| shorten(value, most));
    // Charts, and queries that a template of this environment rendered, are already escaped.
    environment.add_filter("drawn", |value: &str| Value::from_safe_string(value.to_owned()));
    environment.add_global("style", Value::from_safe_string(STYLE.to_owned()));
    environment.add_template("report.html", PAGE)?;
    environment.add_template("query.html", QUERY)?;
    Ok(environment)
}

/// Renders one of them.
pub(super) fn render(
    environment: &Environment<'_>,
    name: &str,
    view: &impl Serialize,
) -> Result<String, Error> {
    environment.get_template(name)?.render(Serde(view))
}

/// Escapes every text that the templates do not vouch for, and cuts it to a length that a page has room for.
fn write_escaped(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    let written = match value.kind() {
        _ if value.is_safe() => out.write_str(value.as_str().unwrap_or_default()),
        ValueKind::Number => out.write_str(&value.to_string()),
        ValueKind::String => {
            let text = value.as_str().unwrap_or_default();
            let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= TEXT).unwrap_or(text.len());
            let cut = if end < text.len() { " … (cut)" } else { "" };
            out.write_str(&escape_html(&text[..end])).and_then(|()| out.write_str(cut))
        }
        kind => {
            return Err(Error::new(
                ErrorKind::BadEscape,
                format!("the template prints a value of kind {kind}"),
            ));
        }
    };
    written.map_err(Error::from)
}
