//! Retrievers and pooling: which documents are judged, and who found them where.
