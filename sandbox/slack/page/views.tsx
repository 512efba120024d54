import type { ModalView } from '@slack/types';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Button, Form } from 'react-aria-components';
import { z } from 'zod';
import type { OpenView } from '../page-protocol.ts';
import { Blocks, blocksOf } from './blocks.tsx';
import { Dialog } from './dialog.tsx';
import { SurfaceProvider, useTyped } from './surface.tsx';
import { plainText } from './text/text.tsx';
import { useWorkspace } from './workspace.ts';

const modal = z.custom<ModalView>((json) => typeof json === 'object' && json !== null);

export function ViewStack({ views, note }: { views: readonly OpenView[]; note: ReactNode }): ReactNode {
  const { send } = useWorkspace();
  const top = views.at(-1);
  if (top === undefined) return null;
  return (
    <Dialog
      title={plainText(modal.parse(top.view).title)}
      closeLabel={views.length === 1 ? 'Close' : 'Close all'}
      onClose={() => void send({ do: 'close-all-views' })}
      subject={top.id}
    >
      {/* Those below the top stay mounted, and so keep what was typed in them. */}
      {views.map((open) => (
        <View key={open.id} open={open} note={note} isOnTop={open === top} />
      ))}
    </Dialog>
  );
}

interface ViewProps {
  open: OpenView;
  note: ReactNode;
  isOnTop: boolean;
}

function View({ open, note, isOnTop }: ViewProps): ReactNode {
  const { send } = useWorkspace();
  const [typed, setTyped] = useTyped(open.view);
  const [submitting, setSubmitting] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useLookAt(form, open.errors);
  if (!isOnTop) return null;
  const { id: viewId, view, starts, errors } = open;
  const { submit, close } = modal.parse(view);
  const usualCloseLabel = submit ? 'Cancel' : 'Close';
  const submitView = async () => {
    setSubmitting(true);
    await send({ do: 'submit-view', viewId, state: typed });
    setSubmitting(false);
  };
  return (
    <Form
      ref={form}
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        void submitView();
      }}
    >
      <div className="body">
        <SurfaceProvider surface={{ in: 'view', viewId }} starts={starts} typed={typed} onType={setTyped}>
          <Blocks blocks={blocksOf(view)} errors={errors} />
        </SurfaceProvider>
      </div>
      {note}
      <footer>
        <Button onPress={() => void send({ do: 'close-view', viewId })}>
          {close ? plainText(close) : usualCloseLabel}
        </Button>
        {submit && (
          <Button type="submit" className="primary" isPending={submitting}>
            {plainText(submit)}
          </Button>
        )}
      </footer>
    </Form>
  );
}

/** Scrolls to and focuses the field that the view asks for, once, and the first one with an error whenever the errors are others. */
function useLookAt(view: RefObject<HTMLElement | null>, errors: Readonly<Record<string, string>>): void {
  const focused = useRef<string | undefined>(undefined);
  useEffect(() => {
    const element = view.current?.querySelector<HTMLElement>('[data-focus-on-load]');
    if (element?.dataset.blockId !== focused.current) lookAt(element);
    focused.current = element?.dataset.blockId;
  });
  const wrong = JSON.stringify(errors);
  useEffect(() => {
    if (wrong !== '{}') lookAt(view.current?.querySelector<HTMLElement>('.field[data-invalid]'));
  }, [view, wrong]);
}

function lookAt(field: HTMLElement | null | undefined): void {
  field?.scrollIntoView({ block: 'start' });
  field?.querySelector<HTMLElement>('input, select, textarea, button')?.focus({ preventScroll: true });
}
