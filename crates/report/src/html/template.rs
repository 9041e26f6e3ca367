//! The page's templates, their filters, and their escaping.

use minijinja::{Environment, Error, Value};

use crate::template::environment;
use crate::text::{brief_figure, dollars, escape_html, probability};

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
    environment.add_filter("brief", |value: Option<f64>| brief_figure(value));
    environment.add_filter("price", |usd: f64| dollars(usd));
    environment.add_global("style", Value::from_safe_string(STYLE.to_owned()));
    environment.add_template("report.html", PAGE)?;
    environment.add_template("query.html", QUERY)?;
    environment.add_template("site_nav.html", SITE_NAV)?;
    environment.add_template("disagreements.html", DISAGREEMENTS)?;
    environment.add_template("difference.html", DIFFERENCE)?;
    Ok(environment)
}

fn escape_and_cut(text: &str) -> String {
    let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= TEXT).unwrap_or(text.len());
    let cut = if end < text.len() { " … (cut)" } else { "" };
    escape_html(&text[..end]) + cut
}
