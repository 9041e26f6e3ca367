//! `llull.label`, and the labels that it returns.

use std::path::Path;

use llull::config::PanelRule;
use llull::core::{LabelSet, Qrels, Scale};
use llull::files::{CombinedReport, LabelRow, label_rows};
use llull::label::GradeMap;
use llull::report::text::counted;
use llull::stats::{BootstrapOptions, Clamp};
use llull::{
    BaseCalibration, CalibratedLabels, CalibratedLabelsError, CalibrationOptions, CombineOptions,
    CombinedLabels, JudgePanel, MixNames, MixedLabels, PanelLabels, PanelMember, source_of_file,
};
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde::Serialize;

use crate::error::{of_inputs, of_value};
use crate::inputs::{LabelColumns as Columns, LabelReading, Labels, PyLabelSet, dict_of, named_labels};
use crate::measure::{bootstrap, seed_of};
use crate::pool;
use crate::sample::SampledHow;
use crate::table::Column;

/// Makes one label of several judges', or puts one judge's on the human scale.
#[pyfunction]
#[pyo3(signature = (
    judges, *, method = None, scale = None, truth = None, drop_ambiguous = false, clamp = None, base = None,
    calibrate = None, human = None, sampled = None, relevant_from = 1, round = false, repeats = None,
    confidence = 0.95, resamples = 10_000, seed = 42,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn label<'py>(
    py: Python<'py>,
    judges: &Bound<'py, PyAny>,
    method: Option<&str>,
    scale: Option<&Bound<'py, PyAny>>,
    truth: Option<&Bound<'py, PyAny>>,
    drop_ambiguous: bool,
    clamp: Option<(i32, i32)>,
    base: Option<&Bound<'py, PyAny>>,
    calibrate: Option<&str>,
    human: Option<&Bound<'py, PyAny>>,
    sampled: Option<&Bound<'py, PyAny>>,
    relevant_from: i32,
    round: bool,
    repeats: Option<&str>,
    confidence: f64,
    resamples: i128,
    seed: i128,
) -> PyResult<Bound<'py, PyLabelSet>> {
    let calibrate: Option<BaseCalibration> = calibrate
        .map(|method| method.parse().map_err(|error| of_value(format!("calibrate: {error}"))))
        .transpose()?;
    let rule: Option<PanelRule> = method
        .map(|method| method.parse().map_err(|error| of_value(format!("method: {error}"))))
        .transpose()?;
    let bootstrap = bootstrap(confidence, resamples, seed)?;
    let reading = LabelReading { round, repeats };
    let clamp = clamp.map(|(low, high)| Clamp::new(low, high).map_err(of_value)).transpose()?;
    let combines = rule.is_some() || truth.is_some() || drop_ambiguous;
    if combines && (base.is_some() || calibrate.is_some()) {
        return Err(of_value(
            "method, truth and drop_ambiguous put judges together; leave out base and calibrate",
        ));
    }
    let (members, mut notes) = members(judges, scale, clamp, reading)?;
    if combines {
        if members.len() < 2 {
            return Err(of_value(
                "a panel has several judges, and here is one; name more, or leave out method",
            ));
        }
        let truth = truth.map(|truth| Labels::read(truth, None, round, repeats)).transpose()?;
        let truth = truth.map(|truth| match clamp {
            Some(clamp) => clamp.apply_to(&truth.qrels).0,
            None => truth.qrels.as_ref().clone(),
        });
        let method = match rule {
            Some(PanelRule::Choose) if truth.is_none() => {
                return Err(of_value("method=\"choose\" tries the methods on human labels; add truth"));
            }
            Some(PanelRule::JudgeAware) => {
                return Err(of_value("judge-aware counts votes of judges that compare; llull.rank takes it"));
            }
            Some(PanelRule::By(method)) => Some(method),
            Some(PanelRule::Choose) | None => None,
        };
        let choice = BootstrapOptions::new(seed_of(seed)?);
        let combined = pool::abandonable(py, move || {
            let options = CombineOptions { method, human_labels: truth.as_ref(), choice };
            CombinedLabels::of(members, &options)
        });
        let combined = combined?.map_err(of_inputs)?;
        notes.extend(combined.warnings());
        let (labels, dropped) = match drop_ambiguous {
            true => combined.clear_labels(),
            false => (combined.labels(), Vec::new()),
        };
        let mut qrels = labels.qrels().clone();
        dropped.iter().for_each(|(query, document)| qrels.drop_pair(query, document));
        let json = CombinedReport::of(&combined, drop_ambiguous);
        return PyLabelSet::new(py, qrels, columns_of(&label_rows(&labels, None)), &json, notes);
    }
    let judge = match members.judges() {
        // in memory there is no file
        [only] if only.source == only.name => only.name.clone(),
        [only] => source_of_file(Path::new(&only.source)),
        several => format!("panel-of-{}", several.len()),
    };
    let (labels, panel_notes) = pool::abandonable(py, move || fractional(members))??;
    notes.extend(panel_notes);
    match (calibrate, human, base) {
        (_, Some(_), Some(_)) => Err(of_value("human and base are two ways to a scale; leave one out")),
        (_, None, Some(base)) => {
            let base = Labels::read(base, None, round, repeats)?;
            notes.extend(base.notes.iter().cloned());
            let asked = labels.iter().flat_map(|(query, documents)| {
                documents.map(move |(document, label)| (query, document, Some(label)))
            });
            let names = MixNames::distinct(&base.name(), &judge);
            let mixed =
                MixedLabels::new(base.qrels.as_ref().clone(), asked, names, calibrate.unwrap_or_default());
            let mixed = mixed.map_err(of_inputs)?;
            if let Some(reason) = &mixed.refused {
                return Err(of_inputs(format!("base: {reason}")));
            }
            notes.extend(mixed.mix.source_sentences());
            of_labels(py, &mixed.labels, Some(&mixed), &label_rows(&mixed.labels, Some(&mixed)), notes)
        }
        (Some(BaseCalibration::Fitted(method)), Some(human), None) => {
            let human = Labels::read(human, None, round, repeats)?;
            let sampled = sampled
                .ok_or_else(|| of_value("human needs sampled, which states how the labels were drawn"))?;
            let how = SampledHow::of(sampled)?;
            let options = CalibrationOptions { method, relevant: relevant_from, bootstrap };
            let found =
                pool::abandonable(py, move || calibrated(labels.qrels(), &human.qrels, &how, &options));
            let (found, is_apart) = found?.map_err(of_inputs)?;
            notes.extend((!is_apart).then(|| {
                "the fit to a part of the queries does not settle, so the labels are by the fit to all: their \
                 agreement with the human labels shows nothing"
                    .to_owned()
            }));
            let rows = rows_of_qrels(&found.labels);
            PyLabelSet::new(py, found.labels.clone(), rows, &found, notes)
        }
        (None, None, None) => of_labels(py, &labels, None, &label_rows(&labels, None), notes),
        (None, Some(_), None) => Err(of_value("human is for calibrate; add a method, such as \"ordinal\"")),
        (Some(_), None, None) => Err(of_value(
            "calibrate puts labels on the scale of others; name these with human and sampled, or with base",
        )),
        (Some(BaseCalibration::None), Some(_), None) => {
            Err(of_value("calibrate=\"none\" needs base: it adds the labels that base lacks, as they are"))
        }
    }
}

fn calibrated(
    labels: &Qrels,
    human: &Qrels,
    how: &SampledHow,
    options: &CalibrationOptions,
) -> Result<(CalibratedLabels, bool), CalibratedLabelsError> {
    match CalibratedLabels::apart(labels, human, how.how(), options) {
        Err(CalibratedLabelsError::Fit(_)) => {
            CalibratedLabels::new(labels, human, how.how(), options).map(|found| (found, false))
        }
        found => found.map(|found| (found, true)),
    }
}

/// The judges' labels by their median and mean.
fn fractional(members: JudgePanel) -> PyResult<(LabelSet, Vec<String>)> {
    let panel = PanelLabels::of(members).map_err(of_inputs)?;
    let stray = panel.members.iter().filter(|member| member.off_scale > 0).map(|member| {
        let (are, read) = if member.off_scale == 1 { ("is", "counts") } else { ("are", "count") };
        format!(
            "{}: {} {are} not on its scale {}, and {read} as missing",
            member.name,
            counted(member.off_scale, "label"),
            member.scale
        )
    });
    let notes = stray.collect();
    Ok((panel.labels, notes))
}

/// The judges, each with its scale, and what reading their labels remarked.
fn members(
    judges: &Bound<'_, PyAny>,
    scale: Option<&Bound<'_, PyAny>>,
    clamp: Option<Clamp>,
    reading: LabelReading<'_>,
) -> PyResult<(JudgePanel, Vec<String>)> {
    let parse = |text: &str| -> PyResult<GradeMap> {
        text.parse().map_err(|error| of_value(format!("scale {text:?}: {error}")))
    };
    let (mut of_all, mut of_one) = (None, Vec::new());
    if let Some(scale) = scale {
        match dict_of(scale)? {
            Some(scales) => {
                for (name, scale) in scales.iter() {
                    of_one.push((name.extract::<String>()?, parse(&scale.extract::<String>()?)?));
                }
            }
            None => of_all = Some(parse(scale.cast::<PyString>()?.to_str()?)?),
        }
    }
    if let Some(clamp) = clamp {
        if scale.is_some() {
            return Err(of_value("clamp sets the scale; leave out scale"));
        }
        of_all = Some(GradeMap::identity(Scale::new(clamp.low(), clamp.high()).map_err(of_value)?));
    }
    let (mut members, mut notes) = (JudgePanel::default(), Vec::new());
    for set in named_labels(judges, "judge", reading, true)? {
        notes.extend(set.labels.notes.iter().cloned());
        let mut labels = set.named();
        if let Some(clamp) = clamp {
            labels.qrels = clamp.apply_to(&labels.qrels).0;
        }
        let own = of_one.iter().find(|(name, _)| *name == labels.name || *name == labels.source);
        let scale = own.map(|(_, scale)| scale.clone()).or_else(|| of_all.clone());
        members.add(PanelMember { labels, scale });
    }
    let known = |name: &str| members.judges().iter().any(|one| one.name == name || one.source == name);
    match of_one.iter().find(|(name, _)| !known(name)) {
        Some((unknown, _)) => Err(of_value(format!("scale names {unknown:?}, which is no judge here"))),
        None => Ok((members, notes)),
    }
}

pub(crate) fn of_labels<'py>(
    py: Python<'py>,
    labels: &LabelSet,
    mixed: Option<&MixedLabels>,
    json: &impl Serialize,
    notes: Vec<String>,
) -> PyResult<Bound<'py, PyLabelSet>> {
    PyLabelSet::new(py, labels.qrels().clone(), columns_of(&label_rows(labels, mixed)), json, notes)
}

fn columns_of(rows: &[LabelRow<'_>]) -> Columns {
    let whole = |of: fn(&LabelRow<'_>) -> i64| Column::Whole(rows.iter().map(|row| Some(of(row))).collect());
    let mut columns = vec![
        ("query_id", Column::Texts(rows.iter().map(|row| row.query.to_owned()).collect())),
        ("doc_id", Column::Texts(rows.iter().map(|row| row.document.to_owned()).collect())),
        ("relevance", whole(|row| i64::from(row.grade))),
        ("low", whole(|row| i64::from(row.low))),
        ("high", whole(|row| i64::from(row.high))),
        ("judges", whole(|row| i64::from(row.judges))),
    ];
    if rows.iter().any(|row| row.mean.is_some()) {
        columns.push(("mean", Column::Numbers(rows.iter().map(|row| row.mean).collect())));
    }
    if rows.iter().any(|row| row.source.is_some()) {
        let source = |row: &LabelRow<'_>| row.source.unwrap_or_default().to_owned();
        columns.push(("source", Column::Texts(rows.iter().map(source).collect())));
    }
    columns
}

fn rows_of_qrels(qrels: &Qrels) -> Columns {
    let pairs = || {
        qrels
            .iter()
            .flat_map(|(query, documents)| documents.iter().map(move |(id, grade)| (query, id, *grade)))
    };
    vec![
        ("query_id", Column::Texts(pairs().map(|(query, ..)| query.to_owned()).collect())),
        ("doc_id", Column::Texts(pairs().map(|(_, document, _)| document.to_owned()).collect())),
        ("relevance", Column::Whole(pairs().map(|(.., grade)| Some(i64::from(grade))).collect())),
    ]
}
