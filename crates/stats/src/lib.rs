//! Intervals, comparisons, agreement and correlation.
