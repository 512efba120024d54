UPDATE kv SET value = value || '["156efd1fb7f991e7d41864659cde86e4f0c398b1ccbfd69dced5526cc7e1f6fa"]' WHERE key = 'migrations';
