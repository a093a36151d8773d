import type { Accounts } from '@linnet/accounts/accounts';
import { NameRefused } from '@linnet/accounts/names/name-rules';
import { isUsername, parseProfile } from '@linnet/accounts/profile';
import { createTestPerson, deleteTestPerson, listTestPeople, maxTestPeople } from '@linnet/accounts/test-people-store';
import type { TestPerson } from '@linnet/accounts/test-people-store';
import type { Transactional } from '@linnet/db/statement/transaction';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Form } from '../../pages/form/form.ts';
import type { FieldErrors, Frame } from '../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { ErrorSummary, PostForm, TextField, findTyped } from '../../pages/views/field.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { Notice } from '../../pages/views/notice.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';

/** Values of the hidden field `action`; all but the first come with the field `id`. */
const actions = { create: 'create', save: 'save', delete: 'delete' } as const;
const done = ['created', 'saved', 'deleted'] as const;

/** Each person has fields of its own, because all of them are on one page. */
const fieldOf = (name: 'username' | 'first_name' | 'last_name', id: number) => `${name}_${String(id)}`;

interface TestPeoplePageProps {
  readonly frame: Frame;
  readonly people: readonly TestPerson[];
  readonly done?: (typeof done)[number] | undefined;
  readonly problem?: string;
  /** The one whose new name was refused, with what was typed. */
  readonly refused?: (Omit<TestPerson, 'createdAt'> & { readonly errors: FieldErrors<string> }) | undefined;
}

/** The test people of a developer. */
export function TestPeoplePage({ frame, people, done: said, problem, refused }: TestPeoplePageProps): VNode {
  const { list, testPeople: texts } = frame.messages.developer;
  return (
    <Layout frame={frame} title={texts.title} kind="area" section="applications">
      <p>
        <a href={pagePaths.applications}>{list.title}</a>
      </p>
      <h1>{texts.title}</h1>
      <p class="lead">{texts.intro}</p>
      {said === undefined ? null : <Notice kind="done">{texts.done[said]}</Notice>}
      <ErrorSummary frame={frame} errors={refused?.errors ?? {}} problem={problem} />
      <p>
        {texts.use} <a href={pagePaths.guide('going-live')}>{frame.messages.guides.read}</a>
      </p>
      {people.length === 0 ? (
        <p class="empty">{texts.empty}</p>
      ) : (
        <ul class="rows">
          {people.map((person) => (
            <Row key={person.id} {...{ frame, person }} refused={refused?.id === person.id ? refused : undefined} />
          ))}
        </ul>
      )}
      {people.length >= maxTestPeople ? (
        <p class="quiet">{texts.enough(maxTestPeople)}</p>
      ) : (
        <PostForm frame={frame} hidden={{ action: actions.create }}>
          <button class="button" data-testid="create-test-person">
            {texts.create}
          </button>
        </PostForm>
      )}
    </Layout>
  );
}

interface RowProps {
  readonly frame: Frame;
  readonly person: TestPerson;
  readonly refused: TestPeoplePageProps['refused'];
}

function Row({ frame, person, refused }: RowProps): VNode {
  const { messages } = frame;
  const { list, testPeople: texts } = messages.developer;
  const { id, username, firstName, lastName, createdAt } = person;
  const typed = refused ?? person;
  const hidden = { action: actions.save, id: String(id) };
  const nameId = `test-person-${String(id)}`;
  const fields = [
    ['username', texts.username, typed.username],
    ['first_name', texts.firstName, typed.firstName],
    ['last_name', texts.lastName, typed.lastName],
  ] as const;
  return (
    <li class="row" data-testid="test-person">
      <h2 id={nameId}>
        <UserText text={`@${username}`} />
      </h2>
      <p class="quiet small">
        <UserText text={`${firstName} ${lastName}`} /> ·{' '}
        <time datetime={createdAt.toISOString()}>{list.created(messages.formatDay(createdAt))}</time>
      </p>
      <details open={refused !== undefined || findTyped(frame, hidden) !== undefined}>
        <summary aria-describedby={nameId}>{texts.edit}</summary>
        <PostForm frame={frame} hidden={hidden} class="panel">
          {fields.map(([name, label, value]) => (
            <TextField
              key={name}
              {...{ label, value }}
              name={fieldOf(name, id)}
              error={refused?.errors[fieldOf(name, id)]}
              autocomplete="off"
            />
          ))}
          <button class="button" data-testid="save-test-person">
            {texts.save}
          </button>
        </PostForm>
        <PostForm frame={frame} hidden={{ action: actions.delete, id: String(id) }}>
          <p>{texts.deleteText}</p>
          <button class="button danger-button" data-testid="delete-test-person" aria-describedby={nameId}>
            {texts.delete}
          </button>
        </PostForm>
      </details>
    </li>
  );
}

interface TestPeopleOptions {
  readonly db: Transactional;
  readonly accounts: Pick<Accounts, 'rename' | 'updateProfile'>;
}

type State = Omit<TestPeoplePageProps, 'frame' | 'people'> & { readonly status?: number };

/** `/developer/test-people` */
export function testPeopleRoute(options: TestPeopleOptions): AreaPage {
  const { db } = options;
  const show = async ({ ctx, frame, session }: Visit, { status = 200, ...state }: State) => {
    const people = await listTestPeople(db, session.accountId);
    renderPage(ctx, <TestPeoplePage {...{ frame, people }} {...state} />, { status });
  };
  return {
    path: pagePaths.testPeople,
    show: async (visit) => await show(visit, { done: findDone(visit.ctx, done) }),
    forms: {
      [actions.create]: {
        stepUp: 'none',
        act: async (visit) => {
          const outcome = await createTestPerson(visit.sessionDb, visit.session.accountId);
          if (outcome === 'created') redirectTo(visit.ctx, pagePaths.testPeople, 'created');
          else await show(visit, { status: 409, problem: problemOf(visit, outcome) });
        },
      },
      [actions.save]: {
        stepUp: 'none',
        act: async (visit, form) => {
          const refused = await save(options, visit, form);
          if (refused === undefined) redirectTo(visit.ctx, pagePaths.testPeople, 'saved');
          else await show(visit, { status: 422, refused });
        },
      },
      [actions.delete]: {
        stepUp: 'none',
        act: async (visit, form) => {
          await deleteTestPerson(visit.sessionDb, visit.session.accountId, idOf(form));
          redirectTo(visit.ctx, pagePaths.testPeople, 'deleted');
        },
      },
    },
  };
}

function problemOf({ frame }: Visit, outcome: 'limit' | 'later'): string {
  const { testPeople: texts } = frame.messages.developer;
  return outcome === 'limit' ? texts.enough(maxTestPeople) : texts.later;
}

/** -1 is the id of no account. */
function idOf(form: Form): number {
  const id = Number(form.text('id'));
  return Number.isSafeInteger(id) ? id : -1;
}

type Names = Pick<TestPerson, 'username' | 'firstName' | 'lastName'>;
type NameErrors = Partial<Record<'username' | 'first_name' | 'last_name', string>>;

/** Returns what is refused, if anything. A person that is gone needs nothing. */
async function save(
  { db, accounts }: TestPeopleOptions,
  { frame, session }: Visit,
  form: Form,
): Promise<TestPeoplePageProps['refused']> {
  const id = idOf(form);
  const people = await listTestPeople(db, session.accountId);
  if (people.every((person) => person.id !== id)) return undefined;
  const names = {
    username: form.text(fieldOf('username', id)).trim(),
    firstName: form.text(fieldOf('first_name', id)).trim(),
    lastName: form.text(fieldOf('last_name', id)).trim(),
  };
  const errors = findErrors(frame, names) ?? (await rename(accounts, frame, { id, ...names }));
  if (errors === undefined) return undefined;
  const ofFields = Object.entries(errors).map(([name, text]) => [`${name}_${String(id)}`, text] as const);
  return { id, ...names, errors: Object.fromEntries(ofFields) };
}

function findErrors({ messages }: Frame, { username, firstName, lastName }: Names): NameErrors | undefined {
  const { errors: texts } = messages.developer.testPeople;
  const { wrong } = parseProfile({ first_name: firstName, last_name: lastName });
  const errors = {
    ...(isUsername(username) ? {} : { username: texts.username }),
    ...(wrong?.has('first_name') === true ? { first_name: texts.name } : {}),
    ...(wrong?.has('last_name') === true ? { last_name: texts.name } : {}),
  };
  return Object.keys(errors).length === 0 ? undefined : errors;
}

async function rename(
  accounts: TestPeopleOptions['accounts'],
  { messages }: Frame,
  { id: accountId, username, firstName, lastName }: Names & Pick<TestPerson, 'id'>,
): Promise<NameErrors | undefined> {
  const { errors: texts } = messages.developer.testPeople;
  try {
    const renamed = await accounts.rename({ accountId, username });
    if (renamed?.isTaken === true) return { username: texts.taken };
    if (typeof renamed?.retryAfterSeconds === 'number') return { username: texts.tooMany };
    await accounts.updateProfile({ accountId, firstName, lastName, displayName: `${firstName} ${lastName}` });
    return undefined;
  } catch (error) {
    if (error instanceof NameRefused) return { first_name: texts.refused };
    throw error;
  }
}
