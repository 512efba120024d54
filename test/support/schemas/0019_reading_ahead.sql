UPDATE kv SET value = value || '["28d65b328767a7af475a8cb6f405bce87740507e04e6e0837fdfdef1e3b60cab"]' WHERE key = 'migrations';
