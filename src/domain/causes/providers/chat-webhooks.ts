import { catalogue } from '../entry.ts';
import { fix } from '../next-steps.ts';

const NEXT = "Replace the webhook's address in the subscriber's credentials.";

/** HTTP statuses of chat webhooks without a catalog of their own: the address is the subscriber's, not the integration's. */
export const chatWebhooks = catalogue({
  scope: { providers: ['mattermost', 'ryver', 'zulip', 'grafana-on-call', 'chat-webhook'] },
  codes: 'own',
  hosts: ['www.rfc-editor.org'],
  source: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.4',
  entries: [
    {
      code: ['401', '403'],
      meaning: "The subscriber's webhook isn't allowed to post: its token isn't valid, or it was disabled",
      ...fix('recipient', NEXT),
    },
    {
      code: ['404', '410'],
      meaning: "The subscriber's webhook was deleted, or its address is wrong",
      ...fix('recipient', NEXT),
      source: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5',
    },
  ],
});
