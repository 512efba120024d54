import { explainCause } from '../src/domain/causes/explain-cause.ts';
import { deployName } from '../src/domain/changes/deploy.ts';
import type { CredentialProvider } from '../src/domain/credentials/credential-providers.ts';
import { parseCredentials } from '../src/domain/credentials/parse-credentials.ts';
import { causeOf, sentenceIn } from '../src/domain/failures/cause.ts';
import { causeKey } from '../src/domain/failures/cause-key.ts';
import { ALL_FAILURES } from '../src/domain/failures/failure-filter.ts';
import { typedFilter } from '../src/domain/failures/typed-filter.ts';
import { fold } from '../src/domain/fold.ts';
import { incidentMeant } from '../src/domain/incidents/incident-names.ts';
import { noteOf } from '../src/domain/incidents/note.ts';
import { noteTyped } from '../src/domain/incidents/note-typed.ts';
import { plainCommand } from '../src/domain/input/command-word.ts';
import { parseCommandText } from '../src/domain/input/filters.ts';
import { eventIdOrTransaction, recogniseIds } from '../src/domain/input/ids.ts';
import { recognise } from '../src/domain/input/lookup-target.ts';
import { refuseWords } from '../src/domain/input/stray-words.ts';
import { parseTimeZone } from '../src/domain/input/time-zone.ts';
import { csvLine } from '../src/domain/lookups/csv.ts';
import { nearest } from '../src/domain/nearest.ts';
import { boundedId } from '../src/domain/text/bounded-id.ts';
import { FreeText } from '../src/domain/text/free-text.ts';
import { logLine } from '../src/domain/text/log-line.ts';
import { initials } from '../src/domain/text/mask.ts';
import { scrub, scrubInFull, scrubValue, scrubValueInFull } from '../src/domain/text/scrub.ts';
import { maskedId } from '../src/domain/text/shown-id.ts';
import { parseDuration, parseTimeRange } from '../src/domain/time/time-range.ts';
import { findLoss, whereNotJson } from '../src/domain/triggers/json-mistake.ts';
import { parseContext, parseOverrides, parsePayload } from '../src/domain/triggers/trigger-input.ts';
import { parseRows } from '../src/domain/triggers/trigger-rows.ts';
import { isMeantAsTime, joinedTimes } from '../src/domain/watches/mute-words.ts';
import { parseWatchSettings } from '../src/domain/watches/watch-settings.ts';
import { parseMention, parseRate, parseVerdicts } from '../src/domain/watches/watch-values.ts';
import { dateOf } from '../src/notification-service/schema/date.ts';
import { parseErrorBody } from '../src/notification-service/schema/error-body.ts';
import { forEveryone, textForEveryone } from '../src/slack/blocks/for-everyone.ts';
import { code, cutMarkup, mrkdwn, plain } from '../src/slack/blocks/text.ts';
import { unlinked } from '../src/slack/blocks/unlinked.ts';
import { filterSubject } from '../src/slack/failures/chart-message.ts';
import { textsIn } from '../src/slack/interactions/message-text.ts';
import { isCommandIn } from '../src/slack/lookup/written.ts';

/** A function that is applied to external text. One that works in steps returns them: the longest step is what blocks the process. */
export interface Reader {
  readonly name: string;
  /** The maximum number of characters that the function gets or looks at. */
  readonly bound: number;
  /** What enforces the bound. A function that limits itself is measured with a text of 1 MB. */
  readonly boundedBy: 'itself' | 'its caller' | 'Slack';
  readonly read: (text: string) => unknown;
}

/** Slack's limits for a command, a form field, and a block's text. */
const COMMAND = 8_000;
const FIELD = 3_000;
const BLOCK = 3_000;
const WEEK_MS = 604_800_000;

/** A failed email, the channel with the most errors. */
const FAILED = { provider: 'sendgrid', channel: 'email', text: '' };
const DETAIL = { detail: new FreeText(''), source: 'Internal', provider: 'sendgrid' };
const PROVIDER: CredentialProvider = { id: 'any', channel: 'push', fields: ['deviceTokens', 'webhookUrl'] };
/** The incidents of a bad day. */
const OPEN = Array.from({ length: 100 }, (_, episodeId) => ({
  episodeId,
  channel: 'email',
  provider: 'sendgrid',
  workflows: [`workflow-${episodeId}`, `other-${episodeId}`],
}));
const DEFAULTS = { environments: [], usualEnvironments: [], timeZone: 'UTC' };

/** Every function that is applied to external text. `hostile-readers.test.ts` finds modules with patterns that none of these covers. */
export const READERS: readonly Reader[] = [
  { name: 'scrub', bound: 8_000, boundedBy: 'itself', read: scrub },
  { name: 'scrubInFull', bound: 50_000, boundedBy: 'itself', read: scrubInFull },
  { name: 'scrubValue', bound: 8_000, boundedBy: 'its caller', read: (text) => scrubValue(wordsOf(text)) },
  { name: 'scrubValue, keys', bound: 8_000, boundedBy: 'its caller', read: (text) => scrubValue(keysOf(text)) },
  { name: 'scrubValueInFull', bound: 400_000, boundedBy: 'itself', read: (text) => scrubValueInFull([text, text]) },
  { name: 'sentenceIn', bound: 8_000, boundedBy: 'itself', read: (text) => sentenceIn(new FreeText(text)) },
  { name: 'causeOf', bound: 8_000, boundedBy: 'itself', read: (raw) => causeOf({ ...DETAIL, raw: new FreeText(raw) }) },
  { name: 'causeKey', bound: 2_000, boundedBy: 'its caller', read: (text) => causeKey(text, null) },
  { name: 'explainCause', bound: 2_000, boundedBy: 'itself', read: (text) => explainCause({ ...FAILED, text }) },
  { name: 'explainCause, answer', bound: 8_000, boundedBy: 'itself', read: (raw) => explainCause({ ...FAILED, raw }) },
  { name: 'readErrorBody', bound: 8_000, boundedBy: 'itself', read: (message) => parseErrorBody({ message }) },
  { name: 'logLine', bound: 20_000, boundedBy: 'itself', read: logLine },
  { name: 'recogniseIds', bound: 20_000, boundedBy: 'itself', read: (text) => recogniseIds(text) },
  { name: 'recognise', bound: 20_000, boundedBy: 'itself', read: (text) => recognise(text, []) },
  { name: 'textsIn', bound: 20_000, boundedBy: 'itself', read: (text) => textsIn({ text }) },
  {
    name: 'isCommandIn',
    bound: 20_000,
    boundedBy: 'Slack',
    read: (text) => isCommandIn({ text, texts: [text], parentText: null }, [{ word: 'status' }], []),
  },
  { name: 'maskedId', bound: 4_000, boundedBy: 'itself', read: maskedId },
  { name: 'boundedId', bound: 1_000_000, boundedBy: 'itself', read: boundedId },
  { name: 'initials', bound: 1_000_000, boundedBy: 'itself', read: (text) => initials(text, text) },
  { name: 'fold', bound: COMMAND, boundedBy: 'its caller', read: fold },
  { name: 'dateOf', bound: 1_000_000, boundedBy: 'itself', read: dateOf },
  { name: 'mrkdwn', bound: 2_000, boundedBy: 'itself', read: (text) => mrkdwn`${text}` },
  { name: 'code', bound: 200, boundedBy: 'itself', read: (text) => code(text) },
  { name: 'plain', bound: 6_000, boundedBy: 'itself', read: (text) => plain(text, BLOCK) },
  { name: 'cutMarkup', bound: COMMAND, boundedBy: 'its caller', read: (text) => cutMarkup(mrkdwn`${text}`, BLOCK) },
  { name: 'forEveryone', bound: BLOCK, boundedBy: 'Slack', read: (text) => forEveryone({ text, blocks: [] }) },
  { name: 'unlinked', bound: 4_000, boundedBy: 'its caller', read: unlinked },
  { name: 'csvLine', bound: 8_000, boundedBy: 'its caller', read: (text) => csvLine([text]) },
  { name: 'plainCommand', bound: COMMAND, boundedBy: 'Slack', read: (text) => plainCommand(text, ['failures']) },
  { name: 'parseCommandText', bound: COMMAND, boundedBy: 'Slack', read: parseCommandText },
  { name: 'incidentMeant', bound: COMMAND, boundedBy: 'Slack', read: (text) => incidentMeant(fourOf(text), OPEN) },
  { name: 'nearest', bound: COMMAND, boundedBy: 'Slack', read: (text) => nearest(text, [`${text}a`, `a${text}`]) },
  {
    name: 'parseTimeRange',
    bound: COMMAND,
    boundedBy: 'Slack',
    read: (since) => parseTimeRange({ since }, new Date(), { durationMs: WEEK_MS }),
  },
  { name: 'joinedTimes', bound: COMMAND, boundedBy: 'Slack', read: (text) => joinedTimes([text]) },
  { name: 'eventIdOrTransaction', bound: COMMAND, boundedBy: 'Slack', read: eventIdOrTransaction },
  { name: 'isMeantAsTime', bound: COMMAND, boundedBy: 'Slack', read: isMeantAsTime },
  { name: 'parseDuration', bound: COMMAND, boundedBy: 'Slack', read: parseDuration },
  {
    name: 'readWatchSettings',
    bound: COMMAND,
    boundedBy: 'Slack',
    read: (text) => parseWatchSettings({ workflow: [text], mention: [text] }, DEFAULTS),
  },
  { name: 'readTimeZone', bound: COMMAND, boundedBy: 'Slack', read: parseTimeZone },
  { name: 'readMention', bound: COMMAND, boundedBy: 'Slack', read: parseMention },
  { name: 'typedFilter', bound: COMMAND, boundedBy: 'Slack', read: (text) => typedFilter({ verdict: [text] }) },
  { name: 'noteTyped', bound: COMMAND, boundedBy: 'Slack', read: (text) => noteTyped(text, OPEN) },
  {
    name: 'refuseWords',
    bound: COMMAND,
    boundedBy: 'Slack',
    read: (word) => refuseWords([word], { command: '', allowed: ['since', 'tx'], usual: 'since', environments: [] }),
  },
  { name: 'noteOf', bound: COMMAND, boundedBy: 'Slack', read: noteOf },
  { name: 'deployName', bound: COMMAND, boundedBy: 'Slack', read: (text) => deployName(text, '') },
  { name: 'textForEveryone', bound: 2_000, boundedBy: 'its caller', read: textForEveryone },
  {
    name: 'filterSubject',
    bound: COMMAND,
    boundedBy: 'Slack',
    read: (text) =>
      filterSubject({ label: 'Production' }, { ...ALL_FAILURES, workflows: wordsOf(text), topics: [text] }),
  },
  { name: 'readRate', bound: COMMAND, boundedBy: 'Slack', read: parseRate },
  { name: 'readVerdicts', bound: COMMAND, boundedBy: 'Slack', read: (text) => parseVerdicts([text]) },
  { name: 'readCredentials', bound: FIELD, boundedBy: 'Slack', read: (text) => parseCredentials(PROVIDER, () => text) },
  { name: 'readPayload', bound: FIELD, boundedBy: 'Slack', read: parsePayload },
  { name: 'readOverrides', bound: FIELD, boundedBy: 'Slack', read: parseOverrides },
  { name: 'readContext', bound: FIELD, boundedBy: 'Slack', read: parseContext },
  { name: 'whereNotJson', bound: FIELD, boundedBy: 'Slack', read: whereNotJson },
  { name: 'findLoss', bound: FIELD, boundedBy: 'Slack', read: findLoss },
  { name: 'readRows', bound: 4 * FIELD, boundedBy: 'Slack', read: (text) => parseRows(fieldsOf(text)) },
  {
    name: 'readRows, table',
    bound: 4 * FIELD,
    boundedBy: 'Slack',
    read: (text) => parseRows(fieldsOf(`subscriber,${text}`)),
  },
];

/** Returns four words to search among similar names of the length of workflow names. */
function fourOf(text: string): string[] {
  return wordsOf(text)
    .slice(0, 4)
    .map((word, index) => `${word.replaceAll('/', '-').slice(0, 9)}${index}`);
}

/** Returns a payload of many short texts. */
function wordsOf(text: string): string[] {
  return text.match(/[\s\S]{1,100}/g) ?? [];
}

function keysOf(text: string): object {
  return Object.fromEntries(wordsOf(text).map((word, index) => [`${word}${index}`, index]));
}

/** Returns a form's four fields for rows. */
function fieldsOf(text: string): string[] {
  return [0, 1, 2, 3].map((field) => text.slice(field * FIELD, (field + 1) * FIELD));
}
