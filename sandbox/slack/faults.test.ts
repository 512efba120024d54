import { expect, test } from 'vitest';
import { startSlack } from './local-slack.testing.ts';

test('a fault of the local Slack can leave a caller waiting although the call was carried out', async () => {
  const slack = await startSlack();
  slack.faults.next('chat.postMessage', { kind: 'hang', when: 'after' });
  const caller = new AbortController();
  const body = new URLSearchParams({ channel: 'C0ONCALL', text: 'hello', token: slack.botToken });
  const call = fetch(`${slack.apiUrl}chat.postMessage`, { method: 'POST', body, signal: caller.signal });
  await slack.workspace.until(() => slack.workspace.as('U0ANN').sees('C0ONCALL')[0], { what: 'the message' });
  caller.abort();
  await expect(call).rejects.toThrow('aborted');
  await slack.close();
});
