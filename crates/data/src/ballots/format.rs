//! The forms of comparisons.

use strum::{Display, EnumString, IntoStaticStr, VariantNames};

/// A form of comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case", parse_err_ty = String, parse_err_fn = unknown)]
pub enum BallotFormat {
    /// Comma- or tab-separated under a header with `left`, `right` and `winner`.
    Csv,
    /// `query winner loser` or `query a b winner`, in any white space.
    Columns,
    /// One JSON object on each line: a pair or a ranking.
    Jsonl,
    /// trec_eval's `query ujg ujsubg item level` (`-R prefs`).
    Prefs,
    /// trec_eval's `query ujg item level` (`-R qrels_prefs`). Its first line may also be one of columns, so it must be
    /// named.
    QrelsPrefs,
}

impl BallotFormat {
    /// All forms.
    pub const ALL: [Self; 5] = [Self::Csv, Self::Columns, Self::Jsonl, Self::Prefs, Self::QrelsPrefs];

    /// Returns its name on the command line.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

fn unknown(name: &str) -> String {
    let known = <BallotFormat as strum::VariantNames>::VARIANTS;
    format!("there is no format {name:?} of comparisons; there are {}", known.join(", "))
}
