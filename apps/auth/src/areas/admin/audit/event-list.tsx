import type { AuditEvent } from '@linnet/audit/audit-store';
import { inertText } from '@linnet/ui/inert-text';
import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { pagePaths } from '../../../pages/views/page-paths.ts';

interface EventListProps {
  readonly frame: Frame;
  /** Latest first. */
  readonly events: readonly AuditEvent[];
}

/** Events by their names in the log, which are the same in every language. */
export function EventList({ frame, events }: EventListProps): VNode {
  const { none } = frame.messages.admin.events;
  if (events.length === 0) return <p class="empty">{none}</p>;
  return (
    <ol class="rows" data-testid="events">
      {events.map((event) => (
        <Entry key={event.id} frame={frame} event={event} />
      ))}
    </ol>
  );
}

function Entry({ frame, event }: { readonly frame: Frame; readonly event: AuditEvent }): VNode {
  const { messages } = frame;
  const { actors } = messages.admin.events;
  return (
    <li class="row">
      <h3>
        <code>{event.event}</code>
      </h3>
      <p class="quiet small">
        <time datetime={event.at.toISOString()}>{messages.formatMinute(event.at)}</time> · {actors[event.actor]}
        <Subject event={event} />
        {detailsOf(frame, event).map((detail, index) => (
          <span key={index}> · {detail}</span>
        ))}
      </p>
    </li>
  );
}

function Subject({ event: { accountId, username, clientId } }: { readonly event: AuditEvent }): VNode {
  return (
    <>
      {accountId === null ? null : (
        <>
          {' · '}
          <a href={pagePaths.adminPerson(accountId)}>
            {username === null ? String(accountId) : inertText(`@${username}`)}
          </a>
        </>
      )}
      {clientId === null ? null : (
        <>
          {' · '}
          <a href={pagePaths.adminApplication(clientId)}>
            <code>{inertText(clientId)}</code>
          </a>
        </>
      )}
    </>
  );
}

/** Who acted and why, where from, and what else the log has. */
function detailsOf({ messages }: Frame, { detail, address }: AuditEvent): readonly ComponentChildren[] {
  const { events } = messages.admin;
  const { operator, reason, ...others } = detail;
  return [
    ...(typeof operator === 'string' ? [events.operator(inertText(operator))] : []),
    ...(typeof reason === 'string' ? [events.reason(inertText(reason))] : []),
    ...(address === null ? [] : [events.address(inertText(address))]),
    ...(Object.keys(others).length === 0 ? [] : [<code key="detail">{toText(others)}</code>]),
  ];
}

const maxDetail = 300;

/** `kind=consent scopes=posts,users`; members of objects as `settings.name=…`. */
function toText(detail: object): string {
  const text = pairsOf(detail).join(' ');
  return inertText(text.length > maxDetail ? `${text.slice(0, maxDetail)}…` : text);
}

function pairsOf(detail: object, path = ''): readonly string[] {
  return Object.entries(detail).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return pairsOf(value, `${path}${key}.`);
    return [`${path}${key}=${Array.isArray(value) ? value.join(',') : JSON.stringify(value)}`];
  });
}
