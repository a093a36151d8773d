import type { MyApplications } from '@linnet/applications/my-applications';
import { protocolSettings, settingKeys } from '@linnet/applications/settings/protocol-settings';
import type { ApplicationEvent } from '@linnet/audit/application-history-store';
import { inertText } from '@linnet/ui/inert-text';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { renderPage } from '../../../pages/frame/render.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage } from '../../../sign-in/visit/area.ts';
import { ApplicationLayout } from '../../application/application-layout.tsx';
import type { ApplicationHeader } from '../../application/application-layout.tsx';
import { findOwned } from '../application/application-form.ts';
import type { ApplicationReports } from './reports-store.ts';

/** Query parameter: the id of an event; the page lists the events before it. */
export const beforeParameter = 'before';

interface HistoryPageProps {
  readonly frame: Frame;
  readonly application: ApplicationHeader;
  /** Latest first. */
  readonly events: readonly ApplicationEvent[];
  readonly hasOlder: boolean;
}

/** The audit log of an application. */
export function HistoryPage({ frame, application, events, hasOlder }: HistoryPageProps): VNode {
  const { history: texts } = frame.messages.developer;
  const last = events.at(-1);
  return (
    <ApplicationLayout frame={frame} application={application} page="history">
      <section>
        <h2>{texts.title}</h2>
        <p>{texts.intro}</p>
        {events.length === 0 ? (
          <p class="empty">{texts.none}</p>
        ) : (
          <ol class="rows" data-testid="history">
            {events.map((event) => (
              <Entry key={event.id} frame={frame} event={event} />
            ))}
          </ol>
        )}
        {hasOlder && last !== undefined ? (
          <p>
            <a href={`${pagePaths.applicationHistory(application.clientId)}?${beforeParameter}=${String(last.id)}`}>
              {texts.older}
            </a>
          </p>
        ) : null}
      </section>
    </ApplicationLayout>
  );
}

function Entry({ frame, event }: { readonly frame: Frame; readonly event: ApplicationEvent }): VNode {
  const { messages } = frame;
  const { history: texts } = messages.developer;
  const detail = detailOf(frame, event);
  return (
    <li class="row">
      <h3>{texts.events[event.event]}</h3>
      <p class="quiet small">
        <time datetime={event.at.toISOString()}>{messages.formatMinute(event.at)}</time> · {texts.actors[event.actor]}
        {detail === undefined ? null : <> · {detail}</>}
      </p>
    </li>
  );
}

function detailOf(frame: Frame, { secretId, secret, scopes, settings }: ApplicationEvent): ComponentChildren {
  const { history: texts, secrets } = frame.messages.developer;
  if (secretId === null) {
    const lines = [
      ...(scopes === null ? [] : [texts.scopes(inertText(scopes.join(' ')))]),
      ...describeSettings(frame, settings ?? {}),
    ];
    return lines.length === 0 ? undefined : lines.join(' · ');
  }
  if (secret === null) return texts.secretId(secretId);
  const { name, createdAt } = secret;
  const called = name ?? secrets.called(frame.messages.formatDay(new Date(createdAt)));
  return texts.secret(<UserText text={called} />);
}

/** The changed settings with their new values, in one sentence; none if no setting changed. */
function describeSettings(frame: Frame, changed: Readonly<Record<string, unknown>>): readonly string[] {
  const { history: texts, settings } = frame.messages.developer;
  const named = settingKeys.flatMap((key) => {
    const { name } = protocolSettings[key];
    if (!Object.hasOwn(changed, name)) return [];
    return [`${settings.texts[key].label} (${describeValue(frame, changed[name])})`];
  });
  return named.length === 0 ? [] : [texts.settings(named.join(', '))];
}

function describeValue(frame: Frame, value: unknown): string {
  const { settings } = frame.messages.developer;
  if (value === null) return settings.standard;
  if (typeof value === 'boolean') return value ? settings.on : settings.off;
  const words = Array.isArray(value) ? value : [value];
  return inertText(words.map((word) => settings.choices[String(word)]?.label ?? String(word)).join(', '));
}

interface HistoryOptions {
  readonly applications: Pick<MyApplications, 'find'>;
  readonly reports: Pick<ApplicationReports, 'events'>;
}

const pageSize = 50;

/** `/developer/applications/:client_id/history` */
export function historyRoute({ applications, reports }: HistoryOptions): AreaPage {
  return {
    path: `${pagePaths.applications}/applications/:clientId/history`,
    show: async (visit) => {
      const { ctx, frame } = visit;
      const application = await findOwned(applications, visit);
      if (application === undefined) return;
      const before = readId(ctx.query[beforeParameter]);
      const found = await reports.events(application.clientId, { before, limit: pageSize + 1 });
      const props = { events: found.slice(0, pageSize), hasOlder: found.length > pageSize };
      renderPage(ctx, <HistoryPage {...{ frame, application }} {...props} />);
    },
  };
}

/** The id in `beforeParameter`. Malformed ids are ignored: the page then shows the latest events. */
export function readId(text: unknown): number | undefined {
  const id = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}
