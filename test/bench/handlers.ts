// What the bench of handlers needs, in one bundle.
export { createNodeHandlers } from '../../server/src/host/handlers/nodeHandlers';
