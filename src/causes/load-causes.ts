import { parse, YAMLParseError } from 'yaml';
import { z } from 'zod';
import { ConfigError } from '../lib/errors.ts';
import { withoutEchoes } from '../lib/text/echoes.ts';
import { MINUTE_MS, parseDuration } from '../lib/time/durations.ts';

/** A number is in minutes. */
export type Again = 'never' | 'once-fixed' | number;

export interface KnownCause {
  readonly providers: readonly string[];
  /** Not looked at where there are providers. */
  readonly channel: string | null;
  /** Whose codes it has. */
  readonly kind: 'any' | 'own' | 'smtp' | 'network' | 'http';
  /** `value`, `field=value`, or `5.7.*` for a subject's enhanced statuses. */
  readonly codes: readonly string[];
  /** Many errors share its codes, so that a text which matches says more. */
  readonly broad: boolean;
  readonly texts: readonly string[];
  /** `ip|host listed|banned`: a text has one of the alternatives of each group, in any order. `_` is a blank. */
  readonly patterns: readonly string[];
  /** Within how many words a text has all of a pattern. */
  readonly near: number;
  /** What is left of several entries of an owner: see `explain-cause.ts`. */
  readonly common: 'either' | 'put-off' | null;
  readonly meaning: string;
  readonly headline: string;
  readonly whose: (typeof OWNERS)[number];
  readonly again: Again;
  readonly next: string;
  /** Texts that it explains, and texts that another entry or none does. */
  readonly wins: readonly string[];
  readonly loses: readonly string[];
  readonly source: `https://${string}` | null;
  readonly status: `https://${string}` | null;
}

const OWNERS = [
  'recipient',
  'provider',
  'credentials',
  'content',
  'limits',
  'network',
  'setup',
  'nobody',
  'unknown',
] as const;

const MOST_PROBLEMS = 10;
const EXAMPLE = 'causes: [{ text: "carrier blocked our sender", meaning: …, whose: setup, next: … }]';

const someText = (longest: number) =>
  z
    .string()
    .overwrite((text) => text.replace(/\s+/g, ' ').trim())
    .min(1)
    .max(longest);

const ShortText = someText(200);
const Code = z.union([ShortText, z.int().transform(String)], { error: 'is neither a code nor a list of codes' });

function oneOrMore<Item extends z.ZodType<string>>(item: Item) {
  const error = 'is neither a text nor a list of texts';
  return z.union([item.transform((text) => [text]), z.array(item).min(1)], { error });
}

const AgainText = z
  .string()
  .regex(/^(?:never|once-fixed|[1-9]\d{0,3}[mhd])$/, 'is neither never, once-fixed nor a time such as 15m, 2h or 1d')
  .transform((text): Again => {
    if (text === 'never' || text === 'once-fixed') return text;
    return (parseDuration(text) ?? 0) / MINUTE_MS;
  });

const PageAddress = z
  .url({ protocol: /^https$/, normalize: true, error: "isn't an https address" })
  .max(1_000)
  .transform((address) => address as `https://${string}`);

const SHARED = {
  provider: oneOrMore(ShortText.toLowerCase()).nullish(),
  channel: ShortText.toLowerCase().nullish(),
  kind: z.enum(['any', 'own', 'smtp', 'network', 'http']).optional(),
  link: PageAddress.nullish(),
  status: PageAddress.nullish(),
};

const LONGEST_HEADLINE = 60;

const Entry = z
  .strictObject({
    ...SHARED,
    /** `value`, `field=value`, or `5.7.*` for a subject's enhanced statuses. */
    code: oneOrMore(Code).default([]),
    broad: z.boolean().default(false),
    common: z.enum(['either', 'put-off']).nullable().default(null),
    text: oneOrMore(ShortText.regex(/\S\s+\S/)).default([]),
    /** An error has these words in any order: `ip|host listed|banned`. Beside `code`, it needs both. */
    words: oneOrMore(someText(1_000)).default([]),
    /** Within how many words: 12 are one statement, five a field and its fault. */
    near: z.int().min(1).max(12).default(12),
    /** Of these phrases, an error with the code needs one. */
    having: oneOrMore(ShortText).default([]),
    wins: oneOrMore(someText(1_000)).default([]),
    loses: oneOrMore(someText(1_000)).default([]),
    meaning: someText(180),
    short: someText(LONGEST_HEADLINE).optional(),
    whose: z.enum(OWNERS),
    again: AgainText.default('once-fixed'),
    next: someText(200),
  })
  .refine(
    ({ code, text, words, common }) => code.length + text.length + words.length > 0 || common !== null,
    'has neither code nor text nor words',
  )
  .refine(({ whose, again }) => whose !== 'unknown' || again !== 'never', 'is of nobody known: sending again may help')
  .refine(({ short, meaning }) => (short ?? meaning).length <= LONGEST_HEADLINE, 'has a long meaning and no "short"');

/** `{number}` in words stands for the alternatives of the file's list `number`. */
const LIST = /\{(\w+)\}/g;

const CausesFile = z
  .strictObject({
    ...SHARED,
    lists: z.record(z.string(), someText(2_000)).default({}),
    causes: z.array(Entry).max(1_000),
  })
  .refine(({ lists, causes }) => {
    const used = causes.flatMap(({ words }) => [...words.join(' ').matchAll(LIST)].map(([, name = '']) => name));
    return used.every((name) => name in lists);
  }, 'has words with a list that its "lists" lack');

/** Reads a YAML file of entries. What an entry lacks of the cause that it names (`as`) comes from `shared`, a YAML file of causes by name. */
export function causesIn(yaml: string, shared?: string): KnownCause[] {
  const content = shared === undefined ? contentOf(yaml) : spelledOut(contentOf(yaml), contentOf(shared));
  const { data, error } = CausesFile.safeParse(content);
  if (error === undefined) return data.causes.map((entry) => knownCause(entry, data));
  throw refused(error.issues.map(({ path, message }) => `${z.core.toDotPath(path) || 'its file'}: ${message}`));
}

function refused(problems: readonly string[]) {
  const [variable, example] = ['NOTIF_CAUSES_FILE', EXAMPLE];
  return new ConfigError(problems.slice(0, MOST_PROBLEMS).map((problem) => ({ variable, problem, example })));
}

function contentOf(yaml: string): unknown {
  try {
    return parse(yaml, { maxAliasCount: 100 });
  } catch (error) {
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    const where = line === undefined ? ': quote a text that begins with * or &' : `, at line ${line}`;
    throw refused([`isn't valid YAML${where}`]);
  }
}

const Named = z.looseObject({ causes: z.array(z.looseObject({ as: z.string().optional() })) });
const SharedCauses = z.record(z.string(), z.looseObject({}));

function spelledOut(content: unknown, shared: unknown): unknown {
  const [file, known] = [Named.parse(content), SharedCauses.parse(shared)];
  const causes = file.causes.map(({ as, ...evidence }) =>
    as === undefined ? evidence : { ...known[as], ...evidence },
  );
  return { ...file, causes };
}

/** Fewer words beside a mask are in many sentences. */
const FEWEST_WORDS = 3;

/** Returns the phrase, and as it's in a sentence of which words that only the team uses were masked: `policy of the ••• gateway`. */
function alsoMasked(phrase: string): string[] {
  const words = withoutEchoes(phrase, true)
    .replaceAll('•', ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
  const masked = words.join(' ');
  return masked === phrase || words.length < FEWEST_WORDS ? [phrase] : [phrase, masked];
}

function knownCause(entry: z.output<typeof Entry>, shared: z.output<typeof CausesFile>): KnownCause {
  const { code, text, words: patterns, having, provider, link, short, ...rest } = entry;
  const meaning = rest.meaning.replace(/\.$/, '');
  return {
    ...rest,
    codes: code,
    texts: text.flatMap(alsoMasked),
    patterns: [
      ...patterns.map((pattern) => pattern.replace(LIST, (_, name: string) => shared.lists[name] ?? '')),
      ...having.map((phrase) => phrase.replaceAll(' ', '_')),
    ],
    meaning,
    headline: short ?? meaning.replace(/^(?:The|An?) /, ''),
    providers: provider ?? shared.provider ?? [],
    channel: rest.channel ?? shared.channel ?? null,
    kind: rest.kind ?? shared.kind ?? 'any',
    source: link ?? shared.link ?? null,
    status: rest.status ?? shared.status ?? null,
  };
}
