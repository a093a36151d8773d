import type { VNode } from 'preact';

import { maxLivingSecrets } from '../applications/client-secret.ts';
import type { Frame } from '../views/frame.ts';
import { PostForm } from '../views/post-form.tsx';
import { applicationActions } from './application-actions.ts';

export interface ListedSecret {
  readonly id: string;
  readonly createdAt: Date;
  /** Left out where it is not known. */
  readonly lastUsedAt?: Date | undefined;
  readonly expiresAt?: Date | undefined;
}

interface SecretsSectionProps {
  readonly frame: Frame;
  /** The oldest first. */
  readonly secrets: readonly ListedSecret[];
  readonly addSecretHidden?: Readonly<Record<string, string>> | undefined;
}

export function SecretsSection({ frame, secrets, addSecretHidden }: SecretsSectionProps): VNode {
  const { application: texts } = frame.messages.developer;
  return (
    <section>
      <h2>{texts.secrets}</h2>
      <p>{texts.secretsText}</p>
      {secrets.length === 0 ? (
        <p class="empty">{texts.noSecrets}</p>
      ) : (
        <ul class="rows">
          {secrets.map((secret, index) => (
            <SecretRow key={secret.id} frame={frame} secret={secret} number={index + 1} />
          ))}
        </ul>
      )}
      {secrets.length < maxLivingSecrets ? (
        <PostForm frame={frame} hidden={{ ...addSecretHidden, action: applicationActions.addSecret }}>
          <button class="button quiet-button" data-testid="add-secret">
            {texts.addSecret}
          </button>
        </PostForm>
      ) : (
        <p class="quiet small">{texts.enoughSecrets}</p>
      )}
    </section>
  );
}

interface SecretRowProps {
  readonly frame: Frame;
  readonly secret: ListedSecret;
  readonly number: number;
}

function SecretRow({ frame, secret, number }: SecretRowProps): VNode {
  const { messages } = frame;
  const { application: texts } = messages.developer;
  const { id, createdAt, lastUsedAt, expiresAt } = secret;
  const facts = [
    texts.secretCreated(messages.formatDay(createdAt)),
    ...(lastUsedAt === undefined ? [] : [texts.secretUsed(messages.formatDay(lastUsedAt))]),
    ...(expiresAt === undefined ? [] : [texts.secretExpires(messages.formatMinute(expiresAt))]),
  ];
  return (
    <li class="row with-action">
      <div>
        <h3 id={`secret-${id}`}>{texts.secretNumber(number)}</h3>
        <p class="quiet small">{facts.join(' · ')}</p>
      </div>
      <PostForm frame={frame} hidden={{ action: applicationActions.retireSecret, secret: id }}>
        <button class="button quiet-button" data-testid="retire-secret" aria-describedby={`secret-${id}`}>
          {texts.retire}
        </button>
      </PostForm>
    </li>
  );
}
