/** What the list of people shows: the same as `linnet user search` and the filters of `linnet user suspend`. */
import { accountStates } from '@linnet/accounts/account-search-store';
import type { AccountSearch } from '@linnet/accounts/account-search-store';
import { toMailDomain } from '@linnet/accounts/mailbox';
import { parseMoment, toBlockValue } from '@linnet/accounts/registrations/block';
import type { Context } from 'koa';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { TextField } from '../../../pages/views/field.tsx';
import { Select, readText } from '../act-form.tsx';
import { SearchForm } from '../search-form.tsx';

export interface PeopleQuery {
  readonly q: string;
  readonly state: string;
  readonly domain: string;
  readonly network: string;
  readonly since: string;
}

export type WrongField = 'domain' | 'network' | 'since';

export function readPeopleQuery(ctx: Pick<Context, 'query'>): PeopleQuery {
  const read = (name: keyof PeopleQuery) => readText(ctx, name);
  return { q: read('q'), state: read('state'), domain: read('domain'), network: read('network'), since: read('since') };
}

interface PeopleFilter {
  readonly search: Omit<AccountSearch, 'before' | 'limit'>;
  readonly wrong: readonly WrongField[];
}

export function toPeopleFilter(query: PeopleQuery): PeopleFilter {
  const state = accountStates.find((one) => one === query.state);
  const emailDomain = toMailDomain(query.domain);
  const network = toBlockValue('network', query.network);
  const registeredAfter = parseMoment(query.since);
  const wrong: readonly WrongField[] = [
    ...(query.domain !== '' && emailDomain === undefined ? ['domain' as const] : []),
    ...(query.network !== '' && network === undefined ? ['network' as const] : []),
    ...(registeredAfter === undefined ? ['since' as const] : []),
  ];
  return {
    wrong,
    search: { text: query.q, state, emailDomain, network, registeredAfter: registeredAfter ?? undefined },
  };
}

interface PeopleFilterFormProps {
  readonly frame: Frame;
  readonly query: PeopleQuery;
  /** By the name of the field. */
  readonly errors: Readonly<Record<string, string>>;
}

export function peopleErrors({ messages }: Frame, wrong: readonly WrongField[]): Readonly<Record<string, string>> {
  const { people, audit } = messages.admin;
  const errors = { ...people.errors, since: audit.errors.day };
  return Object.fromEntries(wrong.map((name) => [name, errors[name]]));
}

export function PeopleFilterForm({ frame, query, errors }: PeopleFilterFormProps): VNode {
  const { people: texts, audit } = frame.messages.admin;
  const { q, state, ...others } = query;
  const field = (name: WrongField, hint: string) => (
    <TextField
      name={name}
      label={texts.fields[name]}
      hint={hint}
      value={query[name]}
      error={errors[name]}
      optional={frame.messages.form.optional}
      autocomplete="off"
    />
  );
  return (
    <SearchForm frame={frame} label={texts.field} hint={texts.hint} value={q}>
      <details open={state !== '' || Object.values(others).some((text) => text !== '')}>
        <summary>{audit.moreFilters}</summary>
        <div class="pair">
          {field('domain', texts.hints.domain)}
          {field('network', texts.hints.network)}
          {field('since', audit.hints.day)}
          <Select
            name="state"
            label={texts.fields.state}
            chosen={state}
            options={['', ...accountStates]}
            texts={{ '': texts.anyState, ...texts.states }}
          />
        </div>
      </details>
    </SearchForm>
  );
}
