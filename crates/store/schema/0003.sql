-- Version 3: what is read is checked against what was written. Rows of an earlier version have no checksum.

-- 8 bytes over the row, and where there is a row of `replies`, 8 over its reply and 8 over its verdict; xxh64.
ALTER TABLE attempts ADD COLUMN checksum BLOB;
-- JSON of the request parameters that were left out or renamed because the server refused them.
ALTER TABLE attempts ADD COLUMN adjusted TEXT;
-- The version of the rules by which the reply was read.
ALTER TABLE attempts ADD COLUMN reader INTEGER NOT NULL DEFAULT 1;

ALTER TABLE judges ADD COLUMN checksum BLOB;    -- 8 bytes over the row

-- What tells this ledger from another one that takes its place: a random number.
CREATE TABLE identity (number BLOB NOT NULL) STRICT;
INSERT INTO identity VALUES (randomblob(8));
CREATE TRIGGER identity_is_not_changed BEFORE UPDATE ON identity
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER identity_is_not_deleted BEFORE DELETE ON identity
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
