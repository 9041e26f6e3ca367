//! Reading runs.

use std::path::Path;

use llull_core::Ranking;
use rustc_hash::FxHashMap;

use super::collector::{Collected, Collector, Stop};
use super::file::{ReadRunOptions, RunFile, RunNotes, ThirdColumn};
use super::keep::{Keep, Made, Whole};
use super::of_table::read_run_table;
use super::plain_rows::PlainRows;
use super::run_chunk::RunChunk;
use crate::{
    DataError,
    chunks::Chunks,
    error::shown_path,
    lines::{Lines, is_entry},
    parallel::{Cores, in_order},
    source_name::system_of_file,
    tables::{PlainTable, TableKind, TableSource},
};

/// Reads a run, `qid Q0 docid rank score tag` in any white space, on all cores.
///
/// Blank lines and lines whose first word begins with `#` are skipped, as in trec_eval 10. The tag may be any
/// word, or absent. Rank and second column are ignored: the order is by score, then by document identifier,
/// both descending. The lines of a query need not be consecutive. Memory is that of the result, plus the
/// lines of one query and a few chunks of the file.
///
/// Words behind the tag are counted and not read, as in trec_eval. Since a blank in an identifier also adds
/// columns, such a line must look as if it had a longer tag: its fourth column, the rank, is a whole number,
/// and its sixth, the tag, is not a number. `q1 Q0 doc 1 1 12.5 tag` is refused.
///
/// Lines of three columns, `qid docid X`, are read if [`ReadRunOptions::third`] says what X is, or if X is 1, 2, 3 and
/// so on in each query of a regular file.
///
/// # Errors
/// Returns an error if the file cannot be read, a line has another number of columns, or a score is not a
/// number (NaN is not; `inf` is). The first wrong line is named.
pub fn read_run(path: impl AsRef<Path>, options: &ReadRunOptions) -> Result<RunFile, DataError> {
    read(Chunks::open(path.as_ref())?, path.as_ref(), options, Cores::All)
}

/// Reads a run, as [`read_run`] does, in the calling thread alone, for callers that read several runs in
/// parallel.
///
/// # Errors
/// Returns an error in the same cases as [`read_run`].
pub fn read_run_alone(path: impl AsRef<Path>, options: &ReadRunOptions) -> Result<RunFile, DataError> {
    read(Chunks::open(path.as_ref())?, path.as_ref(), options, Cores::One)
}

/// The values for a run's rankings; see [`visit_run`].
#[derive(Debug, Clone, PartialEq)]
pub struct VisitedRun<T> {
    /// The name of the run.
    pub name: String,
    /// The value for each query's ranking, in the order of the file.
    pub topics: Vec<(String, T)>,
    /// Remarks on the file.
    pub notes: RunNotes,
}

/// Reads a run, as [`read_run`] or with `alone` as [`read_run_alone`] does, and applies a function to each query's
/// ranking, which is then dropped. So memory holds the values, the lines of one query, and a few chunks of the file.
///
/// Returns `None` if the lines of some query are not consecutive. The caller then has to read the file a second time.
/// So it also returns `None`, and reads nothing, if the path is not a regular file.
///
/// # Errors
/// Returns an error in the same cases as [`read_run`].
pub fn visit_run<T: Send>(
    path: impl AsRef<Path>,
    options: &ReadRunOptions,
    alone: bool,
    make: impl Fn(&str, &Ranking) -> T + Sync,
) -> Result<Option<VisitedRun<T>>, DataError> {
    let path = path.as_ref();
    if path.as_os_str() == "-" || !path.is_file() {
        return Ok(None);
    }
    let cores = if alone { Cores::One } else { Cores::All };
    let keep = Made(make);
    let collected = match TableSource::of(Chunks::open(path)?, path, TableKind::Results, &options.columns) {
        Ok(_) => match collect_rows(path, options, cores, &keep)? {
            Some(collected) => Ok(collected),
            // Any other table is read whole.
            None => return Ok(None),
        },
        Err(chunks) => collect(*chunks, path, options, cores, &keep),
    };
    match collected {
        Ok(Collected { topics, tag, notes }) => {
            Ok(Some(VisitedRun { name: name(path, options, tag), topics, notes }))
        }
        Err(Stop::Scattered | Stop::Unusual) => Ok(None),
        Err(Stop::Error(error)) => Err(error),
    }
}

/// Collects the rows of a table; `None` if some are unusual, or a query came back that is not kept whole.
fn collect_rows<K: Keep>(
    path: &Path,
    options: &ReadRunOptions,
    cores: Cores,
    keep: &K,
) -> Result<Option<Collected<K::Kept>>, DataError> {
    if !path.is_file() {
        return Ok(None);
    }
    let mut chunks = Chunks::open(path)?;
    let Some(table) = PlainTable::of(&mut chunks, TableKind::Results, &options.columns) else {
        return Ok(None);
    };
    let Some(rows) = PlainRows::of(&table, options) else { return Ok(None) };
    let mut collector = Collector::new(chunks.file().to_owned(), options.depth, keep);
    let read = in_order(
        chunks,
        cores,
        |index, bytes, part: &mut RunChunk<K::Kept>| part.parse_rows(bytes, index == 0, &rows, options, keep),
        |part| collector.add(part),
    );
    match read {
        Ok(()) => {
            let mut collected = collector.finish();
            collected.notes.table = table.notes();
            collected.notes.table.note(&shown_path(path), &options.columns);
            Ok(Some(collected))
        }
        Err(Stop::Scattered | Stop::Unusual) => Ok(None),
        Err(Stop::Error(error)) => Err(error),
    }
}

fn read(chunks: Chunks, path: &Path, options: &ReadRunOptions, cores: Cores) -> Result<RunFile, DataError> {
    let chunks = match TableSource::of(chunks, path, TableKind::Results, &options.columns) {
        Ok(table) => {
            let name = name(path, options, None);
            return match collect_rows(path, options, cores, &Whole)? {
                Some(collected) => {
                    let (run, notes) = collected.run(name);
                    Ok(RunFile { run, notes })
                }
                None => read_run_table(table, options, name),
            };
        }
        Err(chunks) => *chunks,
    };
    match collect(chunks, path, options, cores, &Whole) {
        Ok(mut collected) => {
            let name = name(path, options, collected.tag.take());
            let (run, notes) = collected.run(name);
            Ok(RunFile { run, notes })
        }
        Err(Stop::Error(error)) => Err(error),
        // Whole rankings are stored, so every query can be continued.
        Err(Stop::Scattered | Stop::Unusual) => {
            Err(DataError::io(path, "read", std::io::ErrorKind::Other.into()))
        }
    }
}

fn collect<K: Keep>(
    mut chunks: Chunks,
    path: &Path,
    options: &ReadRunOptions,
    cores: Cores,
    keep: &K,
) -> Result<Collected<K::Kept>, Stop> {
    let is_rank = options.third.is_none() && third_is_rank(&mut chunks, path);
    let third = if is_rank { Some(ThirdColumn::Rank) } else { options.third };
    let options = &ReadRunOptions { third, ..options.clone() };
    let file = chunks.file().to_owned();
    let mut collector = Collector::new(file.clone(), options.depth, keep);
    in_order(
        chunks,
        cores,
        |index, bytes, part: &mut RunChunk<K::Kept>| part.parse(bytes, index == 0, &file, options, keep),
        |part| collector.add(part),
    )?;
    let mut collected = collector.finish();
    if is_rank {
        let columns = [("query", "column 1"), ("document", "column 2"), ("rank", "column 3")];
        collected.notes.table.used = columns.map(|(what, column)| (what, vec![column.to_owned()])).to_vec();
        collected.notes.table.note(&file, &options.columns);
    }
    Ok(collected)
}

/// Whether a file has three columns of which the third counts the documents of each query from 1, as in MS MARCO's
/// runs. Where each query has one document, it may as well be a grade.
fn third_is_rank(chunks: &mut Chunks, path: &Path) -> bool {
    fn three(line: &str) -> Option<(&str, u32)> {
        let mut words = line.split_ascii_whitespace();
        let (query, _, rank) = (words.next()?, words.next()?, words.next()?.parse().ok()?);
        words.next().is_none().then_some((query, rank))
    }
    let first = chunks.first_line(is_entry).and_then(|line| std::str::from_utf8(line).ok());
    if first.and_then(three).is_none() || !path.is_file() {
        return false;
    }
    let Ok(mut lines) = Lines::open(path) else { return false };
    let mut ranks: FxHashMap<String, Vec<u32>> = FxHashMap::default();
    loop {
        match lines.next_entry().map(|line| line.map(|line| three(line.text))) {
            Ok(Some(Some((query, rank)))) => match ranks.get_mut(query) {
                Some(known) => known.push(rank),
                None => drop(ranks.insert(query.to_owned(), vec![rank])),
            },
            Ok(None) => break,
            _ => return false,
        }
    }
    ranks.values().any(|of_query| of_query.len() > 1)
        && ranks.into_values().all(|mut of_query| {
            of_query.sort_unstable();
            of_query.iter().zip(1..).all(|(rank, place)| *rank == place)
        })
}

/// Returns the name of a run whose first line has this tag.
fn name(path: &Path, options: &ReadRunOptions, tag: Option<String>) -> String {
    match (&options.name, tag) {
        (Some(name), _) => name.clone(),
        (None, Some(tag)) if !tag.is_empty() => tag,
        _ if path.as_os_str() == "-" => shown_path(path),
        _ => system_of_file(path),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Rows that all cores can read are the same to the reader of all tables, whatever the columns' order.
        #[test]
        fn plain_rows_are_rows_of_a_table(
            rows in proptest::collection::vec(("q[1-3]", "d[1-9]{1,2}", -5i8..5, 1u8..9), 1..60),
            columns in Just([0usize, 1, 2, 3]).prop_shuffle(),
            form in 0usize..3,
            blank in any::<bool>(),
            by_rank in any::<bool>(),
        ) {
            let names = ["query_id", "doc_id", "score", "rank"];
            let in_order = |fields: [String; 4]| columns.map(|at| fields[at].clone());
            let separator = [",", ";"][form % 2];
            let mut text = String::new();
            if form < 2 {
                text = in_order(names.map(str::to_owned)).join(separator) + "\n";
            }
            for (query, document, score, rank) in &rows {
                let values = [query.clone(), document.clone(), format!("{score}.5"), rank.to_string()];
                text += &match form {
                    2 => {
                        let pairs = columns.map(|at| match at {
                            0 | 1 => format!("\"{}\": \"{}\"", names[at], values[at]),
                            _ => format!("\"{}\": {}", names[at], values[at]),
                        });
                        format!("{{{}}}", pairs.join(", "))
                    }
                    _ => in_order(values).join(separator),
                };
                text += if blank { "\r\n\n" } else { "\n" };
            }
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.csv");
            fs_err::write(&path, &text).unwrap();
            let order = if by_rank { crate::RunOrder::Rank } else { crate::RunOrder::Score };
            let options = ReadRunOptions { order, ..ReadRunOptions::default() };
            let plain = collect_rows(&path, &options, Cores::All, &Whole).unwrap().unwrap().run("a".into());
            let source = TableSource::of(Chunks::open(&path).unwrap(), &path, TableKind::Results, &options.columns);
            let table = read_run_table(source.ok().unwrap(), &options, "a".into()).unwrap();
            prop_assert_eq!(&plain.0, &table.run);
            let counts = |notes: &RunNotes| (notes.lines, notes.duplicates, notes.contradiction.clone());
            prop_assert_eq!(counts(&plain.1), counts(&table.notes));
            prop_assert_eq!(plain.1.table, table.notes.table);
        }

        /// However the file is cut and whichever thread parses it, the run, the notes and the first error are
        /// the same.
        #[test]
        fn cuts_and_cores_do_not_matter(
            lines in proptest::collection::vec(
                prop_oneof![
                    40 => "q[1-3] Q0 d[1-9]{1,2} 1 -?[0-5] t",
                    4 => "(#.{0,5}|)\r?",
                    1 => "q1 Q0 d1 1 2 t (behind|7)",
                    1 => "q1 Q0 d1 (1 NaN|x)",
                ],
                0..60,
            ),
            repeat in 1usize..12,
            size in 1usize..300,
            depth in proptest::option::of(1usize..6),
        ) {
            // Also with queries whose lines are consecutive, because a query on each line is a case of its
            // own.
            let lines: Vec<String> = lines
                .iter()
                .flat_map(|line| (0..repeat).map(move |number| line.replace(" 1 ", &format!("{number} 1 "))))
                .collect();
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.run");
            fs_err::write(&path, lines.join("\n")).unwrap();
            let options = ReadRunOptions { depth, ..ReadRunOptions::default() };
            let reading = |size, cores| {
                let chunks = Chunks::in_chunks_of(&path, size).unwrap();
                read(chunks, &path, &options, cores).map_err(|error| error.to_string())
            };
            let whole = reading(1 << 20, Cores::One);
            if let Some(visited) = visit_run(&path, &options, size % 2 == 0, |_, ranking| ranking.clone()).transpose() {
                let visited = visited.map_err(|error| error.to_string()).map(|visited| {
                    let mut run = llull_core::Run::new(visited.name);
                    for (topic, ranking) in visited.topics {
                        run.insert(topic, ranking);
                    }
                    RunFile { run, notes: visited.notes }
                });
                prop_assert_eq!(&visited, &whole);
            }
            for cores in [Cores::One, Cores::All] {
                prop_assert_eq!(&reading(size, cores), &whole);
            }
        }
    }
}
