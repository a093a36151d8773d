import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { Copyable, CopyScript, Notice } from '../../pages/views/notice.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';

export interface WebhookSecretPageProps {
  readonly frame: Frame;
  readonly clientId: string;
  readonly url: string;
  /** Shown only once. */
  readonly secret: string;
}

/** The response to adding an endpoint or changing its secret. */
export function WebhookSecretPage({ frame, clientId, url, secret }: WebhookSecretPageProps): VNode {
  const { webhooks: texts } = frame.messages.developer;
  return (
    <Layout frame={frame} title={texts.secretTitle} kind="area" section="applications">
      <h1>{texts.secretTitle}</h1>
      <p class="lead">
        <UserText strong text={url} />
      </p>
      <div class="panel">
        <dl class="credentials">
          <dt>{texts.secret}</dt>
          <dd>
            <Copyable frame={frame} testId="webhook-secret">
              {secret}
            </Copyable>
          </dd>
        </dl>
        <Notice kind="warning">{texts.secretOnce}</Notice>
      </div>
      <a class="button quiet-button" href={pagePaths.applicationWebhooks(clientId)}>
        {texts.back}
      </a>
      <CopyScript frame={frame} />
    </Layout>
  );
}
