import type { ConfirmationDialog } from '@slack/types';
import {
  createContext,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useContext,
  useEffect,
  useState,
} from 'react';
import { Button } from 'react-aria-components';
import { keptValues } from '../block-kit/controls.ts';
import { valueFieldOf, withTyped } from '../block-kit/fields.ts';
import { objectsIn } from '../json.ts';
import type { Json, StateValues, Surface } from '../page-protocol.ts';
import { Dialog } from './dialog.tsx';
import { plainText, Text } from './text/text.tsx';
import { useWorkspace } from './workspace.ts';

export interface ControlIds {
  blockId: string;
  actionId: string;
}

/** What an element can do in the message or view around it. */
interface SurfaceHands {
  /** Returns the person's input, else the value with which the element began in its view; undefined in a message without input. */
  contentAt: (ids: ControlIds) => Json | undefined;
  change: (ids: ControlIds, state: Json) => void;
  act: (ids: ControlIds, action: Json, confirm?: ConfirmationDialog) => Promise<void>;
  suggest: (ids: ControlIds, value: string) => Promise<readonly Json[]>;
}

const SurfaceContext = createContext<SurfaceHands | null>(null);

export function useSurface(): SurfaceHands {
  const hands = useContext(SurfaceContext);
  if (hands === null) throw new Error('An element stands outside of a message or view.');
  return hands;
}

/** What a person has typed in a message or view: once it is redrawn, only for the fields that it still has. */
export function useTyped(drawn: unknown): readonly [StateValues, Dispatch<SetStateAction<StateValues>>] {
  const [typed, setTyped] = useState<StateValues>({});
  useEffect(() => setTyped((before) => keptValues(before, objectsIn(drawn, 'blocks'))), [drawn]);
  return [typed, setTyped];
}

interface SurfaceProviderProps {
  surface: Surface;
  starts?: StateValues;
  typed: StateValues;
  onType: Dispatch<SetStateAction<StateValues>>;
  children: ReactNode;
}

interface Question {
  confirm: ConfirmationDialog;
  answer: (yes: boolean) => void;
}

export function SurfaceProvider({ surface, starts = {}, typed, onType, children }: SurfaceProviderProps): ReactNode {
  const { send } = useWorkspace();
  const [question, setQuestion] = useState<Question | null>(null);
  const ask = (confirm: ConfirmationDialog) => new Promise<boolean>((answer) => setQuestion({ confirm, answer }));
  const hands: SurfaceHands = {
    contentAt: ({ blockId, actionId }) => typed[blockId]?.[actionId] ?? starts[blockId]?.[actionId],
    change: (ids, state) => onType((before) => withTyped(before, ids, state)),
    act: async (ids, action, confirm) => {
      if (confirm !== undefined && !(await ask(confirm))) return;
      const state = valueFieldOf(action.type) === undefined ? typed : withTyped(typed, ids, action);
      await send({ do: 'block-action', surface, ...ids, action, state });
    },
    suggest: async (ids, value) => {
      const answer = await send({ do: 'suggest', surface, ...ids, value });
      return answer.ok ? (answer.options ?? []) : [];
    },
  };
  return (
    <SurfaceContext value={hands}>
      {children}
      {question !== null && (
        <ConfirmDialog
          confirm={question.confirm}
          onAnswer={(yes) => {
            question.answer(yes);
            setQuestion(null);
          }}
        />
      )}
    </SurfaceContext>
  );
}

interface ConfirmDialogProps {
  confirm: ConfirmationDialog;
  onAnswer: (yes: boolean) => void;
}

function ConfirmDialog({ confirm: { title, text, confirm, deny, style }, onAnswer }: ConfirmDialogProps): ReactNode {
  return (
    <Dialog title={title ? plainText(title) : 'Are you sure?'} onClose={() => onAnswer(false)}>
      <div className="body">
        <Text text={text} />
      </div>
      <footer>
        <Button onPress={() => onAnswer(false)}>{deny ? plainText(deny) : 'Cancel'}</Button>
        <Button className={style ?? 'primary'} onPress={() => onAnswer(true)}>
          {confirm ? plainText(confirm) : 'Yes'}
        </Button>
      </footer>
    </Dialog>
  );
}
