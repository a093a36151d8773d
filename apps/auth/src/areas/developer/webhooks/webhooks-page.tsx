import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { FieldErrors, Frame } from '../../../pages/frame/frame.ts';
import { Choice, ChoiceGroup } from '../../../pages/views/choice.tsx';
import { ErrorSummary, Options, PostForm, TextField, fieldId, findTyped } from '../../../pages/views/field.tsx';
import { Layout } from '../../../pages/views/layout.tsx';
import { CopyScript, Copyable, CopyableBlock, Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { LoggedDelivery } from '../../../webhooks/delivery-store.ts';
import type { Endpoint } from '../../../webhooks/endpoint-store.ts';
import { webhookEventNames } from '../../../webhooks/events.ts';
import { maxEndpoints } from '../../../webhooks/webhooks.ts';
import { ApplicationLayout } from '../../application/application-layout.tsx';
import type { ApplicationHeader } from '../../application/application-layout.tsx';
import { EndpointLog } from './webhook-log.tsx';

/** Values of the hidden field `action`. All but `add` have the field `endpoint`, the id. */
export const webhookActions = {
  add: 'add-endpoint',
  saveEvents: 'save-events',
  changeSecret: 'change-webhook-secret',
  turnOn: 'turn-on',
  /** With the field `message`, the id of one; without, all that failed or wait. */
  replay: 'replay',
  /** With the field `kind`. */
  test: 'send-test',
  delete: 'delete-endpoint',
} as const;

export const webhookDone = ['events-saved', 'turned-on', 'replayed', 'test-sent', 'endpoint-deleted'] as const;

type WebhookField = 'url' | 'events';

interface ListedEndpoint extends Endpoint {
  /** Latest first. */
  readonly log: readonly LoggedDelivery[];
}

export interface WebhooksPageProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader;
  readonly endpoints: readonly ListedEndpoint[];
  /** Lines for a shell that listen without an endpoint; undefined if the application has no secret. */
  readonly listenCommand: string | undefined;
  readonly done?: (typeof webhookDone)[number] | undefined;
  /** A rejected new endpoint, as typed. */
  readonly typed?: { readonly url: string; readonly events: readonly string[] };
  readonly errors?: FieldErrors<WebhookField>;
  /** An error that belongs to no field. */
  readonly problem?: string;
}

/** The endpoints of an application, with the log of each. */
export function WebhooksPage(props: WebhooksPageProps): VNode {
  const { frame, application, endpoints, listenCommand, done, errors = {}, problem } = props;
  const { webhooks: texts } = frame.messages.developer;
  return (
    <ApplicationLayout frame={frame} application={application} page="webhooks">
      {done === undefined ? null : <Notice kind="done">{texts.done[done]}</Notice>}
      <ErrorSummary frame={frame} errors={errors} problem={problem} />
      <p>
        {texts.intro} <a href={pagePaths.guide('webhooks')}>{texts.guide}</a>
      </p>
      {endpoints.length === 0 ? <p class="empty">{texts.none}</p> : null}
      {endpoints.map((endpoint) => (
        <EndpointSection key={endpoint.id} {...{ frame, endpoint }} />
      ))}
      {endpoints.length < maxEndpoints ? (
        <NewEndpoint {...props} />
      ) : (
        <p class="quiet small">{texts.enough(maxEndpoints)}</p>
      )}
      {listenCommand === undefined ? null : (
        <section>
          <h2>{texts.listen}</h2>
          <p>{texts.listenText}</p>
          <CopyableBlock frame={frame} testId="listen-command">
            {listenCommand}
          </CopyableBlock>
          <CopyScript frame={frame} />
        </section>
      )}
    </ApplicationLayout>
  );
}

interface EventChoicesProps {
  readonly frame: Frame;
  /** Distinguishes the groups of a page. */
  readonly name: string;
  readonly chosen: readonly string[];
  readonly error?: string | undefined;
}

function EventChoices({ frame, name, chosen, error }: EventChoicesProps): VNode {
  const { webhooks: texts } = frame.messages.developer;
  return (
    <ChoiceGroup name={name} legend={texts.events} hint={texts.eventsHint} error={error}>
      {webhookEventNames.map((event) => (
        <Choice
          key={event}
          type="checkbox"
          name={name}
          value={event}
          label={texts.eventNames[event]}
          text={<code>{event}</code>}
          checked={chosen.includes(event)}
        />
      ))}
    </ChoiceGroup>
  );
}

function NewEndpoint({ frame, typed = { url: '', events: [] }, errors = {} }: WebhooksPageProps): VNode {
  const { webhooks: texts } = frame.messages.developer;
  return (
    <section>
      <h2>{texts.add}</h2>
      <PostForm frame={frame} hidden={{ action: webhookActions.add }} class="panel">
        <TextField
          name="url"
          label={texts.url}
          hint={texts.urlHint}
          value={typed.url}
          error={errors.url}
          autocomplete="off"
        />
        <EventChoices frame={frame} name="events" chosen={typed.events} error={errors.events} />
        <button class="button" data-testid="add-endpoint">
          {texts.addSubmit}
        </button>
      </PostForm>
    </section>
  );
}

interface EndpointProps {
  readonly frame: Frame;
  readonly endpoint: ListedEndpoint;
}

function EndpointSection({ frame, endpoint }: EndpointProps): VNode {
  const { messages } = frame;
  const { webhooks: texts } = messages.developer;
  const { id, url, createdAt, failingSince, isFailing, offSince, previousUntil, waiting } = endpoint;
  const hidden = (action: string) => ({ action, endpoint: String(id) });
  const testId = fieldId(`test-${String(id)}`);
  const facts = [
    texts.created(messages.formatDay(createdAt)),
    ...(waiting === 0 ? [] : [texts.waiting(waiting)]),
    ...(previousUntil === null ? [] : [texts.previousUntil(messages.formatMinute(previousUntil))]),
  ];
  return (
    <section data-testid="endpoint" id={`endpoint-${String(id)}`}>
      <h2>
        <UserText text={url} />
      </h2>
      {offSince === null ? null : <Notice kind="warning">{texts.off(messages.formatMinute(offSince))}</Notice>}
      {offSince !== null || failingSince === null || !isFailing ? null : (
        <Notice kind="warning">{texts.failing(messages.formatMinute(failingSince))}</Notice>
      )}
      <p class="quiet small">{facts.join(' · ')}</p>
      {offSince === null ? (
        <PostForm frame={frame} hidden={hidden(webhookActions.test)}>
          <div class="field">
            <label for={testId}>{texts.testKind}</label>
            <Options
              id={testId}
              name="kind"
              chosen={undefined}
              options={endpoint.events.map((one) => [one, texts.eventNames[one]])}
            />
          </div>
          <button class="button quiet-button" data-testid="send-test">
            {texts.sendTest}
          </button>
        </PostForm>
      ) : (
        <PostForm frame={frame} hidden={hidden(webhookActions.turnOn)}>
          <button class="button" data-testid="turn-on">
            {texts.turnOn}
          </button>
        </PostForm>
      )}
      <EndpointLog {...{ frame, endpoint }} />
      <Changes {...{ frame, endpoint, hidden }} />
    </section>
  );
}

interface ChangesProps extends EndpointProps {
  readonly hidden: (action: string) => Readonly<Record<string, string>>;
}

/** Collapsed, so that what has consequences takes two steps. */
function Changes({ frame, endpoint, hidden }: ChangesProps): VNode {
  const { webhooks: texts } = frame.messages.developer;
  const heading = `endpoint-${String(endpoint.id)}`;
  return (
    <>
      <details open={findTyped(frame, hidden(webhookActions.saveEvents)) !== undefined}>
        <summary>{texts.changeEvents}</summary>
        <PostForm frame={frame} hidden={hidden(webhookActions.saveEvents)} class="panel">
          <EventChoices frame={frame} name={`events-${String(endpoint.id)}`} chosen={endpoint.events} />
          <button class="button quiet-button" data-testid="save-events">
            {texts.saveEvents}
          </button>
        </PostForm>
      </details>
      <details>
        <summary>{texts.changeSecret}</summary>
        <PostForm frame={frame} hidden={hidden(webhookActions.changeSecret)}>
          <p class="small">{texts.changeSecretText}</p>
          <button class="button quiet-button" data-testid="change-webhook-secret" aria-describedby={heading}>
            {texts.changeSecretSubmit}
          </button>
        </PostForm>
      </details>
      <details>
        <summary>{texts.remove}</summary>
        <PostForm frame={frame} hidden={hidden(webhookActions.delete)}>
          <p class="small">{texts.removeText}</p>
          <button class="button danger-button" data-testid="delete-endpoint" aria-describedby={heading}>
            {texts.removeSubmit}
          </button>
        </PostForm>
      </details>
    </>
  );
}

interface WebhookSecretPageProps {
  readonly frame: Frame;
  readonly clientId: string;
  readonly url: string;
  /** Shown only once. */
  readonly secret: string;
}

/** The response to adding an endpoint or changing its secret. */
export function WebhookSecretPage({ frame, clientId, url, secret }: WebhookSecretPageProps): VNode {
  const { webhooks: texts } = frame.messages.developer;
  return (
    <Layout frame={frame} title={texts.secretTitle} kind="area" section="applications">
      <h1>{texts.secretTitle}</h1>
      <p class="lead">
        <UserText strong text={url} />
      </p>
      <div class="panel">
        <dl class="credentials">
          <dt>{texts.secret}</dt>
          <dd>
            <Copyable frame={frame} testId="webhook-secret">
              {secret}
            </Copyable>
          </dd>
        </dl>
        <Notice kind="warning">{texts.secretOnce}</Notice>
      </div>
      <a class="button quiet-button" href={pagePaths.applicationWebhooks(clientId)}>
        {texts.back}
      </a>
      <CopyScript frame={frame} />
    </Layout>
  );
}
