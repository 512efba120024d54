import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listenOn } from '../lib/serve.testing.ts';

/**
 * Puts a pooler before a server's TCP address, and returns its own. Clients share the connections on which they logged in: each of a client's
 * statements goes to the next free one. As PgBouncer does, it refuses `options` of an address, and transactions in statement mode.
 */
export async function startPooler(url: string, mode: 'transaction' | 'statement'): Promise<string> {
  const { hostname, port } = new URL(url);
  const shared: Socket[] = [];
  const receivers = new Map<Socket, Socket>();
  const busy = new Set<Socket>();
  const pooler = createServer((client) => {
    let statements = 0;
    const login = connect(Number(port), hostname);
    let statement: Buffer[] = [];
    const send = (connection: Socket, bytes: Buffer) => {
      receivers.set(connection, client);
      connection.write(bytes);
    };
    const onMessage = (type: string, message: Buffer) => {
      // A password.
      if (type === 'p') return send(login, message);
      if (mode === 'statement' && message.includes('BEGIN'))
        return client.end(refusal('transaction blocks not allowed in statement pooling mode'));
      if (!shared.includes(login)) shared.push(login);
      statement.push(message);
      // A statement ends with Query or Sync.
      if (type !== 'Q' && type !== 'S') return;
      const free = shared.filter((connection) => !busy.has(connection));
      const connection = free[statements % free.length] ?? login;
      busy.add(connection);
      send(connection, Buffer.concat(statement));
      statements += 1;
      statement = [];
    };
    login.on('data', (piece) => receivers.get(login)?.write(piece)).on('error', () => {});
    // ReadyForQuery ends a statement's answer.
    login.on(
      'data',
      messages((type) => {
        if (type === 'Z') busy.delete(login);
      }),
    );
    client
      .on('error', () => {})
      .once('data', (startUp) => {
        // A start holds names and values, each with a zero byte behind it.
        if (startUp.includes('\0options\0')) return void client.end(refusal('unsupported startup parameter: options'));
        send(login, startUp);
        client.on('data', messages(onMessage));
      });
    onTestFinished(() => void login.destroy());
  });
  const nearPort = await listenOn(pooler);
  onTestFinished(() => void pooler.close());
  return Object.assign(new URL(url), { hostname: '127.0.0.1', port: nearPort }).href;
}

function refusal(message: string): Buffer {
  const fields = `SFATAL\0C08P01\0M${message}\0\0`;
  return Buffer.from(`E\0\0\0${String.fromCharCode(fields.length + 4)}${fields}`);
}

/** Calls back with each message, which begins with its type and its length. */
function messages(onMessage: (type: string, message: Buffer) => void): (piece: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (piece) => {
    rest = Buffer.concat([rest, piece]);
    while (rest.length > 4 && rest.length > rest.readInt32BE(1)) {
      const message = rest.subarray(0, rest.readInt32BE(1) + 1);
      rest = rest.subarray(message.length);
      onMessage(message.toString('latin1', 0, 1), message);
    }
  };
}
