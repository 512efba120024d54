import { readdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { CATALOG } from '../src/causes/catalog.ts';
import { wordsIn } from '../src/lib/text/vocabulary.ts';

/**
 * Writes the words that a provider's sentence can show in quotes, in brackets and behind a sign: those of the catalog and of the examples that it
 * is tested with. With `--check` it exits with 1 if the file differs, instead.
 */
const { values } = parseArgs({ options: { check: { type: 'boolean' } } });

const FILE = 'src/lib/text/vocabulary.json';
/** These have words of messages, and names, on purpose. */
const ECHOES = 'echoes.json';
const EXAMPLES = [
  ...['test/errors', 'src/causes', 'src/judging'].map(async (folder) => {
    const names = (await readdir(folder)).filter((name) => /\.(?:json|ndjson|tsv)$/.test(name) && name !== ECHOES);
    return names.map((name) => `${folder}/${name}`);
  }),
  ['sandbox/director/causes.json'],
];

/** What examples quote of people, addresses and requests. */
const VALUES = [
  // <jane@acme.example>, https://…, a token with digits, a%20b
  /\S*(?:@|:\/\/|\d\p{L}|\p{L}\d|%[0-9A-F]{2})\S*/gu,
  // mx.acme.example
  /(?:[\p{L}\d_-]+\.)+[a-z]{2,}/gu,
  // 'Jane Roe', but not what is between the apostrophes of "can't" and "doesn't"
  /(?<!\p{L})'[^'"{}]{1,60}'(?!\p{L})/gu,
  // "jane" within a sentence, but neither a key of JSON nor a value that ends there
  /\\*"\w{1,60}\\*"(?!\s*:)(?=[^,}\]]*\w)/gu,
];
const NAMES = new Set(
  'acme alice ann anna bar ben bob carol dave doe eve foo jane joe john mueller quill roe schmidt schweikert smith zed'.split(
    ' ',
  ),
);
/** Takes words as 'mailbox', 'smtp' and 'код', but no single letter, no 'qwrtz', and nothing of more than 24 letters. */
const IS_WORD = /^(?=.*[aeiouyäöüéèáíóúå]|.*[^\p{Script=Latin}]|(?:.{2,4}$))\p{L}[\p{L}\p{M}]{1,23}$/u;

/** Words of dates and amounts. */
const UNITS =
  'usd eur gbp jpy cny inr brl chf kb mb gb kib mib gib ms sec secs min mins hr hrs utc gmt jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun';

const files = (await Promise.all(EXAMPLES)).flat();
const examples = await Promise.all(files.map((file) => readFile(file, 'utf8')));
const said = CATALOG.map((cause) => JSON.stringify(cause)).concat(examples.map(withoutValues));
const words = [...new Set([...said, UNITS].flatMap(wordsIn))]
  .filter((word) => IS_WORD.test(word) && !NAMES.has(word))
  .sort();

const letters = [...new Set(words.map((word) => Array.from(word)[0] ?? ''))];
const content = Object.fromEntries(
  letters.map((letter) => [letter, words.filter((word) => word.startsWith(letter)).join(' ')]),
);
const [before, after] = [await readFile(FILE, 'utf8'), `${JSON.stringify(content, null, 2)}\n`];
if (after !== before && values.check) {
  console.error(`${FILE} differs from the catalog and its examples: run npm run vocabulary`);
  process.exitCode = 1;
} else if (after !== before) {
  await writeFile(FILE, after);
  console.info(`${FILE} has ${words.length} words.`);
}

function withoutValues(text: string): string {
  return VALUES.reduce((rest, value) => rest.replace(value, ' '), text);
}
