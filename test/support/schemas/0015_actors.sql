UPDATE kv SET value = value || '["9074543972af8614777c66061a3a842cc077129c2a9419ffb57c913713d702b3"]' WHERE key = 'migrations';
