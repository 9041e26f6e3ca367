//! trec_eval's preferences as comparisons: a subgroup is an order by level.

use llull_core::JudgmentSubgroup;

use super::collector::Collector;
use crate::{
    DataError,
    lines::Lines,
    trec::{PrefsForm, read_preferences},
};

/// Returns whether a line is one of `query ujg ujsubg item level` and of nothing else that has five columns:
/// a run without its tag has `Q0`, and a CSV line has commas where its cells end.
pub(super) fn is_prefs(line: &str) -> bool {
    let columns: Vec<&str> = line.split_ascii_whitespace().collect();
    let [_, group, _, _, level] = columns.as_slice() else { return false };
    !group.eq_ignore_ascii_case("q0")
        && level.parse::<f64>().is_ok_and(|level| level >= 0.0)
        && !columns.iter().any(|column| column.starts_with(',') || column.ends_with(','))
}

/// Reads preferences. A group is a judge, and each of its subgroups a ballot.
pub(super) fn read(collector: &mut Collector, lines: Lines, form: PrefsForm) -> Result<(), DataError> {
    let file = lines.file().to_owned();
    let read = read_preferences(lines, form, |line, topic| collector.agrees_on_queries(line, Some(topic)))?;
    let mut silent = 0;
    for (topic, groups) in read.preferences.iter() {
        for (group, subgroups) in groups {
            for subgroup in subgroups.values() {
                let Order { groups, rest } = order(subgroup);
                if groups.is_empty() || subgroup.len() < 2 {
                    silent += 1;
                } else {
                    collector.order(topic, group, &groups, &rest);
                }
            }
        }
    }
    if silent > 0 {
        collector.silent(&file, silent);
    }
    Ok(())
}

struct Order<'a> {
    /// The groups, best level first.
    groups: Vec<Vec<&'a str>>,
    /// Items of level 0.
    rest: Vec<&'a str>,
}

/// Returns the items by level, those of one level in the order of the file. Items that are not relevant are not
/// compared with each other: two irrelevant items need not be equally good.
fn order(subgroup: &JudgmentSubgroup) -> Order<'_> {
    let mut levels: Vec<(&str, f64)> = subgroup.iter().map(|(item, level)| (&**item, *level)).collect();
    levels.sort_by(|a, b| b.1.total_cmp(&a.1));
    let relevant = levels.partition_point(|(_, level)| *level > 0.0);
    let (above, zero) = levels.split_at(relevant);
    Order { groups: above.chunk_by(|a, b| a.1 == b.1).map(items).collect(), rest: items(zero) }
}

fn items<'a>(levels: &[(&'a str, f64)]) -> Vec<&'a str> {
    levels.iter().map(|(item, _)| *item).collect()
}
