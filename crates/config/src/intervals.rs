//! Confidence, resamples and seed of intervals.

use llull_core::Seed;
use llull_stats::BootstrapOptions;

use crate::{
    defaults::SEED, error::ConfigError, file::StudyFile, folder::Folder, overrides::Overrides, place::Place,
    ranges,
};

/// Returns how intervals are drawn by the `llull.toml` of a folder, or by default if it has none.
///
/// It is for commands on plain files, so no other value of the file needs to be valid.
///
/// # Errors
/// Returns an error if the file cannot be read, or if one of these values is invalid.
pub fn intervals_of(folder: &Folder, overrides: &Overrides) -> Result<BootstrapOptions, ConfigError> {
    let path = folder.config();
    let (text, file) = if path.is_file() {
        let text = llull_data::read_text(&path)?;
        let file = StudyFile::parse(&text, &path)?;
        (text, file)
    } else {
        (String::new(), StudyFile::default())
    };
    intervals(&file, overrides, &Place { text: &text, path: &path })
}

pub(crate) fn intervals(
    file: &StudyFile,
    overrides: &Overrides,
    at: &Place<'_>,
) -> Result<BootstrapOptions, ConfigError> {
    let written = &file.compare;
    let mut options = BootstrapOptions::new(Seed(overrides.seed.or(file.seed).unwrap_or(SEED)));
    if let Some(confidence) = &written.confidence {
        options.confidence = ranges::confidence(*confidence.get_ref())
            .map_err(|range| at.wrong(confidence, format!("compare.confidence {range}")))?;
    }
    if let Some(resamples) = &written.resamples {
        let number = *resamples.get_ref();
        ranges::RESAMPLES
            .check(number as u64)
            .map_err(|range| at.wrong(resamples, format!("compare.resamples {range}")))?;
        options.resamples = number;
    }
    match (options.check(), &written.resamples, &written.confidence) {
        (Ok(()), _, _) => Ok(options),
        (Err(error), Some(resamples), _) => Err(at.wrong(resamples, error.to_string())),
        (Err(error), None, Some(confidence)) => Err(at.wrong(confidence, error.to_string())),
        (Err(error), None, None) => Err(ConfigError::Override(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn of(text: &str, seed: Option<u64>) -> Result<BootstrapOptions, String> {
        let path = Path::new("llull.toml");
        let file = StudyFile::parse(text, path).unwrap();
        let overrides = Overrides { seed, ..Overrides::default() };
        intervals(&file, &overrides, &Place { text, path }).map_err(|error| error.to_string())
    }

    #[test]
    fn the_environment_precedes_the_file_and_that_the_defaults() {
        assert_eq!(of("", None), Ok(BootstrapOptions::new(Seed(42))));
        let text = "seed = 7\n[compare]\nconfidence = 0.8\nresamples = 500\n";
        let written = BootstrapOptions { resamples: 500, confidence: 0.8, seed: Seed(7) };
        assert_eq!(of(text, None), Ok(written));
        assert_eq!(of(text, Some(3)), Ok(BootstrapOptions { seed: Seed(3), ..written }));
    }

    #[test]
    fn too_few_resamples_for_the_confidence_are_an_error_with_a_line() {
        let error = of("[compare]\nresamples = 10\n", None).unwrap_err();
        assert!(error.starts_with("llull.toml line 2: 10 resamples are too few"), "{error}");
        let error = of("[compare]\nconfidence = 95\n", None).unwrap_err();
        assert!(error.starts_with("llull.toml line 2: compare.confidence must be at least 0.5"), "{error}");
    }
}
