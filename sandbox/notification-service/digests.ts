import type { Json } from './entities.ts';

/** A digest that sends the first event at once and collects those that follow soon after (contract, "DigestRegular"). */
export const backoffDigest: Json = {
  type: 'backoff',
  amount: 1,
  unit: 'minutes',
  digestKey: 'invoiceNumber',
  backoff: true,
  backoffAmount: 30,
  backoffUnit: 'seconds',
  updateMode: false,
};

/** A digest of every working day at nine, as in a workflow (contract, "DigestTimed"). */
export const timedDigest: Json = {
  type: 'timed',
  amount: 1,
  unit: 'days',
  digestKey: 'headline',
  timed: { atTime: '09:00', weekDays: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] },
};
