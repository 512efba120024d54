import { createContext, type Dispatch, type ReactNode, type SetStateAction, useContext, useState } from 'react';
import { valueFieldOf } from '../block-kit/element-state.ts';
import type { Json, StateValues, Surface } from '../page-protocol.ts';
import type { Confirm } from './blocks/objects.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { useWorkspace } from './workspace.ts';

/** An element's position on the surface. */
export interface Spot {
  readonly blockId: string;
  readonly actionId: string;
}

/** What the elements of one message or view share: their values and actions. */
export interface SurfaceHands {
  /** Returns the person's input in an element; undefined before they have touched it. */
  readonly typedAt: (spot: Spot) => Json | undefined;
  readonly change: (spot: Spot, state: Json) => void;
  /** Sends an interaction to the bot, after a confirmation if the element has one. Resolves to whether it was sent and acknowledged. */
  readonly act: (spot: Spot, action: Json, confirm?: Confirm) => Promise<boolean>;
  /** Returns the bot's options for the typed text; empty if it gave no answer, which the person has seen. */
  readonly suggest: (spot: Spot, value: string) => Promise<readonly Json[]>;
}

const SurfaceContext = createContext<SurfaceHands | null>(null);

/** Returns the surface around an element. Throws outside of one, which is a bug in the page. */
export function useSurface(): SurfaceHands {
  const hands = useContext(SurfaceContext);
  if (hands === null) throw new Error('An element stands outside of a message or view.');
  return hands;
}

interface SurfaceProviderProps {
  readonly surface: Surface;
  readonly typed: StateValues;
  readonly onType: Dispatch<SetStateAction<StateValues>>;
  readonly children: ReactNode;
}

interface Question {
  readonly confirm: Confirm;
  readonly answer: (yes: boolean) => void;
}

export function SurfaceProvider({ surface, typed, onType, children }: SurfaceProviderProps): ReactNode {
  const { send } = useWorkspace();
  const [question, setQuestion] = useState<Question | null>(null);

  const ask = (confirm: Confirm) => new Promise<boolean>((answer) => setQuestion({ confirm, answer }));
  const settle = (yes: boolean) => {
    question?.answer(yes);
    setQuestion(null);
  };

  const hands: SurfaceHands = {
    typedAt: ({ blockId, actionId }) => typed[blockId]?.[actionId],
    change: (spot, value) => onType((before) => withState(before, spot, value)),
    act: async (spot, action, confirm) => {
      if (confirm !== undefined && !(await ask(confirm))) return false;
      const state = valueFieldOf(action.type) === undefined ? typed : withState(typed, spot, action);
      const answer = await send({ do: 'block-action', surface, ...spot, action, state });
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
