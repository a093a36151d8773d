import type { AuditEvent } from '@linnet/audit/audit-store';
import type { VNode } from 'preact';

import { ErrorSummary, TextField, fieldId } from '../../pages/views/field.tsx';
import type { Frame } from '../../pages/frame/frame.ts';
import { AdminLayout } from './admin-layout.tsx';
import { EventList } from './event-list.tsx';
import { NextLink } from './next-link.tsx';

/** Who can act, in the order of the page. */
export const auditActors = ['person', 'application', 'operator', 'service', 'unknown'] as const;

/** Query parameters. */
export const auditFields = ['event', 'actor', 'account', 'operator', 'client', 'from', 'to'] as const;

export type AuditField = (typeof auditFields)[number];

export interface AuditPageProps {
  readonly frame: Frame;
  /** What was entered; empty fields match everything. */
  readonly typed: Readonly<Record<AuditField, string>>;
  readonly wrong: readonly AuditField[];
  /** Latest first. */
  readonly events: readonly AuditEvent[];
  /** Address of the next page. */
  readonly next: string | undefined;
}

export function AuditPage({ frame, typed, wrong, events, next }: AuditPageProps): VNode {
  const { audit: texts } = frame.messages.admin;
  const { errors } = texts;
  const found = Object.fromEntries(
    wrong.map((name) => [name, name === 'from' || name === 'to' ? errors.day : errors.account]),
  );
  return (
    <AdminLayout frame={frame} page="audit" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      <ErrorSummary frame={frame} errors={found} />
      <Filter frame={frame} typed={typed} errors={found} />
      <section>
        <h2>{texts.results}</h2>
        {events.length === 0 && next !== undefined ? (
          <p class="empty">{texts.continued}</p>
        ) : (
          <EventList frame={frame} events={events} />
        )}
      </section>
      <NextLink frame={frame} next={next} />
    </AdminLayout>
  );
}

interface FilterProps extends Pick<AuditPageProps, 'frame' | 'typed'> {
  readonly errors: Readonly<Record<string, string>>;
}

function Filter({ frame, typed, errors }: FilterProps): VNode {
  const { audit: texts, search } = frame.messages.admin;
  const { fields, hints } = texts;
  const field = (name: Exclude<AuditField, 'actor'>, hint?: string) => (
    <TextField
      name={name}
      label={fields[name]}
      hint={hint}
      value={typed[name]}
      error={errors[name]}
      optional={frame.messages.form.optional}
      autocomplete="off"
    />
  );
  return (
    <search>
      <form data-testid="search">
        <div class="filter">
          {field('event', hints.event)}
          <button class="button">{search.submit}</button>
        </div>
        <details open={auditFields.some((name) => name !== 'event' && typed[name] !== '')}>
          <summary>{texts.moreFilters}</summary>
          <div class="pair">
            <ActorChoice frame={frame} chosen={typed.actor} />
            {field('client')}
            {field('account', hints.account)}
            {field('operator', hints.operator)}
            {field('from', hints.day)}
            {field('to', hints.day)}
          </div>
        </details>
      </form>
    </search>
  );
}

function ActorChoice({ frame, chosen }: { readonly frame: Frame; readonly chosen: string }): VNode {
  const { audit: texts, events } = frame.messages.admin;
  const id = fieldId('actor');
  return (
    <div class="field">
      <label for={id}>{texts.fields.actor}</label>
      <select id={id} name="actor">
        <option value="">{texts.anyActor}</option>
        {auditActors.map((actor) => (
          <option key={actor} value={actor} selected={actor === chosen}>
            {events.actors[actor]}
          </option>
        ))}
      </select>
    </div>
  );
}
