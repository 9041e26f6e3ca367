//! The file of kept weights: a line that says whose they are, and then a record for each text.
//!
//! | bytes | |
//! |---|---|
//! | 16 | the text's key |
//! | 4 | how many terms it has; little endian, as all of it |
//! | 8 a term | the term, and its weight as f32 |
//! | 4 | the first bytes of the BLAKE3 of the record before them |
//!
//! Records are only added. One that is cut short or damaged ends what is read, since it may say wrongly where the next
//! begins; what is added next takes its place.

use std::io::{BufReader, ErrorKind, Read, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use fs_err::{File, OpenOptions};
use serde::{Deserialize, Serialize};

use crate::error::EncodeError;
use crate::kept_file::{NUMBER, TextKey, check, file_name, first_line};
use crate::term_weights::TermWeights;

const FORMAT: &str = "llull term weights 1";
/// No text has more terms than this; a record that says so is damaged.
const MOST_TERMS: u32 = 1 << 24;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    encoder: String,
}

/// A file of kept weights.
#[derive(Debug)]
pub(crate) struct WeightsFile {
    path: PathBuf,
    encoder: String,
    /// Where the last whole record ends that was read or added.
    end: u64,
}

/// A text's key and its terms.
pub(crate) type WeightsRecord = (TextKey, TermWeights);

impl WeightsFile {
    /// Opens a file and reads every whole record. There may be no file yet.
    pub(crate) fn read(path: PathBuf, encoder: &str) -> Result<(Self, Vec<WeightsRecord>), EncodeError> {
        let mut file = Self { path, encoder: encoder.to_owned(), end: 0 };
        let records = match File::open(&file.path) {
            Ok(mut open) => file.read_on(&mut open)?,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        Ok((file, records))
    }

    /// Adds records, behind whatever is there. Another process may add at the same time.
    pub(crate) fn add(&mut self, records: &[WeightsRecord]) -> Result<(), EncodeError> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&self.path)?;
        file.file().lock()?;
        self.read_on(&mut file)?;
        let mut bytes = Vec::new();
        if self.end == 0 {
            let header = Header { format: FORMAT.into(), encoder: self.encoder.clone() };
            serde_json::to_writer(&mut bytes, &header).map_err(std::io::Error::from)?;
            bytes.push(b'\n');
        }
        for (key, weights) in records {
            let from = bytes.len();
            bytes.extend_from_slice(key);
            bytes.extend_from_slice(&(weights.as_slice().len() as u32).to_le_bytes());
            for (term, weight) in weights.as_slice() {
                bytes.extend_from_slice(&term.to_le_bytes());
                bytes.extend_from_slice(&weight.to_le_bytes());
            }
            let check = check(bytes.get(from..).unwrap_or_default());
            bytes.extend_from_slice(&check);
        }
        file.set_len(self.end)?;
        file.seek(SeekFrom::Start(self.end))?;
        file.write_all(&bytes)?;
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Reads the whole records behind those that are known.
    fn read_on(&mut self, file: &mut File) -> Result<Vec<WeightsRecord>, EncodeError> {
        if file.metadata()?.len() < self.end {
            self.end = 0;
        }
        file.seek(SeekFrom::Start(self.end))?;
        let mut reader = BufReader::new(file);
        if self.end == 0 {
            let Some(end) = self.header(&mut reader)? else { return Ok(Vec::new()) };
            self.end = end;
        }
        let mut records = Vec::new();
        while let Some((record, length)) = read_record(&mut reader)? {
            records.push(record);
            self.end += length;
        }
        Ok(records)
    }

    /// Reads the first line and returns its length; `None` if the file is empty, or holds a part of that line only.
    fn header(&self, reader: &mut impl std::io::BufRead) -> Result<Option<u64>, EncodeError> {
        let Some(line) = first_line(reader)? else { return Ok(None) };
        let wrong = |what: String| EncodeError::NotKept { path: self.path.clone(), what };
        let header: Header =
            serde_json::from_slice(&line).map_err(|_| wrong("this is no file of llull's weights".into()))?;
        if header.format != FORMAT {
            return Err(wrong("its weights have a form that this llull does not read".into()));
        }
        if header.encoder != self.encoder {
            return Err(wrong(format!("it has weights of {}, not of {}", header.encoder, self.encoder)));
        }
        Ok(Some(line.len() as u64))
    }
}

/// Reads a record and says how long it is; `None` at the end, or if what is left is no whole record.
fn read_record(reader: &mut impl Read) -> Result<Option<(WeightsRecord, u64)>, EncodeError> {
    const START: usize = size_of::<TextKey>() + NUMBER;
    let mut record = Vec::new();
    if reader.by_ref().take(START as u64).read_to_end(&mut record)? < START {
        return Ok(None);
    }
    let Some((key, count)) = record.split_first_chunk() else { return Ok(None) };
    let (key, count): (TextKey, u32) =
        (*key, u32::from_le_bytes(count.first_chunk().copied().unwrap_or_default()));
    if count > MOST_TERMS {
        return Ok(None);
    }
    let rest = count as usize * 2 * NUMBER + NUMBER;
    if reader.by_ref().take(rest as u64).read_to_end(&mut record)? < rest {
        return Ok(None);
    }
    let Some((content, checked)) = record.split_at_checked(record.len() - NUMBER) else { return Ok(None) };
    if check(content) != checked {
        return Ok(None);
    }
    let (numbers, _) = content.get(START..).unwrap_or_default().as_chunks::<NUMBER>();
    let (terms, _) = numbers.as_chunks::<2>();
    let terms = terms.iter().map(|[term, weight]| (u32::from_le_bytes(*term), f32::from_le_bytes(*weight)));
    Ok(Some(((key, TermWeights::of(terms)?), record.len() as u64)))
}

/// Returns the name of the file that has an encoder's weights, as [`vectors_file`](crate::vectors_file) does for
/// vectors.
pub fn weights_file(encoder: &str) -> String {
    file_name(encoder, "weights")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(terms: &[(u32, f32)]) -> TermWeights {
        TermWeights::of(terms.iter().copied()).unwrap()
    }

    fn read(path: &std::path::Path) -> (WeightsFile, Vec<WeightsRecord>) {
        WeightsFile::read(path.to_owned(), "a/b").unwrap()
    }

    #[test]
    fn a_record_cut_short_anywhere_loses_nothing_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(weights_file("a/b"));
        let records = [
            ([1; 16], weights(&[(3, 0.5), (70_000, 2.0)])),
            ([2; 16], weights(&[])),
            ([3; 16], weights(&[(9, 1.0)])),
        ];
        read(&path).0.add(&records[..2]).unwrap();
        let whole = fs_err::read(&path).unwrap();
        for end in 0..=whole.len() {
            fs_err::write(&path, &whole[..end]).unwrap();
            let (mut file, before) = read(&path);
            assert!(records.starts_with(&before), "cut at {end}");
            file.add(&records[2..]).unwrap();
            assert_eq!(read(&path).1, [before.as_slice(), &records[2..]].concat(), "cut at {end}");
        }
        assert_eq!(read(&path).1, records);
    }

    #[test]
    fn two_who_add_lose_nothing_of_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w");
        let ((mut one, _), (mut other, _)) = (read(&path), read(&path));
        for key in 0..3 {
            one.add(&[([key; 16], weights(&[(1, 1.0)]))]).unwrap();
            other.add(&[([key + 10; 16], weights(&[(2, 1.0)]))]).unwrap();
        }
        let keys: Vec<u8> = read(&path).1.iter().map(|(key, _)| key[0]).collect();
        assert_eq!(keys, [0, 10, 1, 11, 2, 12]);
        fs_err::remove_file(&path).unwrap();
        one.add(&[([5; 16], weights(&[(1, 1.0)]))]).unwrap();
        assert_eq!(read(&path).1.len(), 1, "a file that was deleted is begun anew");
    }

    #[test]
    fn a_damaged_record_ends_what_is_read_and_another_encoders_file_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w");
        let all = [1u8, 2, 3].map(|key| ([key; 16], weights(&[(1, 1.0)])));
        read(&path).0.add(&all).unwrap();
        let whole = fs_err::read(&path).unwrap();
        let header = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        let record = (whole.len() - header) / 3;
        for at in header + record..header + 2 * record {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x81;
            fs_err::write(&path, &damaged).unwrap();
            assert_eq!(read(&path).1, all[..1], "byte {at}");
        }
        let said = WeightsFile::read(path.clone(), "c/d").unwrap_err().to_string();
        assert!(said.contains("weights of a/b, not of c/d"), "{said}");
        fs_err::write(&path, "query Q0 d 1 0.5 x\n").unwrap();
        let said = WeightsFile::read(path, "a/b").unwrap_err().to_string();
        assert!(said.contains("no file of llull's weights. Remove"), "{said}");
    }
}
