import type { VNode } from 'preact';

import { maxActiveSecrets } from '@linnet/applications/secrets/client-secret';
import { isLastSecret } from '@linnet/applications/secrets/secret-advice';
import type { Frame } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { PostForm } from '../../pages/views/field.tsx';
import { applicationActions } from './application-actions.ts';
import { findAuthentication } from './own-credentials.ts';
import type { OwnCredentials } from './own-credentials.ts';
import { RetireSecret } from './retire-secret.tsx';
import { SecretList } from './secret-list.tsx';

interface SecretsSummaryProps {
  readonly frame: Frame;
  readonly now: Date;
  readonly application: OwnCredentials;
  /** Hidden fields of the form that adds a secret. */
  readonly addSecretHidden?: Readonly<Record<string, string>> | undefined;
}

/**
 * The secrets on the overview: they can be added and retired in one press, which programs rely on (operations.md,
 * "Details that clients and automation rely on", 10). Names, expiry and keys are on the page of the credentials.
 */
export function SecretsSummary({ frame, now, application, addSecretHidden }: SecretsSummaryProps): VNode | null {
  const { secrets: texts, application: applicationTexts } = frame.messages.developer;
  const { clientId, secrets } = application;
  const authentication = findAuthentication(application);
  if (authentication === 'none') return null;
  const href = pagePaths.applicationCredentials(clientId);
  const more = <a href={href}>{texts.manage}</a>;
  if (authentication === 'keys') {
    return (
      <p>
        {applicationTexts.ownKeys} {more}
      </p>
    );
  }
  return (
    <section>
      <h2>{texts.title}</h2>
      <SecretList {...{ frame, now, secrets }}>
        {(secret) => <RetireSecret {...{ frame, secret }} isLast={isLastSecret(secret, secrets)} isOpen={false} />}
      </SecretList>
      {secrets.length < maxActiveSecrets ? (
        <PostForm frame={frame} hidden={{ ...addSecretHidden, action: applicationActions.addSecret }} class="actions">
          <button class="button quiet-button" data-testid="add-secret">
            {texts.add}
          </button>
          <a class="button quiet-button" href={href}>
            {texts.manage}
          </a>
        </PostForm>
      ) : (
        <p class="quiet small">
          {texts.enough(maxActiveSecrets)} {more}
        </p>
      )}
    </section>
  );
}
