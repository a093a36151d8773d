/** Texts of the pages about errors of the API, in Spanish. */
export const problems = {
  title: 'Errores de la API',
  intro: 'Cada problema con el que responde la API tiene uno de estos códigos.',
  code: 'Código',
  status: 'Estado HTTP',
  meaning: 'Cuándo ocurre',
  remedy: 'Qué hacer',
  example: 'Ejemplo de respuesta',
  calls: 'Llamadas que responden así',
  every: 'Todas las llamadas.',
  all: 'Todos los errores',
};
