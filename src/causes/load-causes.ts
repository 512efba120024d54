import { parseDocument } from 'yaml';
import { z } from 'zod';

export type PublicPage = `https://${string}`;

/** `content` and `credentials` are ours; `limits`: plan, rate, balance; `setup`: integration, sender, workflow; `nobody`: works as designed. */
export const RESPONSIBLE = [
  'recipient',
  'provider',
  'credentials',
  'content',
  'limits',
  'network',
  'setup',
  'nobody',
] as const;
export type Responsible = (typeof RESPONSIBLE)[number];

/** Whether resending can help: never, once the next step is done, or after this many minutes. */
export type Again = 'never' | 'once-fixed' | number;

/** What a known cause means and what to do about it. Every text is written by Notif or a team; `meaning` ends without a full stop. */
export interface CauseEntry {
  readonly meaning: string;
  readonly whose: Responsible;
  readonly again: Again;
  readonly next: string;
  /** A team's own entry may have none. */
  readonly source: PublicPage | null;
}

/** What an entry's codes are, which decides how much a match says. A team's entry can have any. */
export const CODE_KINDS = ['any', 'own', 'smtp', 'network', 'http'] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

export interface KnownCause extends CauseEntry {
  /** The IDs of providers; empty: any. */
  readonly providers: readonly string[];
  /** The step's type; null: any. Not looked at where there are providers. */
  readonly channel: string | null;
  readonly kind: CodeKind;
  /** `value`, `field=value`, or `5.7.*` for the enhanced statuses of a subject that have no entry. */
  readonly codes: readonly string[];
  /** Words or phrases of which the text must contain one besides the code; empty for none. */
  readonly having: readonly string[];
  /** Whether many errors share the code, so that any matching text says more. */
  readonly broad: boolean;
  /** Phrases of two words or more. */
  readonly texts: readonly string[];
  readonly status: PublicPage | null;
}

const MOST_CAUSES = 1_000;
const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440 };

export interface CausesProblem {
  readonly problem: string;
  readonly example: string;
}

export class CausesError extends Error {
  override readonly name = 'CausesError';
  readonly problems: readonly CausesProblem[];

  constructor(problems: readonly CausesProblem[], options?: ErrorOptions) {
    super(`The causes can't be read: ${problems.map(({ problem }) => problem).join('; ')}`, options);
    this.problems = problems;
  }
}

/** One line, since explanations are shown in one. */
const someText = (longest: number) =>
  z
    .string({ error: 'is missing or no text' })
    .overwrite((text) => text.replace(/\s+/g, ' ').trim())
    .min(1, { error: 'is empty' })
    .max(longest, { error: `is longer than ${longest} characters` });

const words = someText(200);

/** Accepts numbers: `21211` without quotes is one in YAML. */
const code = z.union([words, z.int().transform(String)], { error: 'is neither a code nor a list of codes' });

function oneOrMore<Item extends z.ZodType<string>>(item: Item) {
  const error = 'is neither a text nor a list of texts';
  return z.union([item.transform((one) => [one]), z.array(item).min(1)], { error });
}

const again = z
  .string({ error: 'is neither never, once-fixed nor a time' })
  .regex(/^(?:never|once-fixed|[1-9]\d{0,3}[mhd])$/, {
    error: 'is neither never, once-fixed nor a time such as 15m, 2h or 1d',
  })
  .transform((text): Again => {
    if (text === 'never' || text === 'once-fixed') return text;
    return Number(text.slice(0, -1)) * (MINUTES[text.slice(-1)] ?? 1);
  });

const isHttps = (address: string) => URL.canParse(address) && new URL(address).protocol === 'https:';
const page = someText(1_000)
  .refine(isHttps, { error: "isn't an https address" })
  .transform((address): PublicPage => `https://${new URL(address).href.slice('https://'.length)}`);

const SHARED = {
  provider: oneOrMore(words).nullish(),
  channel: words.nullish(),
  kind: z.enum(CODE_KINDS, { error: `is none of ${CODE_KINDS.join(', ')}` }).optional(),
  link: page.nullish(),
  status: page.nullish(),
};

const Entry = z
  .strictObject({
    ...SHARED,
    code: oneOrMore(code).default([]),
    having: oneOrMore(words).default([]),
    broad: z.boolean({ error: 'is neither true nor false' }).default(false),
    text: oneOrMore(words.regex(/\S\s+\S/, { error: 'is a single word: give two or more' })).default([]),
    meaning: someText(180),
    whose: z.enum(RESPONSIBLE, { error: `is none of ${RESPONSIBLE.join(', ')}` }),
    again: again.default('once-fixed'),
    next: someText(200),
  })
  .refine(({ code, text }) => code.length + text.length > 0, {
    path: ['code'],
    error: 'and text are both missing: one of them says which error is meant',
  });

const CausesFile = z.strictObject(
  {
    ...SHARED,
    causes: z
      .array(Entry, { error: "isn't a list" })
      .max(MOST_CAUSES, { error: `has more than ${MOST_CAUSES} entries` }),
  },
  { error: "isn't a mapping with the key causes" },
);

const EXAMPLES: Readonly<Record<string, string>> = {
  causes: 'causes: [{ text: carrier blocked our sender, meaning: …, whose: setup, next: … }]',
  provider: 'provider: twilio',
  channel: 'channel: sms',
  code: 'code: "30007"',
  text: 'text: the carrier blocked our sender',
  meaning: 'meaning: The carrier blocks our sender',
  whose: 'whose: setup',
  again: 'again: 15m',
  next: 'next: Ask the messaging team in #messaging.',
  link: 'link: https://wiki.example.com/messaging/30007',
};

/** Takes up to 1,000 causes. @throws CausesError that names each wrong field by its path, with an example and without its value. */
export function causesIn(yaml: string): readonly KnownCause[] {
  const document = parseDocument(yaml);
  const [mistake] = document.errors;
  if (mistake !== undefined) throw notYaml(`, at line ${mistake.linePos?.[0].line ?? 1}`, EXAMPLES.causes, mistake);
  const { data, error } = CausesFile.safeParse(contentIn(document));
  if (error !== undefined) throw new CausesError(error.issues.map(problemOf));
  return data.causes.map((entry) => knownCause(entry, data));
}

/** Aliases are only looked up here: one may name nothing, as a word that begins with an asterisk does, or too much. */
function contentIn(document: { toJS(options: { readonly maxAliasCount: number }): unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw notYaml(': quote a text that begins with * or &', 'next: "*Ask* the messaging team."', cause);
  }
}

function notYaml(why: string, example = '', cause?: unknown): CausesError {
  return new CausesError([{ problem: `isn't valid YAML${why}`, example }], { cause });
}

function problemOf({ path, message, ...issue }: z.core.$ZodIssue): CausesProblem {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const place = [...path, ...(unknown === undefined ? [] : [unknown])]
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
  const field = path.findLast((part) => typeof part === 'string');
  return {
    problem: `${place === '' ? 'its file' : place} ${unknown === undefined ? message : 'is no field of an entry'}`,
    example: EXAMPLES[String(field ?? 'causes')] ?? EXAMPLES.causes ?? '',
  };
}

function knownCause(entry: z.output<typeof Entry>, shared: z.output<typeof CausesFile>): KnownCause {
  const { code: codes, text: texts, provider, channel, kind, link, status, ...rest } = entry;
  return {
    ...{ ...rest, codes, texts, meaning: rest.meaning.replace(/\.$/, '') },
    providers: provider ?? shared.provider ?? [],
    channel: channel ?? shared.channel ?? null,
    kind: kind ?? shared.kind ?? 'any',
    source: link ?? shared.link ?? null,
    status: status ?? shared.status ?? null,
  };
}
