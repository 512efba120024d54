INSERT INTO waiting_events (environment, event_id, due_at, read_at) VALUES ('production', 'event-29', '2026-11-29T12:00:00Z', '2026-11-29T12:02:00Z');
UPDATE kv SET value = value || '["adeeb466756b72f0bc828e64aa42139356cfdfb2b713ce6bde17445f4ede226e"]' WHERE key = 'migrations';
