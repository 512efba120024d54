import type { Running } from './close-on-signal.ts';
import type { LocalService } from './notification-service/server.ts';

const BEGINS_AFTER_MS = 25_000;
const LASTS_MS = 3 * 60_000;

/** As SendGrid words it for a key that is no longer valid. */
const REFUSAL = {
  detail: 'Unexpected provider error',
  raw: JSON.stringify({
    message: 'The provided authorization grant is invalid, expired, or revoked',
    code: 401,
  }),
};

/**
 * Lets SendGrid refuse every e-mail for three minutes, soon after the start. Its cause is not among those of the hours before, which the first
 * digest has told: so whoever watches sees a digest arrive by itself.
 */
export function letAKeyExpire({ world }: Pick<LocalService, 'world'>): Running {
  const begin = setTimeout(
    () => world.startOutage({ provider: 'sendgrid', cause: REFUSAL, share: 1 }),
    BEGINS_AFTER_MS,
  );
  const end = setTimeout(() => world.endOutage('sendgrid'), BEGINS_AFTER_MS + LASTS_MS);
  return {
    close: async () => {
      clearTimeout(begin);
      clearTimeout(end);
    },
  };
}
