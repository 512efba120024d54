import { type ReactNode, useEffect, useRef } from 'react';
import {
  Dialog as AriaDialog,
  Button,
  Heading,
  MenuItem,
  Menu as MenuList,
  MenuTrigger,
  Modal,
  ModalOverlay,
  Popover,
} from 'react-aria-components';

interface DialogProps {
  title: ReactNode;
  onClose: () => void;
  closeLabel?: string;
  /** Distinguishes the current contents from earlier ones: the first field of new contents gets the focus. */
  subject?: string;
  children: ReactNode;
}

export function Dialog({ title, onClose, closeLabel = 'Close', subject, children }: DialogProps): ReactNode {
  const content = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each subject has other fields
  useEffect(() => {
    content.current?.querySelector<HTMLElement>('input, select, textarea, footer button')?.focus();
  }, [subject]);
  return (
    <ModalOverlay className="curtain" isOpen onOpenChange={onClose}>
      <Modal className="modal">
        <AriaDialog>
          <header>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button className="icon" aria-label={closeLabel} onPress={onClose}>
              ✕
            </Button>
          </header>
          <div ref={content} className="content">
            {children}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface MenuProps {
  label: string;
  face: string;
  items: readonly { id: string; name: string; choose: () => unknown }[];
}

export function Menu({ label, face, items }: MenuProps): ReactNode {
  return (
    <MenuTrigger>
      <Button className="icon" aria-label={label}>
        {face}
      </Button>
      <Popover className="popover">
        <MenuList aria-label={label} items={items}>
          {({ name, choose }) => (
            <MenuItem className="entry" textValue={name} onAction={() => void choose()}>
              {name}
            </MenuItem>
          )}
        </MenuList>
      </Popover>
    </MenuTrigger>
  );
}
