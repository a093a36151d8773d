import { toMetadataUrl } from '@linnet/applications/apis/apis';
import { apiTokenAlgorithms, parseScopeLines } from '@linnet/applications/apis/api-scopes';
import type { ApiTokenAlgorithm } from '@linnet/applications/apis/api-scopes';
import type { SubmittedApi } from '@linnet/applications/apis/api-settings';
import type { RegisteredApi } from '@linnet/applications/apis/api-store';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Form } from '../../../pages/form/form.ts';
import type { FieldErrors, Frame } from '../../../pages/frame/frame.ts';
import { Choice, ChoiceGroup } from '../../../pages/views/choice.tsx';
import { ErrorSummary, PostForm, TextArea, TextField } from '../../../pages/views/field.tsx';
import { Layout } from '../../../pages/views/layout.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { Stream } from '../../../webhooks/signal-store.ts';

/** The fields of an API, and how they are read. */
export type ApiField = 'identifier' | 'name' | 'scopes' | 'client_id';

/** As typed. */
export interface ApiValues {
  readonly identifier: string;
  readonly name: string;
  /** One line per scope. */
  readonly scopes: string;
  /** Empty: none. */
  readonly clientId: string;
  readonly accessTokenAlg: ApiTokenAlgorithm;
}

export const newApiValues: ApiValues = { identifier: '', name: '', scopes: '', clientId: '', accessTokenAlg: 'ES256' };

export function toApiValues({ identifier, name, scopes, clientId = '', accessTokenAlg }: RegisteredApi): ApiValues {
  const lines = scopes.map(({ scope, description }) => `${scope} ${description}`);
  return { identifier, name, scopes: lines.join('\n'), clientId, accessTokenAlg };
}

export function readApiValues(form: Form): ApiValues {
  const [identifier, name] = [form.text('identifier'), form.text('name')];
  const chosen = form.text('access_token_alg');
  const accessTokenAlg = apiTokenAlgorithms.find((alg) => alg === chosen) ?? newApiValues.accessTokenAlg;
  return { identifier, name, scopes: form.text('scopes'), clientId: form.text('client_id'), accessTokenAlg };
}

export function toSubmittedApi({ name, scopes, clientId, accessTokenAlg }: ApiValues): SubmittedApi {
  const client = clientId === '' ? undefined : clientId;
  return { name, scopes: parseScopeLines(scopes.split('\n')), clientId: client, accessTokenAlg };
}

/** A confidential application of the owner. */
interface IntrospectingApplication {
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

function ApiFields({ frame, values, errors, applications, isNew = false }: ApiFieldsProps): VNode {
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
      <AlgorithmField frame={frame} chosen={values.accessTokenAlg} />
    </>
  );
}

function AlgorithmField({ frame, chosen }: { readonly frame: Frame; readonly chosen: ApiTokenAlgorithm }): VNode {
  const { apis, settings } = frame.messages.developer;
  return (
    <ChoiceGroup name="access_token_alg" legend={apis.form.accessTokenAlg} hint={apis.form.accessTokenAlgHint}>
      {apiTokenAlgorithms.map((alg) => (
        <Choice
          key={alg}
          type="radio"
          name="access_token_alg"
          value={alg}
          label={settings.choices[alg]?.label ?? alg}
          text={settings.choices[alg]?.text}
          checked={alg === chosen}
        />
      ))}
    </ChoiceGroup>
  );
}

/** Values of the hidden field `action`, which says which form of the page was sent. */
export const apiActions = { save: 'save', prove: 'prove', delete: 'delete' } as const;

export const apiDone = ['created', 'saved', 'already-created', 'proven'] as const;

type ShownStream = Pick<
  Stream,
  | 'id'
  | 'url'
  | 'description'
  | 'isPolled'
  | 'isPaused'
  | 'offSince'
  | 'failingSince'
  | 'lastEvent'
  | 'lastFailure'
  | 'waiting'
>;

export interface ApiPageProps {
  readonly frame: Frame;
  /** Undefined for a new API. */
  readonly api?: Pick<RegisteredApi, 'name' | 'identifier' | 'isProven'>;
  readonly values: ApiValues;
  readonly applications: readonly IntrospectingApplication[];
  /** Of the API. */
  readonly streams?: readonly ShownStream[];
  /** Of this service. */
  readonly issuer: string;
  readonly errors?: FieldErrors<ApiField>;
  /** An error that belongs to no field. */
  readonly problem?: string | undefined;
  readonly done?: (typeof apiDone)[number] | undefined;
  /** The name typed to confirm the deletion was wrong. */
  readonly isConfirmWrong?: boolean;
}

/** A new API, or the settings of one and its deletion. */
export function ApiPage(props: ApiPageProps): VNode {
  const { frame, api, errors = {}, problem, done } = props;
  const { apis: texts, application } = frame.messages.developer;
  const confirmErrors = props.isConfirmWrong === true ? { confirm: application.confirmWrong } : {};
  return (
    <Layout frame={frame} title={texts.title} kind="area" section="applications">
      <p>
        <a href={pagePaths.apis}>{texts.title}</a>
      </p>
      <h1>{api === undefined ? texts.create : <UserText text={api.name} />}</h1>
      {api === undefined ? <p class="lead">{texts.intro}</p> : <Identifier text={api.identifier} />}
      {done === undefined ? null : <Notice kind="done">{texts.done[done]}</Notice>}
      <ErrorSummary frame={frame} errors={{ ...errors, ...confirmErrors }} problem={problem} />
      <SettingsForm {...props} />
      {api === undefined ? null : <Proof {...{ frame, api }} issuer={props.issuer} />}
      {api === undefined ? null : <Streams frame={frame} streams={props.streams ?? []} />}
      {api === undefined ? null : <Deletion frame={frame} name={api.name} isConfirmWrong={props.isConfirmWrong} />}
    </Layout>
  );
}

function Identifier({ text }: { readonly text: string }): VNode {
  return (
    <code>
      <UserText text={text} />
    </code>
  );
}

function SettingsForm({ frame, api, values, applications, errors = {} }: ApiPageProps): VNode {
  const { apis: texts } = frame.messages.developer;
  return (
    <PostForm frame={frame} hidden={api === undefined ? {} : { action: apiActions.save }} class="panel">
      <ApiFields {...{ frame, values, applications, errors }} isNew={api === undefined} />
      {api === undefined ? null : <p class="hint">{texts.scopeRemoval}</p>}
      <button class="button" data-testid="save-api">
        {api === undefined ? texts.create : texts.save}
      </button>
    </PostForm>
  );
}

interface ProofProps extends Pick<ApiPageProps, 'frame' | 'issuer'> {
  readonly api: NonNullable<ApiPageProps['api']>;
}

/** Whether the owner controls the address, and how to prove it. */
function Proof({ frame, api, issuer }: ProofProps): VNode {
  const { proof } = frame.messages.developer.apis;
  const address = (
    <code>
      <UserText text={toMetadataUrl(api.identifier)} />
    </code>
  );
  return (
    <section>
      <h2>{proof.title}</h2>
      <PostForm frame={frame} hidden={{ action: apiActions.prove }} class="panel">
        <p>{api.isProven ? proof.proven(address) : proof.unproven(address, <code>{issuer}</code>)}</p>
        <button class="button" data-testid="prove-api">
          {proof.submit}
        </button>
      </PostForm>
    </section>
  );
}

/** The event streams of the API, which its application manages, and whether events arrive. */
function Streams({ frame, streams }: { readonly frame: Frame; readonly streams: readonly ShownStream[] }): VNode {
  const { streams: texts } = frame.messages.developer.apis;
  return (
    <section>
      <h2>{texts.title}</h2>
      {streams.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <ul class="rows" data-testid="streams">
          {streams.map((stream) => (
            <li key={stream.id} class="row">
              <p>{stream.isPolled ? texts.polled : <UserText text={stream.url} />}</p>
              {stream.description === null ? null : (
                <p>
                  <UserText text={stream.description} />
                </p>
              )}
              <p class="quiet small">{describeStream(frame, stream).join(' · ')}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function describeStream(
  { messages }: Frame,
  { isPaused, offSince, failingSince, lastEvent, lastFailure, waiting }: ShownStream,
): readonly string[] {
  const { apis, webhooks } = messages.developer;
  const { states, failing, lastEvent: describeEvent, lastStatus } = apis.streams;
  const on = isPaused ? states.paused : states.on;
  return [
    offSince === null ? on : states.off,
    ...(waiting === 0 ? [] : [webhooks.waiting(waiting)]),
    ...(lastEvent === null ? [] : [describeEvent(messages.formatMinute(lastEvent))]),
    ...(failingSince === null ? [] : [failing(messages.formatMinute(failingSince))]),
    ...(failingSince === null || lastFailure === null ? [] : [lastStatus(lastFailure)]),
  ];
}

interface DeletionProps {
  readonly frame: Frame;
  readonly name: string;
  readonly isConfirmWrong: boolean | undefined;
}

function Deletion({ frame, name, isConfirmWrong = false }: DeletionProps): VNode {
  const { apis: texts, application } = frame.messages.developer;
  return (
    <section>
      <h2>{texts.remove}</h2>
      <PostForm frame={frame} hidden={{ action: apiActions.delete }} class="panel danger">
        <p>{texts.removeText}</p>
        <TextField
          name="confirm"
          label={application.confirm(
            <code>
              <UserText text={name} />
            </code>,
          )}
          error={isConfirmWrong ? application.confirmWrong : undefined}
          autocomplete="off"
        />
        <button class="button danger-button" data-testid="delete-api">
          {texts.removeSubmit}
        </button>
      </PostForm>
    </section>
  );
}
