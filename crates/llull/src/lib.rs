//! Measure retrieval without ground truth: a study from configuration to verdict.
