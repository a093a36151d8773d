import { UserText } from '@linnet/ui/user-text';
import type { ComponentChildren, VNode } from 'preact';

import { maxActiveSecrets } from '@linnet/applications/client-secret';
import { findRetirementReason, isLastSecret, needsReplacement } from '@linnet/applications/secret-advice';
import type { OwnedSecret } from '@linnet/applications/secret-advice';
import type { Frame } from '../../pages/views/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';
import { NewSecretForm } from './new-secret-form.tsx';
import { RenameSecret } from './rename-secret.tsx';
import { RetireSecret } from './retire-secret.tsx';
import type { TypedSecretName } from './rename-secret.tsx';
import { emptySecret } from './secret-form.ts';
import type { TypedSecret } from './secret-form.ts';

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
  const ending = secrets.filter((secret) => needsReplacement(secret, now));
  return (
    <section id="secrets">
      <h2>{texts.title}</h2>
      <p>{texts.intro}</p>
      {ending.map((secret) => (
        <Notice key={secret.id} kind="warning">
          {texts.endingSoon(<SecretName frame={frame} secret={secret} />, endOf(frame, secret))}
        </Notice>
      ))}
      {secrets.length === 0 ? (
        <p class="empty">{texts.none}</p>
      ) : (
        <ul class="rows">
          {secrets.map((secret) => (
            <SecretRow key={secret.id} {...{ frame, now, secret, secrets, secretName, keptSecretId }} />
          ))}
        </ul>
      )}
      {expiredSecrets.length === 0 ? null : <ExpiredSecrets frame={frame} secrets={expiredSecrets} />}
      {secrets.length < maxActiveSecrets ? (
        <NewSecretForm {...{ frame, now, newSecret }} hidden={addSecretHidden} />
      ) : (
        <p class="quiet small">{texts.enough(maxActiveSecrets)}</p>
      )}
    </section>
  );
}

interface SecretProps {
  readonly frame: Frame;
  readonly secret: OwnedSecret;
}

/** The name of the secret, or its creation date. */
function SecretName({ frame, secret: { name, createdAt } }: SecretProps): VNode {
  const { messages } = frame;
  return <UserText text={name ?? messages.developer.secrets.called(messages.formatDay(createdAt))} />;
}

function endOf({ messages }: Frame, { expiresAt }: OwnedSecret): string {
  return expiresAt === undefined ? messages.developer.secrets.noEnd : messages.formatMinute(expiresAt);
}

type SecretRowProps = SecretProps & Pick<SecretsSectionProps, 'now' | 'secrets' | 'secretName' | 'keptSecretId'>;

function SecretRow({ frame, now, secret, secrets, secretName, keptSecretId }: SecretRowProps): VNode {
  const { secrets: texts } = frame.messages.developer;
  const reason = findRetirementReason(secret, secrets, now);
  return (
    <li class="row">
      <div>
        <h3 id={`secret-${secret.id}`}>
          <SecretName frame={frame} secret={secret} />
          {needsReplacement(secret, now) ? <span class="tag warning">{texts.soon}</span> : null}
          {reason === undefined ? null : <span class="tag">{texts.safe}</span>}
        </h3>
        <p class="quiet small">{factsOf(frame, secret).join(' · ')}</p>
        {reason === undefined ? null : <p class="small">{reasonText(frame, secret, reason)}</p>}
        <RenameSecret {...{ frame, secret }} typed={secretName} />
        <RetireSecret
          {...{ frame, secret }}
          isLast={isLastSecret(secret, secrets)}
          isOpen={secret.id === keptSecretId}
        />
      </div>
    </li>
  );
}

function factsOf(frame: Frame, secret: OwnedSecret): readonly string[] {
  const { messages } = frame;
  const { secrets: texts } = messages.developer;
  const { name, createdAt, expiresAt, lastUsedAt, uses } = secret;
  return [
    // Without a name, the heading shows the date.
    ...(name === undefined ? [] : [texts.created(messages.formatDay(createdAt))]),
    lastUsedAt === undefined ? texts.neverUsed : texts.used(uses, messages.formatMinute(lastUsedAt)),
    expiresAt === undefined ? texts.noEnd : texts.ends(endOf(frame, secret)),
  ];
}

function reasonText(
  frame: Frame,
  secret: OwnedSecret,
  { unusedSince, other }: NonNullable<ReturnType<typeof findRetirementReason>>,
): ComponentChildren {
  const { messages } = frame;
  const { secrets: texts } = messages.developer;
  const unused =
    unusedSince === undefined
      ? texts.neverUsedSince(messages.formatDay(secret.createdAt))
      : texts.unusedSince(messages.formatDay(unusedSince));
  const name = <SecretName frame={frame} secret={other} />;
  return texts.safeReason(unused, name, texts.usedSince(other.uses, messages.formatDay(other.createdAt)));
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
