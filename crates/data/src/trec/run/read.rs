//! Reading runs.

use std::path::Path;

use super::collector::Collector;
use super::file::{ReadRunOptions, RunFile};
use super::run_chunk::RunChunk;
use crate::{
    DataError,
    chunks::Chunks,
    error::shown_path,
    parallel::{Cores, in_order},
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

fn read(chunks: Chunks, path: &Path, options: &ReadRunOptions, cores: Cores) -> Result<RunFile, DataError> {
    let file = chunks.file().to_owned();
    let mut collector = Collector::new(file.clone(), options.depth);
    in_order(
        chunks,
        cores,
        |index, bytes, part: &mut RunChunk| part.parse(bytes, index == 0, &file, options.depth),
        |part| collector.add(part),
    )?;
    Ok(collector.finish(|tag| match (&options.name, tag) {
        (Some(name), _) => name.clone(),
        (None, Some(tag)) if !tag.is_empty() => tag,
        _ => stem(path),
    }))
}

/// Returns the name of the file without compression and extension.
fn stem(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if name == "-" {
        return shown_path(path);
    }
    let name = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst")).unwrap_or(&name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
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
            let options = ReadRunOptions { depth, name: None };
            let reading = |size, cores| {
                read(Chunks::in_chunks_of(&path, size).unwrap(), &path, &options, cores).map_err(|error| error.to_string())
            };
            let whole = reading(1 << 20, Cores::One);
            for cores in [Cores::One, Cores::All] {
                prop_assert_eq!(&reading(size, cores), &whole);
            }
        }
    }
}
