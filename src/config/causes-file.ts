import { readFile } from 'node:fs/promises';
import type { KnownCause } from '../causes/load-causes.ts';
import { systemCode } from '../lib/text/system-code.ts';
import { ConfigError } from './problem.ts';

const VARIABLE = 'NOTIF_CAUSES_FILE';
const LONGEST_FILE = 1_000_000;
const MOST_PROBLEMS = 10;

/** At most 1 MB and 1,000 entries. Throws a `ConfigError` that names each wrong field by its path, without its value. */
export async function readCausesFile(path: string): Promise<readonly KnownCause[]> {
  const content = await contentOf(path);
  const { CausesError, causesIn } = await import('../causes/load-causes.ts');
  try {
    return causesIn(content);
  } catch (cause) {
    if (!(cause instanceof CausesError)) throw cause;
    const problems = cause.problems.slice(0, MOST_PROBLEMS);
    throw new ConfigError(
      problems.map((problem) => ({ variable: VARIABLE, ...problem })),
      { cause },
    );
  }
}

async function contentOf(path: string): Promise<string> {
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (cause) {
    throw problem(`names a file that can't be read (${systemCode(cause) ?? 'unknown'})`, cause);
  }
  if (content.length > LONGEST_FILE) throw problem('names a file of more than 1 MB');
  return content;
}

function problem(words: string, cause?: unknown): ConfigError {
  return new ConfigError([{ variable: VARIABLE, problem: words, example: '/etc/notif/causes.yml' }], { cause });
}
