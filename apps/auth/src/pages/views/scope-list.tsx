import { UserText } from '@linnet/ui/user-text';
import type { ComponentChildren, VNode } from 'preact';

import type { RequestedScope } from '@linnet/applications/requested-scope';
import type { Messages } from '../i18n/messages.ts';
import { Choice } from './choice.tsx';

interface ScopeText {
  readonly label: VNode | string;
  readonly text: string;
}

/** The label of a scope; an unknown scope is shown as is. */
export function scopeText({ scopes }: Messages, scope: string): ScopeText {
  const { unknown, ...known } = scopes;
  const found = Object.entries(known).find(([word]) => word === scope);
  return found === undefined ? { label: <UserText text={scope} />, text: unknown } : found[1];
}

type ShownScope = Omit<RequestedScope, 'isOptional'>;

interface ScopeListProps {
  readonly messages: Messages;
  readonly scopes: readonly ShownScope[];
}

/** What an application can do, with the developer's reasons. */
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

/** An optional scope, checked by default. */
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

/** The reason is attributed to the developer, because nobody reviewed it. */
function ScopeHint({ messages, asked: { scope, reason } }: OneScopeProps): ComponentChildren {
  const { text } = scopeText(messages, scope);
  if (reason === undefined) return text;
  return (
    <>
      {text} <span class="reason">{messages.consent.reason(<UserText text={reason} />)}</span>
    </>
  );
}
