import type { ComponentChildren, VNode } from 'preact';

import { ErrorSummary, PostForm } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { Notice } from '../../pages/views/notice.tsx';
import { ApplicationLayout } from '../application/application-layout.tsx';
import type { ApplicationHeader } from '../application/application-layout.tsx';
import { applicationActions } from './application-actions.ts';
import { ApplicationFields } from './application-fields.tsx';
import type { ApplicationField, ApplicationValues } from './application-fields.tsx';
import type { SettingLimits } from './setting-fields.tsx';

export interface SettingsPageProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader;
  /** As typed if the form was rejected. */
  readonly values: ApplicationValues;
  readonly errors?: FieldErrors<ApplicationField>;
  /** Where the operator limits a setting. */
  readonly settingLimits?: SettingLimits;
  /** An error that belongs to no field. */
  readonly problem?: ComponentChildren;
  readonly isSaved?: boolean;
}

/** Name, permissions, redirect URIs and protocol settings of an application. */
export function SettingsPage(props: SettingsPageProps): VNode {
  const { frame, application, values, errors = {}, settingLimits = {}, problem, isSaved = false } = props;
  const { application: texts, pages } = frame.messages.developer;
  return (
    <ApplicationLayout frame={frame} application={application} page="settings">
      {isSaved ? <Notice kind="done">{texts.saved}</Notice> : null}
      <ErrorSummary frame={frame} errors={errors} problem={problem} />
      <h2>{pages.settings}</h2>
      <PostForm frame={frame} hidden={{ action: applicationActions.save }} class="panel">
        {application.isVerified === true ? (
          <Notice kind="warning">{frame.messages.names.applicationChangeEndsVerification}</Notice>
        ) : null}
        <ApplicationFields {...{ frame, values, errors, settingLimits }} />
        <button class="button">{texts.save}</button>
      </PostForm>
    </ApplicationLayout>
  );
}
