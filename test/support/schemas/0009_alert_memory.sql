UPDATE kv SET value = value || '["d87d7da491d690b9868fce267e40e631f8e0ff0db899fdd1e68972d4bff2a9bd"]' WHERE key = 'migrations';
