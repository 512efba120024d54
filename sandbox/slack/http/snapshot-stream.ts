import type { ServerResponse } from 'node:http';
import type { SeedPerson } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';
import { snapshotFor } from '../workspace/snapshot.ts';

const AT_MOST_EVERY_MS = 100;

/** Sends the person's snapshot at once and after changes, at most one every 100 ms, until the browser disconnects. */
export function streamSnapshots(response: ServerResponse, person: SeedPerson, slack: SlackState): void {
  let waiting: NodeJS.Timeout | undefined;
  const send = () => {
    waiting = undefined;
    response.write(`event: snapshot\ndata: ${JSON.stringify(snapshotFor(person, slack))}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  send();
  const unsubscribe = slack.changes.subscribe(() => {
    waiting ??= setTimeout(send, AT_MOST_EVERY_MS);
  });
  response.on('close', () => {
    unsubscribe();
    clearTimeout(waiting);
  });
}
