//! The tables of the keys of `llull.toml`.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// Returns the keys of a table, from its schema and doc comments. Keys keep their order on the page; new ones come
/// last.
pub(super) fn table<T: JsonSchema>(present: &str) -> Result<String> {
    let mut generator =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).into_generator();
    let schema = T::json_schema(&mut generator);
    let mut rows = BTreeMap::new();
    add_rows(schema.as_object().context("a table's schema is an object")?, "", &mut rows)?;
    let mut text = String::from("| key | values (default) | meaning |\n|---|---|---|\n");
    let keys = present.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" |"));
    for (key, _) in keys {
        text += &rows.remove(key).unwrap_or_default();
    }
    text.extend(rows.into_values());
    Ok(text)
}

/// Adds a row for each property. The properties of a table in it are rows, too, unless another page describes them.
fn add_rows(schema: &Map<String, Value>, table: &str, rows: &mut BTreeMap<String, String>) -> Result<()> {
    let properties = schema.get("properties").and_then(Value::as_object).context("a table has properties")?;
    for (name, property) in properties {
        let property = property.as_object().with_context(|| format!("{name}: its schema is an object"))?;
        if property.contains_key("properties") {
            add_rows(property, &format!("[{name}] "), rows)?;
            continue;
        }
        let values = values(property);
        let (key, values) = match values.as_str() {
            "section" => (format!("`[{name}]`"), "table"),
            "sections" => (format!("`[[{name}]]`"), "tables"),
            values => (format!("`{table}{name}`"), values),
        };
        let text = |part: &str| property.get(part).and_then(Value::as_str);
        let meaning = text("description").with_context(|| format!("{key}: it has no doc comment"))?;
        let more = text("see").map_or(String::new(), |page| format!(" ([more]({page}))"));
        let default = property.get("default").filter(|default| !default.is_null()).map(code);
        let default = default.map_or(String::new(), |default| format!(" ({default})"));
        let meaning = meaning.trim_end_matches('.').replace('\n', " ");
        rows.insert(key.clone(), format!("| {key} | {values}{default} | {meaning}{more} |\n"));
    }
    Ok(())
}

/// The values of a key: those that the code names, or else those of its type.
fn values(property: &Map<String, Value>) -> String {
    match property.get("values") {
        Some(Value::Array(names)) => {
            names.iter().map(|name| format!("`{}`", code(name))).collect::<Vec<_>>().join(", ")
        }
        Some(values) => code(values),
        None => {
            let kinds = property.get("type");
            let is = |kind: &str| match kinds {
                Some(Value::Array(kinds)) => kinds.iter().any(|known| known == kind),
                Some(known) => known == kind,
                None => false,
            };
            let named =
                [("boolean", "boolean"), ("integer", "number"), ("number", "number"), ("array", "list")];
            named.into_iter().find(|(kind, _)| is(kind)).map_or("text", |(_, name)| name).to_owned()
        }
    }
}

/// A value as text.
fn code(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(_) => format!("`{value}`"),
        value => value.to_string().trim_end_matches(".0").to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use llull::config::TournamentTable;

    use super::*;

    #[test]
    fn keys_keep_the_order_of_the_page_and_lost_ones_go() {
        let present = "| key |\n|---|\n| `top` | old text |\n| `gone` | |\n| `anchors` | |\n";
        let made = table::<TournamentTable>(present).unwrap();
        let rows: Vec<&str> = made.lines().collect();
        assert_eq!(
            rows[2],
            "| `top` | 1 to 10,000 (10) | How many best documents are ordered; others are below |"
        );
        assert!(rows[3].starts_with("| `anchors` | 1 to 10,000 (2) |"), "{made}");
        assert!(rows[4].starts_with("| `double_check` | boolean (`false`) |"), "{made}");
        assert!(!made.contains("gone"), "{made}");
    }
}
