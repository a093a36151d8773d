import type { ComponentChildren, VNode } from 'preact';

import { CopyableBlock } from '../../../pages/views/notice.tsx';
import type { Frame } from '../../../pages/frame/frame.ts';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import { SafeLink } from '../../../pages/views/link.tsx';

interface QuickstartApplication {
  readonly clientId: string;
  /** The example uses the first one. */
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
}

interface QuickstartProps {
  readonly frame: Frame;
  readonly baseUrl: string;
  readonly application: QuickstartApplication;
  /** Whether it authenticates with a secret. */
  readonly hasSecret: boolean;
  /** More links beside the one to the playground. */
  readonly children?: ComponentChildren;
}

/** The first request of the application: for a token with its secret, otherwise for a person's authorization. */
export function Quickstart({ frame, baseUrl, application, hasSecret, children }: QuickstartProps): VNode {
  const { quickstart: texts, playground } = frame.messages.developer;
  const { clientId } = application;
  return (
    <section>
      <h2>{texts.title}</h2>
      {hasSecret ? (
        <Example frame={frame} text={texts.token} code={tokenCommand(baseUrl, clientId)} />
      ) : (
        <Example frame={frame} text={texts.authorize} code={authorizeAddress(baseUrl, application)} />
      )}
      <p class="small">
        {texts.metadata}{' '}
        <SafeLink href={`${baseUrl}${metadataPath}`}>
          <code>{metadataPath}</code>
        </SafeLink>
      </p>
      <p class="actions">
        <a class="button" href={pagePaths.applicationPlayground(clientId)}>
          {playground.enter}
        </a>
        {children}
      </p>
    </section>
  );
}

const metadataPath = '/.well-known/oauth-authorization-server';

interface ExampleProps {
  readonly frame: Frame;
  readonly text: string;
  readonly code: string;
}

function Example({ frame, text, code }: ExampleProps): VNode {
  return (
    <>
      <p>{text}</p>
      <CopyableBlock frame={frame}>{code}</CopyableBlock>
    </>
  );
}

/** Without the secret, curl asks for it, so that it does not get into the history of the shell. */
function tokenCommand(baseUrl: string, clientId: string): string {
  return `curl -u ${clientId} -d grant_type=client_credentials ${baseUrl}/oauth/token`;
}

function authorizeAddress(baseUrl: string, { clientId, redirectUris, scopes }: QuickstartApplication): string {
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
