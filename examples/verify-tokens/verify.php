<?php
// Verifies an access token in PHP. Needs: composer require firebase/php-jwt
// Cache the key set (Firebase\JWT\CachedKeySet) in an application that serves more than one request.

use Firebase\JWT\JWK;
use Firebase\JWT\JWT;

/** Returns the claims. Throws if the token is not valid for this API. */
function verify(string $token, string $issuer, string $audience): stdClass
{
    $keys = json_decode(file_get_contents("$issuer/oauth/jwks"), true);
    $header = new stdClass();
    $claims = JWT::decode($token, JWK::parseKeySet($keys), $header);
    // The library checks signature and times only, and an ID token is no access token (RFC 9068 §4).
    // ES256, or RS256, as your API has chosen.
    $isOurs = ($header->typ ?? '') === 'at+jwt' && $header->alg === 'ES256';
    if (!$isOurs || $claims->iss !== $issuer || $claims->aud !== $audience) {
        throw new UnexpectedValueException('The token is not for this API.');
    }
    return $claims;
}

$claims = verify(getenv('TOKEN'), getenv('ISSUER'), getenv('AUDIENCE'));
echo "$claims->sub $claims->client_id $claims->scope\n";
