UPDATE kv SET value = value || '["28c3f7ae91550daf80977706054004e1ba4e4af99e54903fe5d465be6e7dd352"]' WHERE key = 'migrations';
