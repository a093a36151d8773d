/** A message before it is HTML or text. */
export interface Message {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The one thing to do: a button in HTML, an address on a line of its own in text. */
  readonly action?: { readonly label: string; readonly href: string } | undefined;
  /** Below the action: how long it is good for, and what to do if it was not asked for. */
  readonly after: readonly string[];
  /** Who sent it, to whom. */
  readonly footer: string;
}

export function renderText({ paragraphs, action, after, footer }: Message): string {
  const parts = [
    ...paragraphs,
    ...(action === undefined ? [] : [`${action.label}:\n${action.href}`]),
    ...after,
    `-- \n${footer}`,
  ];
  return `${parts.join('\n\n')}\n`;
}
