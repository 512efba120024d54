import type { Environment } from '../../../lib/environment.ts';
import type { NotificationService } from '../../../service/operations.ts';
import type { SlackCtx } from '../../ctx.ts';
import type { Reply } from '../../kit/reply.ts';
import { mrkdwn, plural } from '../../kit/text.ts';

/** For reads of one environment that say how far they are. */
export interface LookupCtx extends SlackCtx {
  environment: Environment;
  service: NotificationService;
  progress: (read: number) => void;
}

export function lookupCtx(ctx: SlackCtx, environment: Environment, { working }: Pick<Reply, 'working'>): LookupCtx {
  const progress = (read: number) => working(mrkdwn`Checked ${plural(read, 'event')}`);
  return { ...ctx, environment, service: ctx.serviceOf(environment.name), progress };
}
