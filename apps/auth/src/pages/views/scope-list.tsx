import { UserText } from '@linnet/ui/user-text.tsx';
import type { ComponentChildren, VNode } from 'preact';

import { parseOutsideScope } from '@linnet/applications/apis/api-scopes';
import type { OutsideApi, RequestedScope } from '@linnet/applications/grants/requested-scope';
import type { Messages } from '../i18n/en/en.ts';
import { Choice } from './choice.tsx';
import type { Frame } from '../frame/frame.ts';
import { Notice } from './notice.tsx';

interface ScopeText {
  readonly label: VNode | string;
  readonly text: string;
}

/** The label of a scope; an unknown scope is shown as is. */
export function scopeText({ scopes }: Messages, scope: string): ScopeText {
  const { unknown, ...known } = scopes;
  const found = Object.entries(known).find(([word]) => word === scope);
  if (found !== undefined) return found[1];
  const outside = parseOutsideScope(scope);
  const label = outside === undefined ? scope : `${outside.name} (${outside.identifier})`;
  return { label: <UserText text={label} />, text: unknown };
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

function ScopeLabel({ messages, asked: { scope, status, api } }: OneScopeProps): ComponentChildren {
  const outside = api === undefined ? undefined : parseOutsideScope(scope);
  const label =
    outside === undefined ? scopeText(messages, scope).label : <OutsideLabel api={api} name={outside.name} />;
  if (status === undefined) return label;
  return (
    <>
      {label} <span class={`badge ${status}`}>{messages.consent.status[status]}</span>
    </>
  );
}

/** The reason is attributed to the developer, because nobody reviewed it. */
function ScopeHint({ messages, asked: { scope, reason, api } }: OneScopeProps): ComponentChildren {
  if (api !== undefined) {
    return <span class="reason">{messages.consent.outside.describes(<UserText text={api.description} />)}</span>;
  }
  const { text } = scopeText(messages, scope);
  if (reason === undefined) return text;
  return (
    <>
      {text} <span class="reason">{messages.consent.reason(<UserText text={reason} />)}</span>
    </>
  );
}

function OutsideLabel({ api, name }: { readonly api: OutsideApi | undefined; readonly name: string }): VNode {
  return (
    <>
      <UserText text={api?.name ?? ''} />: <UserText text={name} />
    </>
  );
}

/** For each registered API among the scopes: it is not ours, and who operates it. */
export function OutsideApis({
  frame,
  scopes,
}: {
  readonly frame: Frame;
  readonly scopes: readonly ShownScope[];
}): VNode {
  const apis = new Map(scopes.flatMap(({ api }) => (api === undefined ? [] : [[api.identifier, api]])));
  const { outside } = frame.messages.consent;
  return (
    <>
      {[...apis.values()].map((api) => (
        <div key={api.identifier} data-testid="outside-api">
          <Notice kind="warning">
            {outside.notice(
              <>
                <UserText strong text={api.name} /> (<UserText text={api.identifier} />)
              </>,
              <UserText strong text={`@${api.owner}`} />,
              frame.serviceName,
            )}
            {api.isProven ? null : <> {outside.unproven(<UserText strong text={`@${api.owner}`} />)}</>}
          </Notice>
        </div>
      ))}
    </>
  );
}
