UPDATE kv SET value = value || '["c3b2f1e7ee4174618eed08ad7dc0aa48af2130426fc077d4fa23ab52e635e636"]' WHERE key = 'migrations';
