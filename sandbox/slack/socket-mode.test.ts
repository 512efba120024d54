import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { parseJson, stringIn } from './json.ts';
import { clientOf, startSlack } from './local-slack.testing.ts';
import type { LocalSlack } from './server.ts';

interface Connection {
  socket: WebSocket;
  frames: unknown[];
}

describe('Socket Mode', () => {
  let slack: LocalSlack;
  beforeEach(async () => {
    slack = await startSlack();
  });
  afterEach(() => slack.close());

  const newAddress = async () => (await clientOf(slack, slack.appToken).apps.connections.open()).url ?? '';

  const acknowledge = (socket: WebSocket, id: string) => socket.send(JSON.stringify({ envelope_id: id, payload: {} }));

  async function connect(onEnvelope = acknowledge): Promise<Connection> {
    const socket = new WebSocket(await newAddress());
    const frames: unknown[] = [];
    socket.on('message', (data) => {
      const frame = parseJson(String(data));
      frames.push(frame);
      const id = stringIn(frame, 'envelope_id');
      if (id !== undefined) onEnvelope(socket, id);
    });
    await new Promise((resolve) => socket.once('message', resolve));
    return { socket, frames };
  }

  const command = () => slack.workspace.as('U0ANN').types('C0ONCALL', '/notif help');

  test('reports a missing acknowledgment to the person', async () => {
    await slack.close();
    slack = await startSlack({ ackTimeoutMs: 1 });
    await connect(() => {});
    const outcome = await command();
    expect(outcome).toMatchObject({ ok: false, error: 'operation_timeout' });
    expect(outcome).toMatchObject({ message: '/notif failed with the error "operation_timeout"' });
  });

  test('says that it ends a connection, which gets no more deliveries', async () => {
    const { socket, frames } = await connect();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    slack.faults.refreshSockets();
    await closed;
    expect(frames.at(-1)).toMatchObject({ type: 'disconnect', reason: 'refresh_requested' });
    expect(await command()).toMatchObject({ error: 'dispatch_failed' });
  });
});
