import { failureKinds } from '@linnet/applications/failures/failure';
import type { FailureKind } from '@linnet/applications/failures/failure';
import type { FailureFilter } from '@linnet/applications/failures/failure-store';
import type { Context } from 'koa';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { Choice } from '../../../pages/views/choice.tsx';
import { TextField } from '../../../pages/views/field.tsx';

/** Query parameters of the page. */
const failureParameters = { kind: 'failed', request: 'request', own: 'own', before: 'before' } as const;

const statuses = [400, 401, 403, 404, 409, 422, 429] as const;
/** The choice of errors of the API with one status. */
const statusChoice = (status: number) => `api-${String(status)}`;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The filter, as typed. */
export interface TypedFilter {
  readonly kind: string;
  readonly request: string;
  /** Only requests that authenticated. */
  readonly isOwn: boolean;
  /** The failure after which the page begins; from the newest if undefined. */
  readonly before?: number | undefined;
}

/** The address of the next page. */
export function olderThan({ kind, request, isOwn }: TypedFilter, id: number | undefined): string {
  const { kind: kindName, request: requestName, own, before } = failureParameters;
  const chosen = { [kindName]: kind, [requestName]: request, ...(isOwn ? { [own]: 'on' } : {}) };
  return `?${new URLSearchParams({ ...chosen, [before]: String(id) }).toString()}`;
}

/** The address of one failure alone. */
export function wholeOf(requestId: string): string {
  return `?${new URLSearchParams({ [failureParameters.request]: requestId }).toString()}`;
}

export function readFilter({ query }: Pick<Context, 'query'>): TypedFilter {
  const textOf = (name: string): string => (typeof query[name] === 'string' ? query[name].trim() : '');
  const before = textOf(failureParameters.before);
  return {
    kind: textOf(failureParameters.kind),
    request: textOf(failureParameters.request),
    isOwn: textOf(failureParameters.own) !== '',
    before: /^\d{1,15}$/.test(before) ? Number(before) : undefined,
  };
}

/** Undefined: nothing can match. An unknown cause is ignored. */
export function toFailureFilter({
  kind,
  request,
  isOwn: authenticated,
  before,
}: TypedFilter): FailureFilter | undefined {
  if (request !== '' && !uuid.test(request)) return undefined;
  const requestId = request === '' ? undefined : request;
  const status = statuses.find((one) => statusChoice(one) === kind);
  if (status !== undefined) return { kind: 'api', status, requestId, authenticated, before };
  return { kind: failureKinds.find((one) => one === kind), requestId, authenticated, before };
}

export function isFiltered({ kind, request, isOwn }: TypedFilter): boolean {
  return kind !== '' || request !== '' || isOwn;
}

interface FailureFilterFormProps {
  readonly frame: Frame;
  readonly filter: TypedFilter;
}

/** A form with GET, so that a filtered list has an address. */
export function FailureFilterForm({ frame, filter }: FailureFilterFormProps): VNode {
  const { failures: texts } = frame.messages.developer;
  const option = (value: string, text: string): VNode => (
    <option key={value} value={value} selected={value === filter.kind}>
      {text}
    </option>
  );
  const serverKinds: readonly FailureKind[] = failureKinds.filter((kind) => kind !== 'api');
  return (
    <search aria-label={texts.filter}>
      <form class="panel filter">
        <div class="field">
          <label for="failed">{texts.kind}</label>
          <select id="failed" name={failureParameters.kind}>
            {option('', texts.all)}
            <optgroup label={texts.server}>{serverKinds.map((kind) => option(kind, texts.kinds[kind]))}</optgroup>
            <optgroup label={texts.api}>
              {option('api', texts.kinds.api)}
              {statuses.map((status) => option(statusChoice(status), texts.statuses[status]))}
            </optgroup>
          </select>
        </div>
        <TextField
          name={failureParameters.request}
          label={texts.requestId}
          hint={texts.requestIdHint}
          value={filter.request}
          autocomplete="off"
          optional={frame.messages.form.optional}
        />
        <Choice
          type="checkbox"
          name={failureParameters.own}
          value="on"
          label={texts.own}
          text={texts.ownHint}
          checked={filter.isOwn}
        />
        <p class="actions">
          <button class="button">{texts.show}</button>
          {!isFiltered(filter) ? null : (
            <a class="button quiet-button" href="?">
              {texts.showAll}
            </a>
          )}
        </p>
      </form>
    </search>
  );
}
