import { maxActiveSecrets } from '@linnet/applications/secrets/client-secret';
import { isLastSecret } from '@linnet/applications/secrets/secret-advice';
import type { OwnedSecret } from '@linnet/applications/secrets/secret-advice';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { PostForm } from '../../../pages/views/field.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import { applicationActions } from '../application/application-form.ts';
import { NewSecretForm, emptySecret } from './new-credentials-page.tsx';
import type { TypedSecret } from './new-credentials-page.tsx';
import { findAuthentication } from './own-credentials.ts';
import type { OwnCredentials } from './own-credentials.ts';
import { RenameSecret, RetireSecret, SecretList, SecretName, endOf } from './secret-list.tsx';
import type { TypedSecretName } from './secret-list.tsx';

interface SecretsSectionProps {
  readonly frame: Frame;
  readonly now: Date;
  /** Active secrets, oldest first. */
  readonly secrets: readonly OwnedSecret[];
  /** Recently expired secrets, oldest first. */
  readonly expiredSecrets: readonly OwnedSecret[];
  readonly newSecret?: TypedSecret | undefined;
  readonly secretName?: TypedSecretName | undefined;
  /** A secret that was not retired, because it had become the last one. */
  readonly keptSecretId?: string | undefined;
  readonly addSecretHidden?: Readonly<Record<string, string>> | undefined;
}

export function SecretsSection({ newSecret = emptySecret, ...props }: SecretsSectionProps): VNode {
  const { frame, now, secrets, expiredSecrets, secretName, keptSecretId, addSecretHidden } = props;
  const { secrets: texts } = frame.messages.developer;
  return (
    <section id="secrets">
      <h2>{texts.title}</h2>
      <p>{texts.intro}</p>
      <SecretList {...{ frame, now, secrets }}>
        {(secret) => (
          <>
            <RenameSecret {...{ frame, secret }} typed={secretName} />
            <RetireSecret
              {...{ frame, secret }}
              isLast={isLastSecret(secret, secrets)}
              isOpen={secret.id === keptSecretId}
            />
          </>
        )}
      </SecretList>
      {expiredSecrets.length === 0 ? null : <ExpiredSecrets frame={frame} secrets={expiredSecrets} />}
      {secrets.length < maxActiveSecrets ? (
        <NewSecretForm {...{ frame, now, newSecret }} hidden={addSecretHidden} />
      ) : (
        <p class="quiet small">{texts.enough(maxActiveSecrets)}</p>
      )}
    </section>
  );
}

function ExpiredSecrets({
  frame,
  secrets,
}: {
  readonly frame: Frame;
  readonly secrets: readonly OwnedSecret[];
}): VNode {
  const { messages } = frame;
  const { secrets: texts } = messages.developer;
  return (
    <details>
      <summary>{texts.ended(secrets.length)}</summary>
      <p class="small">{texts.endedText}</p>
      <ul class="small">
        {secrets.map((secret) => (
          <li key={secret.id}>
            <SecretName frame={frame} secret={secret} />: {texts.endedOn(endOf(frame, secret))} ·{' '}
            {secret.lastUsedAt === undefined
              ? texts.neverUsed
              : texts.used(secret.uses, messages.formatMinute(secret.lastUsedAt))}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface SecretsSummaryProps {
  readonly frame: Frame;
  readonly now: Date;
  readonly application: OwnCredentials;
  /** Hidden fields of the form that adds a secret. */
  readonly addSecretHidden?: Readonly<Record<string, string>> | undefined;
}

/**
 * The secrets on the overview: they can be added and retired in one press, which programs rely on. Names, expiry and keys are on the page of the credentials.
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
