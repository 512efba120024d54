import type { EditOutcome, Place, PostOutcome, Publisher, Search, Sent, Unreached } from '../outbox/kinds.ts';
import type { SummaryContent } from '../reports/summary.ts';
import type { WeeklyContent } from '../reports/weekly.ts';
import { at } from '../store/examples.testing.ts';
import type { AlertContent } from './content.ts';

/** What can be posted in a night: alerts and reports. */
type NightContent = AlertContent | SummaryContent | WeeklyContent;

/** A channel that takes everything, unless a test answers for it. */
export interface FakeChannel extends Publisher<NightContent> {
  posted: NightContent[];
  /** The outcomes of its posts and edits, such as 'post posted'. */
  answers: string[];
  /** The thread of each message that was posted; null for the channel itself. */
  threads: (string | null)[];
  /** Whether each message that was posted may repeat another. */
  repeats: boolean[];
  edited: { content: NightContent; ts: string }[];
  answerPosts: (content: NightContent) => PostOutcome | null;
  answerEdits: (posted: Parameters<Publisher<NightContent>['edit']>[1]) => EditOutcome | null;
  search: Search;
  /** Everything that was posted, with its place. */
  sent: (Sent & Place)[];
  /** What stands in it though the store may not know it. */
  stands: readonly (Sent & Place)[];
  /** What was told of direct messages that didn't arrive. */
  told: Unreached[];
  /** The outcome of telling whoever caused a direct message that it didn't arrive. */
  answerInitiators: () => PostOutcome;
}

export function aChannel(): FakeChannel {
  const channel: FakeChannel = {
    posted: [],
    answers: [],
    threads: [],
    repeats: [],
    edited: [],
    answerPosts: () => null,
    answerEdits: () => null,
    search: { found: 'no' },
    post: async (content, { threadTs, mayRepeat, knownBy }) => {
      const answer = channel.answerPosts(content);
      channel.answers.push(`post ${answer?.is ?? 'posted'}`);
      if (answer !== null && answer.is !== 'unanswered') return answer;
      channel.posted.push(content);
      channel.threads.push(threadTs);
      channel.repeats.push(mayRepeat);
      const ts = `${channel.posted.length}.0`;
      channel.sent.push({ id: content.id, channel: content.channel, threadTs, ts, postedAt: at(0), knownBy });
      return answer ?? { is: 'posted', ts, shownHash: hashOf(content) };
    },
    edit: async (content, posted) => {
      const shownHash = hashOf(content);
      const is = shownHash === posted.shownHash ? 'unchanged' : 'edited';
      const answer = channel.answerEdits(posted);
      channel.answers.push(`edit ${answer?.is ?? is}`);
      if (answer === null && is === 'edited') channel.edited.push({ content, ts: posted.ts });
      return answer ?? { is, shownHash };
    },
    find: async () => channel.search,
    sentSince: async (place, since) =>
      channel.stands.filter(
        ({ channel: there, threadTs, postedAt }) =>
          there === place.channel && threadTs === place.threadTs && postedAt >= since,
      ),
    sent: [],
    stands: [],
    told: [],
    /** The outcome of telling whoever caused a direct message that it didn't arrive. */
    answerInitiators: () => ({ is: 'posted', ts: '', shownHash: '' }),
    tellInitiator: async (_, unreached) => {
      channel.told.push(unreached);
      return channel.answerInitiators();
    },
  };
  return channel;
}

/** Stands for the blocks that people would see, apart from the time at which they were drawn. */
function hashOf(content: NightContent): string {
  return JSON.stringify(content, (key, value: unknown) => (key === 'asOf' ? undefined : value));
}
