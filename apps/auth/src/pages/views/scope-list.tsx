import { UserText } from '@linnet/ui/user-text';
import type { ComponentChildren, VNode } from 'preact';

import type { AskedScope } from '@linnet/applications/requested-scope';
import type { Messages } from '../i18n/messages.ts';
import { Choice } from './choice.tsx';

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

type ShownScope = Omit<AskedScope, 'isOptional'>;

interface ScopeListProps {
  readonly messages: Messages;
  readonly scopes: readonly ShownScope[];
}

/** What scopes let an application do, and why it asks for them. */
export function ScopeList({ messages, scopes }: ScopeListProps): VNode {
  return (
    <ul class="scopes">
      {scopes.map((asked) => (
        <li key={asked.scope}>
          <ScopeLabel messages={messages} asked={asked} />
          <p class="hint">
            <ScopeHint messages={messages} asked={asked} />
          </p>
        </li>
      ))}
    </ul>
  );
}

interface OneScopeProps {
  readonly messages: Messages;
  readonly asked: ShownScope;
}

/** A scope that can be left out; it is ticked at first. */
export function ScopeChoice({ messages, asked }: OneScopeProps): VNode {
  return (
    <Choice
      type="checkbox"
      name="scope"
      value={asked.scope}
      checked
      label={<ScopeLabel messages={messages} asked={asked} />}
      text={<ScopeHint messages={messages} asked={asked} />}
    />
  );
}

function ScopeLabel({ messages, asked: { scope, status } }: OneScopeProps): ComponentChildren {
  const { label } = scopeText(messages, scope);
  if (status === undefined) return label;
  return (
    <>
      {label} <span class={`badge ${status}`}>{messages.consent.status[status]}</span>
    </>
  );
}

/** Whose words the reason is in is said with it: nobody has checked them. */
function ScopeHint({ messages, asked: { scope, reason } }: OneScopeProps): ComponentChildren {
  const { text } = scopeText(messages, scope);
  if (reason === undefined) return text;
  return (
    <>
      {text} <span class="reason">{messages.consent.reason(<UserText text={reason} />)}</span>
    </>
  );
}
