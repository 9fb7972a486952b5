INSERT INTO steps VALUES (4);
INSERT INTO no_such_table VALUES (4);
