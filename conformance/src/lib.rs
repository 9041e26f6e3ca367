//! What llull reproduces from ../shared/data.
