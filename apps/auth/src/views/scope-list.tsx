import type { VNode } from 'preact';

import type { Messages } from '../i18n/messages.ts';
import { UserText } from '@linnet/ui/user-text';

interface ScopeText {
  readonly label: VNode | string;
  readonly text: string;
}

/** A scope in plain words; a word that the catalogue does not know is shown as it is. */
export function scopeText({ scopes }: Messages, scope: string): ScopeText {
  const { unknown, ...known } = scopes;
  const found = Object.entries(known).find(([word]) => word === scope);
  return found === undefined ? { label: <UserText text={scope} />, text: unknown } : found[1];
}

interface ScopeListProps {
  readonly messages: Messages;
  readonly scopes: readonly string[];
}

/** What scopes let an application do. */
export function ScopeList({ messages, scopes }: ScopeListProps): VNode {
  return (
    <ul class="scopes">
      {scopes.map((scope) => {
        const { label, text } = scopeText(messages, scope);
        return (
          <li key={scope}>
            {label}
            <p class="hint">{text}</p>
          </li>
        );
      })}
    </ul>
  );
}
