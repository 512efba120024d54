import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { type Environment, environmentNamed } from '../../../lib/environment.ts';
import type { Logger } from '../../../lib/logger.ts';
import type { TriggerCtx, TriggerProgress } from '../../../triggers/follow.ts';
import { PASSING_ERRORS } from '../../router/calls.ts';
import { progressMessage } from './message.ts';

/** In the direct messages of the person who sent them. */
export function createProgressReporter(
  /** For edits, which are safe to repeat. */
  client: WebClient,
  /** Tries each call once: a repeated post would be a second message. */
  deliveryClient: WebClient,
  environments: readonly Environment[],
  logger: Logger,
): TriggerCtx['reporter'] {
  const contentOf = (progress: TriggerProgress) => {
    const environment = environmentNamed(progress.intent.environment, environments);
    const { text, blocks } = progressMessage(progress, environment);
    return { text, blocks: [...blocks] };
  };
  /** Whether Slack won't ever take it. */
  const isRefused = (err: unknown, { intent }: TriggerProgress) => {
    logger.warn({ err, environment: intent.environment }, 'the progress of a trigger could not be shown');
    return err instanceof WebAPIPlatformError && !PASSING_ERRORS.has(err.data.error);
  };
  return {
    open: async (progress) => {
      const post = { ...contentOf(progress), unfurl_links: false, unfurl_media: false };
      try {
        const { channel, ts } = await deliveryClient.chat.postMessage({ channel: progress.intent.actor, ...post });
        return channel === undefined || ts === undefined ? null : { channel, ts };
      } catch (error) {
        if (isRefused(error, progress)) return null;
        throw error;
      }
    },
    update: async (message, progress) => {
      try {
        await client.chat.update({ ...message, ...contentOf(progress) });
        return 'done';
      } catch (error) {
        return isRefused(error, progress) ? 'done' : 'later';
      }
    },
  };
}
