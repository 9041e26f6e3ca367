//! Chooses a panel's method by cross-validation over queries.

use std::collections::BTreeMap;

use llull_core::{Grade, Seed, SplitMix64};
use llull_stats::{
    AgreementWithin, BootstrapInterval, BootstrapOptions, IntervalMethod, bootstrap_mean, independent_votes,
};

use super::combine::combine;
use super::combined::Combined;
use super::grades::PanelGrades;
use super::method::PanelMethod;

/// How many parts the queries are split into; each is predicted from the others.
const FOLDS: usize = 5;

/// The figures of every method, and the chosen ones.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelChoice {
    /// The methods, and below them each judge alone, in the order in which they were tried.
    pub tried: Vec<Tried>,
    /// The method for grades: that with the highest kappa within queries.
    pub grade: PanelMethod,
    /// The method for the order of documents: that with the highest rank correlation within queries.
    pub order: PanelMethod,
    /// The kappa within queries of this way of choosing, on queries outside the fit and the choice.
    pub kappa: Option<f64>,
    /// And the rank correlation.
    pub rho: Option<f64>,
    /// How many independent judges the panel is worth, by its signed errors and by whether it errs.
    pub worth: Option<Worth>,
    /// Labelled pairs that a judge has graded.
    pub pairs: usize,
    /// Their queries.
    pub queries: usize,
    /// How many parts the queries were split into.
    pub folds: usize,
}

/// How many judges with independent errors would do as well as the panel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    /// By how far each judge is above or below people.
    pub by_error: Option<f64>,
    /// By whether each judge differs from people.
    pub by_mistake: Option<f64>,
}

/// A method, or a judge alone, on queries that it was not fitted to.
#[derive(Debug, Clone, PartialEq)]
pub struct Tried {
    /// The method.
    pub method: PanelMethod,
    /// Kappa with people, within queries.
    pub kappa: Option<f64>,
    /// Spearman's rank correlation with people, the mean over queries.
    pub rho: Option<f64>,
    /// Its kappa less that of the method chosen for grades; `None` for that method and where one is undefined.
    pub kappa_difference: Option<BootstrapInterval>,
    /// Its correlation less that of the method chosen for the order.
    pub rho_difference: Option<BootstrapInterval>,
    /// Pairs for which it had no grade because the other parts gave no fit.
    pub without_fit: usize,
    by_query: Vec<AgreementWithin>,
}

impl Tried {
    /// Returns whether the interval of the difference to the chosen method contains 0, or is missing.
    pub fn is_close_by_kappa(&self) -> bool {
        self.kappa_difference.is_none_or(|difference| difference.high >= 0.0)
    }

    /// The same for the rank correlation.
    pub fn is_close_by_rho(&self) -> bool {
        self.rho_difference.is_none_or(|difference| difference.high >= 0.0)
    }
}

/// Why no method can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ChoiceError(String);

/// Tries the methods, and each judge alone, on queries that they were not fitted to, and chooses by agreement with
/// human labels *within queries*.
///
/// `truth` has, by pair, the human grade if there is one. Methods that learn from human labels are fitted to other
/// parts of the queries than the tested one; those that learn from the judges alone read all grades, as they may. The
/// choice itself is tested by choosing again without each part.
///
/// # Errors
/// Returns an error if fewer than three queries have labels, or no query has two human grades.
pub fn choose_method(
    panel: &PanelGrades,
    truth: &[Option<Grade>],
    options: &BootstrapOptions,
) -> Result<PanelChoice, ChoiceError> {
    let trial = Trial::new(panel, truth);
    let queries = trial.queries();
    if queries.len() < 3 {
        return Err(ChoiceError(format!(
            "annotators have labelled pairs of {} queries that the panel has graded, and methods are tried on queries \
             that they were not fitted to: have pairs of at least 3 labelled, or name a method",
            queries.len()
        )));
    }
    let folds = FOLDS.clamp(2, queries.len());
    let parts = parts(&queries, folds, options.seed, "parts of a panel's choice");
    let methods = methods(panel.judges());
    let everything: Vec<Predictions> =
        methods.iter().map(|method| trial.predicted(*method, &parts)).collect();
    let mut tried: Vec<Tried> =
        methods.iter().zip(&everything).map(|(method, own)| trial.tried(*method, own)).collect();
    let (grade, order) = best(&tried).ok_or(ChoiceError(
        "within queries the human labels do not differ, so that no method can be shown to be better: have more pairs \
         of each query labelled, or name a method"
            .to_owned(),
    ))?;
    tried.extend((0..panel.judges()).map(|judge| {
        let method = PanelMethod::Judge(judge);
        trial.tried(method, &trial.predicted(method, &parts))
    }));
    let chosen = |method| tried.iter().find(|one| one.method == method).map(|one| one.by_query.clone());
    let (by_grade, by_order) = (chosen(grade).unwrap_or_default(), chosen(order).unwrap_or_default());
    for one in &mut tried {
        if one.method != grade {
            one.kappa_difference = kappa_difference(&by_grade, &one.by_query, options);
        }
        if one.method != order {
            one.rho_difference = rho_difference(&by_order, &one.by_query, options);
        }
    }
    let unseen = trial.choice_unseen(&methods, &parts, options);
    Ok(PanelChoice {
        kappa: AgreementWithin::kappa(&unseen),
        rho: AgreementWithin::rho(&unseen),
        worth: trial.worth(),
        pairs: trial.labelled.len(),
        queries: queries.len(),
        folds,
        tried,
        grade,
        order,
    })
}

/// The methods that learn from the grades of all pairs, labelled or not.
const LEARNING_ALONE: [PanelMethod; 2] = [PanelMethod::Ordinal, PanelMethod::DawidSkene];

/// The methods to try: those that this many judges allow. Beta curves are not among them: with a small sample one more
/// method that is rarely the best makes the choice worse (`crates/cli/tests/it/panel_method.rs`: .67 in place of .77).
fn methods(judges: usize) -> Vec<PanelMethod> {
    let mut methods = vec![PanelMethod::Mean, PanelMethod::Median, PanelMethod::Majority];
    methods.extend(LEARNING_ALONE);
    methods.extend([PanelMethod::Weights, PanelMethod::Severity]);
    methods.push(PanelMethod::Best(1));
    methods.extend([3, 5].into_iter().filter(|few| *few < judges).map(PanelMethod::Best));
    methods
}

/// The methods with the highest kappa and the highest correlation, the first of equals.
fn best(tried: &[Tried]) -> Option<(PanelMethod, PanelMethod)> {
    let highest = |of: fn(&Tried) -> Option<f64>| {
        let known = tried.iter().filter_map(|one| Some((one.method, of(one)?)));
        known.reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|found| found.0)
    };
    Some((highest(|one| one.kappa)?, highest(|one| one.rho)?))
}

/// Splits queries at random into parts of nearly one size.
pub(super) fn parts(queries: &[usize], folds: usize, seed: Seed, purpose: &str) -> Vec<Vec<usize>> {
    let mut order = queries.to_vec();
    let mut stream = SplitMix64::new(seed.stream(purpose));
    for at in (1..order.len()).rev() {
        order.swap(at, (stream.next_u64() % (at as u64 + 1)) as usize);
    }
    let mut parts = vec![Vec::new(); folds];
    for (place, query) in order.into_iter().enumerate() {
        if let Some(part) = parts.get_mut(place % folds) {
            part.push(query);
        }
    }
    parts
}

/// A grade and a value for each labelled pair; `None` where there was no fit or no judge.
type Predictions = Vec<Option<(Grade, f64)>>;

/// The labelled pairs of a panel.
struct Trial {
    panel: PanelGrades,
    labelled: Vec<Grade>,
    /// The predictions of the methods that read all pairs.
    unsupervised: Vec<(PanelMethod, Predictions)>,
}

impl Trial {
    fn new(whole: &PanelGrades, truth: &[Option<Grade>]) -> Self {
        let mut panel = PanelGrades::new(whole.scale(), whole.judges());
        let mut labelled = Vec::new();
        let mut pairs = Vec::new();
        for (pair, grade) in truth.iter().enumerate() {
            let (Some(grade), Some(query)) = (grade, whole.query(pair)) else { continue };
            let graded = whole.of_pair(pair).next().is_some() && whole.place_of(*grade).is_some();
            if graded && panel.push(query, whole.of_pair(pair)).is_ok() {
                labelled.push(*grade);
                pairs.push(pair);
            }
        }
        let of_all = |method| {
            let everything = combine(whole, method, None).ok();
            let of = |pair: &usize| everything.as_ref().and_then(|all| prediction(all, *pair));
            (method, pairs.iter().map(of).collect())
        };
        let unsupervised = LEARNING_ALONE.map(of_all).into();
        Self { panel, labelled, unsupervised }
    }

    fn queries(&self) -> Vec<usize> {
        let mut queries: Vec<usize> =
            (0..self.panel.pairs()).filter_map(|pair| self.panel.query(pair)).collect();
        queries.sort_unstable();
        queries.dedup();
        queries
    }

    /// The predictions of each part by the method fitted to the others.
    fn predicted(&self, method: PanelMethod, parts: &[Vec<usize>]) -> Predictions {
        if let Some(known) = self.known(method) {
            return known.clone();
        }
        if !method.needs_truth() {
            let combined = combine(&self.panel, method, None).ok();
            let of = |pair| combined.as_ref().and_then(|combined| prediction(combined, pair));
            return (0..self.labelled.len()).map(of).collect();
        }
        let mut predictions: Predictions = vec![None; self.labelled.len()];
        for (at, part) in parts.iter().enumerate() {
            let seen: Vec<usize> = parts
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at)
                .flat_map(|(_, part)| part.clone())
                .collect();
            self.predict(method, &seen, part, &mut predictions);
        }
        predictions
    }

    fn known(&self, method: PanelMethod) -> Option<&Predictions> {
        self.unsupervised.iter().find(|(known, _)| *known == method).map(|(_, predictions)| predictions)
    }

    /// Fits the method to some queries and records its predictions for others.
    fn predict(&self, method: PanelMethod, seen: &[usize], of: &[usize], predictions: &mut Predictions) {
        let within = |pair: usize, queries: &[usize]| {
            self.panel.query(pair).is_some_and(|query| queries.contains(&query))
        };
        let truth: Vec<Option<Grade>> = (self.labelled.iter().enumerate())
            .map(|(pair, grade)| within(pair, seen).then_some(*grade))
            .collect();
        let known = self.known(method);
        let fit = match known {
            Some(_) => None,
            None => combine(&self.panel, method, Some(&truth)).ok(),
        };
        for (pair, place) in predictions.iter_mut().enumerate().filter(|(pair, _)| within(*pair, of)) {
            *place = match known {
                Some(known) => known.get(pair).copied().flatten(),
                None => fit.as_ref().and_then(|fit| prediction(fit, pair)),
            };
        }
    }

    fn tried(&self, method: PanelMethod, predictions: &Predictions) -> Tried {
        let by_query = self.within(predictions, predictions);
        Tried {
            method,
            kappa: AgreementWithin::kappa(&by_query),
            rho: AgreementWithin::rho(&by_query),
            kappa_difference: None,
            rho_difference: None,
            without_fit: predictions.iter().filter(|prediction| prediction.is_none()).count(),
            by_query,
        }
    }

    /// Agreement with people by query, of the grades of one prediction and the values of another.
    fn within(&self, grades: &Predictions, values: &Predictions) -> Vec<AgreementWithin> {
        let mut documents: BTreeMap<usize, Vec<(Grade, Grade, f64)>> = BTreeMap::new();
        for (pair, human) in self.labelled.iter().enumerate() {
            let Some(query) = self.panel.query(pair) else { continue };
            let of_query = documents.entry(query).or_default();
            let (grade, value) = (grades.get(pair).copied().flatten(), values.get(pair).copied().flatten());
            if let (Some(grade), Some(value)) = (grade, value) {
                of_query.push((*human, grade.0, value.1));
            }
        }
        documents.values().map(|documents| AgreementWithin::of(documents)).collect()
    }

    /// Agreement on each part of a choice that was made without it.
    fn choice_unseen(
        &self,
        methods: &[PanelMethod],
        outer: &[Vec<usize>],
        options: &BootstrapOptions,
    ) -> Vec<AgreementWithin> {
        let mut grades: Predictions = vec![None; self.labelled.len()];
        let mut values = grades.clone();
        for (at, part) in outer.iter().enumerate() {
            let seen: Vec<usize> = outer
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at)
                .flat_map(|(_, part)| part.clone())
                .collect();
            let folds = FOLDS.clamp(2, seen.len().max(2));
            let inner = parts(&seen, folds, options.seed, &format!("parts without part {at}"));
            let tried: Vec<Tried> = methods
                .iter()
                .map(|method| self.tried(*method, &self.predicted_among(*method, &inner, &seen)))
                .collect();
            if let Some((grade, order)) = best(&tried) {
                self.predict(grade, &seen, part, &mut grades);
                self.predict(order, &seen, part, &mut values);
            }
        }
        self.within(&grades, &values)
    }

    /// As [`Self::predicted`], and nothing of other queries.
    fn predicted_among(&self, method: PanelMethod, parts: &[Vec<usize>], queries: &[usize]) -> Predictions {
        let mut predictions = self.predicted(method, parts);
        for (pair, prediction) in predictions.iter_mut().enumerate() {
            if !self.panel.query(pair).is_some_and(|query| queries.contains(&query)) {
                *prediction = None;
            }
        }
        predictions
    }

    fn worth(&self) -> Option<Worth> {
        if self.panel.judges() < 2 {
            return None;
        }
        let mut errors = vec![vec![f64::NAN; self.labelled.len()]; self.panel.judges()];
        for (pair, human) in self.labelled.iter().enumerate() {
            for (judge, grade) in self.panel.of_pair(pair) {
                if let Some(error) = errors.get_mut(judge).and_then(|own| own.get_mut(pair)) {
                    *error = f64::from(grade) - f64::from(*human);
                }
            }
        }
        let mistaken =
            |error: &f64| if error.is_nan() { f64::NAN } else { f64::from(u8::from(*error != 0.0)) };
        let mistakes: Vec<Vec<f64>> = errors.iter().map(|own| own.iter().map(mistaken).collect()).collect();
        Some(Worth { by_error: independent_votes(&errors), by_mistake: independent_votes(&mistakes) })
    }
}

fn prediction(combined: &Combined, pair: usize) -> Option<(Grade, f64)> {
    Some((combined.grades.get(pair).copied().flatten()?, combined.values.get(pair).copied().flatten()?))
}

/// The difference of two kappas with an interval over queries: of the ratio's linear part by query (delta method), as
/// its resamples are those of a mean.
fn kappa_difference(
    chosen: &[AgreementWithin],
    other: &[AgreementWithin],
    bootstrap: &BootstrapOptions,
) -> Option<BootstrapInterval> {
    let linear = |queries: &[AgreementWithin]| {
        let kappa = AgreementWithin::kappa(queries)?;
        let mean = queries.iter().map(|query| query.possible).sum::<f64>() / queries.len() as f64;
        Some(
            queries
                .iter()
                .map(|query| kappa + (query.beyond - kappa * query.possible) / mean)
                .collect::<Vec<f64>>(),
        )
    };
    let differences: Vec<f64> = linear(other)?.iter().zip(linear(chosen)?).map(|(a, b)| a - b).collect();
    bootstrap_mean(&differences, IntervalMethod::ExpandedPercentile, bootstrap).ok()
}

/// The difference of two mean correlations, over the queries with different human grades.
fn rho_difference(
    chosen: &[AgreementWithin],
    other: &[AgreementWithin],
    bootstrap: &BootstrapOptions,
) -> Option<BootstrapInterval> {
    let both = chosen.iter().zip(other);
    let differences: Vec<f64> = both.filter_map(|(chosen, other)| Some(other.rho? - chosen.rho?)).collect();
    bootstrap_mean(&differences, IntervalMethod::ExpandedPercentile, bootstrap).ok()
}
