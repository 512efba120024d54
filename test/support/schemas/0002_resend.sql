UPDATE triggers SET id = 'resend-1-0a1b2c', resend = 'run-1', incident_id = 1, event_key = 'event-1', state = 'delivered';
UPDATE kv SET value = value || '["c1f8d92ef1abc9b0727801691b50cf502c68b66af927015f83c9e4d323463d25"]' WHERE key = 'migrations';
