//! A file in large chunks that end where a line ends.

use std::{io, path::Path};

use crate::{
    DataError,
    error::shown_path,
    limits::{LONGEST_LINE, has_only_returns, line_too_long, lone_returns},
    open::{ZIP, open},
};

/// Small enough that a chunk is still in a core's cache when it is parsed, large enough that handing it over
/// costs nothing.
const SIZE: usize = 1 << 18;

/// The chunks of a file. Where they are cut depends only on its bytes.
pub(crate) struct Chunks {
    file: String,
    reader: Box<dyn io::BufRead + Send>,
    /// The approximate size of a chunk.
    size: usize,
    /// The bytes that were read behind the last line end.
    carry: Vec<u8>,
    index: u64,
    at_end: bool,
    failed: Option<DataError>,
    is_workbook: bool,
}

#[cfg(feature = "xlsx")]
fn first_sheet(file: &str, reader: Box<dyn io::BufRead + Send>) -> Result<Vec<u8>, DataError> {
    crate::workbook::sheet_text(file, reader, crate::SheetFormat::Commas)
}

#[cfg(not(feature = "xlsx"))]
fn first_sheet(file: &str, _: Box<dyn io::BufRead + Send>) -> Result<Vec<u8>, DataError> {
    let reason = "this llull was built without the feature xlsx".to_owned();
    Err(DataError::Damaged { file: file.to_owned(), kind: "workbook", reason })
}

impl Chunks {
    /// Opens a file of text or Parquet, or a workbook, whose first sheet is read as CSV.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, or is a damaged workbook.
    pub(crate) fn open(path: &Path) -> Result<Self, DataError> {
        let mut chunks = Self::in_chunks_of(path, SIZE)?;
        if !chunks.begins_with(ZIP) {
            return Ok(chunks);
        }
        let file = chunks.file.clone();
        let sheet = first_sheet(&file, chunks.into_reader())?;
        Ok(Self { is_workbook: true, ..Self::over(file, Box::new(io::Cursor::new(sheet)), SIZE) })
    }

    /// Opens a file, with chunks of about `size` bytes.
    pub(crate) fn in_chunks_of(path: &Path, size: usize) -> Result<Self, DataError> {
        Ok(Self::over(shown_path(path), open(path)?, size))
    }

    fn over(file: String, reader: Box<dyn io::BufRead + Send>, size: usize) -> Self {
        Self {
            file,
            reader,
            size,
            carry: Vec::new(),
            index: 0,
            at_end: false,
            failed: None,
            is_workbook: false,
        }
    }

    /// Returns the name of the file, for messages.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    /// Returns whether the text is that of a workbook's sheet.
    pub(crate) fn is_workbook(&self) -> bool {
        self.is_workbook
    }

    /// Returns whether everything was handed out or is known to be unreadable.
    pub(crate) fn is_done(&self) -> bool {
        self.at_end && self.carry.is_empty() && self.failed.is_none()
    }

    /// Returns everything that was not handed out as one reader.
    pub(crate) fn into_reader(self) -> Box<dyn io::BufRead + Send> {
        let Self { reader, carry, failed, .. } = self;
        let rest = match failed {
            Some(DataError::Io { source, .. }) => Box::new(io::BufReader::new(Failing(Some(source)))),
            _ => reader,
        };
        Box::new(io::Read::chain(io::Cursor::new(carry), rest))
    }

    /// Fills `buffer` with the next chunk, which consists of whole lines, and returns its number, from 0, and
    /// its length; `None` after the last one.
    ///
    /// If reading fails, the lines before the failure are a chunk, and the failure is the next one. If it names a line,
    /// that is counted from the end of the chunk before.
    pub(crate) fn next(&mut self, buffer: &mut Vec<u8>) -> Option<(u64, Result<usize, DataError>)> {
        if self.is_done() {
            return None;
        }
        let index = self.index;
        self.index += 1;
        if self.at_end
            && self.carry.is_empty()
            && let Some(failed) = self.failed.take()
        {
            return Some((index, Err(failed)));
        }
        let filled = self.fill(buffer);
        if index == 0 && self.at_end && self.failed.is_none() && has_only_returns(&buffer[..filled]) {
            self.carry.clear();
            return Some((index, Err(lone_returns(&self.file, 1))));
        }
        let (lines, rest) = match (self.at_end, line_end(&buffer[..filled])) {
            // A line that was interrupted by a failure is not handed out.
            (true, end) if self.failed.is_some() => (end, filled),
            (true, _) => (filled, filled),
            (false, end) => (end, end),
        };
        self.carry.clear();
        self.carry.extend_from_slice(&buffer[rest..filled]);
        Some((index, Ok(lines)))
    }

    /// Returns whether a Parquet file begins here, by its first bytes.
    pub(crate) fn is_parquet(&mut self) -> bool {
        self.begins_with(b"PAR1")
    }

    fn begins_with(&mut self, bytes: &[u8]) -> bool {
        if self.carry.is_empty() && self.index == 0 && !self.at_end {
            let mut buffer = Vec::new();
            let filled = self.fill(&mut buffer);
            buffer.truncate(filled);
            self.carry = buffer;
        }
        self.index == 0 && self.carry.starts_with(bytes)
    }

    /// Returns the first line for which `wanted` holds, without consuming it. `None` if no line is wanted or reading
    /// fails before it, and for a Parquet file, which has no lines.
    pub(crate) fn first_line(&mut self, wanted: impl Fn(&[u8]) -> bool) -> Option<&[u8]> {
        if self.is_parquet() {
            return None;
        }
        let mut known = 0;
        loop {
            // A line that was interrupted by a failure does not count.
            let whole = self.at_end && self.failed.is_none();
            let end = if whole { self.carry.len() } else { line_end(&self.carry) };
            let mut start = known;
            let mut found = None;
            for line in self.carry.get(known..end).unwrap_or_default().split_inclusive(|byte| *byte == b'\n')
            {
                if wanted(line) {
                    found = Some(start..start + line.len());
                    break;
                }
                start += line.len();
            }
            if let Some(found) = found {
                return self.carry.get(found);
            }
            if self.at_end {
                return None;
            }
            known = end;
            let mut buffer = Vec::new();
            let filled = self.fill(&mut buffer);
            buffer.truncate(filled);
            self.carry = buffer;
        }
    }

    /// Returns the whole lines that were read and not handed out, such as those that [`first_line`](Self::first_line)
    /// has read.
    pub(crate) fn lines_ahead(&self) -> &[u8] {
        let end = if self.at_end { self.carry.len() } else { line_end(&self.carry) };
        self.carry.get(..end).unwrap_or_default()
    }

    /// Puts the carry and the following bytes into `buffer`, up to the end or until a line ends in it. Returns the
    /// length.
    ///
    /// The file is not read after its end or a failure: a terminal would wait for another end, and an interrupted line
    /// would be joined to the next one.
    fn fill(&mut self, buffer: &mut Vec<u8>) -> usize {
        let wanted = self.size.max(self.carry.len() * 2).min(LONGEST_LINE.max(self.carry.len()) + 1);
        buffer.resize(wanted, 0);
        buffer[..self.carry.len()].copy_from_slice(&self.carry);
        let mut filled = self.carry.len();
        if self.at_end {
            return filled;
        }
        loop {
            if filled == buffer.len() {
                if line_end(buffer) > 0 {
                    return filled;
                }
                if filled > LONGEST_LINE {
                    self.at_end = true;
                    self.failed = Some(line_too_long(&self.file, 1, buffer));
                    return filled;
                }
                buffer.resize((filled * 2).min(LONGEST_LINE + 1), 0);
            }
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => {
                    self.at_end = true;
                    return filled;
                }
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => {
                    self.at_end = true;
                    self.failed = Some(DataError::Io { file: self.file.clone(), action: "read", source });
                    return filled;
                }
            }
        }
    }
}

/// Fails as the reader did that it stands for.
struct Failing(Option<io::Error>);

impl io::Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Returns the position after the last line feed; 0 without a line feed.
fn line_end(bytes: &[u8]) -> usize {
    memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use std::{
        io::{BufReader, Cursor, Read},
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering},
        },
    };

    use super::*;

    fn chunks(reader: impl Read + Send + 'static) -> Chunks {
        Chunks::over("file".into(), Box::new(BufReader::new(reader)), SIZE)
    }

    /// A reader that fails instead of ending.
    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }

    #[test]
    fn chunks_are_whole_lines_and_together_the_file() {
        let long = "x".repeat(3 * SIZE);
        let lines: String = (0..100_000).map(|number| format!("line {number}\n")).collect();
        for text in ["", "a", "\n", &lines, &format!("{lines}{long}\n{lines}"), &format!("{lines}{long}")] {
            let mut chunks = chunks(Cursor::new(text.to_owned()));
            let (mut together, mut count, mut buffer) = (Vec::new(), 0, Vec::new());
            while let Some((index, length)) = chunks.next(&mut buffer) {
                let chunk = &buffer[..length.unwrap()];
                assert_eq!(index, count);
                assert!(chunk.ends_with(b"\n") || chunks.is_done());
                together.extend_from_slice(chunk);
                count += 1;
            }
            assert!(together == text.as_bytes() && (text.len() < SIZE || count > 1));
        }
    }

    #[test]
    fn lines_before_a_failure_are_handed_out_before_it() {
        let mut chunks = chunks(Cursor::new("one\ntwo\nthr").chain(Broken));
        let mut buffer = Vec::new();
        let (_, length) = chunks.next(&mut buffer).unwrap();
        assert_eq!(&buffer[..length.unwrap()], b"one\ntwo\n");
        let (index, failure) = chunks.next(&mut buffer).unwrap();
        assert_eq!(
            (index, failure.unwrap_err().to_string()),
            (1, "file: cannot read: the disk is gone".into())
        );
        assert!(chunks.is_done() && chunks.next(&mut buffer).is_none());
    }

    /// Text that ends or is interrupted once, and continues when it is read again, as a terminal does.
    struct Interrupted {
        text: Cursor<&'static str>,
        stop: Option<io::Result<usize>>,
        rest: Cursor<&'static str>,
    }

    impl Read for Interrupted {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.text.read(buffer)? {
                0 => self.stop.take().unwrap_or_else(|| self.rest.read(buffer)),
                read => Ok(read),
            }
        }
    }

    fn interrupted(stop: io::Result<usize>) -> Chunks {
        let (text, rest) = (Cursor::new("one\ntwo\nthr"), Cursor::new("ee\nfour\n"));
        chunks(Interrupted { text, stop: Some(stop), rest })
    }

    #[test]
    fn behind_the_end_nothing_is_read() {
        let (mut chunks, mut buffer) = (interrupted(Ok(0)), Vec::new());
        assert_eq!(chunks.first_line(|line| line.starts_with(b"four")), None);
        let (_, length) = chunks.next(&mut buffer).unwrap();
        assert_eq!(&buffer[..length.unwrap()], b"one\ntwo\nthr");
        assert!(chunks.is_done() && chunks.next(&mut buffer).is_none());
    }

    #[test]
    fn a_line_that_reading_broke_off_is_not_glued_to_what_is_behind_it() {
        let failure = io::Error::other("the disk is gone");
        let (mut chunks, mut buffer) = (interrupted(Err(failure)), Vec::new());
        assert_eq!(chunks.first_line(|line| line.starts_with(b"two")), Some(&b"two\n"[..]));
        let (_, length) = chunks.next(&mut buffer).unwrap();
        assert_eq!(&buffer[..length.unwrap()], b"one\ntwo\n");
        let (_, failure) = chunks.next(&mut buffer).unwrap();
        assert_eq!(failure.unwrap_err().to_string(), "file: cannot read: the disk is gone");
        assert!(chunks.is_done() && chunks.next(&mut buffer).is_none());
    }

    /// A reader that counts how often it is read.
    struct Counted(Cursor<String>, Arc<AtomicUsize>);

    impl Read for Counted {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.read(buffer)
        }
    }

    #[test]
    fn chunks_double_until_the_first_line_that_is_wanted() {
        let (reads, text) = (Arc::new(AtomicUsize::new(0)), "# comment\n".repeat(1 << 14) + "first\n");
        let counted = BufReader::with_capacity(1, Counted(Cursor::new(text), reads.clone()));
        let mut chunks = Chunks::over("file".into(), Box::new(counted), 16);
        assert_eq!(chunks.first_line(|line| !line.starts_with(b"#")), Some(&b"first\n"[..]));
        let reads = reads.load(Ordering::Relaxed);
        assert!(reads <= 20, "{reads} reads of 160 KB in chunks from 16 bytes");
    }

    #[test]
    fn a_first_line_that_reading_broke_off_is_none() {
        let mut chunks = chunks(Cursor::new("# comment\nfir").chain(Broken));
        assert_eq!(chunks.first_line(|line| !line.starts_with(b"#")), None);
    }

    #[test]
    fn the_first_line_that_is_wanted_is_shown_and_stays() {
        let text = format!("{}first\nsecond\n", "# comment\n".repeat(SIZE / 4));
        let mut chunks = chunks(Cursor::new(text.clone()));
        assert_eq!(chunks.first_line(|line| !line.starts_with(b"#")), Some(&b"first\n"[..]));
        let (mut together, mut buffer) = (Vec::new(), Vec::new());
        while let Some((_, length)) = chunks.next(&mut buffer) {
            together.extend_from_slice(&buffer[..length.unwrap()]);
        }
        assert!(together == text.as_bytes());
    }
}
