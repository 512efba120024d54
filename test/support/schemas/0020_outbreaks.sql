INSERT INTO outbreaks (incident_id, number, environment, began_at, first_failed_at, last_failed_at, fires_since, is_published, failures) VALUES (29, 1, 'production', '2026-11-25T11:00:00Z', '2026-11-25T11:00:00Z', '2026-11-25T11:59:08Z', '2026-11-25T11:00:00Z', true, 112);
INSERT INTO outbreak_workflows (incident_id, outbreak, workflow, failures, critical, last_failed_at) VALUES (29, 1, 'workflow-0', 56, false, '2026-11-25T11:59:08Z');
INSERT INTO wordings (incident_id, key, cause_text, cause_key, at) VALUES (29, 'key-28', 'refused', 'refused', '2026-11-25T11:00:00Z');
INSERT INTO followers (incident_id, person, channel, since) VALUES (29, 'U0ANN', 'C9', '2026-11-25T11:10:00Z');
INSERT INTO slack_messages (id, kind, channel, owner, environment, created_at, state, ts, posted_at) VALUES ('digest-1', 'digest', 'C9', 'watch-9', 'production', '2026-11-25T11:00:05Z', 'posted', '1.9', '2026-11-25T11:00:06Z');
INSERT INTO message_subjects (message_id, subject, says) VALUES ('digest-1', 'incident 29', '{}');
INSERT INTO watch_alerts (watch_id, incident_id, environment, outbreak, failures, message_id, posted_at) VALUES ('watch-9', 29, 'production', 1, 112, 'digest-1', '2026-11-25T11:00:06Z');
INSERT INTO alert_cursors (watch_id, environment, version, settings, channel) SELECT id, 'production', 1, settings, channel FROM watches WHERE id = 'watch-9';
INSERT INTO timeline_cursors (environment, version, entry_id) VALUES ('production', 1, 1);
