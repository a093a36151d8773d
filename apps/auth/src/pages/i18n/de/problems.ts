/** Texts of the pages about errors of the API, in German. */
export const problems = {
  title: 'Fehler der API',
  intro: 'Jedes Problem, mit dem die API antwortet, hat einen dieser Codes.',
  code: 'Code des Fehlers',
  status: 'HTTP-Status',
  meaning: 'Wann er auftritt',
  remedy: 'Was zu tun ist',
  example: 'Beispielantwort',
  calls: 'Aufrufe, die so antworten',
  every: 'Jeder Aufruf.',
  all: 'Alle Fehler',
};
