import type { ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { plainText } from '../text/text.tsx';
import { marks, type Placed } from './placed.ts';

/** Shows a button that starts a workflow. Slack doesn't report it to the bot, and this workspace runs no workflows. */
export function WorkflowButton({ element, spot }: Placed<'workflow_button'>): ReactNode {
  const { text, style = '', workflow } = element;
  return (
    <DialogTrigger>
      <Button
        {...marks({ element, spot })}
        className={style}
        aria-label={element.accessibility_label ?? plainText(text)}
      >
        {plainText(text)}
      </Button>
      <Popover className="popover">
        <Dialog aria-label="Workflow">
          <p className="quiet">Slack would start the workflow of {workflow.trigger.url}. This workspace runs none.</p>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
