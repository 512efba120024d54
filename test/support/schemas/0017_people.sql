INSERT INTO person_ids (id, person) VALUES ('U0ANN', 'W0ANN');
UPDATE messages SET owner = '{"person":"U0ANN","channel":"C1"}';
UPDATE kv SET value = value || '["17ad64b9ca0c20934615813290b2b6ede8554b6c91bd340020cf0b7d6a68330f"]' WHERE key = 'migrations';
