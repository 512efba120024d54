import { code, mrkdwn } from '../text.ts';

export const INVITE_OR_GO_ELSEWHERE = mrkdwn`In a channel, run ${code('/invite @Notif')} and try again. In a direct or group message ${code('/invite')} doesn't work: use a channel, or your messages with Notif.`;
