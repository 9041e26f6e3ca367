//! Maps a judge's grades to the scale of human labels.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use llull_core::Grade;
use serde::Serialize;

use super::beta_curve::{BetaCell, BetaCurve, fit_beta, middle};
use super::error::CalibrationError;
use super::highest_kappa::highest_kappa;
use super::ordered_regression::{Link, OrderedCell, fit_ordered};
use crate::isotonic::{WeightedValue, never_increasing};

/// A pair that a judge and annotators have graded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GradedTwice {
    /// The judge's grade.
    pub judge: Grade,
    /// The human grade.
    pub human: Grade,
    /// How much the pair counts: 1, or the inverse of the probability with which it was drawn.
    pub weight: f64,
}

/// How grades are fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CalibrationMethod {
    /// The mean human grade at each grade of the judge, made to rise: no other assumption.
    Isotonic,
    /// Ordinal logistic regression of the human grade on the judge's: one slope for all thresholds.
    Ordinal,
    /// The judge's thresholds and noise on the human scale, and the expected grade of each pair that it has graded.
    Severity,
    /// Beta calibration: for each human grade the probability of that grade or a higher one, as a curve over the
    /// judge's scale that never falls.
    Beta,
    /// Whole human grades, never falling, with the highest quadratic kappa. Means are nearer to the middle than the
    /// grades behind them; these grades are not, so that they can be combined with human labels.
    Kappa,
}

impl CalibrationMethod {
    /// All methods.
    pub const ALL: [Self; 5] = [Self::Isotonic, Self::Ordinal, Self::Severity, Self::Beta, Self::Kappa];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Isotonic => "isotonic",
            Self::Ordinal => "ordinal",
            Self::Severity => "severity",
            Self::Beta => "beta",
            Self::Kappa => "kappa",
        }
    }
}

impl FromStr for CalibrationMethod {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|method| method.name() == name);
        found.ok_or_else(|| {
            format!("there is no such method; choose one of {}", Self::ALL.map(Self::name).join(", "))
        })
    }
}

/// The human grade for one grade of the judge.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibratedGrade {
    /// The judge's grade.
    pub judge: Grade,
    /// The mean human grade.
    pub expected: f64,
    /// The grade of the label: the human grade nearest to the mean, the lower of two; with the method `kappa` the one
    /// with the best agreement.
    pub grade: Grade,
    /// Pairs of the sample with this grade of the judge.
    pub pairs: usize,
}

/// A judge's thresholds and noise on the human scale.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgeSeverity {
    /// The beginning of each of the judge's grades but the lowest, on the human scale: at its threshold it gives that
    /// grade or a higher one half of the time.
    pub thresholds: Vec<f64>,
    /// How far the thresholds are above the middle between two grades, on average: above 0 the judge is stricter than
    /// annotators, below 0 more lenient. `None` if the judge uses other grades than annotators.
    pub severity: Option<f64>,
    /// The standard deviation of the judge's noise, in human grades.
    pub spread: f64,
}

/// The human grades for a judge's grades.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibration {
    /// How it was fitted.
    pub method: CalibrationMethod,
    /// Each grade of the judge in the sample, ascending.
    pub grades: Vec<CalibratedGrade>,
    /// The judge's thresholds and noise, where these were fitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub severity: Option<JudgeSeverity>,
    /// The curves, where these were fitted: one for each human grade but the lowest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub curves: Vec<BetaCurve>,
}

impl Calibration {
    /// The grade on the human scale. A grade that the sample does not have gets that of the nearest lower grade in it,
    /// or otherwise of the nearest higher one; `None` never occurs for a calibration that was fitted.
    pub fn grade(&self, judge: Grade) -> Option<Grade> {
        let below = self.grades.iter().rfind(|known| known.judge <= judge);
        below.or_else(|| self.grades.first()).map(|known| known.grade)
    }
}

/// Fits a judge's grades to human grades.
///
/// # Errors
/// Returns an error if there is no pair, one side has one grade only, or a model has no fit. It also returns one if
/// the judge's grades do not rise with the human ones, which isotonic regression turns into one grade.
pub fn calibrate(method: CalibrationMethod, pairs: &[GradedTwice]) -> Result<Calibration, CalibrationError> {
    let table = Table::of(pairs)?;
    match method {
        CalibrationMethod::Isotonic => Ok(table.isotonic()),
        CalibrationMethod::Ordinal => table.ordinal(),
        CalibrationMethod::Severity => table.severity(),
        CalibrationMethod::Beta => table.beta(),
        CalibrationMethod::Kappa => table.kappa(),
    }
}

/// The weight of each pair of grades.
struct Table {
    judge: Vec<Grade>,
    human: Vec<Grade>,
    /// By judge's grade, then by human grade.
    weights: Vec<Vec<f64>>,
    pairs: Vec<usize>,
}

impl Table {
    fn of(pairs: &[GradedTwice]) -> Result<Self, CalibrationError> {
        if pairs.is_empty() {
            return Err(CalibrationError::NoPair);
        }
        let judge: Vec<Grade> =
            pairs.iter().map(|pair| pair.judge).collect::<BTreeSet<_>>().into_iter().collect();
        let human: Vec<Grade> =
            pairs.iter().map(|pair| pair.human).collect::<BTreeSet<_>>().into_iter().collect();
        for (who, grades) in [("the judge", &judge), ("the annotators", &human)] {
            if grades.len() < 2 {
                return Err(CalibrationError::OneGrade { who, pairs: pairs.len() });
            }
        }
        let mut cells: BTreeMap<(Grade, Grade), (f64, usize)> = BTreeMap::new();
        for pair in pairs {
            let cell = cells.entry((pair.judge, pair.human)).or_default();
            *cell = (cell.0 + pair.weight, cell.1 + 1);
        }
        let cell = |judge: Grade, human: Grade| cells.get(&(judge, human)).copied().unwrap_or_default();
        let weights = judge.iter().map(|j| human.iter().map(|h| cell(*j, *h).0).collect()).collect();
        let counts = judge.iter().map(|j| human.iter().map(|h| cell(*j, *h).1).sum()).collect();
        Ok(Self { weights, pairs: counts, judge, human })
    }

    fn isotonic(&self) -> Calibration {
        let means: Vec<WeightedValue> = (self.weights.iter())
            .map(|row| {
                let weight: f64 = row.iter().sum();
                // The regression at hand falls, so the signs are turned.
                WeightedValue { value: -self.mean(row), weight }
            })
            .collect();
        let fitted = never_increasing(&means);
        let grades = fitted.iter().enumerate().map(|(at, mean)| self.calibrated(at, -mean));
        Calibration {
            method: CalibrationMethod::Isotonic,
            grades: grades.collect(),
            severity: None,
            curves: Vec::new(),
        }
    }

    fn ordinal(&self) -> Result<Calibration, CalibrationError> {
        let cells = self.cells(|judge, human, weight| OrderedCell { x: judge.1, category: human.0, weight });
        let fit = fit_ordered(Link::Logit, &cells, self.human.len())?;
        if fit.slope <= 0.0 {
            return Err(CalibrationError::NotRising);
        }
        let chances = self.judge.iter().map(|grade| fit.chances(f64::from(*grade)));
        let grades =
            chances.enumerate().map(|(at, chances)| self.calibrated(at, self.mean(&chances))).collect();
        Ok(Calibration { method: CalibrationMethod::Ordinal, grades, severity: None, curves: Vec::new() })
    }

    fn severity(&self) -> Result<Calibration, CalibrationError> {
        let cells = self.cells(|judge, human, weight| OrderedCell { x: human.1, category: judge.0, weight });
        let fit = fit_ordered(Link::Probit, &cells, self.judge.len())?;
        if fit.slope <= 0.0 {
            return Err(CalibrationError::NotRising);
        }
        let by_human: Vec<Vec<f64>> = self.human.iter().map(|grade| fit.chances(f64::from(*grade))).collect();
        let share = |at: usize| self.weights.iter().filter_map(|row| row.get(at)).sum::<f64>();
        let grades = (0..self.judge.len()).map(|at| {
            let joint = by_human.iter().enumerate();
            let joint =
                joint.map(|(human, chances)| chances.get(at).copied().unwrap_or_default() * share(human));
            let joint: Vec<f64> = joint.collect();
            self.calibrated(at, self.mean(&joint))
        });
        let thresholds: Vec<f64> = fit.thresholds.iter().map(|end| end / fit.slope).collect();
        let middles = self.judge.windows(2).map(|two| f64::from(two[0] + two[1]) / 2.0);
        let above = thresholds.iter().zip(middles).map(|(end, middle)| end - middle).sum::<f64>();
        let severity = (self.judge == self.human).then(|| above / thresholds.len() as f64);
        let severity = JudgeSeverity { spread: 1.0 / fit.slope, thresholds, severity };
        let grades = grades.collect();
        Ok(Calibration {
            method: CalibrationMethod::Severity,
            grades,
            severity: Some(severity),
            curves: Vec::new(),
        })
    }

    /// A curve for each human grade but the lowest. The judge's grade is the middle of its share of the scale.
    fn beta(&self) -> Result<Calibration, CalibrationError> {
        let low = self.judge.first().copied().unwrap_or_default();
        let width = f64::from(self.judge.last().copied().unwrap_or(low) - low + 1);
        let place = |grade: &Grade| middle(f64::from(*grade - low), width);
        let curve = |least: usize| {
            let cells = self.judge.iter().zip(&self.weights).map(|(judge, row)| BetaCell {
                place: place(judge),
                reached: row.iter().skip(least).sum(),
                all: row.iter().sum(),
            });
            fit_beta(&cells.collect::<Vec<_>>())
        };
        let curves = (1..self.human.len()).map(curve).collect::<Result<Vec<BetaCurve>, _>>()?;
        let lowest = self.human.first().copied().unwrap_or_default();
        let grades = self.judge.iter().enumerate().map(|(at, judge)| {
            let steps = self.human.windows(2).zip(&curves);
            let above = steps.map(|(two, curve)| f64::from(two[1] - two[0]) * curve.chance(place(judge)));
            self.calibrated(at, f64::from(lowest) + above.sum::<f64>())
        });
        let grades = grades.collect();
        Ok(Calibration { method: CalibrationMethod::Beta, grades, severity: None, curves })
    }

    fn kappa(&self) -> Result<Calibration, CalibrationError> {
        let human: Vec<f64> = self.human.iter().map(|grade| f64::from(*grade)).collect();
        let found = highest_kappa(&self.weights, &human);
        if found.kappa <= 0.0 {
            return Err(CalibrationError::NotRising);
        }
        let grade = |(at, place): (usize, &usize)| {
            let means = self.weights.get(at).map_or(0.0, |row| self.mean(row));
            let calibrated = self.calibrated(at, means);
            CalibratedGrade {
                grade: self.human.get(*place).copied().unwrap_or(calibrated.grade),
                ..calibrated
            }
        };
        let grades = found.places.iter().enumerate().map(grade).collect();
        Ok(Calibration { method: CalibrationMethod::Kappa, grades, severity: None, curves: Vec::new() })
    }

    fn cells(&self, cell: impl Fn((usize, f64), (usize, f64), f64) -> OrderedCell) -> Vec<OrderedCell> {
        let mut cells = Vec::new();
        for (j, (judge, row)) in self.judge.iter().zip(&self.weights).enumerate() {
            for (h, (human, weight)) in self.human.iter().zip(row).enumerate().filter(|(_, (_, w))| **w > 0.0)
            {
                cells.push(cell((j, f64::from(*judge)), (h, f64::from(*human)), *weight));
            }
        }
        cells
    }

    fn mean(&self, weights: &[f64]) -> f64 {
        let sum: f64 = self.human.iter().zip(weights).map(|(grade, weight)| f64::from(*grade) * weight).sum();
        sum / weights.iter().sum::<f64>()
    }

    fn calibrated(&self, at: usize, expected: f64) -> CalibratedGrade {
        let near = |grade: &&Grade| (f64::from(**grade) - expected).abs();
        let nearest = self.human.iter().min_by(|a, b| near(a).total_cmp(&near(b)));
        let judge = self.judge.get(at).copied().unwrap_or_default();
        let pairs = self.pairs.get(at).copied().unwrap_or_default();
        CalibratedGrade { judge, expected, grade: nearest.copied().unwrap_or(judge), pairs }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Human grades (rows) by those of GPT-4o under the UMBRELA prompt (columns) on TREC Deep Learning 2019.
    const DL19: [[f64; 4]; 4] = [
        [3523.0, 1391.0, 201.0, 43.0],
        [330.0, 960.0, 235.0, 76.0],
        [147.0, 625.0, 645.0, 387.0],
        [136.0, 161.0, 166.0, 234.0],
    ];

    fn dl19() -> Vec<GradedTwice> {
        let cell = |at: usize| GradedTwice {
            judge: (at % 4) as Grade,
            human: (at / 4) as Grade,
            weight: DL19[at / 4][at % 4],
        };
        (0..16).map(cell).collect()
    }

    fn expected(method: CalibrationMethod) -> Vec<f64> {
        calibrate(method, &dl19()).unwrap().grades.iter().map(|grade| grade.expected).collect()
    }

    /// Means by numpy 1.26, which rise already; statsmodels 0.15.0's predictions of `OrderedModel`, as means.
    #[test]
    fn expected_grades_equal_numpy_and_statsmodels() {
        let near = |found: Vec<f64>, expected: [f64; 4]| {
            assert!(
                found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6),
                "{found:?}, not {expected:?}"
            );
        };
        let means = [0.249_516_441_0, 0.858_463_500_2, 1.622_293_504_4, 2.097_297_297_3];
        near(expected(CalibrationMethod::Isotonic), means);
        let predicted = [
            [0.816_914_866_3, 0.116_640_098_4, 0.057_404_841_1, 0.009_040_194_2],
            [0.501_484_609_4, 0.258_570_122_3, 0.201_055_134_7, 0.038_890_133_7],
            [0.184_868_193_8, 0.231_751_480_9, 0.431_213_052_6, 0.152_167_272_7],
            [0.048_644_368_8, 0.090_033_985_5, 0.418_090_260_3, 0.443_231_385_5],
        ];
        near(
            expected(CalibrationMethod::Ordinal),
            predicted.map(|chances| chances[1] + 2.0 * chances[2] + 3.0 * chances[3]),
        );
    }

    /// betacal 1.1.0: the sum of three calibrators' chances (`beta_curve`), at (grade + 0.5) / 4.
    #[test]
    fn expected_grades_by_beta_calibration_equal_betacal() {
        let golden = [0.240_037_363_7, 0.906_071_746_9, 1.502_528_412_2, 2.150_277_654_0];
        let found = expected(CalibrationMethod::Beta);
        assert!(found.iter().zip(golden).all(|(a, b)| (a - b).abs() < 1e-8), "{found:?}, not {golden:?}");
    }

    /// Thresholds and slope of statsmodels (see `ordered_regression`): 0.3792, 1.5944, 2.4205 over 0.7547.
    #[test]
    fn severity_and_spread_are_on_the_scale_of_people() {
        let severity = calibrate(CalibrationMethod::Severity, &dl19()).unwrap().severity.unwrap();
        let slope = 0.754_670_481_3;
        let thresholds = [0.379_238_944_3, 1.594_434_503_7, 2.420_538_825_2].map(|end| end / slope);
        assert!(
            severity.thresholds.iter().zip(thresholds).all(|(a, b)| (a - b).abs() < 1e-5),
            "{severity:?}"
        );
        assert!((severity.spread - 1.0 / slope).abs() < 1e-5);
        let above = thresholds.iter().sum::<f64>() / 3.0 - 1.5;
        assert!((severity.severity.unwrap() - above).abs() < 1e-5);
    }

    /// The means by which isotonic regression labels leave no grade 3 on this collection.
    #[test]
    fn the_highest_kappa_does_not_draw_grades_to_the_middle() {
        let grades = |method| -> Vec<Grade> {
            calibrate(method, &dl19()).unwrap().grades.iter().map(|grade| grade.grade).collect()
        };
        assert_eq!(grades(CalibrationMethod::Isotonic), [0, 1, 2, 2]);
        assert_eq!(grades(CalibrationMethod::Kappa), [0, 1, 2, 3]);
    }

    #[test]
    fn what_cannot_be_fitted_is_refused() {
        let pair = |judge, human| GradedTwice { judge, human, weight: 1.0 };
        for method in CalibrationMethod::ALL {
            assert_eq!(method.name().parse(), Ok(method));
            assert_eq!(calibrate(method, &[]), Err(CalibrationError::NoPair));
            let same = calibrate(method, &[pair(1, 0), pair(1, 2)]);
            assert_eq!(same, Err(CalibrationError::OneGrade { who: "the judge", pairs: 2 }));
        }
        let falling = [pair(0, 2), pair(0, 1), pair(1, 1), pair(1, 0), pair(2, 0), pair(2, 1)];
        assert_eq!(calibrate(CalibrationMethod::Ordinal, &falling), Err(CalibrationError::NotRising));
        assert_eq!(calibrate(CalibrationMethod::Severity, &falling), Err(CalibrationError::NotRising));
        assert_eq!(calibrate(CalibrationMethod::Kappa, &falling), Err(CalibrationError::NotRising));
    }

    proptest! {
        /// A higher grade of the judge never gets a lower label, and every label is a grade that people gave.
        #[test]
        fn calibrated_grades_rise(pairs in proptest::collection::vec((0i32..4, 0i32..4), 2..60)) {
            let pairs: Vec<GradedTwice> =
                pairs.iter().map(|(judge, human)| GradedTwice { judge: *judge, human: *human, weight: 1.0 }).collect();
            for method in CalibrationMethod::ALL {
                if let Ok(found) = calibrate(method, &pairs) {
                    prop_assert!(found.grades.is_sorted_by(|a, b| a.grade <= b.grade));
                    prop_assert!(found.grades.iter().all(|g| pairs.iter().any(|pair| pair.human == g.grade)));
                    prop_assert_eq!(found.grades.iter().map(|grade| grade.pairs).sum::<usize>(), pairs.len());
                }
            }
        }
    }
}
