UPDATE kv SET value = value || '["0394f3c44e9f41092606be85abe7aed552bc8a531d71b83f514d318e5cd836c9"]' WHERE key = 'migrations';
