import type { Outage } from './outages.ts';
import type { FaultWindow } from './scenario.ts';

type Span = Pick<FaultWindow, 'from' | 'to'>;

/** Returns a fault window in which a provider refuses this share (0 to 1) of what is sent through it. */
export function outage({ provider, what, cause }: Outage, span: Span, share = 1): FaultWindow {
  return { ...span, what, fault: { kind: 'outage', provider, cause, share, contextKey: null } };
}

/** A provider refuses what is sent in a context. */
export function outageIn(contextKey: string, { provider, what, cause }: Outage, span: Span): FaultWindow {
  return { ...span, what, fault: { kind: 'outage', provider, cause, share: 1, contextKey } };
}

/** Returns a window without a fault, in which recovery can be seen. */
export function quiet(what: string, span: Span): FaultWindow {
  return { ...span, what, fault: { kind: 'none' } };
}
