import { useEffect, useState } from 'react';
import type { Snapshot } from '../page-protocol.ts';
import { followWorkspace } from './wire.ts';

/** What this person sees; null until their first snapshot has come. */
export function useWorkspaceStream(personId: string): {
  readonly snapshot: Snapshot | null;
  readonly connected: boolean;
} {
  const [snapshot, setSnapshot] = useState<Snapshot | null>(null);
  const [connected, setConnected] = useState(true);
  useEffect(() => followWorkspace(personId, setSnapshot, setConnected), [personId]);
  return { snapshot: snapshot?.me.id === personId ? snapshot : null, connected };
}
