import { secretLifetimes } from '@linnet/applications/secrets/new-secret';
import type { SecretProblems, SecretRequest } from '@linnet/applications/secrets/new-secret';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Form } from '../../../pages/form/form.ts';
import type { FieldErrors, Frame } from '../../../pages/frame/frame.ts';
import type { Messages } from '../../../pages/i18n/en/en.ts';
import { Choice, ChoiceGroup } from '../../../pages/views/choice.tsx';
import { PostForm, TextField } from '../../../pages/views/field.tsx';
import { Layout } from '../../../pages/views/layout.tsx';
import { CopyScript, Copyable, Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import { applicationActions } from '../application/application-form.ts';
import { Quickstart } from '../application/quickstart-section.tsx';

interface NewCredentialsPageProps {
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

type SecretField = 'secret_name' | 'secret_lifetime' | 'secret_last_day';

/** The form for a new secret, as typed, with its errors. */
export interface TypedSecret {
  readonly request: SecretRequest;
  readonly errors: FieldErrors<SecretField>;
}

export const emptySecret: TypedSecret = { request: { name: '', lifetime: 'never', lastDay: '' }, errors: {} };

/** A form without these fields creates a secret without a name and without expiry. */
export function readSecretRequest(form: Form): SecretRequest {
  return {
    name: form.text('secret_name'),
    lifetime: form.text('secret_lifetime'),
    lastDay: form.text('secret_last_day'),
  };
}

const nameErrors = { 'too-long': 'nameTooLong', unprintable: 'nameUnprintable' } as const;
const dayErrors = {
  missing: 'dayMissing',
  malformed: 'dayMalformed',
  past: 'dayPast',
  'too-far': 'dayTooFar',
} as const;

export function secretErrors(messages: Messages, problems: SecretProblems): FieldErrors<SecretField> {
  const { errors } = messages.developer.secrets;
  const { name, lifetime, lastDay } = problems;
  return {
    ...(name === undefined ? {} : { secret_name: errors[nameErrors[name]] }),
    ...(lifetime === undefined ? {} : { secret_lifetime: errors.lifetimeUnknown }),
    ...(lastDay === undefined ? {} : { secret_last_day: errors[dayErrors[lastDay]] }),
  };
}

interface NewSecretFormProps {
  readonly frame: Frame;
  readonly now: Date;
  readonly newSecret: TypedSecret;
  readonly hidden?: Readonly<Record<string, string>> | undefined;
}

/** Submitted without changes, it adds a secret without a name and without expiry. */
export function NewSecretForm({ frame, now, newSecret, hidden }: NewSecretFormProps): VNode {
  const { messages } = frame;
  const { secrets: texts } = messages.developer;
  const { request, errors } = newSecret;
  const lifetime = request.lifetime === '' ? 'never' : request.lifetime;
  return (
    <PostForm frame={frame} hidden={{ ...hidden, action: applicationActions.addSecret }} class="panel">
      <h3>{texts.addTitle}</h3>
      <TextField
        name="secret_name"
        label={texts.name}
        hint={texts.nameHint(texts.called(messages.formatDay(now)))}
        value={request.name}
        error={errors.secret_name}
        autocomplete="off"
        optional={messages.form.optional}
      />
      <ChoiceGroup name="secret_lifetime" legend={texts.lifetime} error={errors.secret_lifetime}>
        {secretLifetimes.map((one) => (
          <Choice
            key={one}
            type="radio"
            name="secret_lifetime"
            value={one}
            label={texts.lifetimes[one]}
            checked={lifetime === one}
          />
        ))}
      </ChoiceGroup>
      <div class="date-only">
        <TextField
          name="secret_last_day"
          type="date"
          label={texts.lastDay}
          hint={texts.lastDayHint}
          value={request.lastDay}
          error={errors.secret_last_day}
          autocomplete="off"
          optional={texts.lastDayOptional}
        />
      </div>
      <button class="button quiet-button" data-testid="add-secret">
        {texts.add}
      </button>
    </PostForm>
  );
}
