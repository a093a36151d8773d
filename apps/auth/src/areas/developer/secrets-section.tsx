import type { VNode } from 'preact';

import { maxActiveSecrets } from '@linnet/applications/secrets/client-secret';
import { isLastSecret } from '@linnet/applications/secrets/secret-advice';
import type { OwnedSecret } from '@linnet/applications/secrets/secret-advice';
import type { Frame } from '../../pages/frame/frame.ts';
import { NewSecretForm } from './new-secret-form.tsx';
import { RenameSecret } from './rename-secret.tsx';
import { RetireSecret } from './retire-secret.tsx';
import type { TypedSecretName } from './rename-secret.tsx';
import { emptySecret } from './secret-form.ts';
import type { TypedSecret } from './secret-form.ts';
import { endOf, SecretList, SecretName } from './secret-list.tsx';

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
