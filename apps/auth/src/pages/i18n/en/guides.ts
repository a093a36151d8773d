import type { RichText } from '../rich-text.ts';

/** Texts around the guides of the documentation. */
export const guides = {
  title: 'Documentation',
  all: 'All guides',
  navigation: 'Guides',
  /** The guides themselves are not translated. */
  inEnglish: 'The guides are in English.',
  read: 'Read the guide',
  onThisPage: 'On this page',
  previous: 'Previous',
  next: 'Next',
  neighbours: 'Previous and next guide',
  groups: { start: 'Get started', access: 'Access', api: 'The API', launch: 'Launch' },
  application: { label: 'Application in the examples', submit: 'Show' },
  search: {
    title: 'Search the documentation',
    label: 'Search the documentation',
    submit: 'Search',
    results: (count: number, query: RichText): RichText => {
      if (count === 0) return ['Nothing found for “', query, '”.'];
      return count === 1 ? ['1 result for “', query, '”'] : [`${String(count)} results for “`, query, '”'];
    },
  },
};
