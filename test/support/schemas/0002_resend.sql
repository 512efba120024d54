UPDATE kv SET value = value || '["c1f8d92ef1abc9b0727801691b50cf502c68b66af927015f83c9e4d323463d25"]' WHERE key = 'migrations';
