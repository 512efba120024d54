import { sentenceIn } from '../src/domain/cause.ts';
import { causeKey } from '../src/domain/cause-key.ts';
import { explainCause } from '../src/domain/causes/explain-cause.ts';
import { withoutContacts } from '../src/domain/contacts.ts';
import { csvLine } from '../src/domain/csv.ts';
import { parseCommandText } from '../src/domain/filters.ts';
import { FreeText } from '../src/domain/free-text.ts';
import { recogniseIds } from '../src/domain/ids.ts';
import { whereNotJson } from '../src/domain/json-mistake.ts';
import { logLine } from '../src/domain/log-line.ts';
import { scrub, scrubInFull } from '../src/domain/scrub.ts';
import { withoutSecrets } from '../src/domain/secrets.ts';
import { recognise } from '../src/domain/sought.ts';
import { readRows } from '../src/domain/trigger-rows.ts';
import { visibleText } from '../src/domain/visible-text.ts';
import { textsIn } from '../src/slack/doors/message-text.ts';
import type { BenchResult, Figure } from './result.ts';

/** A function over text from outside, with the most characters that it is given or looks at, and the longest that it can block, in ms. */
interface Reader {
  readonly name: string;
  readonly bound: number;
  readonly limit: number;
  readonly read: (text: string) => unknown;
}

const LONGEST_BLOCK = 10;
/** Only for somebody who asks to see a whole text, one text at a time. */
const LONGEST_BLOCK_IN_FULL = 100;
/** Slack's most for a command; for one field of a form. */
const COMMAND = 8_000;
const FIELD = 3_000;
const ROUNDS = 5;
const MICROSECONDS_A_MS = 1_000;

/** An email, whose errors are the most. */
const FAILED = { provider: 'sendgrid', channel: 'email', text: '' };

const READERS: readonly Reader[] = [
  { name: 'scrub', bound: 8_000, limit: LONGEST_BLOCK, read: scrub },
  { name: 'scrubInFull', bound: 100_000, limit: LONGEST_BLOCK_IN_FULL, read: scrubInFull },
  { name: 'withoutSecrets', bound: 8_000, limit: LONGEST_BLOCK, read: withoutSecrets },
  { name: 'withoutContacts', bound: 8_000, limit: LONGEST_BLOCK, read: withoutContacts },
  { name: 'visibleText', bound: 8_000, limit: LONGEST_BLOCK, read: visibleText },
  { name: 'sentenceIn', bound: 8_000, limit: LONGEST_BLOCK, read: (text) => sentenceIn(new FreeText(text)) },
  { name: 'causeKey', bound: 2_000, limit: LONGEST_BLOCK, read: (text) => causeKey(text, null) },
  { name: 'explainCause', bound: 8_000, limit: LONGEST_BLOCK, read: (text) => explainCause({ ...FAILED, text }) },
  { name: 'explainCause, answer', bound: 8_000, limit: LONGEST_BLOCK, read: (raw) => explainCause({ ...FAILED, raw }) },
  { name: 'recogniseIds', bound: 40_000, limit: LONGEST_BLOCK, read: (text) => recogniseIds(text) },
  { name: 'recognise', bound: 40_000, limit: LONGEST_BLOCK, read: (text) => recognise(text, []) },
  { name: 'textsIn', bound: 40_000, limit: LONGEST_BLOCK, read: (text) => textsIn({ text }) },
  { name: 'parseCommandText', bound: COMMAND, limit: LONGEST_BLOCK, read: parseCommandText },
  { name: 'logLine', bound: 100_000, limit: LONGEST_BLOCK, read: logLine },
  { name: 'csvLine', bound: 8_000, limit: LONGEST_BLOCK, read: (text) => csvLine([text]) },
  { name: 'whereNotJson', bound: FIELD, limit: LONGEST_BLOCK, read: whereNotJson },
  { name: 'readRows', bound: 4 * FIELD, limit: LONGEST_BLOCK, read: (text) => readRows(fieldsOf(text)) },
];

/** What makes a pattern look far ahead, or look again from each place: each is repeated up to the bound of a function. */
const HOSTILE = [
  ...['<pin>1</pin>', '<Token>abc</Token>', '<a ', '<a>', '</', '<!--', '<script>', '<svg>', '<a<'],
  ...['"', "'", '\\', '\\"', '\\\\"', '{', '[', '[{', '{"a":', '",', "',", '\\u0041', '\\u00'],
  ...['&amp;', '&', '&#x41;', '\u200b', '\ud800', '\u001b[0;', '😀', 'é', ' ', '\t', '0 '],
  ...['token:"', "token:'", 'token:{', 'token:[', 'token={{', 'password=', 'secret>', 'otp:', '_pass', 'cookie: a=b; '],
  ...['bearer ', 'basic a', 'auth plain ', '-----BEGIN ', '-----BEGIN A-----', 'eyJaaaaa.', 'aB1', 'deadbeef-', 'A'],
  ...['a.', 'a@', '@', 'a@a.', "a'", '+1', '(1', '1-', '1.1.1.1/', 'http://', 'https://a/', 'a.b/', 'a:b@', 'to":"'],
  ...['<@U', '<!date^', ':a', ':a:', '_', '-', 'tx:', 'subscriber:"', 'transactionId=', 'workflow:"', 'a,', '%40'],
  ...[
    'code: ',
    'error 4',
    'smtp; ',
    '550 5.1.1 ',
    'mailbox full ',
    '(#',
    '/errors/',
    'E_',
    '{"code":',
    '[{"code":"a"},',
  ],
];

/**
 * CPU time of each function that runs over text from outside, at its bound, which keeps the process from all else: the longest over a corpus of
 * texts that are as unkind as possible, each the best of five, so that what the machine does meanwhile doesn't count.
 */
export async function measure(): Promise<BenchResult> {
  return { name: 'hostile text', figures: READERS.flatMap(figuresOf) };
}

function figuresOf({ name, bound, limit, read }: Reader): Figure[] {
  const times = HOSTILE.map((seed) => ({ seed, ms: bestTime(read, repeated(seed, bound)) }));
  const [worst = { seed: '', ms: Number.NaN }] = times.toSorted((one, other) => other.ms - one.ms);
  const against = `${bound} characters of ${JSON.stringify(worst.seed)}`;
  return [
    { label: `${name}, longest block`, value: worst.ms, unit: 'ms CPU', limit, against },
    { label: `${name}, per 100 kB`, value: (worst.ms * 100_000) / bound, unit: 'ms CPU' },
  ];
}

function bestTime(read: Reader['read'], text: string): number {
  const times: number[] = [];
  while (times.length < ROUNDS) {
    const begun = process.cpuUsage();
    attempt(read, text);
    const { user, system } = process.cpuUsage(begun);
    times.push((user + system) / MICROSECONDS_A_MS);
  }
  return Math.min(...times);
}

/** A refusal of what somebody typed is an answer, and takes its time too. */
function attempt(read: Reader['read'], text: string): void {
  try {
    read(text);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

function repeated(seed: string, length: number): string {
  return seed.repeat(Math.ceil(length / seed.length)).slice(0, length);
}

/** A form's four fields for rows. */
function fieldsOf(text: string): string[] {
  return [0, 1, 2, 3].map((field) => text.slice(field * FIELD, (field + 1) * FIELD));
}
