//! Tables for the terminal.

use comfy_table::{CellAlignment, Table, presets::NOTHING};

/// A table without lines: the first column to the left, numbers to the right.
pub(crate) fn table(headings: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    const WORDS: [&str; 6] = ["not usable", "found by", "text", "model", "file", "decision"];
    let columns = headings.iter().enumerate();
    aligned(columns.map(|(index, heading)| (*heading, index == 0 || WORDS.contains(heading))), rows)
}

/// A table without lines: headings, and whether what stands below is set to the left.
pub(crate) fn aligned<H: Into<String>>(
    columns: impl IntoIterator<Item = (H, bool)>,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let (headings, left): (Vec<String>, Vec<bool>) =
        columns.into_iter().map(|(heading, left)| (heading.into(), left)).unzip();
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(headings);
    for row in rows {
        table.add_row(row);
    }
    for (column, left) in table.column_iter_mut().zip(left) {
        column.set_padding((0, 2));
        if !left {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// A measure's value: four decimals, as trec_eval prints it.
pub(crate) fn value(value: f64) -> String {
    format!("{value:.4}")
}

/// A count, thousands apart.
pub(crate) fn count(count: impl TryInto<u64>) -> String {
    let digits = count.try_into().unwrap_or(u64::MAX).to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count of things, which are called so when there is one: `1 wave`, `2 waves`.
pub(crate) fn things(n: impl TryInto<u64>, one: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {one}{plural}", count(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped() {
        assert_eq!(
            [0_u64, 999, 1000, 314_565, 1_000_000].map(count),
            ["0", "999", "1,000", "314,565", "1,000,000"]
        );
    }

    #[test]
    fn tables_have_no_trailing_white_space() {
        let text =
            table(&["system", "n"], [vec!["a".into(), "1".into()], vec!["longer".into(), "20".into()]]);
        assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
    }
}
