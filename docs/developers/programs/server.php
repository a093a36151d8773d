<?php
use Firebase\JWT\JWK;
use Firebase\JWT\JWT;

require __DIR__ . '/vendor/autoload.php';

const ISSUER = 'http://localhost:3000';
const CLIENT_ID = 'YOUR_CLIENT_ID';
const REDIRECT_URI = 'http://127.0.0.1:4000/callback';

session_start(['cookie_httponly' => true, 'cookie_samesite' => 'Lax']);
try {
    $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
    if ($path === '/callback' && isset($_SESSION['attempt'])) {
        $attempt = $_SESSION['attempt'];
        unset($_SESSION['attempt']);
        $username = finish_sign_in($_GET, $attempt);
        session_regenerate_id(true);
        $_SESSION['username'] = $username;
        header('Location: /');
    } elseif (isset($_SESSION['username'])) {
        echo "Signed in as {$_SESSION['username']}";
    } else {
        $_SESSION['attempt'] = ['state' => random(), 'nonce' => random(), 'verifier' => random()];
        header('Location: ' . sign_in_address($_SESSION['attempt']));
    }
} catch (Exception $error) {
    error_log($error);
    http_response_code(502);
    echo 'Sign-in failed. Please try again.';
}

function sign_in_address(array $attempt): string
{
    return ISSUER . '/oauth/authorize?' . http_build_query([
        'response_type' => 'code',
        'client_id' => CLIENT_ID,
        'redirect_uri' => REDIRECT_URI,
        'scope' => 'openid profile',
        'state' => $attempt['state'],
        'nonce' => $attempt['nonce'],
        'code_challenge' => base64url(hash('sha256', $attempt['verifier'], true)),
        'code_challenge_method' => 'S256',
    ]);
}

function finish_sign_in(array $callback, array $attempt): string
{
    if (($callback['state'] ?? '') !== $attempt['state'] || ($callback['iss'] ?? '') !== ISSUER) {
        throw new RuntimeException("not the answer to this session's request");
    }
    $tokens = request_tokens([
        'grant_type' => 'authorization_code',
        'code' => $callback['code'] ?? throw new RuntimeException($callback['error'] ?? 'no code'),
        'redirect_uri' => REDIRECT_URI,
        'code_verifier' => $attempt['verifier'],
    ]);
    // Checks the signature and the times. Cache the keys.
    $claims = JWT::decode($tokens['id_token'], JWK::parseKeySet(fetch_json('/oauth/jwks')));
    if ($claims->iss !== ISSUER || $claims->aud !== CLIENT_ID || $claims->nonce !== $attempt['nonce']) {
        throw new RuntimeException('the ID token is of another request');
    }
    return $claims->preferred_username;
}

// Also renews tokens, with grant_type=refresh_token and refresh_token.
function request_tokens(array $form): array
{
    return fetch_json('/oauth/token', [
        CURLOPT_USERPWD => CLIENT_ID . ':' . getenv('CLIENT_SECRET'),
        CURLOPT_POSTFIELDS => http_build_query($form),
    ]);
}

function fetch_json(string $path, array $options = []): array
{
    $curl = curl_init(ISSUER . $path);
    curl_setopt_array($curl, $options + [CURLOPT_RETURNTRANSFER => true]);
    $body = curl_exec($curl);
    if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200) {
        throw new RuntimeException($body ?: curl_error($curl));
    }
    return json_decode($body, true);
}

function random(): string
{
    return base64url(random_bytes(32));
}

function base64url(string $bytes): string
{
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}
