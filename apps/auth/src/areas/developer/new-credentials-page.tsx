import type { VNode } from 'preact';

import { Copyable, CopyScript, Notice } from '../../pages/views/notice.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { Quickstart } from './quickstart-section.tsx';
import { UserText } from '@linnet/ui/user-text.tsx';

export interface NewCredentialsPageProps {
  readonly frame: Frame;
  readonly baseUrl: string;
  readonly application: {
    readonly clientId: string;
    readonly name: string;
    /** The example uses the first one. */
    readonly redirectUris: readonly string[];
    readonly scopes: readonly string[];
  };
  /** Shown only once. Public and native applications have none. */
  readonly clientSecret?: string | undefined;
  /** It authenticates with its own keys. */
  readonly hasOwnKeys?: boolean;
  /** Whether the secret was created with the application, or added to it. */
  readonly occasion: 'created' | 'added';
}

/** The response to creating an application or adding a secret. */
export function NewCredentialsPage(props: NewCredentialsPageProps): VNode {
  const { frame, baseUrl, application, clientSecret, hasOwnKeys = false, occasion } = props;
  const texts = frame.messages.developer.credentials;
  const title = occasion === 'created' ? texts.createdTitle : texts.secretTitle;
  return (
    <Layout frame={frame} title={title} kind="area" section="applications">
      <h1>{title}</h1>
      <p class="lead">
        <UserText strong text={application.name} />
      </p>
      <div class="panel">
        <Identifiers {...props} />
        {clientSecret === undefined ? (
          <p>{hasOwnKeys ? texts.ownKeys : texts.noSecret}</p>
        ) : (
          <Notice kind="warning">{texts.secretOnce}</Notice>
        )}
      </div>
      <Quickstart {...{ frame, baseUrl, application }} hasSecret={clientSecret !== undefined}>
        <a class="button quiet-button" href={pagePaths.application(application.clientId)}>
          {texts.continue}
        </a>
      </Quickstart>
      <CopyScript frame={frame} />
    </Layout>
  );
}

function Identifiers({ frame, application, clientSecret }: NewCredentialsPageProps): VNode {
  const texts = frame.messages.developer.credentials;
  return (
    <dl class="credentials">
      <dt>{texts.clientId}</dt>
      <dd>
        <Copyable frame={frame} testId="client-id">
          {application.clientId}
        </Copyable>
      </dd>
      {clientSecret === undefined ? null : (
        <>
          <dt>{texts.clientSecret}</dt>
          <dd>
            <Copyable frame={frame} testId="client-secret">
              {clientSecret}
            </Copyable>
          </dd>
        </>
      )}
    </dl>
  );
}
