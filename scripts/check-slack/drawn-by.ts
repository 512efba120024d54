import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Texts and IDs in code: 'Look up', `event.send-again`, and the fixed parts of a template. */
const LITERALS = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|[`}]([^`${}\n]*)[`$]/g;
/** Shorter texts are in payloads of any file. */
const SHORTEST = 4;

export type DrawnBy = (payload: unknown, part: unknown) => string;

/**
 * Returns a function that finds the file of `src/slack/` whose texts and IDs a payload has, above all in the part that is asked about.
 * The kit isn't searched, because every payload has texts of it, and neither is the connection, which draws nothing.
 */
export async function findDrawers(root: string): Promise<DrawnBy> {
  const paths = (await readdir(join(root, 'src/slack'), { recursive: true })).map((path) => join('src/slack', path));
  const code = paths.filter(
    (path) => path.endsWith('.ts') && !/\/(kit|connection)\/|(\.test|\.testing)\.ts$/.test(path),
  );
  const literals = await Promise.all(
    code.map(async (path) => [path, literalsIn(await readFile(join(root, path), 'utf8'))] as const),
  );
  const files = new Map<string, number>();
  for (const literal of literals.flatMap(([, texts]) => [...texts])) files.set(literal, (files.get(literal) ?? 0) + 1);
  return (payload, part) => {
    const [whole, near] = [JSON.stringify(payload), JSON.stringify(part) ?? ''];
    // A text counts by its length, three times in the part that is asked about, and less the more files have it.
    const score = (texts: ReadonlySet<string>) =>
      [...texts].reduce((sum, literal) => {
        const times = Number(whole.includes(literal)) + 2 * Number(near.includes(literal));
        return sum + (times * literal.length) / (files.get(literal) ?? 1) ** 2;
      }, 0);
    const [best] = literals.map(([path, texts]) => ({ path, score: score(texts) })).sort((a, b) => b.score - a.score);
    return best?.path ?? 'src/slack';
  };
}

function literalsIn(code: string): ReadonlySet<string> {
  const texts = [...code.matchAll(LITERALS)].map(([, single, double, template]) => single ?? double ?? template ?? '');
  return new Set(texts.filter((literal) => literal.trim().length >= SHORTEST && !/^[./]|:\/\//.test(literal)));
}
