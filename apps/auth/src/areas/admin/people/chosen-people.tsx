/** One act on several accounts: shows whom it would be about, asks, and does it. */
import { findChosen } from '@linnet/accounts/account-search-store';
import type { ChosenAccount } from '@linnet/accounts/account-search-store';
import type { Queryable } from '@linnet/db/statement/transaction';
import type { VNode } from 'preact';

import { FormRefused } from '../../../pages/form/form.ts';
import type { Form } from '../../../pages/form/form.ts';
import type { Frame } from '../../../pages/frame/frame.ts';
import { redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import { ErrorSummary, PostForm } from '../../../pages/views/field.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaForm, AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { ReasonFields, isGentle, parseId, readReason, readText, reasonErrors } from '../act-form.tsx';
import type { RefusedReason } from '../act-form.tsx';
import { AdminLayout } from '../admin-layout.tsx';
import { act } from '../operator-door.tsx';
import { Facts, Name, chosenFields, pageSize } from './people.tsx';
import { bulkActNames, possibleActs, runPersonAct } from './person-acts.ts';
import type { BulkActName } from './person-acts.ts';

/** `/admin/people/chosen?act=&id=&id=` */
export function chosenPeopleRoute(db: Queryable): AreaPage {
  async function show({ ctx, frame }: Visit, { name, ids, ...rest }: ShownState, status = 200): Promise<void> {
    const people = await findChosen(db, ids);
    renderPage(ctx, <ChosenPeoplePage {...{ frame, name, people }} {...rest} />, { status });
  }

  async function change(visit: Visit, name: BulkActName, form: Form): Promise<void> {
    const ids = toIds(form.all(chosenFields.account));
    const { problem, ...reasons } = readReason(form, name);
    if (ids.length === 0 || problem !== undefined) {
      const refused = problem === undefined ? undefined : { action: name, ...reasons, problem };
      await show(visit, { name, ids, refused }, 422);
      return;
    }
    const changed: number[] = [];
    // One transaction per account: each is short, and an interrupted request can be repeated.
    for (const id of ids) {
      const isDone = await act(visit, reasons.reason, (within) =>
        runPersonAct(within, name, { id, shownReason: reasons.shownReason }),
      );
      if (isDone === undefined) return;
      if (!isDone) changed.push(id);
    }
    if (changed.length === 0) redirectTo(visit.ctx, pagePaths.adminPeople, name);
    else await show(visit, { name, ids: changed, isChangedSince: true }, 409);
  }

  const toForm = (name: BulkActName): AreaForm => ({
    stepUp: 'recent',
    act: async (visit, form) => await change(visit, name, form),
  });

  return {
    path: pagePaths.adminChosen,
    show: async (visit) => {
      const name = bulkActNames.find((one) => one === readText(visit.ctx, chosenFields.act));
      if (name === undefined) return;
      const ids = toIds([visit.ctx.query[chosenFields.account] ?? []].flat());
      await show(visit, { name, ids }, ids.length === 0 ? 422 : 200);
    },
    forms: Object.fromEntries(bulkActNames.map((name) => [name, toForm(name)])),
  };
}

/** Each once, in one order, so that two operators never wait for each other. @throws FormRefused */
function toIds(texts: readonly string[]): readonly number[] {
  const ids = [...new Set(texts.flatMap((text) => parseId(text) ?? []))].toSorted((a, b) => a - b);
  if (ids.length > pageSize) throw new FormRefused(400, `At most ${String(pageSize)} accounts can be changed at once.`);
  return ids;
}

interface PageState {
  readonly refused?: RefusedReason | undefined;
  /** Some accounts, which are shown, changed before the act; the others are done. */
  readonly isChangedSince?: boolean;
}

interface ShownState extends PageState {
  readonly name: BulkActName;
  readonly ids: readonly number[];
}

interface ChosenPeoplePageProps extends PageState {
  readonly frame: Frame;
  readonly name: BulkActName;
  readonly people: readonly ChosenAccount[];
}

export function ChosenPeoplePage(props: ChosenPeoplePageProps): VNode {
  const { frame, name, people, refused, isChangedSince = false } = props;
  const { people: texts, person, registrations } = frame.messages.admin;
  const chosen = people.filter((one) => possibleActs(one).includes(name));
  const others = people.filter((one) => !chosen.includes(one));
  const none = people.length === 0 ? registrations.noneChosen : undefined;
  return (
    <AdminLayout frame={frame} page="people" title={person.actTexts[name].label}>
      <ErrorSummary
        frame={frame}
        errors={reasonErrors(frame, refused)}
        problem={isChangedSince ? texts.bulk.changedSince : none}
      />
      {chosen.length === 0 ? null : <ConfirmForm {...props} people={chosen} />}
      {others.length === 0 ? null : (
        <section>
          <h2>{texts.bulk.leftOut(others.length)}</h2>
          <p>{texts.bulk.leftOutText}</p>
          <People frame={frame} people={others} testId="left-out" />
        </section>
      )}
      <p>
        <a href={pagePaths.adminPeople}>{texts.bulk.back}</a>
      </p>
    </AdminLayout>
  );
}

function ConfirmForm({ frame, name, people, refused }: ChosenPeoplePageProps): VNode {
  const { people: texts, person } = frame.messages.admin;
  const { text, label } = person.actTexts[name];
  return (
    <PostForm frame={frame} hidden={{ action: name }} testId={`act-${name}`}>
      {people.map(({ id }) => (
        <input key={id} type="hidden" name={chosenFields.account} value={String(id)} />
      ))}
      <p>{text}</p>
      <h2>{texts.bulk.chosen(people.length)}</h2>
      <People frame={frame} people={people} testId="chosen" />
      <ReasonFields frame={frame} field={name} refused={refused} isShown={name === 'suspend'} />
      <button class={isGentle(name) ? 'button' : 'button danger-button'}>{label}</button>
    </PostForm>
  );
}

interface PeopleProps extends Pick<ChosenPeoplePageProps, 'frame' | 'people'> {
  readonly testId: string;
}

function People({ frame, people, testId }: PeopleProps): VNode {
  return (
    <ul class="rows" data-testid={testId}>
      {people.map((person) => (
        <li key={person.id} class="row">
          <h3>
            <Name frame={frame} person={person} />
          </h3>
          <p class="quiet small">
            <Facts frame={frame} person={person} />
          </p>
        </li>
      ))}
    </ul>
  );
}
