//! Pairs that an annotator set aside: skipped, later, or undecidable.
//!
//! These are no answers, so they are not in the ledger. They are lines at the end of a file next to it; a pair's last
//! line counts.

use std::collections::BTreeMap;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use llull_config::{Folder, SavedFile, is_absent};
use llull_data::{DataError, own_file_below};
use llull_study::StudyLedger;
use serde::{Deserialize, Serialize};

use crate::error::{ReviewError, ReviewRefusal};

/// The file, with one JSON object per line.
const FILE: &str = "review-marks.jsonl";

/// The place of the file of marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MarksFile {
    /// Among llull's own files of a study.
    Study(Folder),
    /// Next to the ledger of a study in memory, named after it.
    Beside { folder: PathBuf, name: String },
    /// Nowhere: the ledger is in memory, too.
    Nowhere,
}

impl MarksFile {
    /// Returns the place of the marks of a study with this folder and ledger.
    pub(crate) fn of(folder: &Folder, ledger: &StudyLedger) -> Self {
        match ledger {
            _ if folder.keeps() => Self::Study(folder.clone()),
            StudyLedger::File(ledger) => {
                let parent = ledger.parent().filter(|parent| !parent.as_os_str().is_empty());
                let name = ledger.file_name().unwrap_or_default().to_string_lossy();
                Self::Beside {
                    folder: parent.unwrap_or(Path::new(".")).to_owned(),
                    name: format!("{name}.{FILE}"),
                }
            }
            _ => Self::Nowhere,
        }
    }

    /// The file, which no symbolic link leads to; `None` if marks are in memory.
    fn path(&self) -> Result<Option<PathBuf>, DataError> {
        match self {
            Self::Study(folder) => SavedFile::new(folder, FILE).path().map(Some),
            Self::Beside { folder, name } => own_file_below(folder, name).map(Some),
            Self::Nowhere => Ok(None),
        }
    }
}

/// The reason for setting a pair aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReviewMark {
    /// Skipped: it does not come again by itself.
    Skip,
    /// It comes again once no other is left.
    Later,
    /// The annotator has read it and cannot decide.
    CannotTell,
    /// Not set aside.
    Open,
}

#[derive(Debug, Serialize, Deserialize)]
struct Line {
    #[serde(rename = "person")]
    annotator: String,
    item: String,
    mark: ReviewMark,
}

/// The marks of all annotators.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    last: BTreeMap<(String, String), ReviewMark>,
    /// The part of the file that was read: bytes and lines.
    read: (u64, usize),
}

impl Marks {
    /// Returns an annotator's mark of a pair.
    pub(crate) fn of(&self, annotator: &str, item: &str) -> Option<ReviewMark> {
        // A map with pairs of strings as keys has no lookup by borrowed ones.
        let found = self.last.get(&(annotator.to_owned(), item.to_owned())).copied();
        found.filter(|mark| *mark != ReviewMark::Open)
    }

    /// Returns all annotators with marks, in order of name.
    pub(crate) fn annotators(&self) -> Vec<&str> {
        let mut annotators: Vec<&str> = self.last.keys().map(|(annotator, _)| annotator.as_str()).collect();
        annotators.dedup();
        annotators
    }

    /// Reads the new lines of the file.
    ///
    /// # Errors
    /// Returns an error if the file is behind a link, cannot be read, or has an invalid line.
    pub(crate) fn refresh(&mut self, file: &MarksFile) -> Result<(), ReviewError> {
        let Some(path) = file.path()? else { return Ok(()) };
        let mut file = match fs_err::File::open(&path) {
            Err(error) if is_absent(&error) => return Ok(()),
            opened => opened?,
        };
        file.seek(SeekFrom::Start(self.read.0))?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        // A process is still writing a line without an end.
        for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            self.read = (self.read.0 + line.len() as u64, self.read.1 + 1);
            if line.trim().is_empty() {
                continue;
            }
            let wrong = |_| {
                ReviewRefusal::Problem(format!(
                    "{}:{line}: this is no mark of llull review; remove the line",
                    path.display(),
                    line = self.read.1
                ))
            };
            let Line { annotator, item, mark } = serde_json::from_str(line).map_err(wrong)?;
            self.last.insert((annotator, item), mark);
        }
        Ok(())
    }

    /// Adds a mark, which is on disk when this returns.
    ///
    /// # Errors
    /// Returns an error if the file is behind a link or cannot be written.
    pub(crate) fn add(
        &mut self,
        place: &MarksFile,
        annotator: &str,
        item: &str,
        mark: ReviewMark,
    ) -> Result<(), ReviewError> {
        let line = Line { annotator: annotator.to_owned(), item: item.to_owned(), mark };
        if let MarksFile::Study(folder) = place {
            folder.make_private_dir()?;
        }
        let Some(path) = place.path()? else {
            self.last.insert((line.annotator, line.item), mark);
            return Ok(());
        };
        let mut text = serde_json::to_string(&line).map_err(std::io::Error::from)?;
        text.push('\n');
        let mut file = fs_err::OpenOptions::new().create(true).append(true).read(true).open(&path)?;
        if !ends_a_line(&mut file)? {
            // The process that wrote it was killed: the rest of the line is lost.
            text.insert(0, '\n');
        }
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        self.refresh(place)
    }
}

fn ends_a_line(file: &mut fs_err::File) -> std::io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_mark_of_a_person_counts_and_another_process_sees_it() {
        let dir = tempfile::tempdir().unwrap();
        let folder = MarksFile::Study(Folder::new(dir.path()));
        let (mut one, mut other) = (Marks::default(), Marks::default());
        one.refresh(&folder).unwrap();
        one.add(&folder, "anna", "i1", ReviewMark::Skip).unwrap();
        other.refresh(&folder).unwrap();
        other.add(&folder, "anna", "i1", ReviewMark::Later).unwrap();
        other.add(&folder, "ben", "i1", ReviewMark::CannotTell).unwrap();
        one.refresh(&folder).unwrap();
        for marks in [&one, &other] {
            assert_eq!(marks.of("anna", "i1"), Some(ReviewMark::Later));
            assert_eq!(marks.of("ben", "i1"), Some(ReviewMark::CannotTell));
        }
        one.add(&folder, "anna", "i1", ReviewMark::Open).unwrap();
        assert_eq!(one.of("anna", "i1"), None);
    }

    #[test]
    fn marks_of_a_ledger_alone_are_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let of =
            |ledger: &str| MarksFile::of(&Folder::of_memory(), &StudyLedger::File(dir.path().join(ledger)));
        let (mut one, mut other) = (Marks::default(), Marks::default());
        one.add(&of("a.sqlite"), "anna", "i1", ReviewMark::Skip).unwrap();
        other.refresh(&of("a.sqlite")).unwrap();
        assert_eq!(other.of("anna", "i1"), Some(ReviewMark::Skip));
        assert!(dir.path().join("a.sqlite.review-marks.jsonl").is_file());
        other.refresh(&of("b.sqlite")).unwrap();
        let bare = MarksFile::of(&Folder::of_memory(), &StudyLedger::File("a.sqlite".into()));
        let name = "a.sqlite.review-marks.jsonl".to_owned();
        assert_eq!(bare, MarksFile::Beside { folder: ".".into(), name });
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("elsewhere", dir.path().join("c.sqlite.review-marks.jsonl")).unwrap();
            one.add(&of("c.sqlite"), "anna", "i1", ReviewMark::Skip).unwrap_err();
        }
    }

    #[test]
    fn a_line_that_was_cut_is_named_and_swallows_no_other() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::new(dir.path());
        let path = folder.make_private_dir().unwrap().join(FILE);
        fs_err::write(&path, "{\"person\":\"an").unwrap();
        let mut marks = Marks::default();
        marks.refresh(&MarksFile::Study(folder.clone())).unwrap();
        let folder = MarksFile::Study(folder);
        let error = marks.add(&folder, "anna", "i1", ReviewMark::Skip).unwrap_err();
        assert!(error.to_string().contains("review-marks.jsonl:1: this is no mark"), "{error}");
        assert!(fs_err::read_to_string(&path).unwrap().ends_with("\"mark\":\"skip\"}\n"));
    }
}
