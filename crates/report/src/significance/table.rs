//! Systems on one measure, with the results of tests.

use llull_metrics::Scores;
use llull_stats::{Direction, PairTest};
use serde::Serialize;

use super::family::{ComparedSystems, SignificanceOptions, Tests};
use super::legend::{corrected, letters};
use super::sentences;
use super::tested_comparison::{Effect, EquivalenceTest, Test, TestedComparison, tested_comparisons};
use crate::comparable::name_of;
use crate::comparison::{ComparisonFinding, compare};
use crate::error::ReportError;
use crate::systems::Figure;
use crate::text::{
    ABSENT, Table, TableCell, TableColumn, confidence, count, difference, difference_interval, effect_size,
    figure, figures, interval, percent, probability,
};

/// Systems on one measure: their means, which of them differ significantly, and each against the baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SignificanceTable {
    /// The measure, such as `nDCG@10`.
    pub measure: String,
    /// How many queries.
    pub n: usize,
    /// The system that the others are compared with.
    pub baseline: String,
    /// The confidence of intervals, such as 0.95.
    pub confidence: f64,
    /// The number of bootstrap resamples behind the intervals of means and differences.
    pub resamples: usize,
    /// The seed of intervals and tests.
    pub seed: u64,
    /// How p were computed.
    pub tests: Tests,
    /// Every system, in the order in which they were given.
    pub systems: Vec<SystemRow>,
    /// Every other system against the baseline.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<TestedComparison>,
    /// All pairs, if they were tested and there are more than those with the baseline.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<TestedPair>,
    /// The reasons why no pair can be significant whatever the figures are, with advice.
    pub notes: Vec<String>,
    /// Why some pairs have no letters, although the test finds them significant; absent if all have theirs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letters_withheld: Option<LettersWithheld>,
}

/// Why pairs that a test finds significant have no letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LettersWithheld {
    /// A judge failed a check, so its labels decide nothing.
    JudgeFailed,
    /// Human labels correct the figures, and the letters are by the judge's labels.
    HumanLabels,
    /// Missing labels could reverse the mean difference.
    MissingLabels,
}

impl SignificanceTable {
    /// Replaces the verdicts by "no verdict" and takes back all letters, because these judges failed a check.
    pub fn distrust(&mut self, judges: &str) {
        self.comparisons.iter_mut().for_each(|tested| tested.comparison.distrust(judges));
        self.withhold_letters(LettersWithheld::JudgeFailed, |_, _| true);
    }

    /// Takes back the letters of the pairs for which `has_none` holds, given the better and the worse system: a letter
    /// means that one system is better, which nothing else in the table may deny.
    pub fn withhold_letters(&mut self, reason: LettersWithheld, has_none: impl Fn(&str, &str) -> bool) {
        let lettered: Vec<String> =
            self.systems.iter().filter(|row| row.letter.is_some()).map(|row| row.system.clone()).collect();
        for row in &mut self.systems {
            let before = row.better_than.len();
            row.better_than.retain(|worse| !has_none(&row.system, worse));
            if row.better_than.len() < before {
                let places = (0..lettered.len()).filter(|place| row.better_than.contains(&lettered[*place]));
                row.letters = letters(&places.collect::<Vec<_>>(), lettered.len());
                self.letters_withheld = Some(reason);
            }
        }
    }
}

/// A system of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemRow {
    /// The system.
    pub system: String,
    /// Its letter; `None` where only the baseline has one.
    pub letter: Option<String>,
    /// Its mean, with an interval and the numbers behind it.
    #[serde(flatten)]
    pub figure: Figure,
    /// The systems that it is significantly better than, among those that were tested and have letters.
    pub better_than: Vec<String>,
    /// The letters of these, as in the cell of the figure.
    pub letters: String,
}

/// One of all pairs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestedPair {
    /// The system.
    pub system: String,
    /// The system that it is compared with.
    pub baseline: String,
    /// Mean over queries of system minus baseline.
    pub mean_difference: f64,
    /// Queries where the system is better.
    pub wins: usize,
    /// Queries where both are equal.
    pub ties: usize,
    /// Queries where it is worse.
    pub losses: usize,
    /// The test that p is of, two-sided.
    pub test: PairTest,
    /// p by itself; null if it is undefined.
    pub p: Option<f64>,
    /// The same, corrected for the number of pairs.
    pub p_adjusted: Option<f64>,
    /// Whether that is at or below the level.
    pub significant: bool,
    /// Which of the two the test favours, by its own statistic: it may contradict the mean difference.
    pub direction: Direction,
    /// Why there is no p, or why it is 1.
    pub reason: Option<String>,
}

/// Tests systems against each other on one measure (its number in [`Scores::measures`]), and describes each against
/// `baseline`. All must be measured under the same labels.
///
/// Whether a system is [better or worse](crate::ComparisonFinding) is decided by the interval of that one difference,
/// as in [`compare`]. Significance is decided by a test whose p is corrected for the number of pairs. The two may
/// disagree.
///
/// ```
/// # use llull_core::{Qrels, Ranking, Run, Seed};
/// # use llull_metrics::{Measure, evaluate_all};
/// # use llull_report::{SignificanceOptions, significance};
/// # use llull_stats::BootstrapOptions;
/// # let mut qrels = Qrels::default();
/// # let (mut good, mut bad) = (Run::new("good"), Run::new("bad"));
/// # for n in 0..8 {
/// #     let topic = format!("q{n}");
/// #     qrels.insert(&topic, "d1", 1);
/// #     good.insert(topic.clone(), Ranking::from_ordered([("d1", 2.0), ("d2", 1.0)]));
/// #     bad.insert(topic, Ranking::from_ordered([("d2", 2.0), ("d1", 1.0)]));
/// # }
/// let measures: Vec<Measure> = vec!["RR".parse()?];
/// let scores = evaluate_all(&measures, &qrels, &[bad, good]);
/// let options = SignificanceOptions::new(BootstrapOptions::new(Seed(1)));
/// let table = significance(&scores, 0, "bad", &options)?;
/// assert_eq!(table.comparisons[0].test.p, Some(1.0 / 128.0)); // all of 8 topics: 2 of 2^8 ways
/// assert_eq!((table.systems[1].system.as_str(), table.systems[1].letters.as_str()), ("good", "a"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error as [`compare`] does, or if the options are invalid.
pub fn significance(
    scores: &[Scores],
    measure: usize,
    baseline: &str,
    options: &SignificanceOptions,
) -> Result<SignificanceTable, ReportError> {
    let compared = compare(scores, measure, baseline, &options.bootstrap)?;
    // One system alone needs no comparison, so its measure has not been looked up yet.
    let name = scores.first().map_or_else(|| Ok(String::new()), |scores| name_of(scores, measure))?;
    let values: Vec<Vec<f64>> = scores.iter().map(|scores| scores.values(measure).collect()).collect();
    let at = scores.iter().position(|scores| scores.run == baseline).unwrap_or_default();
    let family = ComparedSystems { scores, values, baseline: at, measure, options };
    let results = family.results()?;
    let results = results.as_ref();
    let tests = family.tests(results);
    let mut table = SignificanceTable {
        n: scores[at].topics.len(),
        baseline: baseline.to_owned(),
        confidence: options.bootstrap.confidence,
        resamples: options.bootstrap.resamples,
        seed: options.bootstrap.seed.0,
        systems: family.rows(results)?,
        comparisons: tested_comparisons(&family, compared, results)
            .map_err(|source| family.refused(source))?,
        pairs: family.pairs(results).map_err(|source| family.refused(source))?,
        notes: sentences::notes(scores[at].topics.len(), &tests),
        measure: name,
        tests,
        letters_withheld: None,
    };
    sentences::describe(&mut table);
    Ok(table)
}

fn column(heading: &str, left: bool) -> TableColumn {
    TableColumn { heading: TableCell::Figure(heading.to_owned()), left }
}

/// Systems by measures: a letter for each system, and its means with the letters of the significantly worse systems.
/// All tables must have the same systems.
pub(super) fn system_table(tables: &[SignificanceTable]) -> Table {
    let mut columns = vec![column("#", true), column("system", true)];
    let unjudged = |table: &SignificanceTable| table.systems.iter().any(|row| row.figure.unjudged > 0);
    for table in tables {
        let share = table.systems.first().map(|row| confidence(row.figure.confidence));
        columns.push(figures(table.measure.clone()));
        columns.push(column(&format!("{} interval", share.unwrap_or_default()), false));
        columns.extend(unjudged(table).then(|| column("unjudged", false)));
    }
    let systems = tables.first().map_or(0, |table| table.systems.len());
    let row = |at: usize| {
        let mut cells = Vec::new();
        for (table, row) in tables.iter().filter_map(|table| Some((table, table.systems.get(at)?))) {
            if cells.is_empty() {
                cells.push(TableCell::Figure(row.letter.clone().unwrap_or_default()));
                cells.push(TableCell::Name(row.system.clone()));
            }
            cells.push(TableCell::Lettered { figure: figure(row.figure.mean), letters: row.letters.clone() });
            cells.push(TableCell::Figure(interval(row.figure.low, row.figure.high)));
            cells.extend(unjudged(table).then(|| TableCell::Figure(percent(row.figure.unjudged_share))));
        }
        cells
    };
    Table { columns, rows: (0..systems).map(row).collect() }
}

/// Every system against the baseline, measure by measure.
pub(super) fn comparison_table(tables: &[SignificanceTable]) -> Table {
    let corrected = tables.iter().any(|table| corrected(&table.tests));
    let margin =
        tables.iter().flat_map(|table| &table.comparisons).find_map(|tested| tested.equivalence.as_ref());
    let mut columns = vec![column("systems", true)];
    columns.extend(
        ["measure", "difference", "interval", "d_z", "queries", "win/tie/loss", "p"]
            .map(|heading| column(heading, false)),
    );
    columns.extend(corrected.then(|| column("corrected p", false)));
    columns.extend(margin.map(|asked| column(&format!("within ±{}", asked.margin), false)));
    columns.push(column("decision", true));
    let row = |tested: &TestedComparison| {
        let TestedComparison { comparison, test, effect, equivalence, .. } = tested;
        let mut cells = vec![
            TableCell::Name(format!("{} vs {}", comparison.system, comparison.baseline)),
            TableCell::Name(comparison.measure.clone()),
            TableCell::Figure(difference(comparison.mean_difference)),
            TableCell::Figure(difference_interval(comparison.low, comparison.high)),
            TableCell::Figure(size(&effect.dz)),
            TableCell::Figure(count(comparison.n)),
            TableCell::Figure([comparison.wins, comparison.ties, comparison.losses].map(count).join("/")),
            TableCell::Figure(p_cell(test.p, test)),
        ];
        cells.extend(corrected.then(|| TableCell::Figure(p_cell(test.p_adjusted, test))));
        cells.extend(margin.map(|_| TableCell::Figure(within(equivalence.as_ref()))));
        let decision = match comparison.decision {
            ComparisonFinding::Unmeasured => "not measured",
            other => other.words(),
        };
        cells.push(TableCell::Figure(decision.to_owned()));
        cells
    };
    Table { columns, rows: tables.iter().flat_map(|table| &table.comparisons).map(row).collect() }
}

/// The cell of an effect size: the value with its interval, or a word for the missing value.
fn size(effect: &Effect) -> String {
    let (Some(value), Some(low), Some(high)) = (effect.value, effect.low, effect.high) else {
        return effect.short.unwrap_or(ABSENT).to_owned();
    };
    let [value, low, high] = [value, low, high].map(effect_size);
    format!("{value} [{low}, {high}]")
}

fn within(equivalence: Option<&EquivalenceTest>) -> String {
    let word = equivalence.and_then(|tested| match tested.equivalent {
        Some(true) => Some("yes"),
        Some(false) => Some("not shown"),
        None => tested.short,
    });
    word.unwrap_or(ABSENT).to_owned()
}

/// The cell of a p: the number, or a word for a missing p or for a p of 1.
fn p_cell(p: Option<f64>, test: &Test) -> String {
    test.short.map_or_else(|| probability(p), str::to_owned)
}
