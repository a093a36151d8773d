import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../../pages/views/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { SafeLink } from '../../pages/views/safe-link.tsx';
import { UserText } from '@linnet/ui/user-text';

export interface CredentialsPageProps {
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
export function CredentialsPage(props: CredentialsPageProps): VNode {
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
      <section>
        <h2>{texts.tryTitle}</h2>
        {clientSecret === undefined ? (
          <Example text={texts.authorizeText} code={authorizeAddress(baseUrl, application)} />
        ) : (
          <Example text={texts.tryText} code={tokenCommand(baseUrl, application.clientId, clientSecret)} />
        )}
        <p class="small">
          {texts.metadata}{' '}
          <SafeLink href={`${baseUrl}${metadataPath}`}>
            <code>{metadataPath}</code>
          </SafeLink>
        </p>
      </section>
      <p class="actions">
        <a class="button" href={pagePaths.applicationPlayground(application.clientId)}>
          {frame.messages.developer.playground.enter}
        </a>
        <a class="button quiet-button" href={pagePaths.application(application.clientId)}>
          {texts.continue}
        </a>
      </p>
    </Layout>
  );
}

function Identifiers({ frame, application, clientSecret }: CredentialsPageProps): VNode {
  const texts = frame.messages.developer.credentials;
  return (
    <dl class="credentials">
      <dt>{texts.clientId}</dt>
      <dd>
        <Copyable testId="client-id">{application.clientId}</Copyable>
      </dd>
      {clientSecret === undefined ? null : (
        <>
          <dt>{texts.clientSecret}</dt>
          <dd>
            <Copyable testId="client-secret">{clientSecret}</Copyable>
          </dd>
        </>
      )}
    </dl>
  );
}

const metadataPath = '/.well-known/oauth-authorization-server';

/** A click selects the whole text, without a script. */
function Copyable({ testId, children }: { readonly testId: string; readonly children: ComponentChildren }): VNode {
  return (
    <code class="copyable" data-testid={testId}>
      {children}
    </code>
  );
}

function Example({ text, code }: { readonly text: string; readonly code: string }): VNode {
  return (
    <>
      <p>{text}</p>
      <pre>
        <code>{code}</code>
      </pre>
    </>
  );
}

/** Works in POSIX shells, PowerShell and cmd: ids and secrets contain no characters with a special meaning. */
function tokenCommand(baseUrl: string, clientId: string, clientSecret: string): string {
  return `curl -u ${clientId}:${clientSecret} -d grant_type=client_credentials ${baseUrl}/oauth/token`;
}

function authorizeAddress(
  baseUrl: string,
  { clientId, redirectUris, scopes }: CredentialsPageProps['application'],
): string {
  const parameters: readonly (readonly [name: string, value: string])[] = [
    ['response_type', 'code'],
    ['client_id', clientId],
    ['redirect_uri', encodeURIComponent(redirectUris[0] ?? 'https://app.example.com/callback')],
    ['scope', encodeURIComponent(scopes.join(' '))],
    ['state', '…'],
    ['code_challenge', '…'],
    ['code_challenge_method', 'S256'],
  ];
  const query = parameters.map(([name, value]) => `${name}=${value}`).join('\n&');
  return `${baseUrl}/oauth/authorize\n?${query}`;
}
