import type { HomeView } from '@slack/types';
import { type DoctorCtx, type Examined, examineSetUp } from '../../../health/doctor.ts';
import type { Finding } from '../../../health/finding.ts';
import { type EnvironmentStatus, reportStatus, type Status, type StatusCtx } from '../../../health/status.ts';
import type { IncidentNow } from '../../../incidents/incident.ts';
import { openIncidents, type Top } from '../../../incidents/lists.ts';
import { type Environment, labeled } from '../../../lib/environment.ts';
import { describeDuration } from '../../../lib/time/durations.ts';
import type { SlackCtx } from '../../ctx.ts';
import { incidentRow } from '../../incident-view/incident-row.ts';
import {
  actions,
  button,
  context,
  divider,
  folded,
  OPEN_FIND,
  runButton,
  section,
  writeValue,
} from '../../kit/blocks.ts';
import { rowsMessage } from '../../kit/message.ts';
import {
  badge,
  bold,
  channelLink,
  code,
  joined,
  listed,
  mention,
  mrkdwn,
  plural,
  present,
  time,
} from '../../kit/text.ts';
import { ALL_UP_TO_DATE, mutesWords, openWords, silenceWords } from '../../kit/words.ts';
import type { Command } from '../../router/command.ts';
import { HOME_PREFIX } from '../../router/places.ts';
import { type Requester, routesFor } from '../../router/route.ts';

const NO_PARAMETERS = { usage: '', examples: [], filters: [] };

export function statusCommand(ctx: StatusCtx & Pick<SlackCtx, 'checkNow'>): Command {
  return {
    ...NO_PARAMETERS,
    word: 'status',
    for: 'everyone',
    about: 'how far everything is checked, what is wrong and what to do about it',
    answer: async () => statusMessage(await reportStatus(ctx, ctx.checkNow)),
  };
}

export function statusMessage(status: Status) {
  const { running, at } = status;
  const environments = status.environments.toSorted(bySeverity);
  const wrong = environments.filter(isAbnormal);
  const fine = environments.filter((checked) => !isAbnormal(checked)).map(({ environment }) => badge(environment));
  const headline = statusHeadline(status);
  const rows = present([
    ...wrong.map(environmentWords),
    ...troubleRows(status),
    fine.length > 0 && headline !== ALL_UP_TO_DATE && mrkdwn`✅ ${listed(fine)} · up to date`,
  ]);
  return rowsMessage(
    [section(headline)],
    rows.map((row) => [section(row)]),
    [context(mrkdwn`As of ${time(at, 'seconds')} · Notif ${running.version} since ${time(running.startedAt)}`)],
    (left) => plural(left, 'more problem'),
  );
}

function statusHeadline({ store, environments, troubles, at }: Status) {
  const isWrong = environments.some(isAbnormal) || troubles.some(({ is }) => is === 'problem');
  const { waiting, oldest } = store?.backlog ?? { waiting: 0, oldest: null };
  const waited = describeDuration(at.getTime() - (oldest ?? at).getTime());
  const points = present([
    isWrong && mrkdwn`⚠️ *Not everything is up to date*`,
    ...environments.flatMap(({ environment, open, silences }) => [
      ...openWords(open, environments.length > 1 && mrkdwn`in ${badge(environment)}`),
      ...silences.map((silent) => silenceWords(silent, environment.label)),
    ]),
    store && mutesWords(store.mutes),
    waiting > 0 && mrkdwn`⏳ ${plural(waiting, 'message')} pending, oldest ${waited}`,
  ]);
  return points.length > 0 ? joined(points) : ALL_UP_TO_DATE;
}

const EMOJI = {
  problem: '🔴',
  unknown: '⚠️',
  advice: '🟡',
  fine: '✅',
};
const ORDER = Object.keys(EMOJI);

const isAbnormal = ({ condition }: EnvironmentStatus) => condition.is !== 'fine';
const bySeverity = (a: EnvironmentStatus, b: EnvironmentStatus) =>
  ORDER.indexOf(a.condition.is) - ORDER.indexOf(b.condition.is);

function environmentWords({ environment, health, condition: { is, words, what, next } }: EnvironmentStatus) {
  const facts = [
    mrkdwn`${EMOJI[is]} ${badge(environment)}`,
    words,
    health?.lastSuccessAt ? mrkdwn`as of ${time(health.checkedTo, 'seconds')}` : null,
  ];
  return joined([joined(facts), what, next], '\n');
}

function troubleRows({ troubles }: Status) {
  return troubles.map((trouble) => joined([mrkdwn`${EMOJI[trouble.is]} ${whatOf(trouble)}`, trouble.next], '\n'));
}

const REFRESH = `${HOME_PREFIX}refresh`;

export function homeFlow(ctx: SlackCtx & StatusCtx) {
  const answer = async ({ userId }: Requester) => {
    const { client, db, environments, now } = ctx;
    const names = environments.map(({ name }) => name);
    // The check may end an outage, so open incidents are read after it.
    const status = await reportStatus(ctx, ctx.checkNow);
    const [open, canTrigger] = await Promise.all([
      openIncidents(db, names, MOST_INCIDENTS, now()),
      ctx.accessControl.canUse(userId, 'operators'),
    ]);
    await client.views.publish({ user_id: userId, view: homeView({ status, open, canTrigger }, environments) });
  };
  return {
    commands: [],
    routes: routesFor('everyone', [
      { surface: 'home', id: 'app_home_opened', answer },
      { surface: 'action', id: REFRESH, answer },
    ]),
  };
}

/** Each list fills under half of the 100 blocks that Slack accepts. */
const MOST_INCIDENTS = 10;
const MOST_LINES = 20;

export function homeView(
  { status, open, canTrigger }: { status: Status; open: Top<IncidentNow>; canTrigger: boolean },
  environments: readonly Environment[],
): HomeView {
  const others = status.environments
    .filter(({ health }) => open.items.every(({ id }) => id !== health?.outageId))
    .toSorted(bySeverity);
  const lines = [...troubleRows(status), ...others.map(environmentWords)];
  const left = lines.length - MOST_LINES;
  return {
    type: 'home',
    blocks: present([
      section(statusHeadline(status)),
      ...open.items.flatMap((incident) => {
        const beside = environments.length > 1 ? badge(labeled(incident.environment, environments)) : null;
        return incidentRow(incident, { beside });
      }),
      context(open.more > 0 && mrkdwn`${plural(open.more, 'more open incident')}: ${code('/notif handover')}`),
      divider(),
      ...lines.slice(0, MOST_LINES).map((line) => section(line)),
      context(left > 0 && mrkdwn`… and ${left} more: ${code('/notif status')}`),
      ...actions([
        canTrigger && runButton('Send a test', 'trigger'),
        button('Look up', OPEN_FIND, writeValue([])),
        button('Refresh', REFRESH, writeValue([])),
        runButton('Help', 'help'),
      ]),
      context(mrkdwn`Updated ${time(status.at, 'seconds')}`),
    ]),
  };
}

/** Members can run it, since there may be no operator yet. Variables are named, never shown. */
export function doctorCommand(ctx: DoctorCtx): Command {
  return {
    ...NO_PARAMETERS,
    word: 'doctor',
    for: 'members',
    about: 'check the setup and see how to fix problems',
    answer: async () => doctorMessage(await examineSetUp(ctx), ctx.now()),
  };
}

export function doctorMessage(examined: readonly Examined[], at: Date) {
  const findings = examined
    .flatMap(({ subject, findings }) => findings.map((finding) => ({ subject, ...finding })))
    .toSorted((a, b) => ORDER.indexOf(a.is) - ORDER.indexOf(b.is));
  const passed = examined.filter(({ findings }) => findings.length === 0).map(({ subject }) => subject);
  const [worst] = findings;
  const count = worst !== undefined && mrkdwn`${EMOJI[worst.is]} ${plural(findings.length, 'finding')}`;
  const headline = joined([count, mrkdwn`✅ ${plural(passed.length, 'check')} passed`]);
  const rows = findings.map((finding) => {
    const title = mrkdwn`${EMOJI[finding.is]} ${bold(finding.subject)} · ${finding.is}`;
    return [section([title, whatOf(finding), mrkdwn`Next: ${finding.next}`])];
  });
  const foot = [
    passed.length > 0 && folded('Passed', [section(joined(passed))]),
    context(mrkdwn`As of ${time(at, 'seconds')}`),
  ];
  return rowsMessage([section(bold(headline))], rows, foot, (left) => {
    return mrkdwn`${plural(left, 'more finding')}: fix these first, then run ${code('/notif doctor')} again.`;
  });
}

function whatOf({ what, about }: Finding) {
  const names = about.map(({ kind, id }) =>
    kind === 'word' ? code(id) : kind === 'channel' ? channelLink(id) : mention({ kind, id }),
  );
  return joined([what, listed(names, ', ', 10)], ' ');
}
