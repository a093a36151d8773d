import type { VNode } from 'preact';

import { printableText } from './inert-text.ts';

interface UserTextProps {
  readonly text: string;
  /** Emphasizes the text. */
  readonly strong?: boolean;
}

/** Renders text that a user entered. Bidirectional isolation keeps it from reordering the text around it. */
export function UserText({ text, strong = false }: UserTextProps): VNode {
  const isolated = <bdi>{printableText(text)}</bdi>;
  return strong ? <strong>{isolated}</strong> : isolated;
}
