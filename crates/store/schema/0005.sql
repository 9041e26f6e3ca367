-- Version 5: what a provider counts apart. The checksum covers these columns where one of them is not NULL.

ALTER TABLE attempts ADD COLUMN cached_tokens INTEGER;          -- of the prompt, read from the provider's cache
ALTER TABLE attempts ADD COLUMN cache_written_tokens INTEGER;   -- of the prompt, written to it
ALTER TABLE attempts ADD COLUMN reasoning_tokens INTEGER;       -- of the reply
ALTER TABLE attempts ADD COLUMN request_id TEXT;                -- the provider's name of the request
