//! Files that a study saves in its private folder, with their keys.

use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use llull_core::Hash;
use llull_data::{DataError, Output, shown_path};

use crate::folder::Folder;

/// One of llull's own files. What is made of inputs is made again once their hash, its key, changes; a
/// [copy](Self::copy) has the hash of its content as its name; the others are replaced as a whole, or added to.
///
/// With a key, the file `NAME.key` next to it has a line `KEY CONTENT` for the current file and one for its
/// replacement. A key holds only for the content whose hash is in its line, so one rename replaces content and key
/// together. A process that is killed at any step leaves the old file with the old key, or the new one with the new
/// key.
pub struct SavedFile<'a> {
    folder: &'a Folder,
    name: String,
}

impl<'a> SavedFile<'a> {
    /// Returns the file of this name, relative to the folder of llull's own files.
    pub fn new(folder: &'a Folder, name: impl Into<String>) -> Self {
        Self { folder, name: name.into() }
    }

    /// Returns the file of its own kind, `students/NAME.json`; `None` if the name is no plain word.
    pub fn named(folder: &'a Folder, kind: &str, name: &str) -> Option<Self> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let is_plain = !name.is_empty() && name.chars().all(plain);
        is_plain.then(|| Self::new(folder, format!("{kind}/{name}.json")))
    }

    /// Returns the copy of a text whose meaning has this hash, `rubrics/HASH.md`.
    pub fn copy(folder: &'a Folder, kind: &str, hash: Hash) -> Self {
        Self::new(folder, format!("{kind}/{hash}.md"))
    }

    /// Returns its path.
    ///
    /// # Errors
    /// Returns an error if a link leads to it.
    pub fn path(&self) -> Result<PathBuf, DataError> {
        self.folder.private_file(&self.name)
    }

    /// Returns a path of this file as a study's settings can have it, relative to the study's folder.
    pub fn relative(&self, path: PathBuf) -> PathBuf {
        path.strip_prefix(self.folder.dir()).map(Path::to_owned).unwrap_or(path)
    }

    /// Returns its path if it exists, and no link leads to it.
    pub fn existing(&self) -> Option<PathBuf> {
        self.path().ok().filter(|path| path.is_file())
    }

    /// Replaces its content, without a key. Returns its path.
    ///
    /// # Errors
    /// Returns an error if a link leads to it, or it cannot be written.
    pub fn write(&self, content: &[u8]) -> Result<PathBuf, DataError> {
        let mut output = self.create()?;
        output.write_all(content).map_err(DataError::File)?;
        self.put(output)
    }

    /// Puts new content in place, without a key. Returns its path.
    ///
    /// # Errors
    /// Returns an error if the rest of it cannot be written.
    pub fn put(&self, content: Output) -> Result<PathBuf, DataError> {
        content.finish()?;
        self.path()
    }

    /// Returns its path and makes its folder, for a file to which each writer adds.
    ///
    /// # Errors
    /// Returns an error if a link leads to it, or the folder cannot be made.
    pub fn path_to_append(&self) -> Result<PathBuf, DataError> {
        let path = self.path()?;
        path.parent().map_or(Ok(()), fs_err::create_dir_all).map_err(DataError::File)?;
        Ok(path)
    }

    /// Returns its text; `None` if it does not exist.
    ///
    /// # Errors
    /// Returns an error if a link leads to it, or it cannot be read.
    pub fn text(&self) -> Result<Option<String>, DataError> {
        match fs_err::read_to_string(self.path()?) {
            Err(error) if is_absent(&error) => Ok(None),
            read => read.map(Some).map_err(DataError::File),
        }
    }

    /// Saves a copy, unless it exists. In a read-only folder it does nothing.
    ///
    /// # Errors
    /// Returns an error if the copy cannot be written for another reason.
    pub fn save_copy(&self, text: &str) -> Result<(), DataError> {
        if self.path()?.is_file() {
            return Ok(());
        }
        match self.write(text.as_bytes()) {
            Err(error) if is_read_only(&error) => Ok(()),
            written => written.map(drop),
        }
    }

    /// Returns whether its content was saved under this key.
    ///
    /// # Errors
    /// Returns an error if a link leads to it, or it cannot be read.
    pub fn is_of(&self, key: Hash) -> Result<bool, DataError> {
        let path = self.path()?;
        let lines = self.lines()?;
        if !path.is_file() || !lines.iter().any(|line| line.key == key) {
            return Ok(false);
        }
        let content = hash_file(&path)?;
        Ok(lines.contains(&KeyLine { key, content }))
    }

    /// Begins its new content, which [`save`](Self::save) puts in place, or [`put`](Self::put) without a key.
    ///
    /// # Errors
    /// Returns an error if a link leads to it, or it cannot be created.
    pub fn create(&self) -> Result<Output, DataError> {
        self.folder.create_private(&self.name)
    }

    /// Puts new content in place, under this key.
    ///
    /// # Errors
    /// Returns an error if it cannot be written; the old content keeps its key then.
    pub fn save(&self, mut content: Output, key: Hash) -> Result<(), DataError> {
        self.announce(&mut content, key)?;
        content.finish()
    }

    /// Writes the line of the new content, next to that of the current content.
    fn announce(&self, content: &mut Output, key: Hash) -> Result<(), DataError> {
        let new = KeyLine { key, content: hash_file(content.flushed()?)? };
        let path = self.path()?;
        let mut lines = Vec::new();
        if path.is_file() {
            let old = hash_file(&path)?;
            lines = self.lines()?;
            lines.retain(|line| line.content == old && *line != new);
        }
        lines.push(new);
        let text: String = lines.iter().map(|line| format!("{} {}\n", line.key, line.content)).collect();
        self.keys().write(text.as_bytes()).map(drop)
    }

    fn lines(&self) -> Result<Vec<KeyLine>, DataError> {
        let path = self.keys().path()?;
        if !path.is_file() {
            return Ok(Vec::new());
        }
        let text = fs_err::read(path).map_err(DataError::File)?;
        Ok(String::from_utf8_lossy(&text).lines().filter_map(KeyLine::parse).collect())
    }

    fn keys(&self) -> Self {
        Self::new(self.folder, format!("{}.key", self.name))
    }
}

/// A key, and the hash of the content that it holds for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KeyLine {
    key: Hash,
    content: Hash,
}

impl KeyLine {
    /// Reads a line. A line of another form is of an older llull, and has no hash of the content.
    fn parse(line: &str) -> Option<Self> {
        let (key, content) = line.split_once(' ')?;
        Some(Self { key: key.parse().ok()?, content: content.parse().ok()? })
    }
}

/// Returns whether a file does not exist.
pub fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Returns whether a file cannot be written because its folder is read-only.
pub fn is_read_only(error: &DataError) -> bool {
    matches!(error, DataError::File(error)
        if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem))
}

/// Returns the hash of a file's bytes. The hash of a BEIR folder is that of its queries; another folder is an error.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn hash_file(path: &Path) -> Result<Hash, DataError> {
    let queries = path.is_dir().then(|| llull_data::beir_queries(path).ok()).flatten();
    let path = queries.as_deref().unwrap_or(path);
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(llull_data::open_file(path)?).map_err(|source| DataError::Io {
        file: shown_path(path),
        action: "read",
        source,
    })?;
    Ok(Hash(*hasher.finalize().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(saved: &SavedFile<'_>) -> Option<String> {
        fs_err::read_to_string(saved.path().unwrap()).ok()
    }

    fn begun(saved: &SavedFile<'_>, text: &str) -> Output {
        let mut output = saved.create().unwrap();
        output.write_all(text.as_bytes()).unwrap();
        output
    }

    /// Stands for a killed process: it neither removes nor completes its file.
    fn kill(output: Output) {
        std::mem::forget(output);
    }

    #[test]
    fn a_kill_between_two_steps_leaves_one_entry_whole() {
        let [old, new] = [b"old", b"new"].map(|name| Hash::of(name));
        for old_text in [Some("old text"), None, Some("new text")] {
            for steps in 0..=3 {
                let dir = tempfile::tempdir().unwrap();
                let folder = Folder::new(dir.path());
                let saved = SavedFile::new(&folder, "runs/x.run");
                if let Some(text) = old_text {
                    saved.save(begun(&saved, text), old).unwrap();
                }
                let mut output = begun(&saved, "new text");
                match steps {
                    0 => kill(output),
                    1 => {
                        output.flushed().unwrap();
                        kill(output);
                    }
                    2 => {
                        saved.announce(&mut output, new).unwrap();
                        kill(output);
                    }
                    _ => saved.save(output, new).unwrap(),
                }
                let found = (saved.is_of(old).unwrap(), saved.is_of(new).unwrap(), content(&saved));
                let is_new = steps == 3;
                let text = if is_new { Some("new text") } else { old_text };
                // The same bytes are the content of both keys, once both were computed.
                let same = old_text == Some("new text");
                let expected_old = old_text.is_some() && (!is_new || same);
                let expected_new = is_new || same && steps == 2;
                assert_eq!(
                    found,
                    (expected_old, expected_new, text.map(str::to_owned)),
                    "{old_text:?} {steps}"
                );
                // Whoever comes next saves the new entry whole.
                saved.save(begun(&saved, "new text"), new).unwrap();
                assert!(saved.is_of(new).unwrap());
            }
        }
    }

    /// An older llull wrote content and key one after the other, so that a kill paired new content with an old key.
    #[test]
    fn a_key_without_its_content_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::new(dir.path());
        let saved = SavedFile::new(&folder, "runs/x.run");
        let key = Hash::of(b"key");
        saved.save(begun(&saved, "text"), key).unwrap();
        fs_err::write(saved.path().unwrap(), "other text").unwrap();
        assert!(!saved.is_of(key).unwrap(), "edited content is not what was saved");
        fs_err::write(dir.path().join(".llull/runs/x.run.key"), key.to_string()).unwrap();
        assert!(!saved.is_of(key).unwrap(), "the form of an older llull");
    }
}
