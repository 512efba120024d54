UPDATE kv SET value = value || '["ca1a0439dac6eeb9e1e85a36bef455770423acadf45e11bd017672c6cc0983a8"]' WHERE key = 'migrations';
