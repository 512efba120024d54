import { describe, expect, test } from 'vitest';
import { isTestCode, nodesOf, parse, sourceFiles } from '../test/source-code.ts';
import { READERS } from './hostile-readers.ts';

/**
 * Modules with patterns that repeat something, and the functions in the list that apply them to external text; or why none does. A pattern
 * with one class between `^` and `$`, such as `^\d{1,9}$`, always takes linear time.
 */
const READ_BY: Readonly<Record<string, readonly string[] | { readonly not: string }>> = {
  'src/config/causes-file.ts': { not: 'configuration' },
  'src/config/environments.ts': { not: 'configuration' },
  'src/config/secret-files.ts': { not: 'configuration' },
  'src/config/values.ts': { not: 'configuration' },
  'src/config/warnings.ts': { not: 'configuration' },
  'src/domain/failures/cause-key.ts': ['causeKey'],
  'src/domain/failures/cause.ts': ['causeOf', 'sentenceIn'],
  'src/domain/causes/codes-in.ts': ['explainCause', 'explainCause, answer'],
  'src/domain/causes/explain-cause.ts': ['explainCause'],
  'src/domain/text/contacts.ts': ['scrub', 'scrubInFull'],
  'src/domain/closed-list.ts': ['typedFilter', 'readVerdicts'],
  'src/domain/lookups/csv.ts': ['csvLine'],
  'src/domain/fold.ts': ['fold'],
  'src/domain/environment.ts': { not: 'the address of a dashboard, which is configured' },
  'src/domain/health/explain.ts': ['readErrorBody'],
  'src/domain/input/addresses.ts': { not: 'an address of at most 254 characters' },
  'src/domain/input/command-word.ts': ['plainCommand'],
  'src/domain/input/continued.ts': ['parseCommandText'],
  'src/domain/input/filters.ts': ['parseCommandText'],
  'src/domain/input/slack-text.ts': ['parseCommandText'],
  'src/domain/input/time-zone.ts': ['readTimeZone'],
  'src/domain/incidents/note-typed.ts': ['noteTyped'],
  'src/domain/input/stray-words.ts': ['refuseWords'],
  'src/process/tracer.ts': { not: 'the address of a collector, which is configured' },
  'src/slack/blocks/fit.ts': { not: 'JSON of blocks that Notif has drawn, in time linear in it' },
  'src/slack/blocks/plain-text.ts': { not: "Notif's own markup, in which text from outside is escaped" },
  'src/slack/blocks/buttons/failure-request.ts': { not: "a number in a button's value, in time linear in the text" },
  'src/slack/changes/listeners.ts': { not: 'looks for one word, in time linear in the text' },
  'src/slack/interactions/notif-command.ts': { not: 'takes off the first word, in time linear in the text' },
  'src/domain/input/ids.ts': ['recogniseIds', 'recognise', 'eventIdOrTransaction'],
  'src/domain/incidents/incident-names.ts': ['incidentMeant'],
  'src/domain/triggers/json-mistake.ts': ['findLoss', 'whereNotJson'],
  'src/domain/service/context-key.ts': { not: 'one class at the beginning, in time linear in the text' },
  'src/domain/text/log-line.ts': ['logLine'],
  'src/domain/text/mask.ts': ['initials'],
  'src/domain/credentials/parse-credentials.ts': ['readCredentials'],
  'src/domain/failures/reason.ts': ['causeOf', 'sentenceIn'],
  'src/domain/text/scrub.ts': ['scrub', 'scrubInFull', 'scrubValue', 'scrubValueInFull'],
  'src/domain/text/secrets.ts': ['scrub', 'scrubInFull'],
  'src/domain/text/shown-id.ts': ['maskedId'],
  'src/domain/input/lookup-target.ts': ['recognise'],
  'src/domain/time/typed-moment.ts': ['parseTimeRange'],
  'src/domain/time/zone-clock.ts': { not: "the platform's names of clocks" },
  'src/domain/time/time-range.ts': ['parseTimeRange', 'parseDuration'],
  'src/domain/triggers/trigger-input.ts': ['readPayload', 'readOverrides', 'readContext'],
  'src/domain/triggers/trigger-rows.ts': ['readRows'],
  'src/domain/triggers/trigger-table.ts': ['readRows, table'],
  'src/domain/text/visible-text.ts': ['scrub', 'scrubInFull'],
  'src/domain/watches/watch-values.ts': ['readMention', 'readRate', 'readVerdicts'],
  'src/domain/watches/mute-words.ts': ['isMeantAsTime', 'joinedTimes'],
  'src/notification-service/answer.ts': { not: 'headers, of which `fetch` takes 16 kB in all' },
  'src/notification-service/allowance.ts': { not: 'headers, of which `fetch` takes 16 kB in all' },
  'src/notification-service/client.ts': { not: 'the address and the key of the service, which are configured' },
  'src/notification-service/rate-limit.ts': { not: 'headers, of which `fetch` takes 16 kB in all' },
  'src/notification-service/schema/date.ts': ['dateOf'],
  'src/slack/blocks/for-everyone.ts': ['forEveryone'],
  'src/slack/blocks/unlinked.ts': ['unlinked'],
  'src/slack/blocks/text.ts': ['mrkdwn', 'code', 'plain', 'cutMarkup'],
  'src/slack/connection/observed-fetch.ts': { not: "Slack's own method names" },
  'src/slack/interactions/message-text.ts': ['textsIn'],
  'src/slack/interactions/parse-interaction.ts': { not: 'made of the name of a command' },
  'src/slack/interactions/register.ts': { not: 'matches anything' },
  'src/slack/event/raw-modal.ts': { not: 'cuts a line every 2,600 characters' },
  'src/slack/lookup/written.ts': ['isCommandIn'],
  'src/slack/trigger/message.ts': { not: 'the name of a field in a refusal, at its beginning' },
  'src/slack/trigger/preview-modal.ts': { not: 'JSON of a payload that a form had room for' },
  'src/store/database/embedded/files.ts': { not: "a line of PostgreSQL's own" },
};

/** Matches patterns with one class between the ends of the text. */
const ONE_CLASS = /^\^(?:\\.|\[[^\]]*\]|[A-Za-z])(?:\[[^\]]*\]|\\.)?(?:[*+]|\{\d+(?:,\d*)?\})\$$/;
const REPEATS = /[*+]|\{\d+,\d*\}/;

describe('the list of functions for external text', () => {
  const modules = sourceFiles('src').filter((file) => !isTestCode(file) && repeatingPatterns(file).length > 0);

  test('covers each module whose patterns repeat something', () => {
    expect(modules.filter((file) => READ_BY[file] === undefined)).toEqual([]);
    expect(Object.keys(READ_BY).filter((file) => !modules.includes(file))).toEqual([]);
  });

  test('has each function once, and those that the modules name', () => {
    const names = READERS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const named = Object.values(READ_BY).flatMap((by) => ('not' in by ? [] : by));
    expect(named.filter((name) => !names.includes(name))).toEqual([]);
  });
});

function repeatingPatterns(file: string): string[] {
  return [...nodesOf(parse(file).program)].flatMap((node) => {
    if (node.type === 'NewExpression' && node.callee.type === 'Identifier' && node.callee.name === 'RegExp') {
      return ['made of others'];
    }
    if (node.type !== 'Literal' || !('regex' in node)) return [];
    const { pattern } = node.regex;
    return REPEATS.test(pattern) && !ONE_CLASS.test(pattern) ? [pattern] : [];
  });
}
