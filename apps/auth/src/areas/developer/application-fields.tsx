import type { VNode } from 'preact';

import type { ApplicationType } from '@linnet/applications/application/application-type';
import { findUnclaimedSchemes } from '@linnet/applications/application/links';
import { TextArea, TextField } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { ScopeFields } from './scope-fields.tsx';
import type { SettingName } from '@linnet/applications/settings/protocol-settings';
import { KeySetField, Permissions } from './permission-fields.tsx';
import { SettingFields } from './setting-fields.tsx';
import type { SettingLimits } from './setting-fields.tsx';
import type { SettingTexts } from './setting-form.ts';
import type { ScopeValues } from './scope-fields.tsx';

export type ApplicationField = 'name' | 'redirect_uris' | 'scope' | 'implicit' | 'jwks_uri' | SettingName;

/** Values of the form, as typed. */
export interface ApplicationValues extends ScopeValues {
  readonly name: string;
  readonly type: ApplicationType;
  /** One per line. */
  readonly redirectUris: string;
  readonly isImplicit: boolean;
  readonly actsAsOwner: boolean;
  /** Protocol settings. */
  readonly settings: SettingTexts;
  /** URL of its key set; undefined if it authenticates in another way. */
  readonly jwksUri?: string | undefined;
}

interface ApplicationFieldsProps {
  readonly frame: Frame;
  readonly values: ApplicationValues;
  readonly errors: FieldErrors<ApplicationField>;
  readonly settingLimits: SettingLimits;
}

/** The fields for editing an application. */
export function ApplicationFields(props: ApplicationFieldsProps): VNode {
  const { frame, values, errors } = props;
  const { form } = frame.messages.developer;
  return (
    <>
      <NameField {...props} />
      <RedirectUrisField {...props} hint={form.redirectUrisHint} />
      <ScopeFields frame={frame} values={values} error={errors.scope} />
      <KeySetField {...props} isNew={false} />
      <Permissions {...props} isNew={false} />
      <SettingFields {...props} isNew={false} />
    </>
  );
}

type FieldProps = Pick<ApplicationFieldsProps, 'frame' | 'values' | 'errors'>;

export function NameField({ frame, values, errors }: FieldProps): VNode {
  const { form } = frame.messages.developer;
  return (
    <TextField
      name="name"
      label={form.name}
      hint={form.nameHint}
      value={values.name}
      error={errors.name}
      autocomplete="off"
    />
  );
}

export function RedirectUrisField({ frame, values, errors, hint }: FieldProps & { readonly hint: string }): VNode {
  const { form } = frame.messages.developer;
  return (
    <>
      <TextArea
        name="redirect_uris"
        label={form.redirectUris}
        hint={hint}
        value={values.redirectUris}
        error={errors.redirect_uris}
        optional={frame.messages.form.optional}
        rows={3}
      />
      {findUnclaimedSchemes(values.redirectUris.split(/\s+/)).length === 0 ? null : (
        <p class="notice warning" data-testid="redirect-uri-warning">
          {form.redirectUrisWarning}
        </p>
      )}
    </>
  );
}
