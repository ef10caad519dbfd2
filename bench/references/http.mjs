#!/usr/bin/env node
// The least a Node service can be: one JSON answer. Start-up and idle memory are compared to this. Usage: http.mjs [port]
import { createServer } from 'node:http';

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end('{"ok":true}');
});
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}`),
);
