<?php
const BASE_URL = 'http://localhost:3000';

function send(string $path, array $form, array $options): array
{
    $curl = curl_init(BASE_URL . $path);
    curl_setopt_array($curl, $options + [
        CURLOPT_POSTFIELDS => http_build_query($form),
        CURLOPT_RETURNTRANSFER => true,
    ]);
    $body = curl_exec($curl);
    if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 200) {
        throw new RuntimeException($body ?: curl_error($curl));
    }
    return json_decode($body, true);
}

$credentials = 'YOUR_CLIENT_ID' . ':' . getenv('CLIENT_SECRET');
$tokens = send('/oauth/token', ['grant_type' => 'client_credentials'], [CURLOPT_USERPWD => $credentials]);

$headers = ['Accept: application/json', "Authorization: Bearer {$tokens['access_token']}"];
$created = send('/api/v2.0/post/create', ['message' => 'Hello from the API #Linnet'], [CURLOPT_HTTPHEADER => $headers]);
echo "Published {$created['items']['link']}\n";
