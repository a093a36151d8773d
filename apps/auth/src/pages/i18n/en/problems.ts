/** Texts of the pages about errors of the API. */
export const problems = {
  title: 'Errors of the API',
  intro: 'Each problem that the API responds with has one of these codes.',
  code: 'Code',
  status: 'HTTP status',
  meaning: 'When it happens',
  remedy: 'What to do',
  example: 'Example response',
  calls: 'Calls that respond with it',
  every: 'Every call.',
  all: 'All errors',
};
