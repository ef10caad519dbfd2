// Bare Hono answering the same JSON from a Map, with no checks at all. Throughput is compared to this.
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const rows = new Map();
const app = new Hono();
app.get('/customers/:id', (c) => c.json(rows.get(c.req.param('id'))));
app.get('/customers', (c) => c.json({ data: [...rows.values()].slice(0, 20), hasMore: false, totalCount: rows.size }));
app.post('/customers', async (c) => {
  const row = { id: `Customer:${rows.size + 1}`, ...(await c.req.json()) };
  rows.set(row.id, row);
  return c.json(row, 201);
});
app.post('/seed', async (c) => {
  for (const row of await c.req.json()) rows.set(row.id, row);
  return c.json({});
});
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
