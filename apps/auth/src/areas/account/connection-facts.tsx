import { apiExplorerId } from '@linnet/applications/application/api-explorer-store';
import { findClientHost } from '@linnet/applications/application/application';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { RequestedScope } from '@linnet/applications/grants/requested-scope';
import type { Frame } from '../../pages/frame/frame.ts';

/** An application with active grants of the account. */
export interface Connection {
  readonly clientId: string;
  readonly name: string;
  /** Undefined: it registered itself, or its `clientId` is a URL. */
  readonly ownerUsername: string | undefined;
  readonly scopes: readonly RequestedScope[];
  readonly connectedAt: Date;
  readonly lastUsedAt?: Date | undefined;
  /** Undefined: no expiry. */
  readonly expiresAt?: Date | undefined;
  /** The account owns it, and its client-credentials tokens act as the account. */
  readonly actsAsOwner: boolean;
  /** It was authorized on the consent page. */
  readonly hasConsent: boolean;
}

function Maker({ frame, application }: { readonly frame: Frame; readonly application: Connection }): VNode {
  const { applications: texts } = frame.messages.account;
  const { clientId, ownerUsername } = application;
  if (ownerUsername !== undefined) return <span>{texts.madeBy(<UserText text={`@${ownerUsername}`} />)}</span>;
  if (clientId === apiExplorerId) return <span>{texts.builtIn(frame.serviceName)}</span>;
  const host = findClientHost(clientId);
  return <span>{host === undefined ? texts.selfRegistered : texts.documented(<UserText strong text={host} />)}</span>;
}

export function ConnectionFacts({
  frame,
  application,
}: {
  readonly frame: Frame;
  readonly application: Connection;
}): VNode {
  const { messages } = frame;
  const { applications: texts } = messages.account;
  const { clientId, connectedAt, lastUsedAt, expiresAt, actsAsOwner, hasConsent } = application;
  return (
    <>
      <p class="quiet small">
        <Maker frame={frame} application={application} /> ·{' '}
        <time datetime={connectedAt.toISOString()}>{texts.since(messages.formatDay(connectedAt))}</time>
        {lastUsedAt === undefined ? null : (
          <>
            {' · '}
            <time datetime={lastUsedAt.toISOString()}>{texts.lastUsed(messages.formatDay(lastUsedAt))}</time>
          </>
        )}
      </p>
      {hasConsent ? (
        <p class="quiet small" data-testid="access-ends">
          {expiresAt === undefined ? (
            texts.endless
          ) : (
            <time datetime={expiresAt.toISOString()}>{texts.ends(messages.formatMinute(expiresAt))}</time>
          )}
        </p>
      ) : null}
      <p class="quiet small">
        {texts.clientId} <code>{clientId}</code>
      </p>
      {actsAsOwner ? <p class="small">{texts.actsAsOwner}</p> : null}
    </>
  );
}
