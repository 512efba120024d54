import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import causes from '../sandbox/director/causes.json' with { type: 'json' };
import { MISTAKES } from '../sandbox/director/scenarios.ts';
import { causeNamed } from '../sandbox/director/windows.ts';
import {
  bounceOf,
  bounceReasons,
  everydayFailuresOf,
  outageOf,
  type ProviderFailure,
  undeliveredSms,
  wording,
} from '../sandbox/service/provider-failures.ts';
import { explainCause } from '../src/causes/explain-cause.ts';
import { causeOf } from '../src/judging/cause.ts';
import { FreeText } from '../src/lib/text/scrub.ts';
import documented from './errors/documented.json' with { type: 'json' };
import said from './errors/provider-errors.cases.json' with { type: 'json' };

interface Sent extends ProviderFailure {
  provider: string;
}

const CHANNELS: Readonly<Record<string, string>> = {
  sendgrid: 'email',
  ses: 'email',
  nodemailer: 'email',
  mailgun: 'email',
  mailjet: 'email',
  postmark: 'email',
  twilio: 'sms',
  fcm: 'push',
  apns: 'push',
  slack: 'chat',
  svc: 'in_app',
};

const PROVIDERS = ['sendgrid', 'ses', 'twilio', 'fcm', 'slack', 'svc'];

/** Every cause that the local service and its director send. */
const LOCAL: readonly Sent[] = [
  ...PROVIDERS.flatMap((provider) => everydayFailuresOf(provider).map((failure) => ({ provider, ...failure }))),
  ...PROVIDERS.map((provider) => ({ provider, ...outageOf(provider) })),
  ...Object.keys(causes).map((name) => {
    const { provider, cause } = causeNamed(name as keyof typeof causes);
    return { provider, ...cause };
  }),
  ...[
    wording.noActiveIntegration,
    wording.noEmail,
    wording.noPhone,
    wording.noDeviceTokens,
    wording.noWebhookUrl,
    wording.skippedByConditions,
    wording.canceledByPrevious,
  ].map((detail) => ({ provider: 'svc', detail, raw: '' })),
  ...Object.values(bounceReasons).map((reason) => ({ provider: 'sendgrid', ...bounceOf(reason) })),
  { provider: 'twilio', ...undeliveredSms },
  ...MISTAKES.map(([, raw]) => ({ provider: 'svc', detail: wording.contentNotGenerated, raw })),
];

/** Answers as providers' own documentation and clients show them. */
const PUBLIC: readonly Sent[] = documented.map(({ provider, answer }) => ({
  provider,
  detail: wording.providerError,
  raw: typeof answer === 'string' ? answer : JSON.stringify(answer),
}));

function find({ provider, detail, raw }: Sent, channel: string) {
  const { text } = causeOf({ detail: new FreeText(detail), raw: raw === '' ? null : new FreeText(raw) });
  const found = explainCause({ provider, channel, cause: { text } });
  return { text, entry: found.entry };
}

function explained(sent: Sent) {
  const { text, entry } = find(sent, CHANNELS[sent.provider] ?? 'in_app');
  return entry?.meaning ?? `unknown: ${sent.provider}: ${text}`;
}

test.each([
  ['the local service', LOCAL],
  ['providers, by their documentation', PUBLIC],
])('the causes sent by %s are known', (_, sent) => {
  expect(sent.map(explained).filter((found) => found.startsWith('unknown'))).toEqual([]);
});

const linesOf = (file: string) =>
  readFileSync(new URL(`errors/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n');

/** A pasted error, and which explanations of it are right. */
const Pasted = z.object({
  channel: z.string(),
  provider: z.string(),
  detail: z.string(),
  raw: z.string(),
  /** The right owners. */
  whose: z.array(z.string()),
  /** The right advice about sending again; 'any' is right in any case. */
  again: z.array(z.string()),
  /** Whether no explanation is right, too. */
  none: z.boolean(),
  /** What an explanation would mislead by. */
  misleads: z.string().optional(),
});

type Pasted = z.output<typeof Pasted>;

/** What clients and providers say. Only the owner matters here, and not whether sending again helps. */
const SAID = said.map(([provider, channel, whose = '', raw]) => ({
  provider,
  channel,
  raw,
  detail: wording.providerError,
  whose: whose.split(' '),
  again: ['any'],
  none: false,
}));

function isRight(error: Pasted, entry: ReturnType<typeof find>['entry']): boolean {
  if (entry === null) return error.none;
  const isOwner = error.whose.includes(entry.whose) || (error.none && entry.whose === 'unknown');
  const again = typeof entry.again === 'number' ? 'later' : entry.again.replace('once-', '');
  const isAdvised = error.again.includes('any') || error.again.includes(again);
  const words = [entry.headline, entry.meaning, again, entry.next, entry.source].join(' ');
  const misleads = error.misleads !== undefined && new RegExp(error.misleads, 'i').test(words);
  return isOwner && isAdvised && !misleads;
}

describe('the owner of an error', () => {
  test('that somebody pasted or a provider documents is right, and what to do about it doesn’t mislead', () => {
    const mistakes = [...linesOf('provider-errors.ndjson').map((line): unknown => JSON.parse(line)), ...SAID]
      .map((error) => Pasted.parse(error))
      .map((error) => ({ error, ...find(error, error.channel) }))
      .filter(({ error, entry }) => !isRight(error, entry));
    expect(mistakes.map(({ text, entry }) => `${text}: ${entry?.meaning}`)).toEqual([]);
  });

  test('is right for what mail servers reply, and nobody where a reply says nothing', () => {
    const mistakes = linesOf('mail-replies.tsv').flatMap((line) => {
      const [owners = '', reply = ''] = line.split('\t');
      const { entry } = find({ provider: 'nodemailer', detail: 'bounced', raw: reply }, 'email');
      const owner = entry === null || entry.whose === 'unknown' ? 'none' : entry.whose;
      const isExpected = owners.split(' ').includes(owner) || (owner === 'none' && owners.includes('unknown'));
      return isExpected ? [] : [`${reply}: ${owner}`];
    });
    expect(mistakes).toEqual([]);
  });
});
