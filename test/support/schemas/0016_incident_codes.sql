UPDATE kv SET value = value || '["ece26d7198a3486f15c334060755c65fed206e528b634b1889c44b08bb45f465"]' WHERE key = 'migrations';
