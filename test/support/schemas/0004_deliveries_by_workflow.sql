UPDATE kv SET value = value || '["358c1fb1b4ceefc9f0071e5e6ca51642cced1bd36755c18fe8a06d028fdaa19c"]' WHERE key = 'migrations';
