-- Steps of a store that tests migrate.
CREATE TABLE steps (step INTEGER NOT NULL);
INSERT INTO steps VALUES (1);
