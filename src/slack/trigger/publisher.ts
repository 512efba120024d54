import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { type Environment, environmentNamed } from '../../domain/environment.ts';
import type { Logger } from '../../domain/logger.ts';
import type { ProgressMessage, TriggerProgress, TriggerRun } from '../../domain/triggers/trigger.ts';
import type { ProgressReporter } from '../../use-cases/triggers/run-trigger.ts';
import { sendable } from '../blocks/sendable.ts';
import { PASSING_ERRORS } from '../passing-errors.ts';
import { progressMessage } from './message.ts';

export interface ReporterParts {
  /** For edits, which are safe to repeat. */
  readonly client: WebClient;
  /** Tries each call once: a repeated post would be a second message. */
  readonly deliveryClient: WebClient;
  readonly environments: readonly Environment[];
  readonly logger: Logger;
}

/** In the direct messages of the person who sent them. */
export function createProgressReporter(parts: ReporterParts): ProgressReporter {
  const { client, deliveryClient, environments, logger } = parts;
  const shown = new WeakMap<ProgressMessage, string>();
  const contentOf = (run: TriggerRun, progress: TriggerProgress) => {
    const environment = environmentNamed(run.intent.environment, environments);
    const { text, blocks } = sendable(progressMessage(run, progress, environment));
    return { text, blocks: [...blocks] };
  };
  const failed = (error: unknown, { intent }: TriggerRun) =>
    logger.warn({ err: error, environment: intent.environment }, 'the progress of a trigger could not be shown');
  return {
    open: async (run, progress) => {
      const content = contentOf(run, progress);
      try {
        const post = { channel: run.intent.actor, ...content, unfurl_links: false, unfurl_media: false };
        const { channel, ts } = await deliveryClient.chat.postMessage(post);
        if (channel === undefined || ts === undefined)
          throw new Error('the answer to chat.postMessage names no message');
        const message = { channel, ts };
        shown.set(message, JSON.stringify(content));
        return message;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        failed(error, run);
        return null;
      }
    },
    update: async (message, run, progress) => {
      const content = contentOf(run, progress);
      const drawn = JSON.stringify(content);
      if (shown.get(message) === drawn) return 'done';
      try {
        await client.chat.update({ ...message, ...content });
        shown.set(message, drawn);
        return 'done';
      } catch (error) {
        failed(error, run);
        return isRefusal(error) ? 'done' : 'later';
      }
    },
  };
}

/** Whether Slack won't ever take it. */
function isRefusal(error: unknown): boolean {
  return error instanceof WebAPIPlatformError && !PASSING_ERRORS.has(error.data.error);
}
