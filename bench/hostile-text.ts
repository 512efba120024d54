import { READERS, type Reader } from './hostile-readers.ts';
import type { BenchResult, Figure } from './result.ts';

/** In milliseconds: `/notif` must be acknowledged within three seconds, and a poll reads hundreds of texts. */
const LONGEST_BLOCK = 10;
const ROUNDS = 3;
const MICROSECONDS_A_MS = 1_000;
/** The text length for a function that limits itself. */
const A_MEGABYTE = 1_000_000;

/** Texts that make a pattern look far ahead, or start again at each position. Each is repeated up to a function's bound. */
const HOSTILE = [
  ...['<pin>1</pin>', '<Token>abc</Token>', '<a ', '<a>', '</', '<!--', '<script>', '<svg>', '<a<', '<pin>1', 'pin:x<'],
  ...['"', "'", '\\', '\\"', '\\\\"', '{', '[', '[{', '{"a":', '",', "',", '\\u0041', '\\u00'],
  ...['&amp;', '&', '&#x41;', '\u200b', '\ud800', '\u001b[0;', '😀', 'é', ' ', '\t', '0 '],
  ...['token:"', "token:'", 'token:{', 'token:[', 'token={{', 'password=', 'secret>', 'otp:', '_pass', 'cookie: a=b; '],
  ...['bearer ', 'basic a', 'auth plain ', '-----BEGIN ', '-----BEGIN A-----', 'eyJaaaaa.', 'aB1', 'deadbeef-', 'A'],
  ...['a.', 'a@', '@', 'a@a.', "a'", '+1', '(1', '1-', '1.1.1.1/', 'http://', 'https://a/', 'a.b/', 'a:b@', 'to":"'],
  ...['<@U', '<!date^', ':a', ':a:', '_', '-', 'tx:', 'subscriber:"', 'transactionId=', 'workflow:"', 'a,', '%40'],
  ...['a＝', 'a=b.cd', 'to 4917012345678 ', '4917012345678 is '],
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

/** With the second, a pattern finds an end only after it has scanned everything. */
const ENDINGS = ['', '@a.bc/…"}'];

/**
 * Measures how long each function for external text blocks the process at its bound, in CPU time: the longest over a corpus of worst-case
 * texts, each the best of three, so that the machine's other load doesn't count.
 */
export async function measure(): Promise<BenchResult> {
  return { name: 'hostile text', figures: READERS.flatMap(figuresOf) };
}

interface Time {
  readonly longestMs: number;
  readonly totalMs: number;
}

function figuresOf({ name, bound, boundedBy, read }: Reader): Figure[] {
  const given = boundedBy === 'itself' ? A_MEGABYTE : bound;
  const times = HOSTILE.flatMap((seed) =>
    ENDINGS.map((ending) => ({ seed, ...bestTime(read, repeated(seed, given - ending.length) + ending) })),
  );
  const slowest = (of: (time: Time) => number) => times.toSorted((one, other) => of(other) - of(one))[0];
  const longest = slowest(({ longestMs }) => longestMs);
  const total = slowest(({ totalMs }) => totalMs);
  const against = `${given} characters of ${JSON.stringify(longest?.seed)}`;
  return [
    {
      label: `${name}, longest block`,
      value: longest?.longestMs ?? Number.NaN,
      unit: 'ms CPU',
      limit: LONGEST_BLOCK,
      against,
    },
    { label: `${name}, per kB`, value: ((total?.totalMs ?? Number.NaN) * 1_000) / bound, unit: 'ms CPU' },
  ];
}

function bestTime(read: Reader['read'], text: string): Time {
  const times = Array.from({ length: ROUNDS }, () => timeOf(read, text));
  return {
    longestMs: Math.min(...times.map(({ longestMs }) => longestMs)),
    totalMs: Math.min(...times.map(({ totalMs }) => totalMs)),
  };
}

/** Measures each step of work in steps separately, because other work can run between them. */
function timeOf(read: Reader['read'], text: string): Time {
  const blocks: number[] = [];
  const timed = <Result>(work: () => Result): Result | null => {
    const begun = process.cpuUsage();
    const result = attempt(work);
    const { user, system } = process.cpuUsage(begun);
    blocks.push((user + system) / MICROSECONDS_A_MS);
    return result;
  };
  const result = timed(() => read(text));
  if (isSteps(result)) while (timed(() => result.next())?.done === false);
  return { longestMs: Math.max(...blocks), totalMs: blocks.reduce((sum, block) => sum + block, 0) };
}

function isSteps(value: unknown): value is Iterator<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value && typeof value.next === 'function';
}

/** Runs a function that may refuse the input, because that takes time too. */
function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return null;
  }
}

function repeated(seed: string, length: number): string {
  return seed.repeat(Math.ceil(length / seed.length)).slice(0, length);
}
