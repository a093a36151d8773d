import { inertText } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { ApplicationFacts } from '@linnet/applications/application/application-facts-store';
import type { RequestedScope } from '@linnet/applications/grants/requested-scope';
import { ErrorSummary, TextField, PostForm } from '../../pages/views/field.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import type { Links } from '@linnet/applications/application/links';
import { ApplicationFactsRows, Logo } from '../../pages/views/application-facts.tsx';
import { ApplicationLinks } from '../../pages/views/link.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { scopesField } from '../../pages/form/form.ts';
import { ConsentDurationChoice, Scopes, decisionField } from '../consent/consent-page.tsx';
import type { ShownEarlier } from '../consent/consent-page.tsx';

/** Form field: the code that the device shows. */
export const userCodeField = 'user_code';

/** Values of the parameter `done`. */
export const deviceDone = ['allowed', 'denied'] as const;

interface UserCodePageProps {
  readonly frame: Frame;
  /** As typed, or from `verification_uri_complete`. */
  readonly userCode?: string | undefined;
  readonly problem?: 'unknown' | 'throttled' | undefined;
}

/** Asks for the code that a device shows (RFC 8628 §3.3). */
export function UserCodePage({ frame, userCode = '', problem }: UserCodePageProps): VNode {
  const { device: texts } = frame.messages;
  const errors = problem === 'unknown' ? { [userCodeField]: texts.unknown } : {};
  return (
    <Layout frame={frame} title={texts.title} kind="card">
      <h1>{texts.title}</h1>
      <ErrorSummary frame={frame} errors={errors} problem={problem === 'throttled' ? texts.throttled : undefined} />
      <PostForm frame={frame}>
        <TextField
          name={userCodeField}
          label={texts.userCode}
          hint={texts.userCodeHint}
          value={userCode}
          error={errors[userCodeField]}
          autocomplete="off"
        />
        <button class="button wide">{texts.submit}</button>
      </PostForm>
    </Layout>
  );
}

interface DeviceDonePageProps {
  readonly frame: Frame;
  readonly done: (typeof deviceDone)[number];
}

/** Has no form: nobody needs to enter a second code. */
export function DeviceDonePage({ frame, done }: DeviceDonePageProps): VNode {
  const { device: texts } = frame.messages;
  return (
    <Layout frame={frame} title={texts.title} kind="card">
      <h1>{texts.title}</h1>
      <Notice kind="done">{texts[done]}</Notice>
    </Layout>
  );
}

export interface DeviceConsentPageProps {
  readonly frame: Frame;
  /** In the format in which the device shows it. */
  readonly userCode: string;
  readonly application: {
    readonly name: string;
    readonly ownerUsername: string;
    readonly facts: ApplicationFacts;
    readonly links?: Links;
    /** File name of the logo. */
    readonly logo?: string | undefined;
  };
  readonly username: string;
  readonly scopes: readonly RequestedScope[];
  /** What the account has granted the application before. */
  readonly earlier?: ShownEarlier | undefined;
  /** The request comes from an agent. */
  readonly isAgent: boolean;
}

/** There is no redirect URI that would identify the application, so the page asks to compare the codes. */
export function DeviceConsentPage(props: DeviceConsentPageProps): VNode {
  const { frame, userCode, application, username, scopes, earlier, isAgent } = props;
  const { device: texts, consent } = frame.messages;
  const owner = <UserText strong text={`@${application.ownerUsername}`} />;
  return (
    <Layout frame={frame} title={consent.title(inertText(application.name))} kind="card">
      <Logo name={application.logo} />
      <h1>{texts.heading(<UserText text={application.name} />)}</h1>
      <p>{consent.signedInAs(<UserText strong text={`@${username}`} />)}</p>
      <Notice kind="warning">{texts.compare(<code>{userCode}</code>)}</Notice>
      <PostForm frame={frame} hidden={{ [userCodeField]: userCode, ...scopesField(earlier?.scopes ?? []) }}>
        <Scopes frame={frame} scopes={scopes} isAgent={isAgent} />
        <ConsentDurationChoice frame={frame} earlier={earlier} isAgent={isAgent} />
        <dl class="facts">
          <div>
            <dt>{consent.madeBy}</dt>
            <dd>{owner}</dd>
          </div>
          <ApplicationFactsRows frame={frame} facts={application.facts} />
          {application.links === undefined ? null : <ApplicationLinks frame={frame} links={application.links} />}
        </dl>
        <p class="small">{consent.trust(owner)}</p>
        <div class="decision">
          <button class="button even" name={decisionField} value="deny">
            {consent.deny}
          </button>
          <button class="button even" name={decisionField} value="allow">
            {consent.allow}
          </button>
        </div>
      </PostForm>
      <p class="quiet small">{consent.later}</p>
    </Layout>
  );
}
