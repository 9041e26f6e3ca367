-- Version 4: batches of requests at providers. What is left of a batch is in its latest row.

CREATE TABLE batches (
    id       INTEGER PRIMARY KEY,   -- in order of recording
    name     TEXT NOT NULL,         -- llull's own, by which a provider's list of batches has it
    judge    TEXT NOT NULL,         -- its name in the study then
    state    TEXT NOT NULL CHECK (state IN ('prepared', 'submitted', 'ended')),
    remote   TEXT,                  -- the provider's name
    requests TEXT NOT NULL,         -- their identifiers, one a line
    at_ms    INTEGER NOT NULL,
    checksum BLOB NOT NULL          -- 8 bytes over the row
) STRICT;
CREATE TRIGGER batches_are_not_changed BEFORE UPDATE ON batches
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER batches_are_not_deleted BEFORE DELETE ON batches
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
