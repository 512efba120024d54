UPDATE incidents SET headline = 'Mailbox full';
