import { apiExplorerId, webClientId } from '@linnet/applications/application/built-in-store';
import type { ApplicationFacts } from '@linnet/applications/application/application-facts-store';
import { findClientHost } from '@linnet/applications/application/application';
import type { RequestedScope } from '@linnet/applications/grants/requested-scope';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { scopesField } from '../../pages/form/form.ts';
import type { Frame } from '../../pages/frame/frame.ts';
import { ApplicationFactsRows } from '../../pages/views/application-facts.tsx';
import { DurationChoice } from '../../pages/views/choice.tsx';
import { PostForm } from '../../pages/views/field.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { ScopeChoice, ScopeList } from '../../pages/views/scope-list.tsx';
import { AccountLayout } from './account-layout.tsx';

/** Values of the hidden field `action`, which says which form of the page was sent. */
export const connectionActions = { change: 'change', disconnect: 'disconnect' } as const;

export const connectionDone = ['changed'] as const;

interface ConnectedApplicationPageProps {
  readonly frame: Frame;
  readonly application: Connection & {
    /** Scopes granted on the consent page. */
    readonly consented: readonly RequestedScope[];
  };
  readonly facts: ApplicationFacts;
  readonly done?: (typeof connectionDone)[number] | undefined;
}

/** The scopes and the expiry of one connected app; both can be changed. */
export function ConnectedApplicationPage({ frame, application, facts, done }: ConnectedApplicationPageProps): VNode {
  const { applications: texts } = frame.messages.account;
  return (
    <AccountLayout frame={frame} page="connectedApplications" title={texts.title} subject={application.name}>
      <p>
        <a href={pagePaths.connectedApplications}>{texts.back}</a>
      </p>
      {done === undefined ? null : <Notice kind="done">{texts[done]}</Notice>}
      <div>
        <ConnectionFacts frame={frame} application={application} />
      </div>
      <dl class="facts panel small">
        <ApplicationFactsRows frame={frame} facts={facts} />
      </dl>
      <section>
        <h2>{texts.can}</h2>
        <ChangeForm frame={frame} application={application} />
      </section>
      <PostForm frame={frame} hidden={{ action: connectionActions.disconnect }} class="panel danger">
        <p>{texts.endText}</p>
        <button class="button danger-button" data-testid="revoke-application">
          {texts.disconnect}
        </button>
      </PostForm>
    </AccountLayout>
  );
}

/** Required scopes can only be revoked together with the whole grant. */
function ChangeForm({ frame, application }: Pick<ConnectedApplicationPageProps, 'frame' | 'application'>): VNode {
  const { messages } = frame;
  const { applications: texts } = messages.account;
  const kept = application.consented.filter(({ isOptional }) => !isOptional);
  const removable = application.consented.filter(({ isOptional }) => isOptional);
  return (
    <PostForm
      frame={frame}
      hidden={{ action: connectionActions.change, ...scopesField(application.consented) }}
      class="panel"
    >
      {kept.length === 0 ? null : (
        <div>
          <h3>{texts.kept}</h3>
          <ScopeList messages={messages} scopes={kept} />
        </div>
      )}
      {removable.length === 0 ? null : (
        <fieldset class="choices">
          <legend>{texts.removable}</legend>
          {removable.map((scope) => (
            <ScopeChoice key={scope.scope} messages={messages} asked={scope} />
          ))}
        </fieldset>
      )}
      <DurationChoice frame={frame} chosen={undefined} />
      <button class="button" data-testid="change-application">
        {texts.save}
      </button>
    </PostForm>
  );
}

/** An application with active grants of the account. */
export interface Connection {
  readonly clientId: string;
  readonly name: string;
  /** Undefined: it registered itself, or its `clientId` is a URL. */
  readonly ownerUsername: string | undefined;
  readonly scopes: readonly RequestedScope[];
  readonly connectedAt: Date;
  readonly lastUsedAt?: Date | undefined;
  readonly signIns?: number;
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
  if (clientId === webClientId) return <span>{texts.ownClient}</span>;
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
  const { clientId, connectedAt, lastUsedAt, signIns = 0, expiresAt, actsAsOwner, hasConsent } = application;
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
        {signIns > 1 ? ` · ${texts.signIns(messages.formatNumber(signIns))}` : null}
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
