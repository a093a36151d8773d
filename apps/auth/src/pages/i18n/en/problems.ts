/** Texts of the pages about errors of the API. */
export const problems = {
  title: 'API errors',
  intro: 'Every error response of the API has one of these codes.',
  code: 'Code',
  status: 'HTTP status',
  meaning: 'When it happens',
  remedy: 'What to do',
  example: 'Example response',
  calls: 'Endpoints that return it',
  every: 'Every endpoint.',
  all: 'All errors',
};
