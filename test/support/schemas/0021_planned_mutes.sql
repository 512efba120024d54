UPDATE mutes SET incident_id = NULL, outbreak = NULL, provider = 'twilio', made_at = until - interval '25 h';
