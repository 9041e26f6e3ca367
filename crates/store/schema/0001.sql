-- The ledger, version 1. Facts are appended and never changed: labels are derived from them, never stored.

CREATE TABLE judges (
    id          INTEGER PRIMARY KEY,
    fingerprint BLOB NOT NULL UNIQUE,   -- blake3 of what decides its answers
    name        TEXT NOT NULL,          -- the name under which it was first used
    model       TEXT NOT NULL,
    prompt      TEXT NOT NULL,
    prompt_hash BLOB NOT NULL,
    rubric_hash BLOB NOT NULL,
    spec        TEXT NOT NULL           -- JSON, whole
) STRICT;

CREATE TABLE attempts (
    id                INTEGER PRIMARY KEY,  -- in order of recording
    judge             INTEGER NOT NULL REFERENCES judges (id),
    key               BLOB NOT NULL,        -- blake3 of what was asked
    status            TEXT NOT NULL CHECK (status IN ('judged', 'unusable', 'failed')),
    grade             INTEGER,              -- of a judged one
    reason            TEXT,                 -- why it is unusable, or the kind of failure
    detail            TEXT,
    retry_after_ms    INTEGER,
    topic             TEXT NOT NULL,
    document          TEXT NOT NULL,
    sample            INTEGER NOT NULL,
    prompt_tokens     INTEGER,              -- NULL is unknown, never 0
    completion_tokens INTEGER,
    cost_usd          REAL,                 -- NULL is unknown, never 0
    latency_ms        INTEGER NOT NULL,
    tokens_cut        INTEGER NOT NULL,
    model             TEXT,
    at_ms             INTEGER NOT NULL
) STRICT;

-- What is long: kept apart, so that a scan of the attempts does not read it. Only where there is a reply,
-- or a verdict that says more than its grade.
CREATE TABLE replies (
    attempt INTEGER PRIMARY KEY REFERENCES attempts (id),
    reply   TEXT,
    verdict TEXT                            -- JSON
) STRICT;

CREATE TRIGGER attempts_are_not_changed BEFORE UPDATE ON attempts
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER attempts_are_not_deleted BEFORE DELETE ON attempts
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER replies_are_not_changed BEFORE UPDATE ON replies
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER replies_are_not_deleted BEFORE DELETE ON replies
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER judges_are_not_changed BEFORE UPDATE ON judges
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER judges_are_not_deleted BEFORE DELETE ON judges
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
