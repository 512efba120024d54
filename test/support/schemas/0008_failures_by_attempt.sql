UPDATE kv SET value = value || '["e7528afacaa2f80c2dbf635124e703debc372693db6c8d2488c3fa4287c6cf51"]' WHERE key = 'migrations';
