import type { VNode } from 'preact';

import { ErrorSummary, PostForm } from '../../pages/views/field.tsx';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { NewApplicationFields, newApplicationValues } from './new-application-fields.tsx';
import type { NewApplicationField, NewApplicationValues } from './new-application-fields.tsx';
import type { SettingLimits } from './setting-fields.tsx';

export interface CreateApplicationPageProps {
  readonly frame: Frame;
  /** As typed; the defaults if left out. */
  readonly values?: NewApplicationValues;
  readonly errors?: FieldErrors<NewApplicationField>;
  /** Where the operator limits a setting. */
  readonly settingLimits?: SettingLimits;
  /** An error that belongs to no field. */
  readonly problem?: string | undefined;
  readonly hidden?: Readonly<Record<string, string>>;
}

export function CreateApplicationPage(props: CreateApplicationPageProps): VNode {
  const { frame, values = newApplicationValues, errors = {}, settingLimits = {}, problem, hidden = {} } = props;
  const { create } = frame.messages.developer;
  return (
    <Layout frame={frame} title={create.title} kind="area" section="applications">
      <h1>{create.title}</h1>
      <p class="lead">{create.intro}</p>
      <ErrorSummary frame={frame} errors={errors} problem={problem} />
      <PostForm frame={frame} hidden={hidden} class="panel">
        <NewApplicationFields {...{ frame, values, errors, settingLimits }} />
        <div class="actions">
          <button class="button">{create.submit}</button>
          <a class="button quiet-button" href={pagePaths.applications}>
            {create.cancel}
          </a>
        </div>
      </PostForm>
    </Layout>
  );
}
