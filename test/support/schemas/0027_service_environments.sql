UPDATE kv SET value = value || '["706423bc0cb823676b9ca3b7f41130b16f6987abf196f7d8f2a04ea9170b53ef"]' WHERE key = 'migrations';
