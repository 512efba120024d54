UPDATE kv SET value = value || '["cdfa71e3e0b9010152307bbc881049250a840872d8660103c51c76a77ae0c7fa"]' WHERE key = 'migrations';
