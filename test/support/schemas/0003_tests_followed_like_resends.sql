UPDATE kv SET value = value || '["9a1cbfea907ef50777dd671640512b20bf510aa09b6e64e3a7cfe6bd04ad6af2"]' WHERE key = 'migrations';
