import { Hono } from 'hono'; import { serve } from '@hono/node-server';
const app=new Hono(); const m=new Map(); let n=0;
app.get('/customers/:id',c=>{const r=m.get(c.req.param('id'));return r?c.json(r):c.notFound()});
app.post('/customers',async c=>{const b=await c.req.json();const id='Customer:'+(++n);const r={id,...b};m.set(id,r);return c.json(r,201)});
app.post('/seed',async c=>{m.set('Customer:x',await c.req.json());return c.json({})});
serve({fetch:app.fetch,port:+process.argv[2],hostname:'127.0.0.1'});
