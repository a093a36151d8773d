/** A message before it is rendered as HTML and text. */
export interface Message {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A button in HTML, a URL on its own line in text. */
  readonly action?: { readonly label: string; readonly href: string } | undefined;
  /** Below the action: how long the link is valid, and what to do if the recipient did not request it. */
  readonly after: readonly string[];
  /** Names the service and the recipient. */
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
