/** The fields of an API, and how they are read. */
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { parseScopeLines } from '@linnet/applications/apis/api-scopes';
import type { SubmittedApi } from '@linnet/applications/apis/api-settings';
import type { RegisteredApi } from '@linnet/applications/apis/api-store';
import type { Form } from '../../../pages/form/form.ts';
import { Choice, ChoiceGroup } from '../../../pages/views/choice.tsx';
import { TextArea, TextField } from '../../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../../pages/frame/frame.ts';

export type ApiField = 'identifier' | 'name' | 'scopes' | 'client_id';

/** As typed. */
export interface ApiValues {
  readonly identifier: string;
  readonly name: string;
  /** One line per scope. */
  readonly scopes: string;
  /** Empty: none. */
  readonly clientId: string;
}

export const newApiValues: ApiValues = { identifier: '', name: '', scopes: '', clientId: '' };

export function toApiValues({ identifier, name, scopes, clientId = '' }: RegisteredApi): ApiValues {
  const lines = scopes.map(({ scope, description }) => `${scope} ${description}`);
  return { identifier, name, scopes: lines.join('\n'), clientId };
}

export function readApiValues(form: Form): ApiValues {
  const [identifier, name] = [form.text('identifier'), form.text('name')];
  return { identifier, name, scopes: form.text('scopes'), clientId: form.text('client_id') };
}

export function toSubmittedApi({ name, scopes, clientId }: ApiValues): SubmittedApi {
  return { name, scopes: parseScopeLines(scopes.split('\n')), clientId: clientId === '' ? undefined : clientId };
}

/** A confidential application of the owner. */
export interface IntrospectingApplication {
  readonly clientId: string;
  readonly name: string;
}

interface ApiFieldsProps {
  readonly frame: Frame;
  readonly values: ApiValues;
  readonly errors: FieldErrors<ApiField>;
  readonly applications: readonly IntrospectingApplication[];
  /** The identifier of an API never changes. */
  readonly isNew?: boolean;
}

export function ApiFields({ frame, values, errors, applications, isNew = false }: ApiFieldsProps): VNode {
  const { apis, form } = frame.messages.developer;
  const { form: texts } = apis;
  return (
    <>
      <TextField
        name="name"
        label={form.name}
        hint={form.nameHint}
        value={values.name}
        error={errors.name}
        autocomplete="off"
      />
      {isNew ? (
        <TextField
          name="identifier"
          label={texts.identifier}
          hint={texts.identifierHint}
          value={values.identifier}
          error={errors.identifier}
          autocomplete="off"
        />
      ) : null}
      <TextArea
        name="scopes"
        label={texts.scopes}
        hint={texts.scopesHint}
        rows={6}
        value={values.scopes}
        error={errors.scopes}
      />
      <ChoiceGroup name="client_id" legend={texts.client} hint={texts.clientHint} error={errors.client_id}>
        <Choice type="radio" name="client_id" value="" label={texts.noClient} checked={values.clientId === ''} />
        {applications.map(({ clientId, name }) => (
          <Choice
            key={clientId}
            type="radio"
            name="client_id"
            value={clientId}
            label={<UserText text={name} />}
            text={<code>{clientId}</code>}
            checked={values.clientId === clientId}
          />
        ))}
      </ChoiceGroup>
    </>
  );
}
