/** Texts of the pages about errors of the API, in Spanish. */
export const problems = {
  title: 'Errores de la API',
  intro: 'Cada respuesta de error de la API tiene uno de estos códigos.',
  code: 'Código',
  status: 'Estado HTTP',
  meaning: 'Cuándo ocurre',
  remedy: 'Qué hacer',
  example: 'Ejemplo de respuesta',
  calls: 'Puntos de conexión que lo devuelven',
  every: 'Todos.',
  all: 'Todos los errores',
};
