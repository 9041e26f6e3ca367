//! The values of trec_eval's `-m`.
//!
//! They are nicknames of several measures, families with their cutoffs, and single measures.

use crate::measure::Measure;
use crate::notation::MeasureError;
use crate::parameters::Relevant;

/// A measure under the name by which trec_eval prints it. Two names can mean one measure: `Rprec` and
/// `Rprec_mult_1.00`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrecEvalMeasure {
    /// trec_eval's name.
    pub name: String,
    /// The measure at relevance level 1.
    pub measure: Measure,
}

/// The measures that trec_eval prints for `-m written`, in its order.
///
/// - `official` are those that it prints without `-m`: counts, `map`, `gm_map`, `Rprec`, `bpref`, `recip_rank`, 11
///   levels of `iprec_at_recall` and 9 cutoffs of `P`.
/// - `set` are the measures of the set of retrieved documents. `all_trec` are all measures of qrels but `relstring`,
///   which is a picture of the list and not a number.
/// - `qrels_jg` are those that [`evaluate_judges`](crate::evaluate_judges) averages, under their names as means.
/// - A family has its usual cutoffs (`P`, `ndcg_cut`), or those behind a point in rising order (`P.5,10`,
///   `iprec_at_recall..25,.5`).
/// - Anything else is one measure, given by any of its names. It is named as in trec_eval, if it is there, or else by
///   its own name.
///
/// The names are the same at other levels; [`Measure::at_level`] has the measures there. `runid` is not a measure. For
/// the nicknames of preferences there are [`PreferenceMeasure::MAIN`](crate::PreferenceMeasure::MAIN) and
/// [`PreferenceMeasure::ALL`](crate::PreferenceMeasure::ALL).
///
/// ```
/// let official = llull_metrics::trec_eval_measures("official")?;
/// assert_eq!(official.len(), 29);
/// assert_eq!((official[4].name.as_str(), official[4].measure.to_string()), ("map", "AP".to_owned()));
/// let precision = llull_metrics::trec_eval_measures("P.10,5")?;
/// assert_eq!(precision.iter().map(|measure| &measure.name).collect::<Vec<_>>(), ["P_5", "P_10"]);
/// # Ok::<(), llull_metrics::MeasureError>(())
/// ```
///
/// # Errors
/// Returns an error if a measure does not parse.
pub fn trec_eval_measures(written: &str) -> Result<Vec<TrecEvalMeasure>, MeasureError> {
    let members = match written {
        "official" => OFFICIAL.to_vec(),
        "set" => SET.to_vec(),
        "all_trec" => [OFFICIAL, NOT_OFFICIAL].concat(),
        "qrels_jg" => return judges(),
        _ => return family(written),
    };
    let members: Vec<Vec<_>> = members.into_iter().map(family).collect::<Result<_, _>>()?;
    Ok(members.concat())
}

const OFFICIAL: &[&str] = &[
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "map",
    "gm_map",
    "Rprec",
    "bpref",
    "recip_rank",
    "iprec_at_recall",
    "P",
];

const SET: &[&str] = &[
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "utility",
    "set_P",
    "set_relative_P",
    "set_recall",
    "set_map",
    "set_F",
];

/// Those of `all_trec` that are not official.
const NOT_OFFICIAL: &[&str] = &[
    "recall",
    "infAP",
    "gm_bpref",
    "Rprec_mult",
    "utility",
    "11pt_avg",
    "binG",
    "G",
    "ndcg",
    "ndcg_rel",
    "Rndcg",
    "ndcg_cut",
    "map_cut",
    "relative_P",
    "success",
    "set_P",
    "set_relative_P",
    "set_recall",
    "set_map",
    "set_F",
    "num_nonrel_judged_ret",
    "rbp",
    "rbp_resid",
    "unj",
];

const CUTOFFS: &str = "5,10,15,20,30,100,200,500,1000";

/// Families of measures and their usual parameters.
const FAMILIES: [(&str, &str); 9] = [
    ("P", CUTOFFS),
    ("recall", CUTOFFS),
    ("relative_P", CUTOFFS),
    ("ndcg_cut", CUTOFFS),
    ("map_cut", CUTOFFS),
    ("success", "1,5,10"),
    ("unj", "5,10,20"),
    ("iprec_at_recall", "0.00,0.10,0.20,0.30,0.40,0.50,0.60,0.70,0.80,0.90,1.00"),
    ("Rprec_mult", "0.20,0.40,0.60,0.80,1.00,1.20,1.40,1.60,1.80,2.00"),
];

fn family(written: &str) -> Result<Vec<TrecEvalMeasure>, MeasureError> {
    let (head, given) = written.split_once('.').map_or((written, None), |(head, given)| (head, Some(given)));
    let Some((name, usual)) = FAMILIES.into_iter().find(|(name, _)| *name == head) else {
        return Ok(vec![single(written)?]);
    };
    let mut members = Vec::new();
    for parameter in given.unwrap_or(usual).split(',') {
        let member = member(name, parameter).map_err(|error| error.quoting(written))?;
        // trec_eval compares them as numbers, and prints them with two decimals
        let order = parameter.parse().unwrap_or(f64::INFINITY);
        members.push((order, TrecEvalMeasure { name: named(name, order).unwrap_or(member.name), ..member }));
    }
    members.sort_by(|(a, _), (b, _): &(f64, _)| a.total_cmp(b));
    members.dedup_by(|(_, a), (_, b)| a == b);
    Ok(members.into_iter().map(|(_, member)| member).collect())
}

fn member(family: &str, parameter: &str) -> Result<TrecEvalMeasure, MeasureError> {
    let text = format!("{family}_{parameter}");
    match single(&text) {
        // the name of `P_x` is known and its cutoff invalid; ranx's `-l` is not for one member of a family
        Err(MeasureError::Unknown { .. }) => Err(MeasureError::Cutoff { text, cutoff: parameter.to_owned() }),
        _ if parameter.contains("-l") => Err(MeasureError::Cutoff { text, cutoff: parameter.to_owned() }),
        member => member,
    }
}

/// The name of `Rprec_mult_1.00`, which is Rprec and still printed by that name.
fn named(family: &str, parameter: f64) -> Option<String> {
    (family == "Rprec_mult" && parameter == 1.0).then(|| "Rprec_mult_1.00".to_owned())
}

fn single(written: &str) -> Result<TrecEvalMeasure, MeasureError> {
    let measure: Measure = written.parse()?;
    let name = measure.trec_eval_name(Relevant::default()).unwrap_or_else(|| measure.to_string());
    Ok(TrecEvalMeasure { name, measure })
}

fn judges() -> Result<Vec<TrecEvalMeasure>, MeasureError> {
    let members: Vec<Vec<_>> =
        ["map", "P", "Rprec_mult"].into_iter().map(family).collect::<Result<_, _>>()?;
    let over_judges = |TrecEvalMeasure { name, measure }| {
        let name = measure.trec_eval_name_over_judges(Relevant::default()).unwrap_or(name);
        TrecEvalMeasure { name, measure }
    };
    Ok(members.concat().into_iter().map(over_judges).collect())
}
