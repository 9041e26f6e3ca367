//! The file of saved vectors: a header line and records.
//!
//! | bytes | |
//! |---|---|
//! | 16 | the text's key |
//! | 4 | 1 if the text was longer than the model reads, else 0; little endian, as all of it |
//! | 4 a dimension | the vector, as f32 |
//! | 4 | the first bytes of the BLAKE3 of the record before them |
//!
//! The header names the format, the encoder and the dimensions. Records are only appended. A record that a crash cut
//! off is removed before the next is appended. A record with a wrong checksum is skipped: its text is encoded again.

use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use fs_err::{File, OpenOptions};
use serde::{Deserialize, Serialize};

use crate::error::EncodeError;

/// The key of a text's vector.
pub(crate) type TextKey = [u8; 16];

const FORMAT: &str = "llull vectors 1";
const KEY: usize = size_of::<TextKey>();
const NUMBER: usize = 4;
/// A header is shorter than this.
const LONGEST_HEADER: u64 = 4096;

/// The first line.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    format: String,
    encoder: String,
    dimensions: usize,
}

/// A file of saved vectors.
#[derive(Debug)]
pub(crate) struct KeptFile {
    path: PathBuf,
    encoder: String,
}

impl KeptFile {
    pub(crate) fn new(path: PathBuf, encoder: &str) -> Self {
        Self { path, encoder: encoder.to_owned() }
    }

    /// Reads every whole record: dimensions, keys with their marks, and values. `None` if there is no file yet.
    pub(crate) fn read(&self) -> Result<Option<Records>, EncodeError> {
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let mut reader = BufReader::new(file);
        let Some(dimensions) = self.header(&mut reader)? else { return Ok(None) };
        let mut records = Records { dimensions, keys: Vec::new(), values: Vec::new() };
        let mut record = vec![0; length(dimensions)];
        while read_whole(&mut reader, &mut record)? {
            records.add(&record);
        }
        Ok(Some(records))
    }

    /// Adds records at the end of the file. Another process may add at the same time.
    pub(crate) fn add(
        &self,
        dimensions: usize,
        records: &[(TextKey, bool, &[f32])],
    ) -> Result<(), EncodeError> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&self.path)?;
        file.file().lock()?;
        let mut reader = BufReader::new(&mut file);
        let start = match self.header(&mut reader)? {
            Some(saved) if saved != dimensions => {
                return Err(EncodeError::Vectors {
                    encoder: self.encoder.clone(),
                    found: format!("{dimensions} dimensions"),
                    expected: format!("the {saved} of {}", self.path.display()),
                });
            }
            Some(_) => reader.stream_position()?,
            None => 0,
        };
        drop(reader);
        let mut bytes = Vec::new();
        let end = if start == 0 {
            let header = Header { format: FORMAT.into(), encoder: self.encoder.clone(), dimensions };
            serde_json::to_writer(&mut bytes, &header).map_err(std::io::Error::from)?;
            bytes.push(b'\n');
            0
        } else {
            let whole = file.metadata()?.len().saturating_sub(start) / length(dimensions) as u64;
            start + whole * length(dimensions) as u64
        };
        for (key, cut, vector) in records {
            let from = bytes.len();
            bytes.extend_from_slice(key);
            bytes.extend_from_slice(&u32::from(*cut).to_le_bytes());
            bytes.extend(vector.iter().flat_map(|value| value.to_le_bytes()));
            let check = check(bytes.get(from..).unwrap_or_default());
            bytes.extend_from_slice(&check);
        }
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        file.write_all(&bytes)?;
        Ok(())
    }

    /// The dimensions; `None` if the file is empty, or holds a part of its first line only.
    fn header(&self, reader: &mut impl std::io::BufRead) -> Result<Option<usize>, EncodeError> {
        let Some(line) = first_line(reader)? else { return Ok(None) };
        let wrong = |what: String| EncodeError::NotKept { path: self.path.clone(), what };
        let header: Header =
            serde_json::from_slice(&line).map_err(|_| wrong("this is no file of llull's vectors".into()))?;
        if header.format != FORMAT || header.dimensions == 0 {
            return Err(wrong("its vectors have a form that this llull does not read".into()));
        }
        if header.encoder != self.encoder {
            return Err(wrong(format!("it has vectors of {}, not of {}", header.encoder, self.encoder)));
        }
        Ok(Some(header.dimensions))
    }
}

/// The content of a file.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Records {
    pub(crate) dimensions: usize,
    pub(crate) keys: Vec<(TextKey, bool)>,
    pub(crate) values: Vec<f32>,
}

impl Records {
    fn add(&mut self, record: &[u8]) {
        let Some((content, checked)) = record.split_at_checked(record.len() - NUMBER) else { return };
        let (Some((key, rest)), true) = (content.split_first_chunk::<KEY>(), check(content) == checked)
        else {
            return;
        };
        let Some((cut, values)) = rest.split_first_chunk::<NUMBER>() else { return };
        self.keys.push((*key, u32::from_le_bytes(*cut) != 0));
        let (values, _) = values.as_chunks::<NUMBER>();
        self.values.extend(values.iter().map(|value| f32::from_le_bytes(*value)));
    }
}

fn length(dimensions: usize) -> usize {
    KEY + NUMBER + dimensions * NUMBER + NUMBER
}

/// Reads the header line; `None` if the file is empty, or holds a part of that line only.
fn first_line(reader: &mut impl std::io::BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    reader.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut line)?;
    let is_whole = line.last() == Some(&b'\n') || line.len() as u64 >= LONGEST_HEADER;
    Ok(is_whole.then_some(line))
}

/// Returns the checksum of a record.
fn check(content: &[u8]) -> [u8; NUMBER] {
    let mut check = [0; NUMBER];
    check.copy_from_slice(blake3::hash(content).as_bytes().get(..NUMBER).unwrap_or(&[0; NUMBER]));
    check
}

/// Fills the buffer; `false` at the end, or if the rest is shorter.
fn read_whole(reader: &mut impl std::io::Read, buffer: &mut [u8]) -> Result<bool, EncodeError> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Returns the name of the file with an encoder's vectors: the encoder's name without characters that file names
/// cannot have, and a part of its hash, so that two encoders never share a file.
pub fn vectors_file(encoder: &str) -> String {
    let plain =
        |letter: char| if letter.is_ascii_alphanumeric() || "-.".contains(letter) { letter } else { '_' };
    let name: String = encoder.chars().map(plain).take(80).collect();
    format!("{name}-{}.vectors", blake3::hash(encoder.as_bytes()).to_hex().get(..8).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> (tempfile::TempDir, KeptFile) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(vectors_file("a/b"));
        (folder, KeptFile::new(path, "a/b"))
    }

    fn keys(file: &KeptFile) -> Vec<u8> {
        file.read().unwrap().unwrap_or_default().keys.iter().map(|(key, _)| key[0]).collect()
    }

    #[test]
    fn a_record_cut_short_anywhere_loses_nothing_before_it() {
        let (_folder, file) = file();
        assert_eq!(file.read().unwrap(), None);
        file.add(2, &[([1; 16], false, &[0.5, -1.0]), ([2; 16], true, &[1.0, 0.0])]).unwrap();
        let whole = fs_err::read(&file.path).unwrap();
        for end in 0..=whole.len() {
            fs_err::write(&file.path, &whole[..end]).unwrap();
            let before = keys(&file);
            assert!(before.len() <= 2 && [1, 2].starts_with(&before));
            file.add(2, &[([3; 16], false, &[0.0, 1.0])]).unwrap();
            assert_eq!(keys(&file), [before.as_slice(), &[3]].concat(), "cut at {end}");
        }
        let read = file.read().unwrap().unwrap();
        assert_eq!(read.keys[1], ([2; 16], true));
        assert_eq!(read.values, [0.5, -1.0, 1.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_damaged_record_is_passed_over() {
        let (_folder, file) = file();
        file.add(2, &[([1; 16], false, &[0.5, -1.0]), ([2; 16], true, &[1.0, 0.0])]).unwrap();
        let mut bytes = fs_err::read(&file.path).unwrap();
        let header = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        bytes[header + 20] ^= 1;
        fs_err::write(&file.path, &bytes).unwrap();
        assert_eq!(keys(&file), [2]);
    }

    #[test]
    fn another_encoders_file_is_not_read() {
        let (_folder, file) = file();
        file.add(2, &[([1; 16], false, &[0.5, -1.0])]).unwrap();
        let other = KeptFile::new(file.path.clone(), "c/d");
        assert!(other.read().unwrap_err().to_string().contains("vectors of a/b, not of c/d"));
        assert!(file.add(3, &[]).unwrap_err().to_string().contains("3 dimensions, where the 2 of"));
        fs_err::write(&file.path, "query Q0 d 1 0.5 x\n").unwrap();
        assert!(file.read().unwrap_err().to_string().contains("no file of llull's vectors. Remove"));
        assert_ne!(vectors_file("a/b"), vectors_file("a_b"));
        assert!(vectors_file("../../etc/passwd").starts_with(".._.._etc_passwd-"));
    }
}
