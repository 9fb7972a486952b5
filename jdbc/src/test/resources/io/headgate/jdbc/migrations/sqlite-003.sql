INSERT INTO steps VALUES (3);
UPDATE headgate_schema SET compatible_from = 2;
