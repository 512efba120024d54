import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import type { Confirm } from './blocks/schema.ts';
import { Dialog } from './dialog.tsx';
import { plainText, Text } from './text/text.tsx';

interface ConfirmDialogProps {
  readonly confirm: Confirm;
  readonly onAnswer: (yes: boolean) => void;
}

/** Shows Slack's confirmation for an element with `confirm`. */
export function ConfirmDialog({ confirm, onAnswer }: ConfirmDialogProps): ReactNode {
  return (
    <Dialog className="confirm" title={plainText(confirm.title)} onClose={() => onAnswer(false)}>
      <div className="body">
        <Text text={confirm.text} />
      </div>
      <footer>
        <Button onPress={() => onAnswer(false)}>{plainText(confirm.deny)}</Button>
        <Button className={confirm.style ?? 'primary'} onPress={() => onAnswer(true)}>
          {plainText(confirm.confirm)}
        </Button>
      </footer>
    </Dialog>
  );
}
