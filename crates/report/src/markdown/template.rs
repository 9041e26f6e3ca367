//! The Markdown's template and its filters.

use minijinja::{Environment, Error, Value};
use serde::Deserialize;

use crate::template::environment;
use crate::text::{ABSENT, count, escape};
use crate::view::Named;

const TEMPLATE: &str = include_str!("../../templates/report.md.j2");

/// The template. Printed text is [escaped](escape), but for figures, which hold nothing from outside.
pub(super) fn template() -> Result<Environment<'static>, Error> {
    let figure = Value::from_safe_string;
    let mut environment = environment(figure, escape)?;
    environment.add_filter("grade", move |value: Option<i64>| {
        figure(value.map_or_else(|| ABSENT.to_owned(), |grade| grade.to_string()))
    });
    environment.add_filter("milliseconds", move |value: u64| figure(format!("{} ms", count(value))));
    environment.add_filter("names", |value: Value| Ok(Named::deserialize(value)?.listed()));
    environment.add_filter("listed", |value: Value| Ok(Named::of(&Vec::deserialize(value)?).listed()));
    environment.add_template("report.md", TEMPLATE)?;
    Ok(environment)
}
