import type { InputBlock, ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { SEVERITIES } from '../../../failures/failure.ts';
import { VERDICT_WORDS, WATCHED_VERDICTS } from '../../../failures/verdict.ts';
import type { Environment } from '../../../lib/environment.ts';
import { type InputError, withExample } from '../../../lib/errors.ts';
import { bare, visible } from '../../../lib/fold.ts';
import type { FilterMap } from '../../../lib/input/filters.ts';
import type { UserGroup } from '../../../lib/workspace.ts';
import { CHANNELS } from '../../../service/query.ts';
import { parseMention, WATCH_KEYS, type WatchKey } from '../../../watches/parse-settings.ts';
import type { Preview } from '../../../watches/preview.ts';
import { ALL_ENVIRONMENTS, clockOf, USUAL_SUMMARY_AT } from '../../../watches/settings.ts';
import { actions, button, context } from '../../kit/blocks.ts';
import { channelName } from '../../kit/incident/channel-name.ts';
import { capitalised } from '../../kit/incident/verdict-word.ts';
import type { FilledForm, FormErrors } from '../../kit/inputs.ts';
import * as inputs from '../../kit/inputs.ts';
import { MOST_OPTIONS } from '../../kit/limits.ts';
import type { Markup } from '../../kit/text.ts';
import { formView } from '../../kit/view.ts';
import { PREVIEW_FORM, previewLine } from './preview.ts';

export const EDIT_FORM = 'watch.edit-form';
export const EDIT_TITLE = 'Edit a watch';

const field = (key: WatchKey | 'person' | 'switches' | 'quiet-to') => `watch.${key}`;

/** The selects with dynamic options; the environments' only if there are more than Slack lists. */
export const ENVIRONMENTS = field('env');
export const USER_GROUP = field('mention');
export const TIME_ZONE = field('tz');

const Metadata = z.object({
  watchId: z.string(),
  /** The watch's `settingsKey` when the form was opened. */
  was: z.string(),
});
export type FormMetadata = Readonly<z.output<typeof Metadata>>;

/** Throws unless it's of this version. */
export function parseFormMetadata(privateMetadata: string): FormMetadata {
  return Metadata.parse(JSON.parse(privateMetadata));
}

export interface WatchForm extends FormMetadata {
  /** A watch's own (`filtersOf`), or what was typed and couldn't be saved. */
  readonly filters: FilterMap;
  readonly environments: readonly Environment[];
  readonly userGroups: readonly UserGroup[];
  /** The channels that Notif has seen; those in the contract are always offered. */
  readonly channels: readonly string[];
  /** What people have to know before they save. Null if nothing. */
  readonly note: Markup | null;
  /** Null if unknown. */
  readonly preview: Preview | null;
}

export function watchView({ watchId, was, note, preview, ...form }: WatchForm): ModalView {
  return formView({
    callbackId: EDIT_FORM,
    title: EDIT_TITLE,
    submit: 'Save',
    privateMetadata: JSON.stringify({ watchId, was }),
    blocks: [
      ...(note === null ? [] : [context(note)]),
      ...previewLine(preview).map((line) => context(line)),
      ...actions([button('Preview', PREVIEW_FORM, watchId)]),
      ...filterInputs(form),
      ...mannerInputs(form),
    ],
  });
}

type Offered = Pick<WatchForm, 'filters' | 'environments' | 'userGroups' | 'channels'>;

function filterInputs({ filters, environments, channels }: Offered): InputBlock[] {
  const lines = (key: WatchKey, label: string, hint: string) =>
    inputs.textInput({ ...all(key, label, hint), isMultiline: true, initial: (filters[key] ?? []).join('\n') });
  const verdicts = WATCHED_VERDICTS.map((value) => ({ label: capitalised(VERDICT_WORDS[value]), value }));
  return [
    environmentsInput(filters.env ?? [], environments),
    lines('workflow', 'Workflows', 'Identifiers or names, one per line. Leave empty for all.'),
    menuInput('channel', 'Channels', filters.channel, [...CHANNELS, ...channels], channelName),
    lines('provider', 'Providers', 'sendgrid, twilio …'),
    lines('subscriber', 'Subscribers', 'IDs, exactly as triggered: user-0042'),
    lines('email', 'Email addresses', 'Their subscribers are looked up when you save, and watched.'),
    menuInput('severity', 'Severities', filters.severity, SEVERITIES),
    lines('topic', 'Topics', "The topics' keys."),
    lines('context', 'Contexts', 'Name and value, exactly as triggered: tenant:acme'),
    lines('tag', 'Tags', "The workflows' tags."),
    inputs.checkboxInput(
      all('verdict', 'Verdicts', 'Tick none for all but warnings.'),
      verdicts,
      filters.verdict ?? [],
    ),
  ];
}

/** 22:00 to 07:00, if a watch has no quiet hours. */
const USUAL_QUIET = '22:00-07:00';

function mannerInputs({ filters, userGroups }: Offered): InputBlock[] {
  const {
    quiet = ['off'],
    tz = [''],
    summary = [clockOf(USUAL_SUMMARY_AT)],
    thread,
    changes,
    'all-clear': allClear,
  } = filters;
  const word = (key: WatchKey, label: string, hint: string) =>
    inputs.textInput({ ...all(key, label, hint), initial: (filters[key] ?? []).join() });
  const ticked = (key: 'thread' | 'all-clear' | 'changes', label: string, text: string, isOn: boolean) =>
    inputs.checkboxInput(all(key, label), [{ label: text, value: 'on' }], isOn ? ['on'] : []);
  const clock = (key: 'quiet' | 'quiet-to' | 'summary', label: string, at = '', hint?: string) =>
    inputs.timeInput({ ...all(key, label, hint), isOptional: false }, at);
  const switches = [
    { label: 'Quiet hours', value: 'quiet' },
    { label: 'A daily summary', value: 'summary' },
  ];
  const [isQuiet, isSummed] = [`${quiet}` !== 'off', `${summary}` !== 'off'];
  const [from, to] = (isQuiet ? `${quiet}` : USUAL_QUIET).split('-');
  const on = [...(isQuiet ? ['quiet'] : []), ...(isSummed ? ['summary'] : [])];
  const [person = null, group = null] = mentionedIn(filters);
  const handle = userGroups.find(({ id }) => id === group)?.handle;
  const groupOption = group === null ? null : optionFor(handle === undefined ? group : `@${handle}`, group);
  return [
    word('min', 'Minimum failures', 'Leave empty to alert from the first failure.'),
    word('within', 'Within', 'For example 10m; at most 24h.'),
    word('rate', 'Minimum failure rate', 'For example 5%.'),
    word('every', 'Minimum time between alerts', 'For example 15m. Leave empty to alert right away.'),
    inputs.personInput(all('person', 'Mention a person'), person),
    inputs.searchInput(all('mention', 'Or mention a user group'), 'Type to search', groupOption),
    inputs.checkboxInput(all('switches', 'Turn on'), switches, on),
    clock('quiet', 'Quiet from', from),
    clock('quiet-to', 'Quiet to', to, 'Failures during quiet hours are announced at this time.'),
    clock('summary', 'Daily summary at', isSummed ? `${summary}` : clockOf(USUAL_SUMMARY_AT)),
    ticked('thread', 'Threads', "Post each incident's history in its thread", `${thread}` !== 'off'),
    ticked('all-clear', 'All clear', 'Tell the channel when an incident is resolved', `${allClear}` === 'on'),
    ticked('changes', 'Changes', 'Post changes to integrations and workflows, and deploys', `${changes}` === 'on'),
    inputs.searchInput({ blockId: TIME_ZONE, label: 'Time zone' }, 'Type a city', optionFor(`${tz}`, `${tz}`)),
  ];
}

export function optionFor(label: string, value: string): PlainTextOption {
  return inputs.optionOf({ label, value });
}

function all(key: Parameters<typeof field>[0], label: string, hint?: string) {
  return { blockId: field(key), label, isOptional: true, ...(hint === undefined ? {} : { hint }) };
}

/** Always includes the watch's own: without them, it would become a watch of all. */
function environmentsInput(typed: readonly string[], environments: readonly Environment[]): InputBlock {
  const chosen = typed.filter((name) => name !== ALL_ENVIRONMENTS);
  const others = chosen.filter((gone) => environments.every(({ name }) => name !== gone));
  const choices = [
    ...others.map((value) => ({ label: `${value} (not configured)`, value })),
    ...environments.map(({ name, label }) => ({ label, value: name })),
  ];
  return inputs.severalInput(all('env', 'Environments', 'Choose none for all.'), choices, chosen);
}

/** Always includes the watch's own names. */
function menuInput(
  key: WatchKey,
  label: string,
  chosen: readonly string[] = [],
  known: readonly string[],
  labelOf = (value: string) => value,
): InputBlock {
  const names = [...new Set([...chosen, ...known])].slice(0, MOST_OPTIONS);
  const choices = names.map((value) => ({ label: labelOf(value), value }));
  return inputs.severalInput(all(key, label, 'Choose none for all.'), choices, chosen);
}

/** A person's ID, or a user group's. */
function mentionedIn({ mention = [] }: FilterMap): readonly (string | null)[] {
  const ids = (kind: string) =>
    mention.map(parseMention).flatMap((mentioned) => (mentioned?.kind === kind ? [mentioned.id] : []));
  return [ids('person')[0] ?? null, ids('user-group')[0] ?? null];
}

const LINES: readonly WatchKey[] = ['workflow', 'provider', 'topic', 'context', 'tag'];
const IDS: readonly WatchKey[] = ['subscriber', 'email'];
const CHOSEN: readonly WatchKey[] = ['channel', 'severity', 'verdict', 'env'];

export function parseWatchForm({ valueIn, valuesIn }: Pick<FilledForm, 'valueIn' | 'valuesIn'>): FilterMap {
  const on = valuesIn(field('switches'));
  const quiet = `${valueIn(field('quiet')) ?? ''}-${valueIn(field('quiet-to')) ?? ''}`;
  const isTicked = (key: WatchKey) => (valuesIn(field(key)).includes('on') ? 'on' : 'off');
  const switched: FilterMap = {
    mention: [
      ...valuesIn(field('person')).map((id) => `<@${id}>`),
      ...valuesIn(USER_GROUP).map((id) => `<!subteam^${id}>`),
    ],
    quiet: [on.includes('quiet') ? quiet : 'off'],
    summary: [on.includes('summary') ? (valueIn(field('summary')) ?? '') : 'off'],
    thread: [isTicked('thread')],
    'all-clear': [isTicked('all-clear')],
    changes: [isTicked('changes')],
  };
  const typed = (key: WatchKey): readonly string[] => {
    const text = visible(valueIn(field(key)) ?? '');
    if (CHOSEN.includes(key)) return valuesIn(field(key));
    // One per line: a name can contain a comma. Quotes may be part of a name, but not of an ID.
    if (LINES.includes(key)) return text.split('\n').filter((line) => line.trim() !== '');
    return (IDS.includes(key) ? text.split('\n').map(bare) : [text.trim()]).filter((word) => word !== '');
  };
  const values = WATCH_KEYS.map((key) => [key, switched[key] ?? typed(key)] as const);
  return Object.fromEntries(values.filter(([, found]) => found.length > 0));
}

export function errorsUnder(problems: readonly InputError[]): FormErrors {
  return Object.fromEntries(problems.map((problem) => [`watch.${problem.field}`, withExample(problem)]));
}
