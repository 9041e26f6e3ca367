//! The data files, and a study of them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use llull::Study;
use llull::config::Overrides;
use llull::reach::Trust;

/// Returns the path of a data file or folder.
///
/// # Panics
///
/// Panics if it does not exist, since a test must not pass without its data.
#[expect(clippy::panic, reason = "there is nothing to test without the data")]
pub fn data(path: &str) -> PathBuf {
    let root = std::env::var_os("LLULL_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"), PathBuf::from);
    let path = root.join(path);
    if !path.exists() {
        panic!("{} does not exist; set LLULL_DATA to the folder with the data", path.display());
    }
    path
}

/// Returns the 37 runs of dl19, in the order of their names.
///
/// # Panics
///
/// Panics if the folder cannot be read.
#[expect(clippy::unwrap_used, reason = "there is nothing to test without the data")]
pub fn dl19_runs() -> Vec<PathBuf> {
    let mut runs: Vec<PathBuf> =
        data("dl19/runs").read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    runs.sort();
    runs
}

/// Creates a study in an empty folder, with the given configuration and dl19's runs as its systems.
///
/// # Panics
///
/// Panics if the study cannot be written or opened.
#[expect(clippy::unwrap_used, reason = "there is nothing to test without the study")]
pub fn dl19_study(folder: &Path, mut config: String) -> Study {
    for run in dl19_runs() {
        let name = run.file_name().unwrap().to_string_lossy().replace(".run.gz", "");
        writeln!(config, "[[systems]]\nname = {name:?}\nrun = {run:?}").unwrap();
    }
    let mut file = std::fs::File::create_new(folder.join(llull::config::FILE_NAME)).unwrap();
    std::io::Write::write_all(&mut file, config.as_bytes()).unwrap();
    open_study(folder)
}

/// Opens a study that reads files of the data.
///
/// # Panics
///
/// Panics if it cannot be opened.
#[expect(clippy::unwrap_used, reason = "there is nothing to test without the study")]
pub fn open_study(folder: &Path) -> Study {
    let trust = Trust::default().with(&data("").to_string_lossy()).unwrap();
    Study::open_trusting(folder, &Overrides::default(), &trust).unwrap()
}

/// Reads a text file of the data.
///
/// # Panics
///
/// Panics if the file cannot be read.
#[expect(clippy::unwrap_used, reason = "there is nothing to test without the data")]
pub fn read_to_string(path: &str) -> String {
    std::io::read_to_string(std::fs::File::options().read(true).open(data(path)).unwrap()).unwrap()
}
