import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Again, type PublicPage, RESPONSIBLE } from '../domain/causes/entry.ts';
import type { OwnCause } from '../domain/causes/explain-cause.ts';
import { systemCode } from '../domain/text/system-code.ts';
import { ConfigError, type ConfigProblem } from './problem.ts';

const VARIABLE = 'NOTIF_CAUSES_FILE';
const LONGEST_FILE = 1_000_000;
const MOST_CAUSES = 1_000;
const MOST_PROBLEMS = 10;
const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440 };

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
  return z
    .union([item.transform((one) => [one]), z.array(item).min(1)], { error: 'is neither a text nor a list of texts' })
    .default([]);
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

const page = someText(1_000)
  .refine((address) => URL.canParse(address) && new URL(address).protocol === 'https:', {
    error: "isn't an https address",
  })
  .transform((address): PublicPage => `https://${new URL(address).href.slice('https://'.length)}`);

const Own = z
  .strictObject({
    provider: words.nullish(),
    channel: words.nullish(),
    code: oneOrMore(code),
    text: oneOrMore(words.regex(/\S\s+\S/, { error: 'is a single word: give two or more' })),
    meaning: someText(180),
    whose: z.enum(RESPONSIBLE, { error: `is none of ${RESPONSIBLE.join(', ')}` }),
    again: again.default('once-fixed'),
    next: someText(200),
    link: page.nullish(),
  })
  .refine(({ code, text }) => code.length + text.length > 0, {
    path: ['code'],
    error: 'and text are both missing: one of them says which error is meant',
  });

const CausesFile = z.strictObject(
  {
    causes: z.array(Own, { error: "isn't a list" }).max(MOST_CAUSES, { error: `has more than ${MOST_CAUSES} entries` }),
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

/**
 * Reads the team's own causes from a YAML file of at most 1 MB and 1,000 entries.
 * @throws ConfigError that names each wrong field by its path, with an example and without its value.
 */
export async function readCausesFile(path: string): Promise<readonly OwnCause[]> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(await contentOf(path));
  const [mistake] = document.errors;
  if (mistake !== undefined) {
    const line = mistake.linePos?.[0].line ?? 1;
    throw problem(`isn't valid YAML, at line ${line}`, EXAMPLES.causes);
  }
  const { data, error } = CausesFile.safeParse(contentIn(document));
  if (error !== undefined) throw new ConfigError(error.issues.slice(0, MOST_PROBLEMS).map(problemOf));
  return data.causes.map(ownCause);
}

/** Aliases are only looked up here: one may name nothing, as a word that begins with an asterisk does, or too much. */
function contentIn(document: { toJS(options: { readonly maxAliasCount: number }): unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw problem("isn't valid YAML: quote a text that begins with * or &", 'next: "*Ask* the messaging team."', cause);
  }
}

async function contentOf(path: string): Promise<string> {
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (cause) {
    throw problem(
      `names a file that can't be read (${systemCode(cause) ?? 'unknown'})`,
      '/etc/notif/causes.yml',
      cause,
    );
  }
  if (content.length > LONGEST_FILE) throw problem('names a file of more than 1 MB', '/etc/notif/causes.yml');
  return content;
}

function problem(words: string, example = '', cause?: unknown): ConfigError {
  return new ConfigError([{ variable: VARIABLE, problem: words, example }], { cause });
}

/** Formats a problem: 'NOTIF_CAUSES_FILE causes[2].whose is none of recipient, …' */
function problemOf({ path, message, ...issue }: z.core.$ZodIssue): ConfigProblem {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const place = [...path, ...(unknown === undefined ? [] : [unknown])]
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
  const field = path.findLast((part) => typeof part === 'string');
  return {
    variable: VARIABLE,
    problem: `${place === '' ? 'its file' : place} ${unknown === undefined ? message : 'is no field of an entry'}`,
    example: EXAMPLES[String(field ?? 'causes')] ?? EXAMPLES.causes ?? '',
  };
}

function ownCause({ provider, channel, code, text, link, ...entry }: z.output<typeof Own>): OwnCause {
  const meaning = entry.meaning.replace(/\.$/, '');
  return {
    ...entry,
    meaning,
    provider: provider ?? null,
    channel: channel ?? null,
    codes: code,
    texts: text,
    source: link ?? null,
  };
}
