import { createServer } from 'node:net';

/** Thrown if no tried port is free. The message is a sentence for the user. */
export class NoFreePortError extends Error {
  override readonly name = 'NoFreePortError';
}

const tries = 20;

/**
 * Returns the first port, starting from `wanted`, on which nothing listens at 127.0.0.1.
 *
 * @throws NoFreePortError if that port and the next 19 are in use or need more rights.
 */
export async function findFreePort(wanted: number): Promise<number> {
  const last = Math.min(wanted + tries - 1, 65_535);
  for (let port = wanted; port <= last; port += 1) {
    if (await isFree(port)) return port;
  }
  throw new NoFreePortError(
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
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
