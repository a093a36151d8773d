// For introspect.conf. Asks about the token of a request: 204, 401 if it is not valid for this API, or 503.

async function check(request) {
  try {
    await answer(request);
  } catch (error) {
    request.error(`The token cannot be introspected: ${error.message}`);
    request.return(503); // nginx answers 500
  }
}

async function answer(request) {
  const token = /^Bearer +(\S+)$/i.exec(request.headersIn.Authorization || '');
  const claims = token ? await introspect(token[1]) : { active: false };
  // A token with another type is bound to a key, whose proof this program does not check.
  if (!claims.active || claims.token_type !== 'Bearer' || claims.aud !== process.env.AUDIENCE) {
    request.headersOut['X-Challenge'] = token ? 'Bearer error="invalid_token"' : 'Bearer';
    request.return(401);
    return;
  }
  request.headersOut['X-Subject'] = claims.sub;
  request.headersOut['X-Scope'] = claims.scope;
  request.return(204);
}

async function introspect(token) {
  const credentials = `${process.env.CLIENT_ID}:${process.env.CLIENT_SECRET}`;
  const response = await ngx.fetch(`${process.env.ISSUER}/oauth/introspect`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: `token=${encodeURIComponent(token)}`,
  });
  return await response.json();
}

export default { check };
