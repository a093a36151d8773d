<?php
const BASE_URL = 'http://localhost:3000';

function send(string $path, array $options): array
{
    $curl = curl_init(BASE_URL . $path);
    curl_setopt_array($curl, $options + [CURLOPT_RETURNTRANSFER => true]);
    $body = curl_exec($curl);
    if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200) {
        throw new RuntimeException($body ?: curl_error($curl));
    }
    return json_decode($body, true);
}

$tokens = send('/oauth/token', [
    CURLOPT_POSTFIELDS => 'grant_type=client_credentials',
    CURLOPT_USERPWD => 'YOUR_CLIENT_ID' . ':' . getenv('CLIENT_SECRET'),
]);

$headers = ['Accept: application/json', "Authorization: Bearer {$tokens['access_token']}"];
$feed = send('/api/v2.0/feed?count=1', [CURLOPT_HTTPHEADER => $headers]);
foreach ($feed['items'] as $post) {
    echo "{$post['user']['displayName']}: {$post['text']}\n";
}
