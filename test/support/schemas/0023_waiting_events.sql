INSERT INTO waiting_events (environment, event_id, due_at, read_at) VALUES ('production', 'event-29', '2026-11-29T12:00:00Z', '2026-11-29T12:02:00Z');
