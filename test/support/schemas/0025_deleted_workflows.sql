UPDATE kv SET value = value || '["dbe6e82a30973af7c15c6a971d55545fd00e8d2955f75f91796425a85ce7440b"]' WHERE key = 'migrations';
