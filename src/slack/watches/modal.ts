import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { CHANNELS } from '../../domain/delivery-channels.ts';
import type { Environment } from '../../domain/environment.ts';
import { type InputError, withExample } from '../../domain/errors.ts';
import { SEVERITIES } from '../../domain/failures/failure.ts';
import { VERDICT_WORDS, WATCHED_VERDICTS } from '../../domain/failures/verdict.ts';
import { bare, visible } from '../../domain/fold.ts';
import type { FilterMap } from '../../domain/input/filters.ts';
import { USUAL_SUMMARY_AT, type WatchSettings } from '../../domain/watches/watch.ts';
import { settingsKey, type WatchKey } from '../../domain/watches/watch-settings.ts';
import { clockOf, durationOf, percentOf } from '../../domain/watches/watch-values.ts';
import type { UserGroup } from '../../use-cases/ports/workspace.ts';
import type { Preview } from '../../watches/preview.ts';
import { actions, button, context } from '../blocks/blocks.ts';
import { channelName } from '../blocks/incident/channel-name.ts';
import { capitalised } from '../blocks/incident/verdict-word.ts';
import type { FilledForm, FormErrors } from '../blocks/inputs/filled-form.ts';
import {
  checkboxInput,
  optionOf,
  personInput,
  searchInput,
  severalInput,
  textInput,
  timeInput,
} from '../blocks/inputs/inputs.ts';
import { MOST_OPTIONS } from '../blocks/limits.ts';
import type { Markup } from '../blocks/text.ts';
import { formView } from '../blocks/view.ts';
import { PREVIEW_FORM, previewLine } from './preview-message.ts';

export const EDIT_FORM = 'watch.edit-form';
export const EDIT_TITLE = 'Edit a watch';

const field = (key: WatchKey | 'person' | 'switches' | 'quiet-to') => `watch.${key}`;

/** The selects with dynamic options; the environments' only if there are more than Slack lists. */
export const ENVIRONMENTS = field('env');
export const USER_GROUP = field('mention');
export const TIME_ZONE = field('tz');

/** 22:00 to 07:00, if a watch has no quiet hours. */
const USUAL_QUIET = { from: 22 * 60, to: 7 * 60 };

export interface WatchForm {
  readonly watchId: string;
  readonly settings: WatchSettings;
  /** The watch's `settingsKey` when the form was opened. */
  readonly was: string;
  readonly environments: readonly Environment[];
  readonly userGroups: readonly UserGroup[];
  /** The channels that Notif has seen; those in the contract are always offered. */
  readonly channels: readonly string[];
  /** The email addresses that were typed but couldn't be looked up. A saved watch has none. */
  readonly emails?: readonly string[];
  /** What people have to know before they save. Null if nothing. */
  readonly note: Markup | null;
  /** Null if unknown. */
  readonly preview: Preview | null;
}

export function watchView(form: WatchForm): ModalView {
  return formView({
    callbackId: EDIT_FORM,
    title: EDIT_TITLE,
    submit: 'Save',
    privateMetadata: JSON.stringify({ watchId: form.watchId, was: form.was }),
    blocks: [
      ...(form.note === null ? [] : [context(form.note)]),
      ...previewLine(form.preview).map((line) => context(line)),
      ...actions([button('Preview', PREVIEW_FORM, form.watchId)]),
      ...filterInputs(form),
      ...thresholdInputs(form.settings),
      ...mannerInputs(form),
    ],
  });
}

export function formOf(watch: { readonly id: string; readonly settings: WatchSettings }) {
  return { watchId: watch.id, settings: watch.settings, was: settingsKey(watch.settings) };
}

function filterInputs({ settings: { filter }, environments, channels, emails = [] }: WatchForm): InputBlock[] {
  const verdicts = WATCHED_VERDICTS.map((value) => ({ label: capitalised(VERDICT_WORDS[value]), value }));
  return [
    environmentsInput(filter.environments, environments),
    namesInput('workflow', 'Workflows', filter.workflows, 'Identifiers or names, one per line. Leave empty for all.'),
    menuInput('channel', 'Channels', filter.channels, [...CHANNELS, ...channels]),
    namesInput('provider', 'Providers', filter.providers, 'sendgrid, twilio …'),
    namesInput('subscriber', 'Subscribers', filter.subscribers, 'IDs, exactly as triggered: user-0042'),
    namesInput('email', 'Email addresses', emails, 'Their subscribers are looked up when you save, and watched.'),
    menuInput('severity', 'Severities', filter.severities, SEVERITIES),
    namesInput('topic', 'Topics', filter.topics, "The topics' keys."),
    namesInput('context', 'Contexts', filter.contexts, 'Name and value, exactly as triggered: tenant:acme'),
    namesInput('tag', 'Tags', filter.tags, "The workflows' tags."),
    checkboxInput(all('verdict', 'Verdicts', 'Tick none for all but warnings.'), verdicts, filter.verdicts),
  ];
}

function thresholdInputs({ threshold }: WatchSettings): InputBlock[] {
  const { failures, withinMs, rate } = threshold ?? { failures: null, withinMs: null, rate: null };
  return [
    wordInput(
      'min',
      'Minimum failures',
      failures === null ? '' : String(failures),
      'Leave empty to alert from the first failure.',
    ),
    wordInput('within', 'Within', withinMs === null ? '' : durationOf(withinMs), 'For example 10m; at most 24h.'),
    wordInput('rate', 'Minimum failure rate', rate === null ? '' : `${percentOf(rate)}%`, 'For example 5%.'),
  ];
}

function mannerInputs({ settings, userGroups }: WatchForm): InputBlock[] {
  const { everyMs, mention, quiet, timeZone, summaryAt, hasThread, hasChanges } = settings;
  const group = mention?.kind === 'user-group' ? mention.id : null;
  const handle = userGroups.find(({ id }) => id === group)?.handle;
  const on = [...(quiet === null ? [] : ['quiet']), ...(summaryAt === null ? [] : ['summary'])];
  const switches = [
    { label: 'Quiet hours', value: 'quiet' },
    { label: 'A daily summary', value: 'summary' },
  ];
  const { from, to } = quiet ?? USUAL_QUIET;
  return [
    wordInput(
      'every',
      'Minimum time between alerts',
      everyMs === 0 ? '' : durationOf(everyMs),
      'For example 15m. Leave empty to alert right away.',
    ),
    personInput(all('person', 'Mention a person'), mention?.kind === 'person' ? mention.id : null),
    searchInput(
      all('mention', 'Or mention a user group'),
      'Type to search',
      group === null ? null : optionOf({ label: handle === undefined ? group : `@${handle}`, value: group }),
    ),
    checkboxInput(all('switches', 'Turn on'), switches, on),
    timeInput({ blockId: field('quiet'), label: 'Quiet from' }, clockOf(from)),
    timeInput(
      {
        blockId: field('quiet-to'),
        label: 'Quiet to',
        hint: 'Failures during quiet hours are announced at this time.',
      },
      clockOf(to),
    ),
    timeInput({ blockId: field('summary'), label: 'Daily summary at' }, clockOf(summaryAt ?? USUAL_SUMMARY_AT)),
    checkboxInput(
      all('thread', 'Threads'),
      [{ label: "Post each incident's history in its thread", value: 'on' }],
      hasThread ? ['on'] : [],
    ),
    checkboxInput(
      all('changes', 'Changes'),
      [{ label: 'Post changes to integrations and workflows, and deploys', value: 'on' }],
      hasChanges ? ['on'] : [],
    ),
    searchInput(
      { blockId: TIME_ZONE, label: 'Time zone' },
      'Type a city',
      optionOf({ label: timeZone, value: timeZone }),
    ),
  ];
}

function all(key: Parameters<typeof field>[0], label: string, hint?: string) {
  return { blockId: field(key), label, isOptional: true, ...(hint === undefined ? {} : { hint }) };
}

function namesInput(key: WatchKey, label: string, names: readonly string[], hint: string): InputBlock {
  return textInput({ ...all(key, label, hint), hint, isMultiline: true, initial: names.join('\n') });
}

/** Always includes the watch's own: without them, it would become a watch of all. */
function environmentsInput(chosen: readonly string[], environments: readonly Environment[]): InputBlock {
  const others = chosen.filter((own) => environments.every(({ name }) => name !== own));
  const choices = [
    ...others.map((value) => ({ label: `${value} (not configured)`, value })),
    ...environments.map(({ name, label }) => ({ label, value: name })),
  ];
  return severalInput(all('env', 'Environments', 'Choose none for all.'), choices, chosen);
}

/** Always includes the watch's own names. */
function menuInput(key: 'channel' | 'severity', label: string, chosen: readonly string[], known: readonly string[]) {
  const names = [...new Set([...chosen, ...known])].slice(0, MOST_OPTIONS);
  const choices = names.map((value) => ({ label: key === 'channel' ? channelName(value) : value, value }));
  return severalInput(all(key, label, 'Choose none for all.'), choices, chosen);
}

function wordInput(key: WatchKey, label: string, word: string, hint: string): InputBlock {
  return textInput({ ...all(key, label, hint), hint, initial: word });
}

type Filled = Pick<FilledForm, 'valueIn' | 'valuesIn'>;

export function parseWatchForm(filled: Filled): FilterMap {
  const values: { readonly [Key in WatchKey]: readonly string[] } = {
    ...namesIn(filled),
    channel: filled.valuesIn(field('channel')),
    severity: filled.valuesIn(field('severity')),
    verdict: filled.valuesIn(field('verdict')),
    env: filled.valuesIn(field('env')),
    min: wordIn('min', filled),
    within: wordIn('within', filled),
    rate: wordIn('rate', filled),
    every: wordIn('every', filled),
    mention: mentionIn(filled),
    ...switchedIn(filled),
    tz: wordIn('tz', filled),
  };
  return Object.fromEntries(Object.entries(values).filter(([, all]) => all.length > 0));
}

/** One per line: a name can contain a comma. Quotes may be part of a name, but not of an ID. */
function namesIn(filled: Filled) {
  const typed = (key: WatchKey) => visible(filled.valueIn(field(key)) ?? '').split('\n');
  const lines = (key: WatchKey) => typed(key).filter((line) => line.trim() !== '');
  const ids = (key: WatchKey) =>
    typed(key)
      .map(bare)
      .filter((id) => id !== '');
  return {
    workflow: lines('workflow'),
    provider: lines('provider'),
    subscriber: ids('subscriber'),
    email: ids('email'),
    topic: lines('topic'),
    context: lines('context'),
    tag: lines('tag'),
  };
}

function wordIn(key: WatchKey, filled: Filled): string[] {
  const word = visible(filled.valueIn(field(key)) ?? '').trim();
  return word === '' ? [] : [word];
}

function mentionIn(filled: Filled): string[] {
  const people = filled.valuesIn(field('person')).map((id) => `<@${id}>`);
  return [...people, ...filled.valuesIn(USER_GROUP).map((id) => `<!subteam^${id}>`)];
}

function switchedIn(filled: Filled) {
  const on = filled.valuesIn(field('switches'));
  const [from, to] = [filled.valueIn(field('quiet')) ?? '', filled.valueIn(field('quiet-to')) ?? ''];
  return {
    quiet: [on.includes('quiet') ? `${from}-${to}` : 'off'],
    summary: [on.includes('summary') ? (filled.valueIn(field('summary')) ?? '') : 'off'],
    thread: [filled.valuesIn(field('thread')).includes('on') ? 'on' : 'off'],
    changes: [filled.valuesIn(field('changes')).includes('on') ? 'on' : 'off'],
  };
}

export function errorsUnder(problems: readonly InputError[]): FormErrors {
  return Object.fromEntries(problems.map((problem) => [`watch.${problem.field}`, withExample(problem)]));
}

const Metadata = z.object({ watchId: z.string(), was: z.string() });

/** Throws unless it's of this version. */
export function parseFormMetadata(privateMetadata: string): z.output<typeof Metadata> {
  return Metadata.parse(JSON.parse(privateMetadata));
}
