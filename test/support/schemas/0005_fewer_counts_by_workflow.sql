UPDATE kv SET value = value || '["acf42538835a8673f5874570835b293ccd293e987888566bdcf16725387b0352"]' WHERE key = 'migrations';
