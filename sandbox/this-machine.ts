import { createServer } from 'node:net';

/** Its message is a sentence for the user, which says what to do. `exitCode` is 0 for what was asked for, such as help. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

const TRIES = 20;

/** Returns the first of 20 ports on which nothing listens. Throws a UserError if there is none. */
export async function findFreePort(wanted: number): Promise<number> {
  const last = Math.min(wanted + TRIES - 1, 65_535);
  for (let port = wanted; port <= last; port += 1) {
    if (await isFree(port)) return port;
  }
  throw new UserError(
    `None of the ports ${wanted} to ${last} can be listened on. Stop what is there, or choose another.`,
  );
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    probe.listen({ port, host: '127.0.0.1' }, () => probe.close(() => resolve(true)));
  });
}
