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
/// Blank lines and lines whose first word begins with `#` are skipped, as trec_eval 10 does. The tag may be any word, or
/// absent. Rank and second column are not consulted: the order is by score, then by document id, both descending.
/// A topic's lines need not stand together. Memory is that of the result, plus one topic's lines and a few pieces of the file.
///
/// Words behind the tag are not read, as in trec_eval, and counted. Since a blank in an identifier also makes for more columns, such a line
/// must look like one that has them: its fourth column, the rank, a whole number, and its sixth, the tag, no number.
/// `q1 Q0 doc 1 1 12.5 tag` is refused.
///
/// # Errors
/// When the file cannot be read, a line has another number of columns, or a score is not a number (NaN is not;
/// `inf` is). The first line that is wrong is named.
pub fn read_run(path: impl AsRef<Path>, options: &ReadRunOptions) -> Result<RunFile, DataError> {
    read(Chunks::open(path.as_ref())?, path.as_ref(), options, Cores::All)
}

/// [`read_run`] in the calling thread alone, where several runs are read side by side.
///
/// # Errors
/// As [`read_run`].
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

/// The file's name without compression and extension.
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
        /// However the file is cut and whoever parses it: the same run, the same notes, the same first error.
        #[test]
        fn pieces_and_cores_do_not_matter(
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
            // Topics that stand together, too, because a topic of each line is a case of its own.
            let lines: Vec<String> = lines
                .iter()
                .flat_map(|line| (0..repeat).map(move |number| line.replace(" 1 ", &format!("{number} 1 "))))
                .collect();
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.run");
            fs_err::write(&path, lines.join("\n")).unwrap();
            let options = ReadRunOptions { depth, name: None };
            let reading = |size, cores| {
                read(Chunks::in_pieces(&path, size).unwrap(), &path, &options, cores).map_err(|error| error.to_string())
            };
            let whole = reading(1 << 20, Cores::One);
            for cores in [Cores::One, Cores::All] {
                prop_assert_eq!(&reading(size, cores), &whole);
            }
        }
    }
}
