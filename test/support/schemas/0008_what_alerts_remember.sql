UPDATE kv SET value = value || '["57d8e186edc0f1ddb5e488572073f53953f4291ab786891d3ac049a2b94b03ef"]' WHERE key = 'migrations';
