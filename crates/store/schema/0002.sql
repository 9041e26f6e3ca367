-- Version 2: comparisons. `document` is then the first that was shown, and the verdict, which is no grade, lies in `replies`.

ALTER TABLE attempts ADD COLUMN documents TEXT; -- JSON array of all that were shown, in that order; NULL where one was graded
