-- The first schema. Times are nanoseconds of the epoch by the store's clock.

-- Every id in the window of duplicates: of unfinished jobs, and of the outcomes that are kept.
-- ended: null while the job is unfinished, else the number of its outcome.
CREATE TABLE job_id (
  id    TEXT    NOT NULL PRIMARY KEY,
  seq   INTEGER NOT NULL,
  ended INTEGER
) WITHOUT ROWID;

-- Hot: the unfinished jobs, in order of admission; one with a delay takes its number when that ends.
-- state: 0 waiting, 1 running, 2 suspended, 3 held, 4 due (was suspended, waits ahead of the others)
CREATE TABLE job (
  seq           INTEGER NOT NULL PRIMARY KEY,
  id            TEXT    NOT NULL,
  state         INTEGER NOT NULL,
  level         INTEGER NOT NULL,
  bytes         INTEGER NOT NULL,
  expires_at    INTEGER,
  token         INTEGER NOT NULL DEFAULT 0,
  attempt       INTEGER NOT NULL DEFAULT 0,
  uncertain     INTEGER NOT NULL DEFAULT 0,
  lost          INTEGER NOT NULL DEFAULT 0,
  due_at        INTEGER,
  deadline_at   INTEGER,
  retries_below INTEGER,
  error_type    TEXT,
  error_message TEXT,
  error_flags   INTEGER,
  payload       BLOB    NOT NULL
);

-- Jobs come and go in order of admission, so that order needs no index. These hold few jobs each.
CREATE INDEX job_due    ON job (state, due_at, seq) WHERE state IN (2, 4);
CREATE INDEX job_held   ON job (seq) WHERE state = 3;
CREATE INDEX job_expiry ON job (expires_at) WHERE state = 0 AND expires_at IS NOT NULL;
CREATE INDEX job_shed   ON job (level, seq) WHERE state = 0 AND level <> 1;

-- The latest outcomes, in order of their ends. The payload is kept of failures only.
CREATE TABLE outcome (
  number        INTEGER NOT NULL PRIMARY KEY,
  id            TEXT    NOT NULL,
  kind          INTEGER NOT NULL,
  attempts      INTEGER NOT NULL,
  cause         TEXT,
  error_type    TEXT,
  error_message TEXT,
  error_flags   INTEGER,
  ended_at      INTEGER NOT NULL,
  size          INTEGER NOT NULL,
  level         INTEGER NOT NULL,
  bytes         INTEGER NOT NULL,
  payload       BLOB
);
CREATE INDEX outcome_failed ON outcome (number) WHERE kind = 1;

-- One row: maintained by every transaction, never counted.
CREATE TABLE counter (
  one             INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
  accepted        INTEGER NOT NULL,
  completed       INTEGER NOT NULL,
  failed          INTEGER NOT NULL,
  interrupted     INTEGER NOT NULL,
  unstarted       INTEGER NOT NULL,
  waiting_0       INTEGER NOT NULL,
  waiting_1       INTEGER NOT NULL,
  waiting_2       INTEGER NOT NULL,
  waiting_3       INTEGER NOT NULL,
  waiting_bytes_0 INTEGER NOT NULL,
  waiting_bytes_1 INTEGER NOT NULL,
  waiting_bytes_2 INTEGER NOT NULL,
  waiting_bytes_3 INTEGER NOT NULL,
  due             INTEGER NOT NULL,
  suspended       INTEGER NOT NULL,
  held            INTEGER NOT NULL,
  set_aside_bytes INTEGER NOT NULL,
  running         INTEGER NOT NULL,
  running_bytes   INTEGER NOT NULL,
  last_token      INTEGER NOT NULL,
  last_outcome    INTEGER NOT NULL,
  first_outcome   INTEGER NOT NULL,
  kept            INTEGER NOT NULL,
  kept_bytes      INTEGER NOT NULL,
  last_seq        INTEGER NOT NULL
);
INSERT INTO counter VALUES (1, 0,0,0,0,0, 0,0,0,0, 0,0,0,0, 0,0,0,0, 0,0, 0,0,1,0,0, 0);
