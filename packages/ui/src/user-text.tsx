import type { VNode } from 'preact';

import { printableText } from './inert-text.ts';

interface UserTextProps {
  readonly text: string;
  /** Set apart as the thing that the sentence is about. */
  readonly strong?: boolean;
}

/** Text that a person chose: it cannot turn what stands around it, and it breaks rather than overflow. */
export function UserText({ text, strong = false }: UserTextProps): VNode {
  const isolated = <bdi>{printableText(text)}</bdi>;
  return strong ? <strong>{isolated}</strong> : isolated;
}
