UPDATE incidents SET headline = 'Mailbox full';
UPDATE kv SET value = value || '["6522722c062e319bfc58b4da981f829162c68a961a8a2a9a4e477874b3b88c29"]' WHERE key = 'migrations';
