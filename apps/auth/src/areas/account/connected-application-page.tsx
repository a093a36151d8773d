import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { ApplicationFacts } from '@linnet/applications/application/application-facts-store';
import type { RequestedScope } from '@linnet/applications/grants/requested-scope';
import { scopesField } from '../../pages/form/form.ts';
import { DurationChoice } from '../../pages/views/choice.tsx';
import { ApplicationFactsRows } from '../../pages/views/application-facts.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { PostForm } from '../../pages/views/field.tsx';
import { ScopeChoice, ScopeList } from '../../pages/views/scope-list.tsx';
import { AccountLayout } from './account-layout.tsx';
import { ConnectionFacts } from './connection-facts.tsx';
import type { Connection } from './connection-facts.tsx';

/** Values of the hidden field `action`, which says which form of the page was sent. */
export const connectionActions = { change: 'change', disconnect: 'disconnect' } as const;

export const connectionDone = ['changed'] as const;

export interface ConnectedApplicationPageProps {
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
      <h2>
        <UserText text={application.name} />
      </h2>
      {done === undefined ? null : <Notice kind="done">{texts[done]}</Notice>}
      <ConnectionFacts frame={frame} application={application} />
      <dl class="facts panel small">
        <ApplicationFactsRows frame={frame} facts={facts} />
      </dl>
      <ChangeForm frame={frame} application={application} />
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
