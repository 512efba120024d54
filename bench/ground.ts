import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { silent } from '../src/lib/logger.testing.ts';
import { type OpenDb, openDb } from '../src/store/open.ts';
import { nextMessage, startChild } from './child.ts';
import type { Generation } from './generated-events.ts';

/** Runs `work` with the address of a service that generates these events in its own process. */
export async function withGeneratedService<Result>(
  generation: Generation,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const service = startChild('generated-service.ts', JSON.stringify(generation));
  try {
    return await work(`http://127.0.0.1:${z.number().parse(await nextMessage(service))}`);
  } finally {
    service.disconnect();
  }
}

export async function pagesRead(url: string): Promise<number> {
  return z.number().parse(await (await fetch(`${url}/listed`)).json());
}

export async function withDatabase<Result>(work: (database: OpenDb) => Promise<Result>): Promise<Result> {
  return withTemporaryFolder(async (folder) => {
    const database = await openDb({ kind: 'embedded', folder }, { logger: silent });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  });
}

export async function withTemporaryFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = files.filter((file) => file.isFile()).map((file) => stat(join(file.parentPath, file.name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}
