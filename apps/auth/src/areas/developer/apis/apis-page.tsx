import type { RegisteredApi } from '@linnet/applications/apis/api-store';
import type { ApiEvent } from '@linnet/audit/api-history-store';
import { inertText } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { Layout } from '../../../pages/views/layout.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import { beforeParameter } from '../activity/history.tsx';

interface ApisPageProps {
  readonly frame: Frame;
  readonly apis: readonly Pick<RegisteredApi, 'id' | 'identifier' | 'name' | 'scopes'>[];
  /** An API was deleted just now. */
  readonly isDeleted?: boolean;
  readonly history: Omit<ApiHistoryProps, 'frame'>;
}

/** The APIs of a developer. */
export function ApisPage({ frame, apis, isDeleted = false, history }: ApisPageProps): VNode {
  const { apis: texts, list } = frame.messages.developer;
  return (
    <Layout frame={frame} title={texts.title} kind="area" section="applications">
      <p>
        <a href={pagePaths.applications}>{list.title}</a>
      </p>
      <div class="title-line">
        <h1>{texts.title}</h1>
        <a class="button" href={pagePaths.createApi}>
          {texts.create}
        </a>
      </div>
      <p class="lead">{texts.intro}</p>
      {isDeleted ? <Notice kind="done">{texts.deleted}</Notice> : null}
      {apis.length === 0 ? (
        <p class="empty">{texts.empty}</p>
      ) : (
        <ul class="rows">
          {apis.map(({ id, identifier, name, scopes }) => (
            <li key={id} class="row" data-testid="api">
              <h2>
                <a href={pagePaths.api(id)}>
                  <UserText text={name} />
                </a>
              </h2>
              <p class="quiet small">
                <code>
                  <UserText text={identifier} />
                </code>
              </p>
              <p class="quiet small">
                <UserText text={scopes.map(({ scope }) => scope).join(' ')} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <ApiHistory frame={frame} {...history} />
    </Layout>
  );
}

interface ApiHistoryProps {
  readonly frame: Frame;
  /** Latest first. */
  readonly events: readonly ApiEvent[];
  readonly hasOlder: boolean;
}

/** The history of the APIs of a developer, deleted ones included. */
function ApiHistory({ frame, events, hasOlder }: ApiHistoryProps): VNode | null {
  const { apis, history } = frame.messages.developer;
  const last = events.at(-1);
  if (last === undefined) return null;
  return (
    <section>
      <h2>{history.title}</h2>
      <p>{apis.history.intro}</p>
      <ol class="rows" data-testid="api-history">
        {events.map((event) => (
          <Entry key={event.id} frame={frame} event={event} />
        ))}
      </ol>
      {hasOlder ? (
        <p>
          <a href={`${pagePaths.apis}?${beforeParameter}=${String(last.id)}`}>{history.older}</a>
        </p>
      ) : null}
    </section>
  );
}

function Entry({ frame, event }: { readonly frame: Frame; readonly event: ApiEvent }): VNode {
  const { messages } = frame;
  const { apis, history } = messages.developer;
  const changes = describeChanges(frame, event);
  return (
    <li class="row">
      <h3>{apis.history.events[event.event]}</h3>
      <p class="quiet small">
        <code>
          <UserText text={event.identifier} />
        </code>
      </p>
      <p class="quiet small">
        <time datetime={event.at.toISOString()}>{messages.formatMinute(event.at)}</time> · {history.actors[event.actor]}
        {changes.length === 0 ? null : <> · {changes.join(' · ')}</>}
      </p>
    </li>
  );
}

/** The settings of a new API, or those that changed, with their new values. */
function describeChanges(frame: Frame, entry: ApiEvent): readonly string[] {
  const { event, name, scopes, clientId, accessTokenAlg, changed } = entry;
  const { history, apis } = frame.messages.developer;
  const { history: texts, form } = apis;
  const shown = event === 'api.deleted' ? ['name'] : (changed ?? ['name', 'scopes']);
  const described = {
    name: texts.name(inertText(name)),
    scopes: scopes === null ? undefined : history.scopes(inertText(scopes.join(' '))),
    scope_descriptions: history.settings(texts.descriptions),
    access_token_alg: history.settings(`${form.accessTokenAlg} (${accessTokenAlg ?? ''})`),
    is_proven: history.settings(texts.proof),
    client_id: history.settings(`${form.client} (${clientId ?? form.noClient})`),
  };
  return Object.entries(described).flatMap(([key, text]) =>
    text !== undefined && shown.some((one) => one === key) ? [text] : [],
  );
}
