// The least a Node service can be: one JSON answer. Start-up is compared to this.
import { createServer } from 'node:http';

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end('{"ok":true}');
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
