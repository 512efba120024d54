import { useEffect, useEffectEvent, useState } from 'react';
import type { Snapshot } from '../page-protocol.ts';
import { followWorkspace } from './wire.ts';

/** What this person sees; null until their first snapshot has come. `onUnknown` is called if nobody has this ID. */
export function useWorkspaceStream(
  personId: string,
  onUnknown: () => void,
): {
  readonly snapshot: Snapshot | null;
  readonly connected: boolean;
} {
  const [snapshot, setSnapshot] = useState<Snapshot | null>(null);
  const [connected, setConnected] = useState(true);
  const reportUnknown = useEffectEvent(onUnknown);
  useEffect(
    () =>
      followWorkspace(personId, {
        onSnapshot: setSnapshot,
        onLine: setConnected,
        onUnknown: () => reportUnknown(),
      }),
    [personId],
  );
  return { snapshot: snapshot?.me.id === personId ? snapshot : null, connected };
}
