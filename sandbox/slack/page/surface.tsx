import { createContext, type Dispatch, type ReactNode, type SetStateAction, useContext, useState } from 'react';
import type { Json, StateValues, Surface } from '../page-protocol.ts';
import type { Confirm } from './blocks/objects.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { collectState } from './state.ts';
import { useWorkspace } from './workspace.ts';

/** Which element of the surface. */
export interface Spot {
  readonly blockId: string;
  readonly actionId: string;
}

/** What the elements of one message or view share: their values and what they can do. */
export interface SurfaceHands {
  readonly stateAt: (spot: Spot) => Json | undefined;
  readonly change: (spot: Spot, state: Json) => void;
  /** Reports an interaction to the bot, after asking the person where the element says so. Resolves to whether it was sent and acknowledged. */
  readonly act: (spot: Spot, action: Json, confirm?: Confirm) => Promise<boolean>;
  /** What the bot offers for what is typed; empty where it gave no answer, which the person has been told. */
  readonly suggest: (spot: Spot, value: string) => Promise<readonly Json[]>;
}

const SurfaceContext = createContext<SurfaceHands | null>(null);

/** The surface around an element; an error outside of one is a mistake in the page. */
export function useSurface(): SurfaceHands {
  const hands = useContext(SurfaceContext);
  if (hands === null) throw new Error('An element stands outside of a message or view.');
  return hands;
}

interface SurfaceProviderProps {
  readonly surface: Surface;
  readonly blocks: readonly Json[];
  readonly typed: StateValues;
  readonly onType: Dispatch<SetStateAction<StateValues>>;
  readonly children: ReactNode;
}

interface Question {
  readonly confirm: Confirm;
  readonly answer: (yes: boolean) => void;
}

export function SurfaceProvider({ surface, blocks, typed, onType, children }: SurfaceProviderProps): ReactNode {
  const { send } = useWorkspace();
  const [question, setQuestion] = useState<Question | null>(null);
  const state = collectState(blocks, typed);

  const ask = (confirm: Confirm) => new Promise<boolean>((answer) => setQuestion({ confirm, answer }));
  const settle = (yes: boolean) => {
    question?.answer(yes);
    setQuestion(null);
  };

  const hands: SurfaceHands = {
    stateAt: ({ blockId, actionId }) => state[blockId]?.[actionId],
    change: (spot, value) => onType((before) => withState(before, spot, value)),
    act: async (spot, action, confirm) => {
      if (confirm !== undefined && !(await ask(confirm))) return false;
      const now = action.type === 'button' || action.type === 'overflow' ? state : withState(state, spot, action);
      const answer = await send({ do: 'block-action', surface, ...spot, action, state: now });
      return answer.ok;
    },
    suggest: async (spot, value) => {
      const answer = await send({ do: 'suggest', surface, ...spot, value });
      return answer.ok ? (answer.options ?? []) : [];
    },
  };

  return (
    <SurfaceContext value={hands}>
      {children}
      {question !== null && <ConfirmDialog confirm={question.confirm} onAnswer={settle} />}
    </SurfaceContext>
  );
}

function withState(values: StateValues, { blockId, actionId }: Spot, state: Json): StateValues {
  return { ...values, [blockId]: { ...values[blockId], [actionId]: state } };
}
