import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

/** An MCP server with a few tools. Run as a program, it serves its standard input. */
export function createNotesServer(): McpServer {
  const server = new McpServer({ name: 'notes', version: '1' });
  const notes: string[] = [];
  server.registerTool('list_notes', { description: 'Lists the notes.' }, () => ({
    content: [{ type: 'text', text: notes.join('\n') }],
  }));
  server.registerTool('add.note', { description: 'Adds a note.' }, () => {
    notes.push(`note ${notes.length + 1}`);
    return { content: [{ type: 'text', text: `There are ${notes.length} notes.` }] };
  });
  server.registerTool('environment', {}, () => ({
    content: [{ type: 'text', text: `${process.env['NOTES_KEY'] ?? 'none'} in ${process.cwd()}` }],
  }));
  server.registerTool('picture', {}, () => ({
    content: [{ type: 'image', data: 'AAAA'.repeat(1000), mimeType: 'image/png' }],
  }));
  server.registerTool('break', {}, () => {
    throw new Error('the shelf is empty');
  });
  server.registerTool('leave', {}, () => process.exit(3));
  server.registerTool('wait', {}, () => new Promise<never>(() => {}));
  return server;
}

if (process.argv[1] === import.meta.filename) {
  await createNotesServer().connect(new StdioServerTransport());
}
