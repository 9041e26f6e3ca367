//! Reads labels and runs from plain files, without a study.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use llull_core::{Grade, Identifiers, Qrels, Ranking, Run, Shared, Topics};
use llull_data::{
    Columns, DataError, OptionForm, QrelsFile, QrelsNotes, ReadQrelsOptions, ReadRunOptions, RepeatedGrades,
    RunFile, RunOrder, ThirdColumn, read_qrels_order_with, read_qrels_with, read_run, read_run_alone,
    shown_path, system_of_file, visit_run,
};
use llull_metrics::{Evaluator, Measure, Scores};
use llull_report::agreement::NamedLabels;
use llull_report::text::{count, counted};
use rayon::prelude::*;

use crate::error::FileError;
use crate::run_remarks::{RunRemark, grouped, remarks_on, remarks_on_run, ties_of_32_bits};

/// The content of a file, and notes about the file.
#[derive(Debug, Clone)]
pub struct WithNotes<T> {
    /// The content.
    pub value: T,
    /// Notes; they change no figure.
    pub notes: Vec<String>,
}

/// Reads labels whose grades are whole numbers.
///
/// # Errors
/// Returns an error if the file cannot be read, a line is not a label, or there is none.
pub fn read_labels(path: &Path) -> Result<WithNotes<Qrels>, FileError> {
    read_labels_with(path, ReadQrelsOptions { form: OptionForm::Absent, ..ReadQrelsOptions::default() })
}

/// Reads labels; the options control decimals and repeated grades of a pair.
///
/// # Errors
/// Returns those of [`read_labels`].
pub fn read_labels_with(path: &Path, options: ReadQrelsOptions) -> Result<WithNotes<Qrels>, FileError> {
    labels(path, &options, read_qrels_with(path, &options)?)
}

/// Reads labels for these measures.
///
/// Grades may be fractions if every measure reads only their order. Then they are numbered in that order, and a note
/// gives the number of levels.
///
/// # Errors
/// Returns those of [`read_labels`]. If a measure needs whole grades and there is a fraction, the error names the
/// measure.
pub fn read_labels_for(
    path: &Path,
    measures: &[Measure],
    options: ReadQrelsOptions,
) -> Result<WithNotes<Qrels>, FileError> {
    let needs = measures.iter().find(|measure| !measure.reads_only_order());
    let needs = needs.or(measures.first().filter(|_| options.round));
    let Some(needs) = needs else {
        return labels(path, &options, read_qrels_order_with(path, &options)?);
    };
    match read_qrels_with(path, &options) {
        Err(DataError::Line(mut error)) if error.column.is_some_and(|(_, name)| name == "grade") => {
            // An error without a remedy means that the text is no number at all.
            if !error.remedy.is_empty() {
                error.remedy += &format!(
                    ": {needs} needs them. Compat takes fractions, since it \
                 reads only their order"
                );
            }
            Err(DataError::Line(error).into())
        }
        read => {
            let mut read = labels(path, &options, read?)?;
            read.notes.extend(grade_remarks(path, &read.value, measures));
            Ok(read)
        }
    }
}

/// Returns notes about grades above the measures' highest, or without a 0.
fn grade_remarks(path: &Path, labels: &Qrels, measures: &[Measure]) -> Vec<String> {
    let different: BTreeSet<Grade> = labels.grades().collect();
    let (Some(lowest), Some(top)) = (different.first().copied(), different.last().copied()) else {
        return Vec::new();
    };
    let file = shown_path(path);
    let mut remarks = Vec::new();
    for measure in measures {
        let Some(highest) = measure.highest_grade().filter(|highest| *highest < top) else { continue };
        remarks.push(format!(
            "{file}: {} above {highest} and count as {highest} for {measure}. Use {}(max_rel={top})",
            match labels.grades().filter(|grade| *grade > highest).count() {
                1 => "1 grade is".to_owned(),
                n => format!("{} grades are", count(n)),
            },
            measure.family(),
        ));
    }
    // Some collections label only relevant documents; such labels seldom have three grades.
    let from_lowest = measures.iter().find(|measure| measure.leaves_lowest_open());
    if let Some(measure) = from_lowest.filter(|_| lowest > 0 && different.len() > 2) {
        let written = measure.on_scale_from(lowest);
        remarks.push(format!(
            "{file}: the lowest grade is {lowest}, and {measure} gives it a gain, as trec_eval does. If {lowest} means \
             \"not relevant\", use {written}"
        ));
    }
    remarks
}

fn labels(path: &Path, options: &ReadQrelsOptions, file: QrelsFile) -> Result<WithNotes<Qrels>, FileError> {
    if file.qrels.pairs() == 0 {
        return Err(FileError::NoLabels(shown_path(path)));
    }
    let mut notes = Vec::new();
    if let Some(first) = &file.notes.first_repeat {
        notes.push(format!(
            "{}: {} with the same grade (the first: {}); nothing changes by it",
            shown_path(path),
            lines_that_repeat(file.notes.repeats, "a pair"),
            first.place
        ));
    }
    notes.extend(wild_forms(path, options, &file.notes));
    notes.extend(dropped_pairs(&shown_path(path), &file.qrels));
    if let Some(levels) = file.notes.levels {
        notes.push(format!(
            "{}: the grades are fractions, of which only the order is read: {} above 0",
            shown_path(path),
            if levels == 1 { "1 level".to_owned() } else { format!("{levels} levels") }
        ));
    }
    Ok(WithNotes { value: file.qrels, notes })
}

/// Reads labels whose grades may be fractions, of which only the order matters. Returns whether there are fractions:
/// then they are numbered in their order.
///
/// # Errors
/// Returns those of [`read_labels`], except for fractions.
pub fn read_labels_in_order(
    path: &Path,
    options: ReadQrelsOptions,
) -> Result<WithNotes<(Qrels, bool)>, FileError> {
    if options.round {
        let WithNotes { value, notes } = read_labels_with(path, options)?;
        return Ok(WithNotes { value: (value, false), notes });
    }
    let file = read_qrels_order_with(path, &options)?;
    let order_only = file.notes.levels.is_some();
    let WithNotes { value, notes } = labels(path, &options, file)?;
    Ok(WithNotes { value: (value, order_only), notes })
}

/// Returns labels under the name of their file; under its whole path if another of `files` has the same name.
pub fn labels_of_file(file: &Path, files: &[PathBuf], qrels: Qrels) -> NamedLabels {
    let unique = files.iter().filter(|other| other.file_name() == file.file_name()).count() < 2;
    let name = match file.file_name() {
        Some(name) if unique && file.as_os_str() != "-" => name.to_string_lossy().into_owned(),
        _ => shown_path(file),
    };
    NamedLabels::from_file(name, shown_path(file), qrels)
}

fn lines_that_repeat(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 line repeats {what}"),
        n => format!("{n} lines repeat {what}"),
    }
}

/// Reads one run. It holds only as much of it as the measures read.
///
/// # Errors
/// Returns an error if the file cannot be read or a line is not a result.
pub fn read_system(
    path: &Path,
    name: &str,
    depth: Option<usize>,
    form: RunForm,
) -> Result<WithNotes<Run>, FileError> {
    Ok(system(path, read_run(path, &form.options(depth, name.to_owned()))?))
}

/// Reads every run of a file: with the results of several systems, each under its own name; else one of this name. A
/// file that can be read only once must have one system.
///
/// # Errors
/// Returns those of [`read_system`].
pub fn read_each_system(
    path: &Path,
    name: &str,
    depth: Option<usize>,
    form: &RunForm,
) -> Result<Vec<WithNotes<Run>>, FileError> {
    let read = |name: &str| read_run(path, &form.options(depth, name.to_owned()));
    match read(name) {
        Err(DataError::Systems { systems, .. }) if path.is_file() => {
            systems.iter().map(|name| Ok(system(path, read(name)?))).collect()
        }
        only => Ok(vec![system(path, only?)]),
    }
}

fn system(path: &Path, file: RunFile) -> WithNotes<Run> {
    let notes = remarks_on_run(path, &file);
    WithNotes { value: file.run, notes: grouped(&notes) }
}

/// The number of dropped pairs that a note names.
const NAMED: usize = 5;

/// Returns a note that names the pairs that labels drop; `None` if there are none.
pub fn dropped_pairs(file: &str, labels: &Qrels) -> Option<String> {
    let named =
        labels.dropped().take(NAMED).map(|(query, document)| format!("query {query}, document {document}"));
    let named: Vec<String> = named.collect();
    let dropped = labels.dropped().count();
    let more = match dropped.checked_sub(NAMED) {
        Some(more @ 1..) => format!("; and {} more", count(more)),
        _ => String::new(),
    };
    let them = if dropped == 1 { "It has" } else { "They have" };
    (dropped > 0).then(|| {
        format!(
            "{file}: {} dropped ({}{more}). {them} no label, and measures remove the documents from the ranked lists",
            counted(dropped, "pair"),
            named.join("; ")
        )
    })
}

/// Reads runs and measures each, on all cores.
///
/// With at least as many runs as cores, several are measured in parallel, else one after the other. Each query is
/// dropped after it is measured, so memory is that of the labels. A run is held until it is measured if the lines of a
/// query are not consecutive, or if it can be read only once. Names are those of [`read_systems`]; notes and results
/// are in the order of the paths. `depth` limits the documents of a topic for every measure.
///
/// # Errors
/// Returns those of [`read_systems`], for the first path that fails. Also if a run shares no query or no document with
/// the labels.
pub fn measure_systems(
    labels: &LabelsFile<'_>,
    paths: &[PathBuf],
    measures: &[Measure],
    depth: Option<usize>,
    form: RunForm,
) -> Result<WithNotes<Vec<Scores>>, FileError> {
    let evaluator = Evaluator::new(measures, labels.qrels);
    let depth = depth_under(measures, labels.qrels).into_iter().chain(depth).min();
    let systems: Vec<(&PathBuf, ReadRunOptions)> =
        paths.iter().zip(system_names(paths)).map(|(path, name)| (path, form.options(depth, name))).collect();
    let (mut all, mut notes) = (Vec::with_capacity(paths.len()), Vec::new());
    let mut few = Vec::new();
    let mut add = |measured: Measured| -> Result<(), FileError> {
        let (scores, remarks, shared) = measured?;
        few.extend(shared);
        all.push(scores);
        notes.extend(remarks);
        Ok(())
    };
    if systems.len() < rayon::current_num_threads() {
        for (path, options) in &systems {
            add(measured(&evaluator, labels, path, options, false))?;
        }
    } else {
        // After the first failure no result is needed. Which failure is reported does not depend on timing.
        let failed = AtomicUsize::new(usize::MAX);
        let measured: Vec<Option<Measured>> = systems
            .par_iter()
            .enumerate()
            .with_max_len(1)
            .map(|(place, (path, options))| {
                if place > failed.load(Ordering::Relaxed) {
                    return None;
                }
                let measured = measured(&evaluator, labels, path, options, true);
                if measured.is_err() {
                    failed.fetch_min(place, Ordering::Relaxed);
                }
                Some(measured)
            })
            .collect();
        measured.into_iter().flatten().try_for_each(add)?;
    }
    Ok(WithNotes { value: all, notes: grouped(&notes).into_iter().chain(few).collect() })
}

/// Labels of a file.
#[derive(Debug, Clone, Copy)]
pub struct LabelsFile<'a> {
    /// The file.
    pub path: &'a Path,
    /// The labels.
    pub qrels: &'a Qrels,
}

impl LabelsFile<'_> {
    /// Checks that the run of a file shares queries and documents with these labels. Returns a note if it shares less
    /// than a tenth of the possible ones.
    ///
    /// # Errors
    /// Returns an error that names an identifier of each if it shares none.
    pub fn check_identifiers(
        &self,
        path: &Path,
        run: &Run,
        form: &RunForm,
    ) -> Result<Option<String>, FileError> {
        let queries = run.iter().map(|(query, ranking)| self.shared(query, ranking));
        if run.is_empty() || !self.few(queries) {
            return Ok(None);
        }
        self.explain(path, Some(run), &form.options(None, run.name.clone()))
    }

    /// The documents that a ranking shares with the labels of its query; `None` if the query has no labels.
    pub fn shared(&self, query: &str, ranking: &Ranking) -> Option<Shared> {
        let labels = self.qrels.topic(query)?;
        // 100 documents are enough to see whether identifiers match.
        let top = 100.min(ranking.len());
        let top = (1..=top).filter_map(|rank| ranking.get(rank)).map(|hit| hit.document);
        Some(Shared::of_query(top.collect::<Vec<_>>().into_iter(), labels))
    }

    /// Whether a run of these queries seems to share little with the labels.
    pub fn few(&self, queries: impl ExactSizeIterator<Item = Option<Shared>>) -> bool {
        let all = queries.len();
        let known: Vec<Shared> = queries.flatten().collect();
        let of_queries = Shared { common: known.len(), of: all.min(self.qrels.len()) };
        of_queries.is_few() || known.into_iter().sum::<Shared>().is_few()
    }

    /// Compares all identifiers: those of the whole file, if it can be read again.
    fn explain(
        &self,
        path: &Path,
        held: Option<&Run>,
        options: &ReadRunOptions,
    ) -> Result<Option<String>, FileError> {
        let again = path.as_os_str() != "-" && path.is_file();
        let options = ReadRunOptions { depth: None, ..options.clone() };
        let whole = if again { Some(read_run(path, &options)?.run) } else { None };
        let Some(run) = whole.as_ref().or(held) else { return Ok(None) };
        let labels = Identifiers::of_labels(shown_path(self.path), self.qrels);
        let few = Identifiers::of_run(shown_path(path), run).check_overlap(&labels)?;
        Ok(few.map(|few| few.to_string()))
    }
}

/// A run's figures, notes about its file, and a note about the identifiers that it shares with the labels.
type Measured = Result<(Scores, Vec<RunRemark>, Option<String>), FileError>;

/// Reads and measures one run, on all cores or `alone` in the calling thread.
fn measured(
    evaluator: &Evaluator<'_>,
    labels: &LabelsFile<'_>,
    path: &Path,
    options: &ReadRunOptions,
    alone: bool,
) -> Measured {
    let score = |query: &str, ranking: &Ranking| {
        let scores = evaluator.evaluate_query(query, ranking);
        (scores, ties_of_32_bits(ranking), labels.shared(query, ranking))
    };
    if let Some(visited) = visit_run(path, options, alone, score)? {
        let cut = &visited.notes.cut_among_ties;
        let tied = visited.topics.iter().filter(|(query, (_, tied, _))| *tied || cut.contains(query)).count();
        let remarks = remarks_on(path, &visited.notes, visited.topics.len(), tied);
        let shared = visited.topics.iter().map(|(_, (_, _, shared))| *shared);
        let few = labels.few(shared).then(|| labels.explain(path, None, options)).transpose()?.flatten();
        let topics = visited.topics.into_iter().map(|(topic, (scores, ..))| (topic, scores)).collect();
        return Ok((evaluator.of_queries(visited.name, topics), remarks, few));
    }
    let file = if alone { read_run_alone(path, options)? } else { read_run(path, options)? };
    let scores = if alone { evaluator.evaluate_alone(&file.run) } else { evaluator.evaluate(&file.run) };
    let shared = file.run.iter().map(|(query, ranking)| labels.shared(query, ranking));
    let few = labels.few(shared).then(|| labels.explain(path, Some(&file.run), options)).transpose()?;
    Ok((scores, remarks_on_run(path, &file), few.flatten()))
}

/// Reads several runs.
///
/// Each is named after its file without extensions, or by the whole path if two names would be equal. Lists reach down
/// to the depth of the measures after these labels drop documents.
///
/// # Errors
/// Returns those of [`read_system`].
pub fn read_systems<'a>(
    paths: &[PathBuf],
    measures: &[Measure],
    form: RunForm,
    labels: impl IntoIterator<Item = &'a Qrels>,
) -> Result<WithNotes<Vec<Run>>, FileError> {
    let dropped = labels.into_iter().map(Qrels::most_dropped).max().unwrap_or(0);
    let depth = depth_needed(measures).map(|depth| depth + dropped);
    let (mut runs, mut notes) = (Vec::new(), Vec::new());
    for (path, name) in paths.iter().zip(system_names(paths)) {
        let file = read_run(path, &form.options(depth, name))?;
        notes.extend(remarks_on_run(path, &file));
        runs.push(file.run);
    }
    Ok(WithNotes { value: runs, notes: grouped(&notes) })
}

/// The length of lists that the measures need, if these labels drop documents; `None` for whole lists.
pub fn depth_under(measures: &[Measure], labels: &Qrels) -> Option<usize> {
    depth_needed(measures).map(|depth| depth + labels.most_dropped())
}

/// The greatest depth of the measures; `None` if one reads the whole list.
pub fn depth_needed(measures: &[Measure]) -> Option<usize> {
    let mut deepest = 0;
    for measure in measures {
        deepest = deepest.max(measure.reads()?);
    }
    Some(deepest)
}

/// The names that [`read_systems`] gives to these files.
pub fn system_names(paths: &[PathBuf]) -> Vec<String> {
    let short: Vec<String> = paths.iter().map(|path| system_of_file(path)).collect();
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for name in &short {
        *times.entry(name).or_default() += 1;
    }
    short
        .iter()
        .zip(paths)
        .map(
            |(name, path)| {
                if times.get(name.as_str()) == Some(&1) { name.clone() } else { path.display().to_string() }
            },
        )
        .collect()
}

/// The form of runs. The default is TREC's columns, with 64-bit scores.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunForm {
    /// The meaning of the third of three columns; with `None` such lines are errors.
    pub third: Option<ThirdColumn>,
    /// The column that orders the documents of six columns.
    pub order: RunOrder,
    /// Whether scores are compared as 32-bit numbers, as trec_eval 9 does.
    pub float32: bool,
    /// The columns of a table that the user names.
    pub columns: Columns,
    /// The queries of a study: a table may name them by their texts, and saved replies by their order.
    pub queries: Option<Arc<Topics>>,
}

impl RunForm {
    pub(crate) fn options(&self, depth: Option<usize>, name: String) -> ReadRunOptions {
        let Self { third, order, float32, columns, queries } = self.clone();
        ReadRunOptions { depth, name: Some(name), third, order, float32, columns, queries }
    }
}

/// Returns notes about labels whose reading may differ from their meaning.
pub(crate) fn wild_forms(
    path: &Path,
    options: &ReadQrelsOptions,
    notes: &QrelsNotes,
) -> impl Iterator<Item = String> {
    let file = shown_path(path);
    let columns = notes
        .three_columns
        .then(|| format!("{file}: three columns, which are read as query, document and grade"));
    let other_order = notes.ir_datasets.then(|| {
        format!("{file}: the columns are read as those of ir_datasets: query, document, grade and iteration")
    });
    let missing = notes.first_missing.as_ref().map(|first| {
        let lines = match notes.missing {
            1 => "1 line has no grade but a word for a missing one: that pair has no label".to_owned(),
            n => format!(
                "{} lines have no grade but a word for a missing one: those pairs have no label",
                count(n)
            ),
        };
        format!("{file}: {lines} (the first: {first})")
    });
    let counts = match options.repeats {
        Some(RepeatedGrades::First) => "the first counts",
        Some(RepeatedGrades::Last) => "the last counts",
        Some(RepeatedGrades::Median) => "their median counts, the lower of two in the middle",
        Some(RepeatedGrades::Votes) => "the most frequent one counts, of several the lowest",
        None => "",
    };
    let regraded = (notes.regraded > 0).then(|| {
        let pairs = match notes.regraded {
            1 => "1 pair has several grades".to_owned(),
            n => format!("{} pairs have several grades", count(n)),
        };
        format!("{file}: {pairs}; {counts}")
    });
    let means = (notes.means > 0).then(|| {
        format!(
            "{file}: nDCG and Compat read the means of {}, in the second column",
            counted(notes.means, "line")
        )
    });
    columns.into_iter().chain(other_order).chain(missing).chain(regraded).chain(means)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_named_after_their_files_unless_two_are_alike() {
        let paths = ["a/bm25.run.gz", "b/bm25.run", "c/dense-v1.2.txt", "-", "x.xlsx", "y.json.zst"]
            .map(PathBuf::from);
        let names = ["a/bm25.run.gz", "b/bm25.run", "dense-v1.2", "-", "x", "y"];
        assert_eq!(system_names(&paths), names);
    }

    #[test]
    fn a_measure_of_the_whole_list_needs_it_whole() {
        let measures =
            |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect::<Vec<Measure>>();
        assert_eq!(depth_needed(&measures(&["nDCG@10", "P@5"])), Some(10));
        assert_eq!(depth_needed(&measures(&["nDCG@10", "AP"])), None);
    }

    fn in_folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Vec<PathBuf>) {
        let folder = tempfile::tempdir().unwrap();
        let paths = files.iter().map(|(name, text)| {
            let path = folder.path().join(name);
            fs_err::write(&path, text).unwrap();
            path
        });
        let paths = paths.collect();
        (folder, paths)
    }

    fn threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap().install(work)
    }

    #[test]
    fn runs_that_are_measured_as_they_are_read_have_the_same_figures_and_notes() {
        let (_folder, paths) = in_folder(&[
            ("a.run", "q1 Q0 d1 1 3 t\nq1 Q0 d2 2 2 t with words\nq2 Q0 d1 1 1 t\n"),
            ("b.run", "q1 Q0 d2 1 3 t\nq1 Q0 d2 2 1 t\n"),
            ("back.run", "q1 Q0 d2 1 3 t\nq2 Q0 d1 1 1 t\nq1 Q0 d1 2 1 t\nq9 Q0 d1 1 1 t\n"),
            ("c.run", ""),
        ]);
        let mut qrels = Qrels::default();
        for (topic, document, grade) in [("q1", "d1", 2), ("q1", "d2", 0), ("q2", "d1", 1)] {
            qrels.insert(topic, document, grade);
        }
        let measures: Vec<Measure> = ["nDCG@10", "AP"].map(|name| name.parse().unwrap()).into();
        let read = read_systems(&paths, &measures, RunForm::default(), []).unwrap();
        assert_eq!(read.notes.len(), 3, "{:?}", read.notes);
        assert!(
            read.notes[0]
                .ends_with("1 line has words behind the tag, which are not read (the first: line 2)")
        );
        let labels = LabelsFile { path: Path::new("a.qrels"), qrels: &qrels };
        for count in [1, 2, 8] {
            let measured =
                threads(count, || measure_systems(&labels, &paths, &measures, None, RunForm::default()))
                    .unwrap();
            assert_eq!(measured.value, llull_metrics::evaluate_all(&measures, &qrels, &read.value));
            assert_eq!(measured.notes, read.notes);
        }
    }

    #[test]
    fn the_first_run_that_fails_is_named_however_many_there_are() {
        let good = "q1 Q0 d1 1 3 t\n";
        let names: Vec<String> = (0..20).map(|number| format!("{number:02}.run")).collect();
        let files: Vec<(&str, &str)> = names
            .iter()
            .enumerate()
            .map(|(place, name)| (name.as_str(), if place == 7 || place > 15 { "broken" } else { good }))
            .collect();
        let (_folder, paths) = in_folder(&files);
        let mut qrels = Qrels::default();
        qrels.insert("q1", "d1", 1);
        let labels = LabelsFile { path: Path::new("a.qrels"), qrels: &qrels };
        for count in [1, 4, 64] {
            let failed = threads(count, || measure_systems(&labels, &paths, &[], None, RunForm::default()));
            let message = failed.unwrap_err().to_string();
            assert!(message.contains("07.run line 1: found 1 column,"), "{message}");
        }
    }

    #[test]
    fn fractions_are_read_for_measures_of_the_order_alone() {
        let (_folder, paths) = in_folder(&[("a.qrels", "q1 0 d1 0.25\nq1 0 d2 1.5\nq1 0 d3 0\n")]);
        let measures =
            |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect::<Vec<Measure>>();
        let read = read_labels_for(
            &paths[0],
            &measures(&["Compat(p=0.9)", "Judged@10"]),
            ReadQrelsOptions::default(),
        )
        .unwrap();
        assert_eq!((read.value.grade("q1", "d1"), read.value.grade("q1", "d2")), (Some(1), Some(2)));
        assert!(read.notes[0].ends_with("only the order is read: 2 levels above 0"), "{:?}", read.notes);
        let error =
            read_labels_for(&paths[0], &measures(&["Compat(p=0.9)", "AP"]), ReadQrelsOptions::default())
                .unwrap_err()
                .to_string();
        assert!(
            error.ends_with(
                "line 1, column 4 (grade): found \"0.25\", expected a whole number, such as 0, 2 or -1. Scale the \
                 grades to \
                 whole numbers, or round them (--round): AP needs them. Compat takes fractions, since it \
                 reads only their order"
            ),
            "{error}"
        );
    }
}
