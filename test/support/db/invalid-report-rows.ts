import type { Row } from './valid-rows.ts';

const another = { id: 2, subject_id: 2 };

/** Changes of a second case or report, and the constraint that rejects each. */
export const invalidReportRows: [table: 'report_case' | 'report', changes: Row, rejectedBy: string][] = [
  ['report_case', {}, 'report_case_pkey'],
  ['report_case', { id: 2 }, 'report_case_open_key'],
  ['report_case', { id: 2, resolved_at: '2026-11-20', outcome: 'dismissed', rule: 'spam' }, 'accepted'],
  ['report_case', { ...another, account_id: 999 }, 'report_case_account_id_fkey'],
  ['report_case', { ...another, post_id: null }, 'report_case_post_check'],
  ['report_case', { ...another, subject_type: 'account' }, 'report_case_post_check'],
  ['report_case', { ...another, reports_count: 0 }, 'report_case_count_check'],
  ['report_case', { ...another, outcome: 'deleted' }, 'report_case_resolved_check'],
  ['report_case', { ...another, rule: 'spam' }, 'report_case_resolved_check'],
  ['report_case', { ...another, posts_deleted: true }, 'report_case_posts_deleted_check'],
  ['report', {}, 'report_pkey'],
  ['report', { id: 2 }, 'report_case_id_reporter_id_key'],
  ['report', { id: 2, reporter_id: null }, 'accepted'],
  ['report', { id: 2, case_id: 999 }, 'report_case_id_fkey'],
  ['report', { id: 2, reporter_id: 999 }, 'report_reporter_id_fkey'],
  ['report', { id: 2, reporter_id: null, text: 'x'.repeat(1001) }, 'report_text_check'],
];
