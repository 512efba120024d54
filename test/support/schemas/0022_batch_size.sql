UPDATE kv SET value = value || '["3c9c8b338c5cd4f1f526b2a757c8eebe2d1e9af397540e6f0e1309a2fbfd7748"]' WHERE key = 'migrations';
