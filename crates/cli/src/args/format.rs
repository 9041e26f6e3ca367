//! `--format`: the formats of results, of which each command takes some.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// A format of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Table,
    Json,
    Jsonl,
    Csv,
    Tsv,
    Parquet,
    Xlsx,
    Markdown,
    Latex,
    Html,
    Trec,
    Qrels,
    Prefs,
    QrelsPrefs,
    Dot,
    Schema,
}

impl Format {
    /// Its name on the command line.
    pub(crate) fn name(self) -> Option<String> {
        self.to_possible_value().map(|value| value.get_name().to_owned())
    }
}

/// Parses one of the formats that a command takes, each with its help there.
pub(super) fn formats<const N: usize>(
    taken: [(Format, &'static str); N],
) -> impl TypedValueParser<Value = Format> {
    let value = |(format, help): (Format, &'static str)| Some(format.to_possible_value()?.help(help));
    PossibleValuesParser::new(taken.into_iter().filter_map(value))
        .try_map(|name| Format::from_str(&name, false))
}

/// Rows of figures, as `llull measure` and `llull evaluate` have them.
pub(super) const FIGURES_AS_JSONL: (Format, &str) = (
    Format::Jsonl,
    r#"A line for each figure: {"run", "measure", "query", "value"}; query is null for the mean over all queries"#,
);
pub(super) const FIGURES_AS_CSV: (Format, &str) =
    (Format::Csv, "The same four columns; query is `all` for the mean over all queries");
