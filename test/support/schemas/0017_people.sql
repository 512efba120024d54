INSERT INTO person_ids (id, person) VALUES ('U0ANN', 'W0ANN');
UPDATE messages SET owner = '{"person":"U0ANN","channel":"C1"}';
