import type { SecretProblems, SecretRequest } from '@linnet/applications/secrets/new-secret';
import type { Form } from '../../pages/form/form.ts';
import type { Messages } from '../../pages/i18n/messages.ts';
import type { FieldErrors } from '../../pages/frame/frame.ts';

export type SecretField = 'secret_name' | 'secret_lifetime' | 'secret_last_day';

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
