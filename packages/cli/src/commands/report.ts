import { actWithReason } from '@linnet/accounts/operators/operator-act';
import type { Transactional } from '@linnet/db/statement/transaction';
import { possibleOutcomes, resolveCase } from '@linnet/social/report/report-resolution-store';
import {
  caseOrders,
  findCase,
  findOpenCases,
  reportOutcomes,
  reportRules,
} from '@linnet/social/report/report-queue-store';
import type { CaseOrder, ReportCase, ReportOutcome, ReportRule } from '@linnet/social/report/report-queue-store';
import { Argument, Option } from 'commander';
import type { Command } from 'commander';

import { requireConfirmation, toSubject } from '../confirmation.ts';
import { CommandError } from '../failure.ts';
import { withDatabase } from '../operating-database.ts';
import { toOneLine, toList, toTable } from '../output.ts';
import { addCommand } from './add-command.ts';
import { invoke, parseCount, reasonOption } from './command.ts';

const defaultLimit = 50;
const maxLimit = 1000;
const reportsShown = 1000;
/** Of texts in tables. */
const shownCharacters = 80;

/** `linnet report …` */
export function addReport(program: Command): void {
  const report = program.command('report').description('see what people reported, and resolve it');
  addCommand(report, { usage: 'list', summary: 'list reported accounts, posts and comments that are open' })
    .addOption(new Option('--order <order>', 'most reported or newest first').choices(caseOrders).default('most'))
    .option('--limit <number>', `at most this many, up to ${String(maxLimit)}`, parseCount(maxLimit), defaultLimit)
    .action(listCases);
  addCommand(report, { usage: 'show <case>', summary: 'show what was reported, by whom and why' }).action(showCase);
  addCommand(report, { usage: 'resolve <case>', summary: 'close all reports of a case; see "linnet report list"' })
    // The name says what to choose from when it is missing.
    .addArgument(new Argument(`<${reportOutcomes.join('|')}>`, 'what to do').choices(reportOutcomes))
    .option('--delete-posts', 'also delete all posts and comments of the account')
    .addOption(
      new Option(
        '--rule <rule>',
        'what it breaks, for the mail to the people; by default the most frequent reason',
      ).choices(reportRules),
    )
    .option('--yes', 'do not ask before all posts are deleted')
    .addOption(reasonOption())
    .action(resolve);
}

interface ListOptions {
  readonly order: CaseOrder;
  readonly limit: number;
  readonly json?: boolean;
}

async function listCases({ order, limit, json }: ListOptions): Promise<void> {
  const { config, output } = invoke(json);
  const found = await withDatabase(config, (db) => findOpenCases(db, { order, after: undefined, limit }));
  const rows = found.map((one) => [
    ...[String(one.id), String(one.reports), one.type, one.username, one.reasons.join(', ')],
    toOneLine(one.content, shownCharacters),
  ]);
  const headings = ['case', 'reports', 'type', 'account', 'reasons', 'content'];
  output.result(found.map(toDocument), toTable(headings, rows));
}

async function showCase(id: string, { json }: { readonly json?: boolean }): Promise<void> {
  const { config, output } = invoke(json);
  const found = await withDatabase(config, (db) => findCase(db, parseId(id), reportsShown));
  if (found === undefined) throw caseNotFound(id);
  const reports = found.latest.map(({ reporter, reason, text, content, createdAt }) => ({
    reporter,
    reason,
    text,
    content,
    created: createdAt.toISOString(),
  }));
  const facts = Object.entries(toDocument(found)).map(([name, value]) => [name, toOneLine(String(value))] as const);
  const rows = reports.map(({ reporter, reason, created, text }) => [
    reporter ?? '-',
    reason,
    created,
    toOneLine(text, shownCharacters),
  ]);
  const text = `${toList(facts)}\n\n${toTable(['reporter', 'reason', 'time', 'text'], rows)}`;
  output.result({ ...toDocument(found), latest: reports }, text);
}

interface ResolveOptions {
  readonly deletePosts?: boolean;
  readonly rule?: ReportRule;
  readonly yes?: boolean;
  readonly reason: string;
  readonly json?: boolean;
}

async function resolve(id: string, outcome: ReportOutcome, options: ResolveOptions): Promise<void> {
  const { deletePosts: deletesPosts = false, rule, yes = false, reason, json } = options;
  const { config, output } = invoke(json);
  await withDatabase(config, async (db) => {
    const found = await findCase(db, parseId(id), 1);
    if (found === undefined) throw caseNotFound(id);
    const isPossible = possibleOutcomes(found, deletesPosts).includes(outcome);
    if (deletesPosts && isPossible) {
      const accounts = [{ id: found.accountId, username: found.username }];
      await requireConfirmation({
        verb: 'delete all posts and comments of',
        subjects: accounts.map(toSubject),
        isConfirmed: yes,
      });
    }
    const databases = {
      outside: db,
      act: async <Result>(work: (within: Transactional) => Promise<Result>) => await actWithReason(db, reason, work),
    };
    if (isPossible && (await resolveCase(databases, found.id, { outcome, deletesPosts, rule })) === true) return;
    const why = isPossible
      ? 'it was resolved or erased just now'
      : 'it is resolved, the account is an operator or deleted, or --delete-posts does not go with the outcome';
    throw new CommandError('report-not-resolved', `Nothing was done with the case ${id}: ${why}.`);
  });
  output.result({ ok: true }, `The case ${id} is resolved: ${outcome}.`);
}

function parseId(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw caseNotFound(text);
}

function caseNotFound(id: string): CommandError {
  return new CommandError(
    'report-not-found',
    `There is no case ${JSON.stringify(id)}. "linnet report list" shows the open ones.`,
  );
}

function toDocument(one: ReportCase) {
  return {
    case: one.id,
    type: one.type,
    item_id: one.subjectId,
    exists: one.exists,
    account: one.username,
    reports: one.reports,
    reasons: one.reasons,
    content: one.content,
    created: one.createdAt.toISOString(),
    latest_at: one.latestAt.toISOString(),
    state: one.outcome ?? 'open',
    rule: one.rule,
  };
}
