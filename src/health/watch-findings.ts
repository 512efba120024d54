import type { Environment } from '../lib/environment.ts';
import { CHANNEL_REFUSAL_WORDS } from '../lib/refusals.ts';
import { type ChannelNow, isChannel } from '../lib/workspace.ts';
import { isAbout } from '../watches/covers.ts';
import { lostWatches } from '../watches/lost-watches.ts';
import type { Watch } from '../watches/settings.ts';
import { watchesIn } from '../watches/watches.ts';
import type { DoctorCtx } from './doctor.ts';
import { advice, type Finding, inChannel, problem, unknown } from './finding.ts';

/** Slack answers some fifty such questions a minute. */
const MOST_CHECKED = 40;

export async function watchFindings({ db, channels: slack, environments, now }: DoctorCtx): Promise<Finding[]> {
  const all = await watchesIn(db);
  const ended = (await lostWatches(db, null, now())).map(({ channel, why: end }) => {
    const { was, fix } = CHANNEL_REFUSAL_WORDS[end];
    const next = `${fix} if that is still so, then /notif watch there.`;
    return problem(`A watch was removed because ${was}:`, next, inChannel(channel));
  });
  if (all.length === 0) {
    const next = 'Run /notif watch in a channel, or set NOTIF_DIGEST_CHANNEL.';
    return [...ended, advice('There is none: failures alert nobody.', next)];
  }
  const channels = [...new Set(all.map(({ channel }) => channel))].filter(isChannel);
  const checked = channels.slice(0, MOST_CHECKED);
  const skipped = channels.length - checked.length;
  const unchecked = unknown(`${skipped} channels with watches were not checked.`, 'Look at them in Slack.');
  // Nobody created the watch of NOTIF_DIGEST_CHANNEL.
  const configured = all.find(({ createdBy }) => createdBy === null)?.channel;
  const findings = await Promise.all(
    checked.map(async (id) => channelFindings(id, await slack.ask(id), id === configured)),
  );
  return [...ended, ...aimlessWatches(all, environments), ...findings.flat(), ...(skipped > 0 ? [unchecked] : [])];
}

export function aimlessWatches(all: readonly Watch[], environments: readonly Environment[]): Finding[] {
  const aimless = all.filter(({ settings }) => !environments.some(({ name }) => isAbout(settings.filter, name)));
  const next = 'Change the environments there: /notif watches, Edit.';
  const what = "A watch whose environments aren't configured alerts nobody in";
  return aimless.map(({ channel }) => problem(what, next, inChannel(channel)));
}

export function channelFindings(id: string, channel: ChannelNow | null, isConfigured: boolean): Finding[] {
  const orElse = isConfigured ? 'or change NOTIF_DIGEST_CHANNEL.' : 'or create the watch in another channel.';
  const here = inChannel(id);
  const notShown = "There is no such channel, or it's private and Notif isn't in it:";
  if (channel?.isArchived) return [problem('Nothing can be posted in the archived', `Unarchive it, ${orElse}`, here)];
  if (!channel?.isMember)
    return [problem(channel ? "Notif isn't in the channel:" : notShown, `/invite @Notif there, ${orElse}`, here)];
  const shared = 'Another organization can read the alerts, or is invited, in';
  return channel.isShared ? [advice(shared, "If it shouldn't, use another channel.", here)] : [];
}
