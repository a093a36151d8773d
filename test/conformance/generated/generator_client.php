<?php
// Uses the client that openapi-generator wrote in PHP: posts, lists the feed, and reads a problem.

use Linnet\Api\PostsApi;
use Linnet\ApiException;
use Linnet\Configuration;
use Linnet\Model\PostCreateBody;

require '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = getenv('GENERATED') . strtr(substr($class, strlen('Linnet')), '\\', '/') . '.php';
    if (str_starts_with($class, 'Linnet\\') && is_file($file)) {
        require $file;
    }
});

$configuration = (new Configuration())
    ->setHost(getenv('BASE_URL') . '/api/v2.0')
    ->setAccessToken(getenv('ACCESS_TOKEN'));
$posts = new PostsApi(null, $configuration);

$posts->postCreate(new PostCreateBody(['message' => getenv('MESSAGE')]));
$newest = $posts->feed(1)->getItems()[0];
echo "{$newest->getText()} by {$newest->getUser()->getUsername()}\n";

try {
    $posts->postShow(1);
} catch (ApiException $missing) {
    echo "{$missing->getCode()} {$missing->getResponseObject()->getCode()}\n";
}
