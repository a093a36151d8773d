import { maxWordFilters } from '@linnet/contract/word-filter';
import type { WordFilterRow } from '@linnet/social/filter/word-filter-store';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { ComponentChildren, VNode } from 'preact';

import type { Form } from '../../pages/form/form.ts';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { Choice } from '../../pages/views/choice.tsx';
import { ErrorSummary, Options, PostForm, TextField, fieldId } from '../../pages/views/field.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { AccountLayout } from './account-layout.tsx';
import { ListedPerson } from './followers-page.tsx';
import type { Person } from './followers-page.tsx';
import { Paging } from './paging.tsx';
import type { Around } from './paging.tsx';

const day = 86_400_000;
const lengths = { never: undefined, day, week: 7 * day, month: 30 * day } as const;

/** When a filter or a mute ends by itself. */
export type Ends = keyof typeof lengths;

export const allEnds: readonly Ends[] = ['never', 'day', 'week', 'month'];

/** The choice in the field `ends`; `never` if it is malformed. */
export function readEnds(form: Form): Ends {
  const given = form.text('ends');
  return allEnds.find((ends) => ends === given) ?? 'never';
}

/** Counted from `now`; undefined: it has no end. */
export function toEnd(ends: Ends, now: Date): Date | undefined {
  const length = lengths[ends];
  return length === undefined ? undefined : new Date(now.getTime() + length);
}

/** Values of the hidden field `action`. */
export const hiddenActions = {
  addFilter: 'add-filter',
  /** With the field `id`, as the others that undo. */
  removeFilter: 'remove-filter',
  mute: 'mute',
  unmute: 'unmute',
  block: 'block',
  unblock: 'unblock',
} as const;

type Undo = 'removeFilter' | 'unmute' | 'unblock';

interface RowsProps {
  readonly frame: Frame;
  readonly action: Undo;
  readonly children: ComponentChildren;
}

/** A list of `Row`. One form for all rows: each button sends the id of its row. */
function Rows({ frame, action, children }: RowsProps): VNode {
  return (
    <PostForm frame={frame} hidden={{ action: hiddenActions[action] }}>
      <ul class="rows">{children}</ul>
    </PostForm>
  );
}

interface RowProps {
  readonly frame: Frame;
  readonly action: Undo;
  readonly id: number;
  /** Contains an element with the id `<action>-<id>`. */
  readonly children: VNode;
}

function Row({ frame, action, id, children }: RowProps): VNode {
  const { actions } = frame.messages.hidden;
  return (
    <li class="row with-action">
      {children}
      <button
        class="button quiet-button"
        name="id"
        value={id}
        data-testid={hiddenActions[action]}
        aria-describedby={`${action}-${String(id)}`}
      >
        {actions[action]}
      </button>
    </li>
  );
}

export const hiddenDone = ['filterAdded', 'filterRemoved', 'muted', 'unmuted', 'blocked', 'unblocked'] as const;

/** A page of the word filters, the newest first. */
interface HiddenWords extends Around {
  readonly items: readonly Pick<WordFilterRow, 'id' | 'text' | 'part' | 'endsAt'>[];
  /** On all pages. */
  readonly total: number;
}

interface HiddenPerson extends Person {
  /** Of a mute; null: it has no end. */
  readonly endsAt: Date | null;
}

/** A page of accounts, the newest first. */
interface HiddenPeople extends Around {
  readonly items: readonly HiddenPerson[];
}

/** What was entered in the form that was refused. */
export interface HiddenValues {
  readonly text?: string;
  readonly isPart?: boolean;
  readonly mute?: string;
  readonly block?: string;
  readonly ends?: Ends;
}

export interface HiddenPageProps {
  readonly frame: Frame;
  readonly filters: HiddenWords;
  readonly muted: HiddenPeople;
  readonly blocked: HiddenPeople;
  readonly values?: HiddenValues;
  readonly errors?: FieldErrors<'text' | 'mute' | 'block'>;
  readonly isThrottled?: boolean;
  readonly done?: (typeof hiddenDone)[number] | undefined;
}

/** What the person does not want to see: words, and the accounts that are muted or blocked. */
export function HiddenPage(props: HiddenPageProps): VNode {
  const { frame, errors = {}, isThrottled = false, done } = props;
  const { hidden: texts, people } = frame.messages;
  return (
    <AccountLayout frame={frame} page="hidden" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      {done === undefined ? null : <Notice kind="done">{texts.done[done]}</Notice>}
      <ErrorSummary frame={frame} errors={errors} problem={isThrottled ? people.throttled : undefined} />
      <Filters {...props} />
      <Muted {...props} />
      <Blocked {...props} />
    </AccountLayout>
  );
}

function Filters(props: HiddenPageProps): VNode {
  const { frame, filters } = props;
  const { filters: texts } = frame.messages.hidden;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{texts.text}</p>
      {filters.total === 0 ? <p class="empty">{texts.none}</p> : <FilterRows frame={frame} filters={filters} />}
      {filters.total < maxWordFilters ? <AddFilter {...props} /> : <Notice kind="warning">{texts.full}</Notice>}
    </section>
  );
}

function FilterRows({ frame, filters }: Pick<HiddenPageProps, 'frame' | 'filters'>): VNode {
  const { filters: texts } = frame.messages.hidden;
  const { items, newer, older } = filters;
  return (
    <>
      <Rows frame={frame} action="removeFilter">
        {items.map(({ id, text, part, endsAt }) => (
          <Row key={id} frame={frame} action="removeFilter" id={id}>
            <p id={`removeFilter-${String(id)}`}>
              <UserText strong text={text} />
              <Note>{part ? texts.part : texts.word}</Note>
              <End frame={frame} at={endsAt} />
            </p>
          </Row>
        ))}
      </Rows>
      <Paging frame={frame} label={texts.title} newer={newer} older={older} />
    </>
  );
}

function AddFilter({ frame, values = {}, errors = {} }: HiddenPageProps): VNode {
  const { filters: texts } = frame.messages.hidden;
  return (
    <PostForm frame={frame} hidden={{ action: hiddenActions.addFilter }} class="panel">
      <TextField
        name="text"
        label={texts.field}
        value={values.text}
        hint={texts.hint}
        error={errors.text}
        autocomplete="off"
      />
      <Choice type="checkbox" name="part" value="yes" label={texts.part} checked={values.isPart === true} />
      <EndChoice frame={frame} of="filter" chosen={values.text === undefined ? undefined : values.ends} />
      <button class="button" data-testid="add-filter">
        {texts.submit}
      </button>
    </PostForm>
  );
}

function Muted({ frame, muted, values = {}, errors = {} }: HiddenPageProps): VNode {
  const { muted: texts } = frame.messages.hidden;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{texts.text}</p>
      <PeopleRows frame={frame} people={muted} undo="unmute" texts={texts} />
      <PostForm frame={frame} hidden={{ action: hiddenActions.mute }} class="panel">
        <UsernameField frame={frame} name="mute" value={values.mute} error={errors.mute} />
        <EndChoice frame={frame} of="mute" chosen={values.mute === undefined ? undefined : values.ends} />
        <button class="button" data-testid="mute">
          {texts.submit}
        </button>
      </PostForm>
    </section>
  );
}

function Blocked({ frame, blocked, values = {}, errors = {} }: HiddenPageProps): VNode {
  const { blocked: texts } = frame.messages.hidden;
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{texts.text}</p>
      <PeopleRows frame={frame} people={blocked} undo="unblock" texts={texts} />
      <PostForm frame={frame} hidden={{ action: hiddenActions.block }} class="panel">
        <UsernameField frame={frame} name="block" value={values.block} error={errors.block} />
        <button class="button danger-button" data-testid="block">
          {texts.submit}
        </button>
      </PostForm>
    </section>
  );
}

interface PeopleRowsProps {
  readonly frame: Frame;
  readonly people: HiddenPeople;
  readonly undo: 'unmute' | 'unblock';
  readonly texts: { readonly title: string; readonly none: string };
}

function PeopleRows({ frame, people, undo, texts }: PeopleRowsProps): VNode {
  const { items, ...around } = people;
  if (items.length === 0) return <p class="empty">{texts.none}</p>;
  return (
    <>
      <Rows frame={frame} action={undo}>
        {items.map((person) => (
          <Row key={person.id} frame={frame} action={undo} id={person.id}>
            <ListedPerson id={`${undo}-${String(person.id)}`} person={person}>
              <End frame={frame} at={person.endsAt} />
            </ListedPerson>
          </Row>
        ))}
      </Rows>
      <Paging frame={frame} {...around} label={texts.title} />
    </>
  );
}

function Note({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <>
      <br />
      <span class="quiet small">{children}</span>
    </>
  );
}

function End({ frame, at }: { readonly frame: Frame; readonly at: Date | null }): VNode | null {
  const { formatMinute, hidden } = frame.messages;
  return at === null ? null : <Note>{hidden.until(formatMinute(at))}</Note>;
}

interface UsernameFieldProps {
  readonly frame: Frame;
  readonly name: 'mute' | 'block';
  readonly value: string | undefined;
  readonly error: string | undefined;
}

function UsernameField({ frame, ...field }: UsernameFieldProps): VNode {
  const { username, usernameHint } = frame.messages.hidden;
  return <TextField {...field} label={username} hint={usernameHint} autocomplete="off" />;
}

interface EndChoiceProps {
  readonly frame: Frame;
  readonly of: 'filter' | 'mute';
  readonly chosen: Ends | undefined;
}

function EndChoice({ frame, of, chosen = 'never' }: EndChoiceProps): VNode {
  const { ends, endings } = frame.messages.hidden;
  const id = fieldId(`${of}-ends`);
  return (
    <div class="field">
      <label for={id}>{ends}</label>
      <Options id={id} name="ends" chosen={chosen} options={allEnds.map((one) => [one, endings[one]])} />
    </div>
  );
}
