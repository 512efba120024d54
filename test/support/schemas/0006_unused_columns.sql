UPDATE kv SET value = value || '["162149bcbce02d014076b41e1e9ef30ac866bcea60c321e129fdfb560a1caa0a"]' WHERE key = 'migrations';
