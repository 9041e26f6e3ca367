//! A folder of Markdown, text and HTML as a corpus: each file is cut into passages.

use std::fmt;
use std::path::{Path, PathBuf};

use encoding_rs::WINDOWS_1252;
use llull_core::{DEFAULT_PASSAGE_TOKENS, Document, passages};

use super::html::page;
use super::read::{CorpusNotes, Each};
use crate::{DataError, RowPlace, beir::beir_corpus, error::shown_path, whole::read_whole};

/// Endings of files of text.
const TEXTS: [&str; 6] = ["md", "markdown", "mdx", "txt", "rst", "adoc"];

/// Endings of HTML.
const PAGES: [&str; 3] = ["html", "htm", "xhtml"];

/// How a folder of texts was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderNotes {
    /// The number of files that were read.
    pub files: u64,
    /// The number of files of other kinds, which were not.
    pub others: u64,
    /// The most estimated tokens of a passage; 0 if files are whole.
    pub passage_tokens: u32,
}

impl fmt::Display for FolderNotes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |count| if count == 1 { "" } else { "s" };
        write!(f, "{} file{}", self.files, s(self.files))?;
        match self.passage_tokens {
            0 => write!(f, ", each a document")?,
            tokens => write!(f, ", in passages of at most {tokens} tokens")?,
        }
        match self.others {
            0 => Ok(()),
            others => write!(f, "; {others} other file{} not read", s(others)),
        }
    }
}

/// Returns the files of a corpus: the file itself, that of a BEIR folder, or the texts of another folder, by their
/// names. Hidden files and links are left out.
///
/// # Errors
/// Returns an error if a folder cannot be listed, or has no text.
pub fn corpus_files(path: impl AsRef<Path>) -> Result<Vec<PathBuf>, DataError> {
    let path = path.as_ref();
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    match beir_corpus(path) {
        Ok(file) => Ok(vec![file]),
        Err(_) => texts_of(path).map(|(texts, _)| texts),
    }
}

/// Reads the texts of a folder as documents.
pub(super) fn read_folder(
    folder: &Path,
    passage_tokens: Option<u32>,
    each: &mut Each<'_>,
) -> Result<CorpusNotes, DataError> {
    let tokens = passage_tokens.unwrap_or(DEFAULT_PASSAGE_TOKENS);
    let (files, others) = texts_of(folder)?;
    let mut notes = CorpusNotes::default();
    for file in &files {
        let name = file.strip_prefix(folder).unwrap_or(file);
        let id = name
            .components()
            .map(|part| part.as_os_str().to_string_lossy())
            .collect::<Vec<_>>()
            .join("/")
            .replace(char::is_whitespace, "_");
        for document in documents_of(file, id, tokens)? {
            notes.documents += 1;
            notes.blank += u64::from(document.is_blank());
            each(&document, RowPlace::Path(name.display().to_string()), None)?;
        }
    }
    notes.folder = Some(FolderNotes { files: files.len() as u64, others, passage_tokens: tokens });
    Ok(notes)
}

/// Returns the documents of a file: its passages, or all of it. Passages have the title of their file.
fn documents_of(file: &Path, id: String, tokens: u32) -> Result<Vec<Document>, DataError> {
    let bytes = read_whole(file)?;
    let text =
        String::from_utf8(bytes).unwrap_or_else(|error| WINDOWS_1252.decode(error.as_bytes()).0.into_owned());
    let (title, text) = match ending(file).filter(|ending| PAGES.contains(&ending.as_str())) {
        Some(_) => {
            let page = page(&text);
            (page.title, page.text)
        }
        None => (heading(&text), text),
    };
    let name = || file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let title = Some(title).filter(|title| !title.is_empty()).unwrap_or_else(name);
    if tokens == 0 {
        return Ok(vec![Document { id, title, text: text.trim().to_owned() }]);
    }
    let whole = Document { id, title: String::new(), text };
    let cut = passages(&whole, tokens).into_iter().zip(1..);
    let document = |text: String, number: u32| Document {
        id: format!("{}#{number}", whole.id),
        title: title.clone(),
        text,
    };
    Ok(cut.map(|(passage, number)| document(passage.text, number)).collect())
}

/// Returns the first heading of Markdown, or nothing.
fn heading(text: &str) -> String {
    let first = text.lines().find_map(|line| line.strip_prefix("# "));
    first.map(|heading| heading.trim().trim_end_matches('#').trim().to_owned()).unwrap_or_default()
}

/// Returns the texts in a folder and the folders in it, by their names, and the number of other files.
fn texts_of(folder: &Path) -> Result<(Vec<PathBuf>, u64), DataError> {
    let (mut texts, mut others) = (Vec::new(), 0);
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        for entry in fs_err::read_dir(&at).map_err(DataError::File)? {
            let entry = entry.map_err(DataError::File)?;
            let kind = entry.file_type().map_err(DataError::File)?;
            // A link could lead to a file that nobody named.
            if entry.file_name().to_string_lossy().starts_with('.') || kind.is_symlink() {
                continue;
            }
            match kind {
                _ if kind.is_dir() => open.push(entry.path()),
                _ if kind.is_file() && is_corpus_text(&entry.path()) => texts.push(entry.path()),
                _ => others += 1,
            }
        }
    }
    if texts.is_empty() {
        return Err(DataError::Folder {
            folder: shown_path(folder),
            found: "there is neither a corpus.jsonl nor a text in it".to_owned(),
            remedy: format!(
                "A corpus is a BEIR folder, a folder with files in .{} or .{}, or a file",
                TEXTS.join(", ."),
                PAGES.join(", .")
            ),
        });
    }
    texts.sort();
    Ok((texts, others))
}

/// Returns whether a folder of texts has such a file as documents, by its ending.
pub fn is_corpus_text(file: &Path) -> bool {
    ending(file).is_some_and(|ending| TEXTS.contains(&ending.as_str()) || PAGES.contains(&ending.as_str()))
}

fn ending(file: &Path) -> Option<String> {
    file.extension().map(|ending| ending.to_string_lossy().to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::super::{CorpusFields, stream_corpus};
    use super::*;

    fn read(folder: &Path, passage_tokens: Option<u32>) -> (Vec<Document>, CorpusNotes) {
        let fields = CorpusFields { passage_tokens, ..CorpusFields::default() };
        let mut documents = Vec::new();
        let notes = stream_corpus(folder, &fields, |document, _| {
            documents.push(document.clone());
            Ok(())
        });
        (documents, notes.unwrap())
    }

    fn document(id: &str, title: &str, text: &str) -> Document {
        Document { id: id.into(), title: title.into(), text: text.into() }
    }

    #[test]
    fn files_are_cut_into_passages_under_the_title_of_their_file() {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ("guide/install.md", "# Install it #\n\nOne.\n\nTwo words here.\n"),
            ("faq.html", "<title>FAQ</title><p>Why?</p>"),
            ("my notes.TXT", "Plain."),
            ("empty.md", "\n"),
            ("logo.png", "x"),
            (".git/hidden.md", "x"),
        ];
        for (name, text) in files {
            let path = folder.path().join(name);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, text).unwrap();
        }
        fs_err::write(folder.path().join("latin.txt"), b"caf\xe9").unwrap();
        let (documents, notes) = read(folder.path(), Some(8));
        assert_eq!(
            documents,
            [
                document("faq.html#1", "FAQ", "Why?"),
                document("guide/install.md#1", "Install it", "# Install it #\n\nOne."),
                document("guide/install.md#2", "Install it", "Two words here."),
                document("latin.txt#1", "latin", "café"),
                document("my_notes.TXT#1", "my notes", "Plain."),
            ]
        );
        assert_eq!(notes.folder, Some(FolderNotes { files: 5, others: 1, passage_tokens: 8 }));
        let (whole, notes) = read(folder.path(), Some(0));
        assert_eq!((whole.len(), notes.blank), (5, 0), "an empty file has its name as title");
        assert_eq!(whole[2].text, "# Install it #\n\nOne.\n\nTwo words here.");
        assert_eq!(whole[2].id, "guide/install.md");
        let files = corpus_files(folder.path()).unwrap();
        assert_eq!(files.len(), 5);
        let line = read(folder.path(), None).1.folder.map(|folder| folder.to_string());
        assert_eq!(
            line.as_deref(),
            Some("5 files, in passages of at most 300 tokens; 1 other file not read")
        );
    }

    #[test]
    fn a_folder_without_texts_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join("x.pdf"), "x").unwrap();
        let error = stream_corpus(folder.path(), &CorpusFields::default(), |_, _| Ok(())).unwrap_err();
        assert!(error.to_string().contains("neither a corpus.jsonl nor a text"), "{error}");
    }
}
