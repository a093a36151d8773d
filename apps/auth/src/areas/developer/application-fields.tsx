import type { VNode } from 'preact';

import { applicationTypes } from '@linnet/applications/application-type';
import type { ApplicationType } from '@linnet/applications/application-type';
import { findUnclaimedSchemes } from '@linnet/applications/private-scheme';
import { Choice, ChoiceGroup } from '../../pages/views/choice.tsx';
import { TextArea, TextField } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/views/frame.ts';
import { ScopeFields, newScopeValues } from './scope-fields.tsx';
import { defaultSettings, toTexts } from '@linnet/applications/protocol-settings';
import type { SettingName } from '@linnet/applications/protocol-settings';
import { KeySetField, Permissions } from './permission-fields.tsx';
import { SettingFields } from './setting-fields.tsx';
import type { SettingLimits } from './setting-fields.tsx';
import type { SettingTexts } from './setting-form.ts';
import type { ScopeValues } from './scope-fields.tsx';

export type ApplicationField = 'name' | 'redirect_uris' | 'scope' | 'implicit' | 'jwks_uri' | SettingName;

/** The type can be chosen only when the application is created. */
export type NewApplicationField = ApplicationField | 'type';

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

/** Initial values for a new application. */
export const newApplicationValues: ApplicationValues = {
  name: '',
  type: 'confidential',
  redirectUris: '',
  ...newScopeValues,
  isImplicit: false,
  actsAsOwner: true,
  settings: toTexts(defaultSettings('confidential')),
  jwksUri: '',
};

interface ApplicationFieldsProps {
  readonly frame: Frame;
  readonly values: ApplicationValues;
  readonly errors: FieldErrors<NewApplicationField>;
  /** Shows the fields that can be set only when the application is created. */
  readonly isNew: boolean;
  readonly settingLimits: SettingLimits;
}

/** The fields for creating and for editing an application. */
export function ApplicationFields(props: ApplicationFieldsProps): VNode {
  const { frame, values, errors, isNew } = props;
  const { form, types } = frame.messages.developer;
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
        <ChoiceGroup name="type" legend={form.type} error={errors.type}>
          {applicationTypes.map((type) => (
            <Choice key={type} type="radio" name="type" value={type} checked={values.type === type} {...types[type]} />
          ))}
        </ChoiceGroup>
      ) : null}
      <TextArea
        name="redirect_uris"
        label={form.redirectUris}
        hint={form.redirectUrisHint}
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
      <ScopeFields frame={frame} values={values} error={errors.scope} />
      <KeySetField {...props} />
      <Permissions {...props} />
      <SettingFields {...props} />
    </>
  );
}
