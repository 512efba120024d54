import { Component, type ReactNode } from 'react';
import type { Json } from '../../page-protocol.ts';
import { Undrawable } from './undrawable.tsx';

interface BlockBoundaryProps {
  readonly json: Json;
  readonly children: ReactNode;
}

/** Prevents a block that throws from breaking the page. React writes the error to the console. */
export class BlockBoundary extends Component<BlockBoundaryProps> {
  override state: { readonly problem: Error | null } = { problem: null };

  static getDerivedStateFromError(problem: Error) {
    return { problem };
  }

  override render(): ReactNode {
    const { problem } = this.state;
    return problem === null ? this.props.children : <Undrawable json={this.props.json} why={problem.message} />;
  }
}
