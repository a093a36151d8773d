import type { VNode } from 'preact';

/** A text of the documentation in which names of parameters and headers are in backticks. */
export function WithCode({ text }: { readonly text: string }): VNode {
  // Every second part was between two backticks.
  return <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}</>;
}
