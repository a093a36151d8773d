/** Texts of the pages about errors of the API, in German. */
export const problems = {
  title: 'Fehler der API',
  intro: 'Jede Fehlerantwort der API hat einen dieser Codes.',
  code: 'Code des Fehlers',
  status: 'HTTP-Status',
  meaning: 'Wann er auftritt',
  remedy: 'Was zu tun ist',
  example: 'Beispielantwort',
  calls: 'Endpunkte, die so antworten',
  every: 'Jeder Endpunkt.',
  all: 'Alle Fehler',
};
