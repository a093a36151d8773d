// The control of every measurement: a node:http server that responds with a small JSON document.
import { createServer } from 'node:http';

const body = JSON.stringify({ hello: 'world' });
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
